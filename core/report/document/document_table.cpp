#include "core/base/say.h"
#include "core/question/answer.h"
#include "core/report/document/document.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {

DocumentTable document_table(const Table& table, std::size_t most) {
    DocumentTable made{table.title, {}, {}, 0};
    std::ranges::transform(table.columns, std::back_inserter(made.columns), words_of_name);
    const std::size_t shown = std::min(most, table.rows.size());
    for (std::size_t k = 0; k < shown; ++k) {
        std::vector<std::string> cells;
        for (std::size_t c = 0; c < table.rows[k].size(); ++c) {
            const std::string& column = c < table.columns.size() ? table.columns[c] : std::string();
            const auto* const count = std::get_if<std::int64_t>(&table.rows[k][c]);
            const bool plain = count != nullptr && unit_of(column).empty(); // 131072 rows are not "131000"
            cells.push_back(plain
                                ? std::to_string(*count)
                                : std::visit([&](const auto& cell) { return value_text(column, Tree(cell)); },
                                             table.rows[k][c]));
        }
        made.rows.push_back(std::move(cells));
    }
    while (made.left_aligned < table.columns.size() && std::ranges::any_of(table.rows, [&](const auto& row) {
               return made.left_aligned < row.size() &&
                      std::holds_alternative<std::string>(row[made.left_aligned]);
           })) {
        ++made.left_aligned;
    }
    if (shown < table.rows.size()) {
        made.caption += (made.caption.empty() ? "" : "; ") + say("{} of {} rows", shown, table.rows.size());
    }
    return made;
}

} // namespace meshslice
