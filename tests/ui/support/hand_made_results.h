#pragma once

#include "ui/session/results.h"

namespace meshslice::ui {

constexpr Time microseconds(std::int64_t count) {
    return Time(count * 1'000'000);
}

/// Results small enough to follow with a pencil: two GEMMs ("FF1 forward", "FF1 backward data") of one
/// algorithm on a 2x2 torus, each 100 us long, and, if asked for, a second algorithm with the same GEMMs
/// of 150 us.
///
/// Every GEMM's timeline, on each of the four chips (rows: core, south, north, east, west):
///     core    idle 0-40, launch 40-42, multiply 42-90 us, idle to the end
///     south   launch 0-10, synchronization 10-15, transfer 15-41.2 us
///     others  nothing
/// Machine: links of 45 GB/s, synchronization 5 us, peak 100 TFLOP/s of which large GEMMs reach half, HBM
/// 1 TB/s. Numbers: one step moves 1 179 000 B = 26.2 us x 45 GB/s; the multiplication is 2.4 GFLOP = 48 us x
/// 50 TFLOP/s.
[[nodiscard]] ResultsPtr handMadeResults(bool compared = false);

/// One GEMM with a core row alone, of `count` bars of 1 us each with 1 us between them.
[[nodiscard]] ResultsPtr combResults(std::size_t count);

} // namespace meshslice::ui
