#pragma once

#include "core/plan/chip_blocks.h"
#include "core/plan/pipeline/transfer_chains.h"
#include "core/plan/plan.h"
#include "core/plan/share.h"
#include "core/plan/tuned_groups.h"
#include "core/tune/tune.h"
#include "core/work/memory_use.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace meshslice {

/// One pass of one layer for one micro-batch on one chip; seconds.
struct LayerPass {
    double compute = 0; ///< at the matrix and vector rates
    double memory = 0;  ///< HBM beyond that
    double tensor = 0;  ///< exposed communication of the tensor-parallel group
    double flop = 0;
    double experts = 0; ///< dispatch to experts and combine
    double shared = 0;  ///< of compute and memory, the experts that every token visits
    double weights = 0; ///< of compute, the weights' gradients
    double host = 0;    ///< copies of activations to or from the host that the rest does not hide

    [[nodiscard]] double time() const { return compute + memory + tensor + experts + host; }
    LayerPass& operator+=(const LayerPass& other);

    bool operator==(const LayerPass&) const = default;
};

/// What a layer costs; shared by all plans with the same strategy, grid, micro-batch, panels and placement of
/// the tensor-parallel group.
struct LayerCost {
    LayerPass forward;
    LayerPass backward;                   ///< with what is computed again
    double model_flop = 0;                ///< of the GEMMs of both passes, none computed again
    double kept = 0;                      ///< bytes of activations of one micro-batch
    double weights = 0;                   ///< bytes
    double sent = 0;                      ///< bytes to the next stage
    double buffer = 0;                    ///< bytes that are needed for one layer at a time
    double expert_weights = 0;            ///< bytes of `weights` that expert_data_group() holds alike
    double frozen = 0, expert_frozen = 0; ///< bytes of both that are not trained
    /// Seconds that dispatch and combine of both passes take longer where no other micro-batch hides them.
    double alone = 0;
    double offloaded = 0; ///< bytes of activations of one micro-batch in the host's memory, not in `kept`

    bool operator==(const LayerCost&) const = default;
};

/// Seconds of one step; they add up to `total`.
struct PlanTime {
    double compute = 0;
    double memory_exposed = 0;
    double tensor = 0;
    double data = 0;
    double pipeline = 0; ///< transfers between stages that nothing hides
    double bubble = 0;
    double ends = 0;      ///< embedding, output head and loss, where they are counted
    double optimizer = 0; ///< its step, where it is counted
    double experts = 0;   ///< dispatch and combine among chips that share the experts, that nothing hides
    double host = 0;      ///< copies of activations to the host and back that nothing hides
    double total = 0;

    bool operator==(const PlanTime&) const = default;
};

/// What a plan comes to.
struct PlanReading {
    PlanTime time;
    MemoryUse memory;       ///< of the fullest chip
    double host_memory = 0; ///< bytes of its host's memory that its activations take
    double flop_per_chip = 0;
    /// FLOP of the model's GEMMs, of the output head too where ends are counted, over those of the peak of
    /// charged_chips() in that time.
    double utilization = 0;
    std::int64_t micro_batches = 1;
    bool fits = false;

    bool operator==(const PlanReading&) const = default;
};

/// One stage of the pipeline and one micro-batch, as a simulation of the pipeline needs them.
struct StageWork {
    double forward = 0, backward = 0; ///< seconds
    LevelSeconds transfer{};          ///< to the next stage
    double kept = 0;                  ///< bytes from the forward pass to the backward pass

    bool operator==(const StageWork&) const = default;
};

/// What the operations of a block take, one after the other, whatever is computed again.
struct BlockPasses {
    std::vector<LayerPass> forward, backward;
    double buffers = 0; ///< bytes, of one GEMM of an algorithm's programs at a time
};

/// The collectives of one panel of an operation's pass, or of all of it where it has none; seconds.
struct CollectiveTime {
    double all = 0;     ///< one after the other
    double steps = 0;   ///< of it one step of each ring
    double experts = 0; ///< of chips that share experts, in addition
    double rings = 0;   ///< that go on while the task works, in addition
    double last = 0;    ///< of these, the last step, after all work

    /// Seconds of `rings` that a task of `body` seconds on `chips` blocks does not hide: the first block is
    /// the chip's own, and the last one is worked on when nothing is under way.
    [[nodiscard]] double exposed_rings(double body, std::int64_t chips) const {
        const auto blocks = static_cast<double>(chips);
        return last + std::max(rings - last - body * (blocks - 1) / blocks, 0.0);
    }
};

