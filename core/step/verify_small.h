#pragma once

#include "core/execute/verify.h"
#include "core/gemm/algorithms.h"

namespace meshslice {

/// A GEMM of at most so many multiply-adds takes no time that somebody would wait for.
inline constexpr std::int64_t most_quick_products = std::int64_t{1} << 27;

/// An algorithm that ran on matrices small enough to do so at once.
struct SmallVerification {
    GemmShape shape; ///< that ran
    Verification verification;
};

/// The GEMM itself where it is quick to run, else the smallest that comes of halving its dimensions as long
/// as the algorithm still cuts it in the same way: on the same torus, with the same options.
[[nodiscard]] GemmShape quick_shape(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                    const Torus& torus, const GemmOptions& options);

/// Runs that one on whole numbers made from `seed`, chip by chip and hop by hop, and compares. Refused where
/// the algorithm does not run, or even the smallest is too large, and when it is stopped.
[[nodiscard]] Result<SmallVerification> verify_small(const Algorithm& algorithm, const GemmShape& shape,
                                                     Dataflow dataflow, const Torus& torus,
                                                     const GemmOptions& options, const Schedule& schedule,
                                                     std::uint64_t seed = 1,
                                                     const std::stop_token& stop = {});

} // namespace meshslice
