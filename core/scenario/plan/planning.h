#pragma once

#include "core/cost/collective/expert_exchange.h"
#include "core/machine/machine.h"
#include "core/work/adapters.h"
#include "core/work/number_recipe.h"

#include <cstdint>
#include <optional>

namespace meshslice {

/// A hundred times the largest machine.
inline constexpr std::int64_t most_planned_chips = std::int64_t{1} << 24;
/// Fifty times what has been trained on.
inline constexpr std::int64_t most_trained_tokens = 1'000'000'000'000'000;

/// Bytes of a GPU that hold no tensor. CUDA shows 79.18 of the 80 GiB of an H100, and what a run takes
/// outside its tensors was measured as 0.13 to 0.55 GiB (vLLM's log on H100, one and two GPUs: github.com/
/// llm-d-incubation/llm-d-planner, docs/empirical-vllm-memory-results.md, commit e50305af90): 1.5 GB; the
/// rest is for fragments. None on a torus, of which nothing was measured.
inline constexpr double reserve_of_gpu = 2e9;
[[nodiscard]] inline double usual_reserve(const Machine& machine) {
    return machine.network.torus_axes() > 0 ? 0 : reserve_of_gpu;
}

/// More than any loss has been cut into.
inline constexpr std::int64_t most_loss_chunks = 65'536;

/// What a training run is paid for; in dollars, or any other currency that all prices are in.
struct TrainingPrices {
    std::optional<double> chip_hour = {}; ///< of a chip
    std::optional<double> energy = {};    ///< of a kWh
    double overhead = 1;                  ///< energy of the whole data centre over that of its chips (PUE)

    bool operator==(const TrainingPrices&) const = default;
};

/// What a scenario says about its whole training run.
struct Planning {
    /// Chips of the run; none: those of the mesh.
    std::optional<std::int64_t> chips = {};
    /// Samples of a step of the whole run, where the scenario is one tensor-parallel group of its plan and
    /// its own batch a micro-batch; else the scenario's batch.
    std::optional<std::int64_t> batch = {};
    /// Of the whole training, whose days are said; none: they are not.
    std::optional<std::int64_t> tokens = {};

    TrainingPrices prices = {};
    /// Seconds of a step of the loaded plan, as the user has timed it; none: it was not.
    std::optional<double> measured_step = {};

    /// Whether embedding, output head and loss count; none: where the model's vocabulary is known.
    std::optional<bool> ends = {};
    bool optimizer_step = true;
    DataType gradients = DataType::bf16;
    DataType moments = DataType::fp32; ///< of Adam
    DataType logits = DataType::fp32;
    std::optional<DataType> logit_gradients = DataType::fp32; ///< none: in the place of the logits
    std::int64_t loss_chunks = 1;
    bool uneven_stages = true; ///< stages may have one layer more than others
    NumberRecipe recipe = NumberRecipe::bf16;
    Adapters adapters = {};             ///< of fine-tuning, whose weights stay as they are
    ExpertExchange exchange = {};       ///< how tokens go to experts, where chips share these
    std::optional<double> reserve = {}; ///< bytes of a chip; none: usual_reserve()

    bool operator==(const Planning&) const = default;
};

} // namespace meshslice