/// What a plan's communication outside its tensor-parallel groups takes, whatever its schedule, recomputation
/// and level of ZeRO; seconds.
struct PlanTransfers {
    /// Among chips that hold the same: the weights of one layer gathered; its gradients summed, and gathered
    /// after that.
    double gather = 0, scatter = 0, gather_sums = 0;
    double gather_trained = 0; ///< of its weights those that an update changes
    /// Where groups share weights, what these groups sum of a layer's gradients with each other.
    double replicas = 0;
    bool replicas_share = false;      ///< over the links of gather and scatter
    LevelSeconds stage{};             ///< from stage to stage
    bool shared = false;              ///< data-parallel rings need links of the tensor-parallel group
    bool shared_with_experts = false; ///< or of the group that shares the experts
};

/// Seconds of a micro-batch, there and back, in the first and in the last stage.
struct EndsTime {
    double embedding = 0, head = 0; ///< the head with the loss
};

/// Transfers between stages in a step.
struct StageTransfers {
    double waits = 0;        ///< seconds that stages wait for them while each link rests now and then
    PipelineTransfers sends; ///< none where waits are all there is to say

    /// Seconds of them that nothing hides, where each stage has so many layers.
    [[nodiscard]] double exposed(const LayerCost& layer, double layers) const {
        const double own = layers / static_cast<double>(sends.chunks);
        return exposed_transfers(sends, layer.forward.time() * own, layer.backward.time() * own, waits);
    }
};

/// Seconds of data-parallel communication that nothing hides.
struct ExposedData {
    double total = 0;     ///< of a step
    double handed_on = 0; ///< of every micro-batch of it: what a stage has to wait for before it can start
};

/// Whether the second side of the tensor-parallel grid shares its weights: it is the context-parallel axis of
/// a 2D plan.
[[nodiscard]] bool second_side_shares_weights(const Plan& plan);
/// Chips that hold the same weights.
[[nodiscard]] inline std::int64_t data_chips(const Plan& plan) {
    return plan.data * (second_side_shares_weights(plan) ? plan.tensor2 : 1);
}
/// These, and those of them in one unit of each level.
[[nodiscard]] ChipGroup data_group(const Plan& plan);
/// Those of them that share weights, gradients or optimizer state, by Plan::shard; and the chips that have
/// the same part of these.
[[nodiscard]] inline std::int64_t shard_chips(const Plan& plan) {
    return plan.shard > 0 ? plan.shard : data_chips(plan);
}
[[nodiscard]] ChipGroup shard_group(const Plan& plan, const ChipGroup& same);
[[nodiscard]] ChipGroup replica_group(const Plan& plan, const ChipGroup& same);
/// The chips of a data-parallel group that have all experts together, next to each other; and those that hold
/// the same experts.
[[nodiscard]] ChipGroup expert_group(const Plan& plan);
[[nodiscard]] ChipGroup expert_data_group(const Plan& plan);
/// Which plans have the same layer's cost, if their grid, experts, micro-batch and panels are the same.
using TensorPart = std::array<std::int64_t, 3 * (StageLevels::most - 1)>;

/// Layers whose weights ZeRO 3 gathers at a time: the one that is multiplied and the next.
inline constexpr double gathered_layers = 2;

/// What the fullest chip of a plan holds, from what a layer costs; no machine has a say in it. `gathered`:
/// layers whose weights are there at a time where chips share them; 0 where its GEMMs' buffers have them.
[[nodiscard]] MemoryUse memory_use(const TrainingRun& run, const Plan& plan, const LayerCost& layer,
                                   double gathered = gathered_layers);

/// Bytes of the host's memory that the activations of the chip that keeps most of them take.
[[nodiscard]] double host_memory(const TrainingRun& run, const Plan& plan, const LayerCost& layer);

/// The same of one stage of its pipeline, counted from 0.
[[nodiscard]] MemoryUse stage_memory(const TrainingRun& run, const Plan& plan, const LayerCost& layer,
                                     std::int64_t stage);

/// The three GEMMs of a training step's layer as an algorithm runs them, each with its best slice count:
/// forward, backward data, backward weight.
struct TunedLayer {
    FullyConnectedLayer layer;
    std::array<TunedGemm, 3> gemms;
};

