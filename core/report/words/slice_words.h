#pragma once

#include "core/program/program.h"

#include <string>
#include <vector>

namespace meshslice {

/// What a slice of every sliced matrix is made of, a sentence each: "Slice 1 of 8 of A is columns 0 to 7, 64
/// to 71, 128 to 135 and so on of the 1536 that a chip has, in blocks of 8." None where nothing is sliced.
[[nodiscard]] std::vector<std::string> slice_words(const Program& program);

} // namespace meshslice
