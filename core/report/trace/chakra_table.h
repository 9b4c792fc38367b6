#pragma once

#include "core/base/json/tree.h"
#include "core/figure/table.h"
#include "core/import/chakra_trace.h"
#include "core/question/answer.h"

#include <span>
#include <string>
#include <vector>

namespace meshslice {

/// What an execution trace has of each kind of node, as a table and as values of an answer.
[[nodiscard]] Table chakra_table(std::span<const ChakraSum> sums, Tree& values);
/// What each operation has of bytes, of all groups together: "all-reduce 3 GB". Operations count them each in
/// its own way, so that no sum of two says anything.
[[nodiscard]] std::vector<std::string> chakra_bytes(std::span<const ChakraSum> sums);
/// The same for people.
[[nodiscard]] Paragraph chakra_lines(std::span<const ChakraSum> sums);

} // namespace meshslice
