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

} // namespace meshslice
