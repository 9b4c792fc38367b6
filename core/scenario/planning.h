#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace meshslice {

/// A hundred times the largest cluster.
inline constexpr std::int64_t most_planned_chips = std::int64_t{1} << 24;
/// Fifty times what has been trained on.
inline constexpr std::int64_t most_trained_tokens = 1'000'000'000'000'000;

/// What a training run is planned for: the cluster and how many of its chips.
struct Planning {
    std::string cluster = "b200-nvs8"; ///< as machine_preset() reads it
    std::int64_t chips = 1024;
    /// Samples of a step of the whole run, where the scenario is one tensor-parallel group of its plan and
    /// its own batch a micro-batch; else the scenario's batch.
    std::optional<std::int64_t> batch = {};
    /// Of the whole training, whose days are said; none: they are not.
    std::optional<std::int64_t> tokens = {};

    bool operator==(const Planning&) const = default;
};

} // namespace meshslice