/// Reads plans of one run on one kind of chip: the performance model of arXiv 2410.00273, sections 3 and A,
/// as the rules have it.
class PlanModel {
  public:
    /// Refuses hardware without a vector rate, and a network of no kind that plans are made for. Models that
    /// are given the same `groups` share what they tuned; without it only what reads this model does.
    /// `blocks`: of this run and these rules, where searches on several machines share them.
    [[nodiscard]] static Result<PlanModel> of(const TrainingRun& run, const Machine& cluster,
                                              ModelRules rules, std::shared_ptr<TunedGroups> groups = {},
                                              std::shared_ptr<ChipBlocks> blocks = {});

    [[nodiscard]] const TrainingRun& run() const { return run_; }
    [[nodiscard]] ModelRules rules() const { return rules_; }
    /// The chips of one unit of each level but the last, from the inside out; on a torus those of the pod.
    [[nodiscard]] const std::vector<std::int64_t>& units() const { return units_; }
    /// The last of them: a fast domain; 1 where there is none.
    [[nodiscard]] std::int64_t domain() const { return units_.empty() ? 1 : units_.back(); }
    [[nodiscard]] const std::string& cluster_name() const { return cluster_name_; } ///< "b200-nvs8"
    [[nodiscard]] double capacity() const { return capacity_; }
    [[nodiscard]] const LevelLaws& network() const { return laws_; }
    /// Bytes of a gathered weight over those of one in bf16.
    [[nodiscard]] double gathered_share() const { return gathered_; }

    /// Whether the groups of plans lie along the axes of a torus.
    [[nodiscard]] bool torus() const { return hardware_->network.torus_axes() > 0; }
    [[nodiscard]] const Machine& hardware() const { return *hardware_; }
    /// Whether check_plan() lets it through, on a torus check_torus() too, and its algorithm runs its GEMMs.
    [[nodiscard]] Result<void> check(const Plan& plan) const;

    /// Of a plan that check() lets through, as all of the following.
    [[nodiscard]] LayerCost layer(const Plan& plan) const { return layer(plan, block(plan)); }
    [[nodiscard]] LayerCost layer(const Plan& plan, const ChipTasks& block) const {
        return layer_or_refusal(plan, block).value();
    }
    /// The same, or what the plan's algorithm objects to; only that is not known to have been checked.
    [[nodiscard]] Result<LayerCost> layer_or_refusal(const Plan& plan, const ChipTasks& block) const;
    /// The steps of it: what the operations take; what a layer costs with that, which is all that
    /// recomputation changes; and what is left of dispatch and combine by expert_overlap().
    [[nodiscard]] Result<BlockPasses> passes(const Plan& plan, const ChipTasks& block) const;
    /// The same of a plan without an algorithm where all communication takes no time.
    [[nodiscard]] BlockPasses passes_alone(const Plan& plan, const ChipTasks& block) const;
    [[nodiscard]] static LayerCost layer_cost(const ChipTasks& block, const BlockPasses& passes,
                                              Recompute recompute);
    [[nodiscard]] LayerCost overlapped(const Plan& plan, LayerCost layer) const;
    /// With the part of what it keeps that the plan has in the host's memory, which is the last step: its
    /// copies go on while the layer computes, one way in each pass.
    [[nodiscard]] LayerCost offloaded(const Plan& plan, LayerCost layer) const;
    /// What dispatch, or combine, of a task takes by itself, seconds.
    [[nodiscard]] double expert_seconds(const Plan& plan, const TaskExchange& exchange) const;
    /// Bytes that the fullest chip sends or gets for it across each level of the network, from the inside
    /// out.
    [[nodiscard]] CopiesAcross expert_bytes(const Plan& plan, const TaskExchange& exchange) const;
    /// The GEMMs of a plan of an algorithm, on the mesh of its tensor-parallel grid: tensor2 rows of tensor1
    /// columns. The largest matrix of each layer stays put.
    [[nodiscard]] Result<std::vector<TunedLayer>> tuned(const Plan& plan) const;
    /// The chips of one side of the grid, 0 or 1; and those that hold the same weights.
    [[nodiscard]] ChipGroup tensor_group(const Plan& plan, int side) const;
    /// Those that an exchange of a task is among.
    [[nodiscard]] ChipGroup exchange_group(const Plan& plan, int axis) const {
        return axis == experts_axis ? expert_group(plan) : tensor_group(plan, axis);
    }
    [[nodiscard]] ChipGroup data_group(const Plan& plan) const;
    [[nodiscard]] TensorPart tensor_part(const Plan& plan) const;
    [[nodiscard]] ChipTasks block(const Plan& plan) const { return share_of_fullest(run_, plan, rules_); }
    /// The same, remembered where the model shares blocks with others.
    [[nodiscard]] std::shared_ptr<const ChipTasks> shared_block(const Plan& plan) const;
    /// Seconds of the launches that one more panel brings to a pass of a layer of a SUMMA plan.
    [[nodiscard]] double panel_launch(const Plan& plan) const;
    /// Whether data-parallel rings need links of the tensor-parallel group.
    [[nodiscard]] bool shares_links(const Plan& plan) const;
    /// One operation's forward or backward pass, with the part of it that is communication.
    [[nodiscard]] LayerPass pass(const Plan& plan, const ChipTask& operation, const PassWork& work) const;
    [[nodiscard]] CollectiveTime collectives(const Plan& plan, const ChipTask& operation,
                                             const PassWork& work) const;
    [[nodiscard]] PlanReading reading(const Plan& plan, const LayerCost& layer) const;
    [[nodiscard]] StageWork stage(const Plan& plan, const LayerCost& layer) const;

