#pragma once

#include "core/base/json/tree.h"
#include "core/figure/table.h"
#include "core/import/chakra_trace.h"
#include "core/question/answer.h"

#include <span>

namespace meshslice {

/// What an execution trace has of each kind of node, as a table and as values of an answer.
[[nodiscard]] Table chakra_table(std::span<const ChakraSum> sums, Tree& values);
/// The same for people.
[[nodiscard]] Paragraph chakra_lines(std::span<const ChakraSum> sums);

} // namespace meshslice
