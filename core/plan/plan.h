#pragma once

#include "core/base/result.h"
#include "core/cost/collective.h"
#include "core/hardware/hardware.h"
#include "core/model/transformer.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

struct Algorithm;

/// How the products of a block are split over a tensor-parallel group (arXiv 2410.00273, section 3.1 and
/// tables A1 to A3): weights by columns and rows with sequence parallel norms; the same with the sequence
/// split over a second axis (context parallel); or panels broadcast along both axes. On a torus: 1D, or as
/// one of our algorithms does it, whose programs are estimated with their best slice counts.
enum class TensorStrategy : std::uint8_t { one_d, two_d, summa, of_algorithm };
/// Those of fast domains.
inline constexpr std::array all_tensor_strategies = {TensorStrategy::one_d, TensorStrategy::two_d,
                                                     TensorStrategy::summa};
[[nodiscard]] std::string_view name(TensorStrategy strategy); ///< "1d", "2d", "summa", "algorithm"

enum class PipelineKind : std::uint8_t { one_f_one_b, interleaved, gpipe };
struct PipelineSchedule {
    PipelineKind kind = PipelineKind::one_f_one_b;
    std::int64_t chunks = 1; ///< of a stage; more than 1 only of the interleaved schedule

    bool operator==(const PipelineSchedule&) const = default;
};
[[nodiscard]] std::string text(const PipelineSchedule& schedule); ///< "1f1b", "interleaved:2", "gpipe"
[[nodiscard]] Result<PipelineSchedule> parse_pipeline_schedule(std::string_view words);

/// What is computed again in the backward pass instead of kept: nothing; attention from its QKV GEMM on; or
/// the whole layer, of which only the input is kept.
enum class Recompute : std::uint8_t { none, attention, full };
[[nodiscard]] std::string_view name(Recompute recompute); ///< "none", "attention", "full"
[[nodiscard]] Result<Recompute> parse_recompute(std::string_view words);

/// How many chips of each group stand in one fast domain. Each divides its group; their product is at most
/// the domain.
struct Placement {
    std::int64_t tensor1 = 1, tensor2 = 1, data = 1, pipeline = 1;

    auto operator<=>(const Placement&) const = default;
};
/// How many chips of each group stand along each axis of a torus (core/plan/torus_placement.h).
using TorusAxes = std::array<Placement, 3>;

/// How a training run is split over chips: data x pipeline x (tensor1 x tensor2) of them.
struct Plan {
    TensorStrategy strategy = TensorStrategy::one_d;
    std::int64_t data = 1;
    std::int64_t pipeline = 1;
    std::int64_t tensor1 = 1; ///< splits heads and widths
    std::int64_t tensor2 = 1; ///< splits the sequence; 1 of a 1D plan
    std::int64_t micro_batch = 1;
    std::int64_t panels = 1; ///< of a SUMMA plan
    Placement placement;     ///< on a torus the groups themselves
    TorusAxes axes{};        ///< of a torus; ones in fast domains
    /// One of algorithms(), where the strategy is of one; else null.
    const Algorithm* algorithm = nullptr;
    PipelineSchedule schedule;
    Recompute recompute = Recompute::none;
    /// What data-parallel chips share instead of each keeping all of it: 0 nothing, 1 the optimizer's state,
    /// 2 the gradients too, 3 the weights too (ZeRO, Rajbhandari et al., 2020).
    int zero = 1;
    bool tensor_overlap = false; ///< GEMMs hide their own tensor-parallel communication but its first step
    bool data_overlap = true;    ///< layers hide the data-parallel communication of their neighbours

    [[nodiscard]] std::int64_t chips() const { return data * pipeline * tensor1 * tensor2; }
    /// Whether weights and activations are split over both sides of the tensor-parallel grid.
    [[nodiscard]] bool splits_both_ways() const {
        return strategy == TensorStrategy::summa || strategy == TensorStrategy::of_algorithm;
    }

    bool operator==(const Plan&) const = default;
};
/// "8x1" of the tensor-parallel grid.
[[nodiscard]] std::string grid_text(const Plan& plan);
/// "1d", "summa", "meshslice".
[[nodiscard]] std::string_view strategy_name(const Plan& plan);
/// "1D", "SUMMA", "MeshSlice".
[[nodiscard]] std::string_view strategy_title(const Plan& plan);
/// "8,1,4,1": chips of both tensor-parallel groups, of the data-parallel group and stages of the pipeline in
/// one fast domain; of a torus its axes, "tp1 4 x tp2 2, dp 2 x dp 4".
[[nodiscard]] std::string placement_text(const Plan& plan);
/// "dp 32 x pp 64 x tp 8x1, micro-batch 1"; schedule, recomputation and ZeRO level where they are not 1F1B,
/// none and 1, or the level makes no difference: "..., interleaved:2, full recomputation, ZeRO 3".
[[nodiscard]] std::string text(const Plan& plan);

/// What is trained, for one step.
struct TrainingRun {
    Transformer model;
    std::int64_t sequence = 1; ///< tokens (or patches) of one sample
    std::int64_t batch = 1;    ///< samples of one step, all chips together
    bool causal = true;
    bool ends = false;           ///< embedding, output head and loss too; needs the vocabulary
    bool optimizer_step = false; ///< Adam's update too

    bool operator==(const TrainingRun&) const = default;
};

/// The run of a model with its own sequence length and attention. Refuses 0 (the model's own) where the model
/// says no sequence length, and numbers that are out of range.
[[nodiscard]] Result<TrainingRun> training_run(const Transformer& model, std::int64_t sequence,
                                               std::int64_t batch);

/// Whether its level of ZeRO makes a difference: other chips hold the same weights.
[[nodiscard]] bool shares_weights(const Plan& plan);

/// Refuses a plan that the run and the cluster do not allow, with what would work instead. Under `reference`
/// parts need not divide, and each is rounded down, but must be left with something.
[[nodiscard]] Result<void> check_plan(const TrainingRun& run, const Plan& plan, std::int64_t domain,
                                      ModelRules rules);

/// Up to two divisors of `value` below `near` and one above, in order: 16, 20, 32 for 160 and 24.
[[nodiscard]] std::string divisors_near(std::int64_t value, std::int64_t near);
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t value);

} // namespace meshslice
