#pragma once

#include "core/papers/transformers/scaling_plans.h"

#include <string>
#include <vector>

namespace meshslice {

/// A kind of cluster: a generation of GPUs with fast domains of one size.
struct ClusterKind {
    Machine hardware;
    std::size_t generation = 0; ///< 0 A100, 1 H200, 2 B200; 3 for another cluster that was asked for
    std::int64_t domain = 1;
    std::string title;  ///< "B200, 8"
    std::string family; ///< "B200"
};
/// The paper's nine, the oldest and smallest first; then the one that was asked for, if it is another.
[[nodiscard]] std::vector<ClusterKind> cluster_kinds(const Machine& asked);

/// Lines over numbers of chips: a panel for each generation, a line for each size of domain; another cluster
/// that was asked for has a panel of its own. `all`: values by cluster and number of chips.
[[nodiscard]] std::vector<ChartPanel>
cluster_panels(const std::string& title, const ChartAxis& values, const std::vector<std::int32_t>& chips,
               const std::vector<ClusterKind>& kinds,
               const std::vector<std::vector<std::optional<double>>>& all);

} // namespace meshslice
