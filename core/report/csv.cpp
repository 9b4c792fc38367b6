#include "core/report/csv.h"

#include "core/base/text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace meshslice {
namespace {

/// What a terminal shows and does not obey when somebody looks at the file.
std::string shown(const std::string& cell) {
    const bool plain =
        std::ranges::all_of(cell, [](char letter) { return letter >= ' ' && letter < '\x7f'; });
    return plain ? cell : printable(cell, Lines::kept);
}

void append_text(std::string& out, const std::string& words) {
    const std::string cell = shown(words);
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
        out += cell;
        return;
    }
    out += '"';
    for (const char letter : cell) {
        out += letter;
        if (letter == '"') {
            out += '"'; // A quote is doubled.
        }
    }
    out += '"';
}

void append(std::string& out, const Table::Cell& cell) {
    std::visit(
        [&](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
                append_text(out, value);
            } else {
                out += fmt::format("{}", value); // The shortest text that reads back to the same number.
            }
        },
        cell);
}

} // namespace

std::string csv_line(const std::vector<Table::Cell>& row) {
    std::string out;
    for (std::size_t k = 0; k < row.size(); ++k) {
        out += k == 0 ? "" : ",";
        append(out, row[k]);
    }
    return out + "\n";
}

std::string csv(const Table& table) {
    std::string out = csv_line({table.columns.begin(), table.columns.end()});
    for (const std::vector<Table::Cell>& row : table.rows) {
        out += csv_line(row);
    }
    return out;
}

} // namespace meshslice
