#pragma once

#include "core/program/pipelining.h"
#include "core/program/program.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// `after` may not start its iteration s before `before` has finished its iteration s - distance. Outside the
/// loop an operation has one iteration, and what follows the loop counts as its next iteration.
struct Dependency {
    OperationId before = 0;
    OperationId after = 0;
    std::int64_t distance = 0;

    bool operator==(const Dependency&) const = default;
};

/// How many runs of `before` must be finished before run `iteration` of `after` may start; 0 or less for
/// none.
[[nodiscard]] std::int64_t runs_needed(const Program& program, const Dependency& dependency,
                                       std::int64_t iteration);

/// What must precede what on one chip. Software pipelining is not written down anywhere; it follows from
/// these:
/// - data: an operation reads what another has written, in this iteration or, where a value is carried
///   round the loop, in the one before;
/// - buffers: a temporary of the loop has prefetch depth + 1 buffers, so an operation that writes one
///   waits until the readers of that buffer's former content have finished;
/// - of a fusion the collective does not wait for its GEMM, but what reads its result waits for both.
[[nodiscard]] std::vector<Dependency> dependencies(const Program& program, Prefetch prefetch);

/// The same without the operations that take no time (`takes_time` is false for their id): what waited for
/// one of them now waits for what that one waited for. Of several dependencies between two operations only
/// the strictest stays. An operation's dependency on itself is left out, since program order implies it.
[[nodiscard]] std::vector<Dependency> contracted(const std::vector<Dependency>& dependencies,
                                                 const std::vector<bool>& takes_time);

} // namespace meshslice
