#include "core/plan/plan_bundle.h"

namespace meshslice {

bool LayerCosts::read(const PlanModel& model, const Plan& plan) {
    const bool other_block = !plan_ || plan.micro_batch != plan_->micro_batch || plan.panels != plan_->panels;
    if (other_block) {
        block_ = model.block(plan);
    }
    const std::array<std::int64_t, 2> part = model.tensor_part(plan);
    if (!other_block && part == part_) {
        return runs_;
    }
    plan_ = plan;
    part_ = part;
    const Result<BlockPasses> passes = model.passes(plan, block_);
    runs_ = passes.has_value();
    if (!runs_) {
        refusal_ = passes.error();
        return false;
    }
    for (const Recompute recompute : {Recompute::none, Recompute::attention, Recompute::full}) {
        costs_[static_cast<std::size_t>(recompute)] = PlanModel::layer_cost(block_, *passes, recompute);
    }
    return true;
}

/// What no choice changes.
void PlanBundle::begin(const PlanModel& model, Plan& plan, const std::vector<Placed>& placed,
                       const LayerCost& layer) {
    micro_batches_ = static_cast<double>(model.run().batch / plan.data / plan.micro_batch);
    layers_ = static_cast<double>(model.run().model.layers / plan.pipeline);
    ends_ = model.ends_time(plan, micro_batches_);
    transfers_.clear();
    for (const Placed& one : placed) {
        plan.placement = one.placement;
        plan.axes = one.axes;
        transfers_.push_back(model.transfers(plan, layer));
    }
    time_.resize(placed.size());
    data_.resize(placed.size());
}

void PlanBundle::read_data(const PlanModel& model, const Plan& plan, const LayerCost& layer) {
    for (std::size_t p = 0; p < transfers_.size(); ++p) {
        data_[p] = model.data_time(plan, layer, transfers_[p], layers_, micro_batches_);
    }
}

void PlanBundle::add_up(const PlanModel& model, const Plan& plan, const LayerCost& layer,
                        const PlanMemory& memory, std::span<const StageTransfers> pipeline) {
    const double n = micro_batches_;
    const double filled = (layer.forward.compute + layer.backward.compute) * n * layers_ +
                          (layer.forward.memory + layer.backward.memory) * n * layers_ +
                          (layer.forward.tensor + layer.backward.tensor) * n * layers_;
    const auto stages = static_cast<double>(plan.pipeline);
    const double optimizer = model.optimizer_time(memory);
    const bool same_bubble =
        !model.rules().has(Slip::serial_transfers) && (plan.zero < 3 || plan.data_overlap);
    double bubble = model.bubble_time(plan, filled, pipeline.front(), data_.front(), n);
    for (std::size_t p = 0; p < time_.size(); ++p) {
        if (!same_bubble) {
            bubble = model.bubble_time(plan, filled, pipeline[p], data_[p], n);
        }
        time_[p] = filled + pipeline[p].exposed(filled, bubble, stages, n) + bubble + data_[p].total + ends_ +
                   optimizer;
    }
}

} // namespace meshslice
