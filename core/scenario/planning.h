#pragma once

#include <cstdint>
#include <optional>

namespace meshslice {

/// A hundred times the largest machine.
inline constexpr std::int64_t most_planned_chips = std::int64_t{1} << 24;
/// Fifty times what has been trained on.
inline constexpr std::int64_t most_trained_tokens = 1'000'000'000'000'000;

/// What a scenario says about its whole training run.
struct Planning {
    /// Chips of the run; none: those of the mesh.
    std::optional<std::int64_t> chips = {};
    /// Samples of a step of the whole run, where the scenario is one tensor-parallel group of its plan and
    /// its own batch a micro-batch; else the scenario's batch.
    std::optional<std::int64_t> batch = {};
    /// Of the whole training, whose days are said; none: they are not.
    std::optional<std::int64_t> tokens = {};

    bool operator==(const Planning&) const = default;
};

} // namespace meshslice
