#pragma once

#include "core/figure/table.h"

#include <string>
#include <vector>

namespace meshslice {

/// RFC 4180: a header line, CR LF line ends, quotes where a cell has a comma, a quote or a line end; numbers
/// with a point and as many digits as read back to the same value.
[[nodiscard]] std::string csv(const Table& table);
/// One line of it.
[[nodiscard]] std::string csv_line(const std::vector<Table::Cell>& row);

} // namespace meshslice
