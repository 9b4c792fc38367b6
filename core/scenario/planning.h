#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace meshslice {

/// A hundred times the largest cluster.
inline constexpr std::int64_t most_planned_chips = std::int64_t{1} << 24;
/// Fifty times what has been trained on.
inline constexpr std::int64_t most_trained_tokens = 1'000'000'000'000'000;

/// What a training run is planned for: the cluster, how many of its chips, how products may be split over a
/// tensor-parallel group, and how plans may run.
struct Planning {
    std::string cluster = "b200-nvs8"; ///< as machine_preset() reads it
    std::int64_t chips = 1024;
    /// "1d", "2d", "summa" or "all"; on a torus "1d", "all" or the id of an algorithm: "meshslice", "summa"
    std::string strategy = "all";
    // "any", or those that plans may have, with commas between them, as plan_choices() reads them:
    std::string schedule =
        "any"; ///< "1f1b", "interleaved" (with any number of chunks), "interleaved:2", "gpipe"
    std::string recompute = "any"; ///< "none", "attention", "full"
    std::string zero = "any";      ///< "0" to "3"

    /// Samples of a step of the whole run, where the scenario is one tensor-parallel group of its plan and
    /// its own batch a micro-batch; else the scenario's batch.
    std::optional<std::int64_t> batch = {};
    /// Of the whole training, whose days are said; none: they are not.
    std::optional<std::int64_t> tokens = {};

    bool operator==(const Planning&) const = default;
};

} // namespace meshslice
