#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace meshslice {

/// A plain table for people and programs: the data behind a view. A column's name carries its unit
/// ("time_s").
struct Table {
    using Cell = std::variant<std::string, std::int64_t, double>;

    std::string title;
    std::vector<std::string> columns;
    std::vector<std::vector<Cell>> rows;

    bool operator==(const Table&) const = default;
};

/// Puts a first column "variant" in front, one text a row, where any of them says something.
void name_variants(Table& table, const std::vector<std::string>& variants);

} // namespace meshslice
