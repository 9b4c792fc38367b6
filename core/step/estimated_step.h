#pragma once

#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/gemm/algorithms.h"
#include "core/model/gemm.h"
#include "core/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// One product of a training step, by closed form; the estimate is of one copy.
struct EstimatedProduct {
    Gemm gemm;
    GemmOptions options;
    Estimate estimate;

    [[nodiscard]] Time time() const { return estimate.total * gemm.copies; }
};

/// The fully connected layers of one training step by closed form alone: what studies compare by the hundred.
/// The same numbers as training_step() at Depth::estimate, without counting traffic and memory.
struct EstimatedStep {
    std::string algorithm; ///< id
    std::vector<std::int32_t> mesh;
    std::int32_t chips = 1;
    std::vector<EstimatedProduct> products;
    Time time;
    Time compute;           ///< of one chip, launches included
    Time launch;            ///< of all communication of one chip, hidden or not
    Time sync;              ///< likewise
    Time transfer;          ///< likewise
    Time copy;              ///< of slices
    Flop flop;              ///< of all chips together
    double utilisation = 0; ///< FLOP / (chips x peak x time)

    [[nodiscard]] Time communication() const { return launch + sync + transfer + copy; }
};

/// The slice counts of a step's products, in order: to these another algorithm's loops may be unrolled.
[[nodiscard]] std::vector<std::int64_t> slice_counts(const EstimatedStep& step);

/// The scenario's step with `algorithm` on the scenario's mesh. With `unroll`, one count per product, the
/// loops of an algorithm that unrolls run at most that many iterations, as the paper compares SUMMA and Wang
/// with MeshSlice (section 4.2); else the scenario's slice count or the best one holds. Refused where a
/// product does not fit the mesh.
[[nodiscard]] Result<EstimatedStep> estimated_step(const Scenario& scenario, const std::string& algorithm,
                                                   const std::vector<std::int64_t>& unroll = {},
                                                   std::stop_token stop = {});

/// The same on the best of the meshes of `chips` chips that the hardware's links can make (section 4.2: every
/// algorithm on its own best mesh); the tallest of those that are equally fast. Refused, with the first
/// mesh's objection, where no mesh works.
[[nodiscard]] Result<EstimatedStep> on_best_mesh(const Scenario& scenario, const std::string& algorithm,
                                                 std::int32_t chips,
                                                 const std::vector<std::int64_t>& unroll = {},
                                                 std::stop_token stop = {});

} // namespace meshslice
