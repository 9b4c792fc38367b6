#pragma once

#include "core/model/gemm.h"
#include "core/program/chunk_order.h"
#include "core/scenario/plan/plan.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace meshslice {

/// By what plans are ranked.
enum class PlanOrder : std::uint8_t {
    expected, ///< by what measured runs let expect, wherever that is known; else as `ideal`
    ideal     ///< by what the machine's numbers allow
};
[[nodiscard]] constexpr std::string_view name(PlanOrder order) {
    return order == PlanOrder::expected ? "expected" : "ideal";
}

/// How a training run may be split over chips, and how its plans may run: "any" or "all", or those that plans
/// may have, with commas between them, as plan_choices() reads them.
struct SplitAsked {
    /// "1d", "2d", "summa" or "all"; on a torus "1d", "all" or the id of an algorithm: "meshslice", "summa"
    std::string strategy = "all";
    std::string schedule =
        "any"; ///< "1f1b", "interleaved" (with any number of chunks), "interleaved:2", "gpipe"
    std::string recompute = "any"; ///< "none", "attention", "full"
    std::string zero = "any";      ///< "0" to "3"

    // Parts of the split; none: the search chooses.
    std::optional<std::int64_t> data = {}, pipeline = {};
    /// The sides of the tensor-parallel grid, "8x1", as parse_grid() reads them: "8xany" leaves one open. The
    /// second side of a 2D plan is context parallel.
    std::string tensor = "any";
    /// Data-parallel chips that share the experts; none: the search chooses, where a model has experts and
    /// its machine fast domains; else one.
    std::optional<std::int64_t> experts = {};
    /// Chips that share weights among copies that hold the same (hybrid sharding); none: all of them.
    std::optional<std::int64_t> shard = {};
    /// Groups of these sum gradients with each other after every backward pass, and not once a step.
    bool sums_each_backward = false;
    std::string context = "gather"; ///< "any", or one or several of "gather", "ring" and "all-to-all"
    std::int64_t offload = 0;       ///< percent of kept activations that wait in the host's memory
    std::optional<std::int64_t> micro_batch = {}; ///< samples
    std::optional<std::int64_t> panels = {};      ///< of plans with SUMMA

    PlanOrder rank = PlanOrder::expected;

    bool tensor_overlap = false; ///< GEMMs hide their tensor-parallel communication
    bool data_overlap = true;    ///< layers hide the data-parallel communication of their neighbours
    bool fits_only = false;      ///< plans that need more memory than a chip has are left out
    bool fewer_chips = false;    ///< a run takes fewer of its chips where a step is faster with them

    bool operator==(const SplitAsked&) const = default;
};

/// What a user says about how the work lies on the machine: parts of it are fixed, the others are chosen.
struct PlanAsked {
    // Of every GEMM:
    std::string algorithm = "meshslice";
    std::optional<Stationary>
        stationary; ///< the same for every layer; none: the largest matrix stays (Table 1)
    std::optional<std::int64_t> slices; ///< S of every GEMM; none: the best by estimate, GEMM by GEMM
    std::int64_t block = 8; ///< B; 8 because a TPU reads memory in chunks of 8 x 128 (paper, 3.1.2)
    ChunkOrder chunk_order = ChunkOrder::staggered; ///< of a GEMM that feeds a ring of GPUs
    std::optional<std::int64_t> packets; ///< of SUMMA's streams, at most; none: the best by estimate
    std::optional<Axis>
        decomposed; ///< the axis that Wang's algorithm takes apart; none: the better by estimate

    SplitAsked split; ///< of a training run
    /// Chosen instead of the best that a search finds. It may not suit what the rest says: then the plan view
    /// says why, and the search chooses.
    std::optional<Plan> loaded;

    bool operator==(const PlanAsked&) const = default;
};

} // namespace meshslice
