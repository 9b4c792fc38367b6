#pragma once

#include "core/model/gemm.h"

#include <cstddef>
#include <vector>

namespace meshslice {

/// By GEMM of a step: the first of the same shape and dataflow, so that what one scenario makes of it holds
/// for both: options, program, estimate and timeline. FF1 forward and FF2 backward data are such a pair,
/// where the dataflow is the paper's.
[[nodiscard]] std::vector<std::size_t> distinct_gemms(const std::vector<Gemm>& gemms);

} // namespace meshslice
