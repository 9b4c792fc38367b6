#include "core/report/csv.h"

#include <fmt/format.h>

#include <type_traits>

namespace meshslice {
namespace {

void append_text(std::string& out, const std::string& cell) {
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
    return out + "\r\n";
}

std::string csv(const Table& table) {
    std::string out = csv_line({table.columns.begin(), table.columns.end()});
    for (const std::vector<Table::Cell>& row : table.rows) {
        out += csv_line(row);
    }
    return out;
}

} // namespace meshslice