    // The parts of reading(), for a search in which many plans share one:
    [[nodiscard]] PlanTransfers transfers(const Plan& plan, const LayerCost& layer) const;
    [[nodiscard]] MemoryUse memory(const Plan& plan, const LayerCost& layer) const {
        return memory_use(run_, plan, layer);
    }
    /// Of a step; `layers` are those of a stage.
    [[nodiscard]] ExposedData data_time(const Plan& plan, const LayerCost& layer,
                                        const PlanTransfers& transfers, double layers,
                                        double micro_batches) const;
    [[nodiscard]] StageTransfers pipeline_time(const Plan& plan, const PlanTransfers& transfers,
                                               double micro_batches) const;
    /// `filled` are the seconds in which a stage of so many layers computes, and waits for its
    /// tensor-parallel group.
    [[nodiscard]] double bubble_time(const Plan& plan, const LayerCost& layer, double layers, double filled,
                                     const StageTransfers& pipeline, const ExposedData& data,
                                     double micro_batches) const;
    /// Zero where the ends do not count.
    [[nodiscard]] EndsTime ends_of(const Plan& plan) const;
    [[nodiscard]] double ends_time(const Plan& plan, const LayerCost& layer, double micro_batches) const;
    [[nodiscard]] double optimizer_time(const MemoryUse& memory) const;

  private:
    [[nodiscard]] LayerPass pass_of_programs(const ChipTask& operation, const std::vector<TunedLayer>& tuned,
                                             bool forward) const;
    [[nodiscard]] LevelSeconds stage_transfers(const Plan& plan, double bytes) const;
    /// What a pass launches, computes and reads.
    [[nodiscard]] LayerPass body(const Plan& plan, const ChipTask& operation, const PassWork& work) const;
    /// That the chips of a group need to reach each other.
    [[nodiscard]] std::size_t outermost_level(const ChipGroup& group) const;

    TrainingRun run_;
    std::string cluster_name_;
    std::shared_ptr<TunedGroups> groups_; ///< never null
    std::shared_ptr<ChipBlocks> blocks_;  ///< may be null
    std::shared_ptr<const Machine> hardware_;
    ModelRules rules_ = ModelRules::exact;
    LevelLaws laws_;
    std::vector<std::int64_t> units_;
    double matrix_rate_ = 1, vector_rate_ = 1; ///< FLOP/s that are reached
    double attention_rate_ = 1;                ///< of attention's products
    double recipe_rate_ = 1;                   ///< of GEMMs in the numbers of the run's recipe
    double gathered_ = 1;                      ///< bytes of a gathered weight over those of one in bf16
    double peak_ = 1;                          ///< FLOP/s
    double launch_ = 0;                        ///< s, of every operation and pass
    double hbm_rate_ = 1;                      ///< bytes/s
    double capacity_ = 0;                      ///< bytes
};

/// The reading of one plan, or why it is none.
[[nodiscard]] Result<PlanReading> evaluate(const TrainingRun& run, const Machine& cluster, const Plan& plan,
                                           ModelRules rules);

} // namespace meshslice
