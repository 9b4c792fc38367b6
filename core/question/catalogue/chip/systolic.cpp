// A systolic array, cycle by cycle, on real numbers (How to Scale Your Model, chapter 2).

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/execute/chip/systolic_array.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/chip_charts.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_stepped_array = 32, most_stepped_rows = 256, most_stepped_operands = 8;

QuestionField stepped_field(FieldRow row, std::int64_t most, std::string first) {
    row.kind = FieldKind::whole;
    row.least = 1;
    row.most = most;
    return {.row = std::move(row), .first = std::move(first)};
}

std::vector<QuestionField> systolic_fields() {
    return {stepped_field({.key = "array",
                           .name = said("Array"),
                           .label = said("Array"),
                           .help = said("Rows, and as many columns, of cells; a TPU's has 128 or 256"),
                           .flag = "--array",
                           .flag_help = "N: rows, and as many columns, of cells (default 4)"},
                          most_stepped_array, "4"),
            stepped_field({.key = "rows",
                           .name = said("Rows of X"),
                           .label = said("Rows of X"),
                           .help = said("Of each product X W: one enters per cycle"),
                           .flag = "--rows",
                           .flag_help = "N: of each product X W; one enters per cycle (default 6)"},
                          most_stepped_rows, "6"),
            stepped_field(
                {.key = "operands",
                 .name = said("Chained operands"),
                 .label = said("Operands"),
                 .help = said("Products one after the other: while one is multiplied the weights of the "
                              "next arrive"),
                 .flag = "--operands",
                 .flag_help = "N: products one after the other (default 1)"},
                most_stepped_operands, "1"),
            stepped_field({.key = "cycle",
                           .name = said("Cycle"),
                           .label = said("Cycle"),
                           .help = said("That is looked at; past the last one the last"),
                           .flag = "--cycle",
                           .flag_help = "N: that is looked at; past the last one the last (default 8)"},
                          std::int64_t{1} << 20, "8")};
}

/// Small numbers that differ.
std::vector<std::vector<std::vector<std::int64_t>>> small_numbers(std::int64_t count, std::int64_t rows,
                                                                  std::int64_t columns, std::int64_t from) {
    std::vector<std::vector<std::vector<std::int64_t>>> all(static_cast<std::size_t>(count));
    for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t row = 0; row < rows; ++row) {
            std::vector<std::int64_t>& its = all[static_cast<std::size_t>(k)].emplace_back();
            for (std::int64_t column = 0; column < columns; ++column) {
                its.push_back((from + 3 * k + 2 * row + column) % 5 + 1);
            }
        }
    }
    return all;
}

struct FoundSystolic {
    SystolicRun run;
    SystolicTime time;
    std::int64_t rows = 1, operands = 1;
};

FoundSystolic find_systolic(const Asked& asked) {
    const auto whole = [&](const char* key) { return static_cast<std::int64_t>(asked.number(key)); };
    const std::int64_t size = whole("array"), rows = whole("rows"), operands = whole("operands");
    return {{small_numbers(operands, rows, size, 0), small_numbers(operands, size, size, 1), whole("cycle")},
            systolic_time(size, rows, operands),
            rows,
            operands};
}

Tree values_of(const FoundSystolic& found) {
    Tree cells = Tree::array();
    for (const SystolicCell& one : found.run.cells()) {
        cells.push_back({{"works", one.works},
                         {"weight", one.loaded ? Tree(one.weight) : Tree()},
                         {"input", one.works ? Tree(one.input) : Tree()},
                         {"sum", one.works ? Tree(one.sum) : Tree()}});
    }
    return {{"array", found.run.size()},
            {"rows", found.rows},
            {"operands", found.operands},
            {"cycles", found.time.cycles},
            {"filling_cycles", found.time.filling},
            {"bubble_cycles", found.time.cycles - found.operands * found.rows},
            {"utilization", found.time.utilization},
            {"cycle", found.run.cycle()},
            {"working_cells", found.run.working(found.run.cycle())},
            {"cells", std::move(cells)}};
}

