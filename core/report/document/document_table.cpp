#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/answer.h"
#include "core/report/document/document.h"
#include "core/report/words/column_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t wide = 9;          ///< columns from which on some are taken out
constexpr std::size_t most_columns = 11; ///< that a page holds
constexpr std::size_t least_upright = 5; ///< columns of a single row that is read better upright

/// How the numbers of a column without a unit are read.
enum class Reads : std::uint8_t { plain, share, deviation };
Reads reads(std::string_view column) {
    const auto has = [&](std::string_view word) {
        return column == word || column.ends_with(fmt::format("_{}", word)) ||
               column.ends_with(fmt::format(" {}", word));
    };
    // Other errors are absolute.
    constexpr std::array<std::string_view, 5> relative_errors = {"error", "mean_error", "median_error",
                                                                 "ninetieth_percentile_error", "worst_error"};
    const bool deviates =
        has("deviation") || std::ranges::find(relative_errors, column) != relative_errors.end();
    return deviates                                                               ? Reads::deviation
           : has("share") || has("utilization") || column.starts_with("share_of") ? Reads::share
                                                                                  : Reads::plain;
}

bool is_far_off(const std::string& column, const Table::Cell& cell) {
    const auto* const number = std::get_if<double>(&cell);
    return number != nullptr && reads(column) == Reads::deviation && std::abs(*number) > far_off;
}

/// What the reader must not miss.
bool stands_out(const std::string& column, const Table::Cell& cell) {
    const auto* const words = std::get_if<std::string>(&cell);
    const bool judges = column == "fits" || column == "holds" || column == "met";
    return is_far_off(column, cell) ||
           (judges && words != nullptr &&
            (*words == "no" || *words == said("no") || *words == said("not met")));
}

bool is_empty(const Table::Cell& cell) {
    const auto* const words = std::get_if<std::string>(&cell);
    return words != nullptr && words->empty();
}

/// Which columns a document shows, and what it says of the others.
struct Shown {
    std::vector<std::size_t> columns;
    std::vector<std::string> notes;
};

bool same_in_all(const Table& table, std::size_t column) {
    return std::ranges::all_of(table.rows, [&](const auto& row) {
        return column < row.size() && row[column] == table.rows.front()[column];
    });
}

Shown shown_columns(const Table& table) {
    Shown shown;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (table.rows.empty() || std::ranges::any_of(table.rows, [&](const auto& row) {
                return k < row.size() && !is_empty(row[k]);
            })) {
            shown.columns.push_back(k);
        }
    }
    if (table.rows.size() > 1 && shown.columns.size() >= wide) {
        std::string same;
        std::vector<std::size_t> kept;
        for (const std::size_t k : shown.columns) {
            const bool varies = k == shown.columns.front() || !same_in_all(table, k);
            if (varies) {
                kept.push_back(k);
                continue;
            }
            same += (same.empty() ? std::string() : said(", ")) +
                    fmt::format("{} {}", words_of_column(table.columns[k]),
                                words_of_cell(table.columns[k], table.rows.front()[k]));
        }
        shown.columns = std::move(kept);
        if (!same.empty()) {
            shown.notes.push_back(say("The same in all rows: {}.", same));
        }
    }
    if (table.rows.size() > 1 && shown.columns.size() > most_columns) {
        shown.notes.push_back(say("The first {} of {} columns.", most_columns, shown.columns.size()));
        shown.columns.resize(most_columns);
    }
    return shown;
}

/// A row as a name and a value a line.
DocumentTable upright(const Table& table, const std::vector<std::size_t>& columns) {
    DocumentTable made{table.title, {}, {}, 2};
    for (const std::size_t k : columns) {
        if (k < table.rows.front().size()) {
            const Table::Cell& cell = table.rows.front()[k];
            if (stands_out(table.columns[k], cell)) {
                made.marked.emplace_back(made.rows.size(), 1);
            }
            made.rows.push_back({words_of_column(table.columns[k]), words_of_cell(table.columns[k], cell)});
        }
    }
    return made;
}

/// Says why cells stand out, where the cells themselves do not.
void explain_marks(DocumentTable& made, const Table& table, const std::vector<std::size_t>& columns) {
    const auto far = [&](const std::vector<Table::Cell>& row) {
        return std::ranges::any_of(
            columns, [&](std::size_t k) { return k < row.size() && is_far_off(table.columns[k], row[k]); });
    };
    const std::size_t rows = std::min(made.rows.size(), table.rows.size());
    const auto end = table.rows.begin() + static_cast<std::ptrdiff_t>(rows);
    if (std::any_of(table.rows.begin(), end, far)) {
        made.notes.push_back(say("Marked: more than {} off.", percent_text(far_off)));
    }
}

} // namespace

std::string words_of_cell(const std::string& column, const Table::Cell& cell) {
    const auto* const count = std::get_if<std::int64_t>(&cell);
    const auto* const number = std::get_if<double>(&cell);
    if (count != nullptr && unit_of(column).empty()) { // 131072 rows are not "131000"
        return std::to_string(*count);
    }
    if (number != nullptr && !std::isfinite(*number)) {
        return {};
    }
    if (number != nullptr && unit_of(column).empty() && reads(column) != Reads::plain) {
        return reads(column) == Reads::share ? percent_text(*number) : deviation_text(*number);
    }
    return std::visit([&](const auto& one) { return value_text(column, Tree(one)); }, cell);
}

bool DocumentTable::is_left(std::size_t column) const {
    return column < left_aligned || std::ranges::find(more_left, column) != more_left.end();
}
bool DocumentTable::marks(std::size_t row, std::size_t column) const {
    return std::ranges::find(marked, std::pair(row, column)) != marked.end();
}

DocumentTable document_table(const Table& table, std::size_t most) {
    Shown shown = shown_columns(table);
    if (table.rows.size() == 1 && shown.columns.size() >= least_upright) {
        DocumentTable made = upright(table, shown.columns);
        explain_marks(made, table, shown.columns);
        return made;
    }
    DocumentTable made{table.title, {}, {}, 0};
    for (const std::size_t k : shown.columns) {
        made.columns.push_back(words_of_column(table.columns[k]));
    }
    const std::size_t rows = std::min(most, table.rows.size());
    for (std::size_t row = 0; row < rows; ++row) {
        std::vector<std::string> cells;
        for (const std::size_t k : shown.columns) {
            if (k >= table.rows[row].size()) {
                break;
            }
            const Table::Cell& cell = table.rows[row][k];
            if (stands_out(table.columns[k], cell)) {
                made.marked.emplace_back(row, cells.size());
            }
            cells.push_back(words_of_cell(table.columns[k], cell));
        }
        made.rows.push_back(std::move(cells));
    }
    const auto has_words = [&](std::size_t column) {
        return std::ranges::any_of(table.rows, [&](const auto& row) {
            return column < row.size() && std::holds_alternative<std::string>(row[column]) &&
                   !is_empty(row[column]);
        });
    };
    while (made.left_aligned < shown.columns.size() && has_words(shown.columns[made.left_aligned])) {
        ++made.left_aligned;
    }
    for (std::size_t k = made.left_aligned; k < shown.columns.size(); ++k) {
        if (has_words(shown.columns[k])) {
            made.more_left.push_back(k);
        }
    }
    if (rows < table.rows.size()) {
        made.caption += (made.caption.empty() ? "" : "; ") + say("{} of {} rows", rows, table.rows.size());
    }
    made.notes = std::move(shown.notes);
    explain_marks(made, table, shown.columns);
    return made;
}

} // namespace meshslice
