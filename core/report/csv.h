#pragma once

#include "core/figure/table.h"

#include <string>
#include <vector>

namespace meshslice {

/// RFC 4180, but with the line ends of Unix, whose tools would take a CR for a part of the last column: a
/// header line, quotes where a cell has a comma, a quote or a line end; numbers with a point and as many
/// digits as read back to the same value. Control characters are written as "\x1b".
[[nodiscard]] std::string csv(const Table& table);
/// One line of it.
[[nodiscard]] std::string csv_line(const std::vector<Table::Cell>& row);

} // namespace meshslice
