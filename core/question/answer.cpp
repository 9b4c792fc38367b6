#include "core/question/answer.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

std::string_view word(const std::optional<bool>& holds) {
    return !holds ? "not judged" : *holds ? "holds" : "DOES NOT HOLD";
}

/// Of an answer that says nothing in words of its own.
std::vector<Paragraph> words_by_themselves(const Answer& answer) {
    std::vector<Paragraph> words;
    if (!answer.headline.empty()) {
        words.push_back({answer.headline + "\n"});
    }
    Paragraph values;
    each_value(answer.values, [&](const std::string& path, const Tree& value) {
        values.lines.push_back({path, value_text(path, value)});
    });
    if (!values.lines.empty()) {
        words.push_back(std::move(values));
    }
    Paragraph checks;
    for (const Check& check : answer.checks) {
        checks.lines.push_back({check.what, std::string(word(check.holds)), check.because});
    }
    if (!checks.lines.empty()) {
        words.push_back(std::move(checks));
    }
    for (const Offer& offer : answer.offers) {
        words.push_back({offer.sentence + "\n"});
    }
    for (const std::string& note : answer.notes) {
        words.push_back({note + "\n"});
    }
    return words;
}

} // namespace

NamedTable NamedTable::of(std::string name, Table table) {
    const auto held = std::make_shared<const Table>(std::move(table));
    return {std::move(name), held->title, held->columns, [held](const Take& take) -> Result<void> {
                for (const auto& row : held->rows) {
                    if (!take(row)) {
                        break;
                    }
                }
                return {};
            }};
}

NamedTable NamedTable::shown_as(Table table, std::string words) && {
    shown = std::make_shared<const Table>(std::move(table));
    says = std::move(words);
    return std::move(*this);
}

NamedTable NamedTable::as(TableKind its) && {
    kind = its;
    return std::move(*this);
}

Result<Table> whole_table(const NamedTable& table) {
    Table whole{table.title, table.columns, {}};
    return table
        .rows([&](const std::vector<Table::Cell>& row) {
            whole.rows.push_back(row);
            return true;
        })
        .map([&] { return std::move(whole); });
}

Table band_table(const std::vector<NumberBand>& bands, std::string title) {
    Table table{std::move(title), {"number", "answer_s", "from_s", "to_s"}, {}};
    for (const NumberBand& one : bands) {
        table.rows.push_back({one.name, one.value, one.low, one.high});
    }
    return table;
}

Tree rows_of(const Table& table) {
    Tree list = Tree::array();
    for (const std::vector<Table::Cell>& row : table.rows) {
        Tree values = Tree::object();
        for (std::size_t k = 0; k < row.size(); ++k) {
            values[table.columns[k]] = std::visit([](const auto& cell) { return Tree(cell); }, row[k]);
        }
        list.push_back(std::move(values));
    }
    return list;
}

bool Answer::holds() const {
    return std::ranges::all_of(checks, [](const Check& check) { return check.holds.value_or(true); });
}

std::string words_of(const Answer& answer) {
    std::string out;
    for (const Paragraph& one : answer.words.empty() ? words_by_themselves(answer) : answer.words) {
        out += one.lines.empty() ? one.text : text_table(one.lines, one.left_aligned, one.words_last);
    }
    return plain_spaces(std::move(out));
}

std::string value_text(const std::string& path, const Tree& value) {
    if (const std::optional<double> number = value.number()) {
        const std::string_view unit = unit_of(path);
        return unit == "s"     ? seconds_text(*number)
               : unit == "B"   ? bytes_text(*number)
               : !unit.empty() ? si_text(*number, unit)
                               : number_text(*number);
    }
    return std::visit(
        [](const auto& held) -> std::string {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::string>) {
                return held;
            } else if constexpr (std::is_same_v<Held, bool>) {
                return held ? said("yes") : said("no");
            } else {
                return said("none");
            }
        },
        value.value());
}

} // namespace meshslice
