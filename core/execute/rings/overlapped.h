#pragma once

#include "core/base/result.h"
#include "core/cost/schedule.h"
#include "core/execute/dense_matrix.h"
#include "core/program/dependencies.h"
#include "core/program/program.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// C after an overlapped execution, gathered from all chips.
struct OverlappedProduct {
    DenseMatrix<double> product; ///< NaN where an operation read what was not there
    bool copies_agree = true;    ///< chips that hold the same part of C hold the same numbers
};

/// Runs the program as loosely as its dependencies allow, to prove that they are complete. The operations
/// start and finish in a random order made from `seed`, chosen at every step or by random ranks, and any
/// number of them may be in progress at a time; only the runs of one operation follow each other. Temporaries
/// of the loop live in the schedule's prefetch depth + 1 buffers. An operation reads its inputs when it
/// starts or when it finishes, writes its output when it finishes, and leaves NaN there in the meantime, so
/// whatever is read too early or overwritten too early spoils the product. With matrices of whole numbers,
/// and sums below 2^53, a correct product is exact.
///
/// Refuses what execute() refuses as too large, programs with fusions, and dependencies that wait for each
/// other.
[[nodiscard]] Result<OverlappedProduct> execute_overlapped(const Program& program, const Schedule& schedule,
                                                           const std::vector<Dependency>& dependencies,
                                                           std::uint64_t seed, const DenseMatrix<double>& a,
                                                           const DenseMatrix<double>& b);

} // namespace meshslice