Table systolic_cell_table(const FoundSystolic& found) {
    Table table{say("Cells after cycle {}", found.run.cycle()),
                {"row", "column", "weight", "operand", "row_of_x", "input", "sum"},
                {}};
    const std::vector<SystolicCell>& cells = found.run.cells();
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const SystolicCell& one = cells[k];
        const auto worked = [&](std::int64_t value) {
            return one.works ? Table::Cell(value) : Table::Cell(std::string());
        };
        table.rows.push_back({static_cast<std::int64_t>(k) / found.run.size() + 1,
                              static_cast<std::int64_t>(k) % found.run.size() + 1,
                              one.loaded ? Table::Cell(one.weight) : Table::Cell(std::string()),
                              worked(one.operand + 1), worked(one.row + 1), worked(one.input),
                              worked(one.sum)});
    }
    return table;
}

std::vector<Paragraph> words_of(const FoundSystolic& found) {
    const std::int64_t size = found.run.size();
    std::vector<Paragraph> words = {
        {fmt::format("{0} x {0} cells, {1} product{2} of {3} rows\n\n", size, found.operands,
                     found.operands == 1 ? "" : "s", found.rows)}};
    const std::int64_t busy = found.operands * found.rows;
    words.push_back(
        {{},
         {{"cycles", std::to_string(found.time.cycles), fmt::format("{} rows of X, one a cycle", busy)},
          {"bubble", std::to_string(found.time.cycles - busy),
           fmt::format("{} to load the first weights, {} until the last sum has crossed{}",
                       found.time.filling, 2 * (size - 1),
                       found.time.waiting > 0
                           ? fmt::format(", {} waiting for later weights", found.time.waiting)
                           : std::string())},
          {"used", percent_text(found.time.utilization), "of all cells' cycles"}}});
    words.push_back({fmt::format("\nCycle {}: {} of {} cells multiply; each cell's sum\n", found.run.cycle(),
                                 found.run.working(found.run.cycle()), size * size)});
    Paragraph cells;
    cells.words_last = false;
    cells.left_aligned = 0;
    for (std::int64_t row = 0; row < size; ++row) {
        std::vector<std::string>& line = cells.lines.emplace_back();
        for (std::int64_t column = 0; column < size; ++column) {
            const SystolicCell& one = found.run.cells()[static_cast<std::size_t>(row * size + column)];
            line.push_back(one.works ? std::to_string(one.sum) : one.loaded ? "-" : ".");
        }
    }
    words.push_back(std::move(cells));
    return words;
}

Answer answer_of(const FoundSystolic& found) {
    Chart chart = cell_chart(found.run);
    Answer answer{values_of(found), chart.title,
                  say("{} × {} cells, cycle {}", found.run.size(), found.run.size(), found.run.cycle()),
                  Confidence::exact};
    answer.words = words_of(found);
    answer.tables.push_back(NamedTable::of("cells", systolic_cell_table(found)));
    answer.charts.push_back({"cells", std::move(chart), {}, said("Cells")});
    answer.charts.push_back({"use", systolic_use_chart(found.run, found.time), {}, said("By the cycle")});
    answer.checks.push_back({said("What comes out is X W"), found.run.products() == found.run.expected()});
    return answer;
}

} // namespace

Question systolic_question() {
    Question question{"systolic",
                      said("Systolic array"),
                      "systolic",
                      said("Steps through a systolic array on real numbers: what each cell has in a cycle, "
                           "the bubble, the share of cells in use"),
                      {},
                      systolic_fields(),
                      [](const Asked& asked, const RunControl& /*control*/) {
                          return Result<Tree>(values_of(find_systolic(asked)));
                      },
                      [](const Asked& asked, const RunControl& /*control*/) {
                          return Result<Answer>(answer_of(find_systolic(asked)));
                      }};
    question.files = {
        {AnswerFile::Of::chart, "cells", "--svg", "FILE.svg: draws the cells in the cycle"},
        {AnswerFile::Of::chart, "use", "--svg-use", "FILE.svg: draws how many cells multiply in each cycle"}};
    question.examples = {"--array 4 --rows 6 --cycle 8", "--array 8 --rows 8 --operands 3 --cycle 20",
                         "--array 32 --rows 256 --json"};
    return question;
}

} // namespace meshslice
