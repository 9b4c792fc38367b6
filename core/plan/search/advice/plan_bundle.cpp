#include "core/plan/search/advice/plan_bundle.h"

#include <algorithm>

namespace meshslice {

bool LayerCosts::read(const PlanModel& model, const Plan& plan) {
    const bool other_block = !plan_ || plan.micro_batch != plan_->micro_batch || plan.panels != plan_->panels;
    if (other_block) {
        block_ = model.shared_block(plan);
    }
    const TensorPart part = model.tensor_part(plan);
    if (!other_block && part == part_) {
        return runs_;
    }
    plan_ = plan;
    part_ = part;
    const Result<BlockPasses> passes = model.passes(plan, *block_);
    runs_ = passes.has_value();
    if (!runs_) {
        refusal_ = passes.error();
        return false;
    }
    for (const Recompute recompute : recomputes_) {
        costs_.set(recompute, PlanModel::layer_cost(*block_, *passes, recompute));
    }
    return true;
}

void PlanBundle::begin(const PlanModel& model, const Plan& plan, std::size_t schedules) {
    micro_batches_ = static_cast<double>(model.run().batch / plan.data / plan.micro_batch);
    layers_ = static_cast<double>(most_stage_layers(model.run(), plan));
    transfers_.clear();
    pipeline_.resize(std::max(pipeline_.size(), schedules));
    for (std::vector<StageTransfers>& one : pipeline_) {
        one.clear();
    }
}

double PlanBundle::filled(const LayerCost& layer) const {
    const double n = micro_batches_;
    return (layer.forward.compute + layer.backward.compute) * n * layers_ +
           (layer.forward.memory + layer.backward.memory) * n * layers_ +
           (layer.forward.tensor + layer.backward.tensor) * n * layers_ +
           ((layer.forward.experts + layer.backward.experts) * n * layers_ + layer.alone * layers_) +
           (layer.forward.host + layer.backward.host) * n * layers_;
}

/// What add_up() comes to where everything between stages and between copies hides and the optimizer takes no
/// time. Rounded down by more than the rounding of all the sums that it leaves out.
double PlanBundle::least_time(const PlanModel& model, const Plan& plan, const LayerCost& layer) const {
    constexpr double rounded_down = 1 - 1e-10;
    const double passes = filled(layer);
    return (passes + model.bubble_time(plan, layer, layers_, passes, {}, {}, micro_batches_) + ends_) *
           rounded_down;
}

void PlanBundle::read_transfers(const PlanModel& model, Plan plan, const std::vector<Placed>& placed,
                                const LayerCost& layer) {
    for (const Placed& one : placed) {
        one.put(plan);
        transfers_.push_back(model.transfers(plan, layer));
    }
    time_.resize(placed.size());
    data_.resize(placed.size());
}

void PlanBundle::read_pipeline(const PlanModel& model, Plan plan, const std::vector<Placed>& placed,
                               std::vector<StageTransfers>& pipeline) const {
    for (std::size_t p = 0; p < placed.size(); ++p) {
        placed[p].put(plan);
        pipeline.push_back(model.pipeline_time(plan, transfers_[p], micro_batches_));
    }
}

void PlanBundle::read_exposed(const LayerCost& layer, const std::vector<StageTransfers>& pipeline) {
    for (const StageTransfers& one : pipeline) {
        exposed_.push_back(one.exposed(layer, layers_));
    }
}

void PlanBundle::read_data(const PlanModel& model, const Plan& plan, const LayerCost& layer) {
    for (std::size_t p = 0; p < transfers_.size(); ++p) {
        data_[p] = model.data_time(plan, layer, transfers_[p], layers_, micro_batches_);
    }
}

void PlanBundle::add_up(const PlanModel& model, const Plan& plan, const LayerCost& layer,
                        const MemoryUse& memory, std::span<const StageTransfers> pipeline) {
    const double n = micro_batches_;
    const double passes = filled(layer);
    const double optimizer = model.optimizer_time(memory);
    const bool same_bubble =
        !model.rules().has(Slip::serial_transfers) && (plan.zero < 3 || plan.data_overlap);
    double bubble = model.bubble_time(plan, layer, layers_, passes, pipeline.front(), data_.front(), n);
    for (std::size_t p = 0; p < time_.size(); ++p) {
        if (!same_bubble) {
            bubble = model.bubble_time(plan, layer, layers_, passes, pipeline[p], data_[p], n);
        }
        time_[p] = passes + exposed_[p] + bubble + data_[p].total + ends_ + optimizer;
    }
}

} // namespace meshslice
