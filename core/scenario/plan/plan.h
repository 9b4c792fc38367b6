#pragma once

#include "core/base/result.h"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

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

/// Zero-bubble: the weights' gradients are computed apart, where the pipeline fills and drains (ZB-H1, Qi et
/// al., arXiv 2401.10241). DualPipe: micro-batches come from both ends, and each chip has two stages
/// (DeepSeek-V3, arXiv 2412.19437, section 3.2.1).
enum class PipelineKind : std::uint8_t { one_f_one_b, interleaved, gpipe, zero_bubble, dualpipe };
struct PipelineSchedule {
    PipelineKind kind = PipelineKind::one_f_one_b;
    std::int64_t chunks = 1; ///< of a stage; more than 1 only of the interleaved schedule

    bool operator==(const PipelineSchedule&) const = default;
};
[[nodiscard]] std::string
text(const PipelineSchedule& schedule); ///< "1f1b", "interleaved:2", "gpipe", "dualpipe"
[[nodiscard]] Result<PipelineSchedule> parse_pipeline_schedule(std::string_view words);

/// What is computed again in the backward pass instead of kept: nothing; parts of a layer, together or alone,
/// by the names of Megatron-LM's --recompute-modules; attention from its QKV GEMM on; or the whole layer, of
/// which only the input is kept.
enum class Recompute : std::uint8_t {
    none = 0,
    core_attention = 1, ///< "core_attn": what attention keeps but queries, keys, values and its output
    norms = 2,          ///< "layernorm": the inputs of the GEMMs after norms
    activations = 4,    ///< "act": what the activation of a feed-forward network makes
    feed_forward = 8,   ///< "mlp": all of it after its input; of experts their dispatch and combine too
    attention = 16,
    full = 32
};
[[nodiscard]] constexpr Recompute operator|(Recompute a, Recompute b) {
    return static_cast<Recompute>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// Whether two have a part in common; `full` has all.
[[nodiscard]] constexpr bool share_parts(Recompute a, Recompute b) {
    return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0 ||
           (a == Recompute::full && b != Recompute::none) || (b == Recompute::full && a != Recompute::none);
}
/// "none", "attention", "full", "layernorm+act".
[[nodiscard]] std::string name(Recompute recompute);
[[nodiscard]] Result<Recompute> parse_recompute(std::string_view words);

/// How chips that have a part of each sequence (context parallel) get at each other's keys and values:
/// gathered before attention (Llama 3, arXiv 2407.21783, section 3.3.2); passed round a ring, block by block,
/// while attention works on the block before (ring attention, Liu et al., arXiv 2310.01889); or tokens for
/// heads, before and after attention, so that each chip has whole sequences of some heads (DeepSpeed Ulysses,
/// Jacobs et al., arXiv 2309.14509).
enum class ContextExchange : std::uint8_t { gather, ring, all_to_all };
inline constexpr std::array all_context_exchanges = {ContextExchange::gather, ContextExchange::ring,
                                                     ContextExchange::all_to_all};
[[nodiscard]] std::string_view name(ContextExchange exchange); ///< "gather", "ring", "all-to-all"
/// "keys and values round a ring", in the reader's language.
[[nodiscard]] std::string title(ContextExchange exchange);

/// How many chips of each group stand together: in one unit of a level of the network, such as a fast domain,
/// or along one axis of a torus. Each divides its group; their product is at most the unit.
struct Placement {
    std::int64_t tensor1 = 1, tensor2 = 1, data = 1, pipeline = 1;

    auto operator<=>(const Placement&) const = default;
};
/// How many chips of each group stand along each axis of a torus. Where several tori are joined (a pod slice
/// each), all are alike, and each has an equal part of the data-parallel group.
using TorusAxes = std::array<Placement, 3>;
/// The same in one unit of each level around the innermost one; a plan takes up to four levels, and of the
/// last one needs none, as all chips stand there. Ones where there is no such level.
using OuterPlacements = std::array<Placement, 2>;

/// How a training run is split over chips: data x pipeline x (tensor1 x tensor2) of them.
struct Plan {
    TensorStrategy strategy = TensorStrategy::one_d;
    std::int64_t data = 1;
    std::int64_t pipeline = 1;
    std::int64_t tensor1 = 1; ///< splits heads and widths
    std::int64_t tensor2 = 1; ///< splits the sequence; 1 of a 1D plan
    /// Data-parallel chips that have a part of the experts each, instead of all having all of them (expert
    /// parallel); divides `data`.
    std::int64_t experts = 1;
    ContextExchange context = ContextExchange::gather; ///< of a 2D plan that splits the sequence
    /// Of the chips that hold the same weights those that share them (`zero`), where others outside hold the
    /// same parts (hybrid sharding, HSDP); 0: all share.
    std::int64_t shard = 0;
    /// Those others sum gradients with each other after every backward pass, and not once a step (PyTorch's
    /// FSDP, unless set_requires_all_reduce() says otherwise).
    bool sums_each_backward = false;
    std::int64_t micro_batch = 1;
    std::int64_t panels = 1; ///< of a SUMMA plan
    Placement placement;     ///< in one unit of the innermost level; on a torus the groups themselves
    OuterPlacements around{};
    TorusAxes axes{}; ///< of a torus; ones in fast domains
    /// One of algorithms(), where the strategy is of one; else null.
    const Algorithm* algorithm = nullptr;
    PipelineSchedule schedule;
    Recompute recompute = Recompute::none;
    /// Percent of what layers keep for the backward pass that waits in the host's memory meanwhile.
    std::int64_t offload = 0;
    /// What data-parallel chips share instead of each keeping all of it: 0 nothing, 1 the optimizer's state,
    /// 2 the gradients too, 3 the weights too (ZeRO, Rajbhandari et al., 2020).
    int zero = 1;
    bool tensor_overlap = false; ///< GEMMs hide their own tensor-parallel communication but its first step
    bool data_overlap = true;    ///< layers hide the data-parallel communication of their neighbours

    /// In one unit of a level that is not the last, counted from 0.
    [[nodiscard]] const Placement& placed(std::size_t level) const {
        return level == 0 ? placement : around[level - 1];
    }
    /// Those from the innermost to the last that says where something stands; at least 1.
    [[nodiscard]] std::size_t placed_levels() const {
        std::size_t levels = 1 + around.size();
        while (levels > 1 && placed(levels - 1) == Placement{}) {
            --levels;
        }
        return levels;
    }
    /// The numbers of these levels in a row, four each, as files have them.
    [[nodiscard]] std::vector<std::int64_t> placed_numbers() const;
    [[nodiscard]] std::int64_t chips() const { return data * pipeline * tensor1 * tensor2; }
    /// Tori that its axes stand for, each with a part of the data-parallel group, joined by the network
    /// around them; 1 in fast domains.
    [[nodiscard]] std::int64_t tori() const;
    /// Whether weights and activations are split over both sides of the tensor-parallel grid.
    [[nodiscard]] bool splits_both_ways() const {
        return strategy == TensorStrategy::summa || strategy == TensorStrategy::of_algorithm;
    }

    /// Whether chips have parts of sequences and exchange keys and values.
    [[nodiscard]] bool splits_context() const { return strategy == TensorStrategy::two_d && tensor2 > 1; }

    bool operator==(const Plan&) const = default;
};
/// "8x1" of the tensor-parallel grid.
[[nodiscard]] std::string grid_text(const Plan& plan);
/// "1d", "summa", "meshslice".
[[nodiscard]] std::string_view strategy_name(const Plan& plan);
/// "1D", "SUMMA", "MeshSlice".
[[nodiscard]] std::string_view strategy_title(const Plan& plan);
/// "8,1,4,1": chips of both tensor-parallel groups, of the data-parallel group and stages of the pipeline in
/// one fast domain; of a torus its axes, "tp1 4 x tp2 2, dp 2 x dp 4", and of several "2 x (dp 16 x dp 8)".
[[nodiscard]] std::string placement_text(const Plan& plan);
/// The groups along one axis of a torus: "tp1 4, dp 2"; empty of an axis of one chip.
[[nodiscard]] std::string axis_text(const Placement& axis);
/// The groups of a placement as texts call them, in their order.
inline constexpr std::array<std::pair<std::string_view, std::int64_t Placement::*>, 4> placed_groups = {
    {{"tp1", &Placement::tensor1},
     {"tp2", &Placement::tensor2},
     {"pp", &Placement::pipeline},
     {"dp", &Placement::data}}};

} // namespace meshslice
