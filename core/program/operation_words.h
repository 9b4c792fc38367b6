#pragma once

#include "core/program/program.h"

#include <string>

namespace meshslice {

/// The matrix whose shards an operation sends: "A" of "A_s"; empty where nothing travels.
[[nodiscard]] std::string travelling_matrix(const Program& program, OperationId operation);

/// What an operation does, in words for a bar or a list: "gather A along the row", "multiply". Its name of
/// the literature ("AG_col") is for pseudocode.
[[nodiscard]] std::string operation_words(const Program& program, OperationId operation);
/// The same without the axis, for a narrow bar: "gather A".
[[nodiscard]] std::string brief_operation_words(const Program& program, OperationId operation);

} // namespace meshslice
