#pragma once

#include "core/base/result.h"
#include "core/import/chakra_trace.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/plan/pipeline/pipeline_work.h"
#include "core/report/plan/rank_order.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace meshslice {

/// One step of a plan as an execution trace of Chakra for each chip: every task of every layer and
/// micro-batch with its FLOP and bytes, every collective with its bytes and group, what stages send each
/// other, and the optimizer's step; with what each waits for.
///
/// A chip computes one task after the other, in the order of its schedule. What is gathered for a task comes
/// before it and what it sums after it; where the plan hides that behind GEMMs both begin together. Weights
/// are gathered while the layer before computes, gradients are summed while the next one does, where the plan
/// overlaps them. Tasks and collectives have the time that the closed form has for them.
class StepGraph {
  public:
    /// Of a plan that the model's check() lets through. Refuses a plan whose schedule is not simulated
    /// (simulates()), one that splits both sides of a GEMM, and one with too many nodes.
    [[nodiscard]] static Result<StepGraph> of(std::shared_ptr<const PlanModel> model, const Plan& plan);

    [[nodiscard]] const RankOrder& order() const { return order_; }
    /// The ranks of each group of more than one chip; the name of a group in nodes is its place, from 1.
    [[nodiscard]] const std::vector<std::vector<std::int64_t>>& groups() const { return groups_; }
    [[nodiscard]] std::vector<ChakraNode> nodes(std::int64_t rank) const;
    /// Of the rank that has most.
    [[nodiscard]] std::size_t most_nodes() const { return most_nodes_; }

  private:
    class Writer;
    enum class Group : std::uint8_t { tensor1, tensor2, experts, data, expert_data };

    StepGraph(std::shared_ptr<const PlanModel> model, const Plan& plan);
    [[nodiscard]] std::vector<std::int64_t> members(RankPlace place, Group group) const;
    void add_groups();

    std::shared_ptr<const PlanModel> model_;
    Plan plan_;
    RankOrder order_;
    ChipTasks block_;
    BlockPasses passes_;
    LayerCost layer_;
    PlanReading reading_;
    PipelineWork work_;
    std::vector<std::vector<std::int64_t>> groups_;
    std::vector<std::vector<std::size_t>> groups_of_; ///< of each rank, by Group; 0: it has none
    std::size_t most_nodes_ = 0;
};

} // namespace meshslice
