#pragma once

#include "core/base/result.h"
#include "core/cost/schedule.h"
#include "core/count/count.h"
#include "core/execute/chips.h"
#include "core/execute/dense_matrix.h"
#include "core/program/program.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace meshslice {

/// Execution proves that a program is right, on small matrices: at most this many elements on all chips
/// together, temporaries included (512 MB of 64-bit numbers).
inline constexpr std::int64_t most_executed_elements = std::int64_t{1} << 26;
/// ... and this many multiply-adds (some seconds).
inline constexpr std::int64_t most_executed_products = std::int64_t{1} << 34;

/// Whether the program keeps to these limits.
[[nodiscard]] Result<void> small_enough(const Program& program);

template <class Number>
struct Execution {
    DenseMatrix<Number> product; ///< C, gathered from all chips
    bool copies_agree = true;    ///< chips that hold the same part of C hold the same numbers
    std::vector<LinkTraffic>
        links; ///< what each existing link carried, elements counted in the schedule's type
    std::vector<FusedStores> fused; ///< by fusion, all of its runs together
};

/// Runs the program on real matrices: cuts A (m x k) and B (k x n) into shards, lets every chip do its
/// operations on its own memory, moves every chunk hop by hop between neighbours, and gathers C. Where a GEMM
/// feeds its collective, chips and links are actors that `actors` interleaves (its sizes have no meaning).
/// `watcher` hears what happens, step by step; of a GEMM that feeds its collective only the beginning and
/// the end. Instantiated for std::int64_t, float and double. Refuses sizes above the limits, and when it is
/// stopped.
template <class Number>
[[nodiscard]] Result<Execution<Number>>
execute(const Program& program, const Schedule& schedule, const DenseMatrix<Number>& a,
        const DenseMatrix<Number>& b, const std::stop_token& stop = {}, const TrackedRing& actors = {},
        ExecutionWatcher<Number>* watcher = nullptr);

} // namespace meshslice
