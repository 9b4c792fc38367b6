#pragma once

#include "core/plan/plan_choices.h"
#include "core/plan/search/space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

/// What a layer costs with each of some kinds of recomputation.
class CostsByRecompute {
  public:
    void set(Recompute recompute, const LayerCost& cost) {
        const auto at = std::ranges::find(costs_, recompute, &std::pair<Recompute, LayerCost>::first);
        if (at == costs_.end()) {
            costs_.emplace_back(recompute, cost);
        } else {
            at->second = cost;
        }
    }
    /// Of one that was set.
    [[nodiscard]] const LayerCost& of(Recompute recompute) const {
        return std::ranges::find(costs_, recompute, &std::pair<Recompute, LayerCost>::first)->second;
    }

  private:
    std::vector<std::pair<Recompute, LayerCost>> costs_;
};

/// These costs, kept from one bundle of plans to the next, most of which share them.
class LayerCosts {
  public:
    /// With these kinds of recomputation, and with none.
    explicit LayerCosts(std::vector<Recompute> recomputes) : recomputes_(std::move(recomputes)) {
        if (std::ranges::find(recomputes_, Recompute::none) == recomputes_.end()) {
            recomputes_.push_back(Recompute::none);
        }
    }

    /// Of a plan that PlanModel::check() lets through. False where the plan's algorithm does not run; then
    /// refusal() says why.
    [[nodiscard]] bool read(const PlanModel& model, const Plan& plan);
    [[nodiscard]] const LayerCost& of(Recompute recompute) const { return costs_.of(recompute); }
    [[nodiscard]] const CostsByRecompute& all() const { return costs_; }
    [[nodiscard]] const Error& refusal() const { return refusal_; }

  private:
    std::vector<Recompute> recomputes_;
    std::optional<Plan> plan_; ///< that was read last
    TensorPart part_{};
    std::shared_ptr<const ChipTasks> block_;
    bool runs_ = false;
    Error refusal_;
    CostsByRecompute costs_;
};

/// Plans of one split, micro-batch, panel count and placement of the tensor-parallel grid that also have the
/// same schedule, recomputation and ZeRO level, and so need the same memory. They differ in where
/// data-parallel chips and stages stand.
struct PlacedPlans {
    const Plan& plan; ///< its placement and axes are none of theirs
    const LayerCost& layer;
    double memory = 0;            ///< bytes
    std::span<const double> time; ///< seconds of a step, of each placement
};

/// What is known of PlacedPlans before any of their placements is looked at.
struct PlanBound {
    const Plan& plan; ///< as theirs
    double memory = 0;
    double time = 0; ///< seconds; none of them takes less
    std::int64_t count = 0;
};

/// Reads plans that differ in their choices and in their placement alone: each part of a step's time once for
/// all that share it. Adding the parts up is all that is left for each plan, and is bit for bit what
/// PlanModel::reading() comes to.
class PlanBundle {
  public:
    /// Calls `wanted` with the PlanBound of each combination of choices that the plan takes, and `visit` with
    /// the PlacedPlans of those for which it is true.
    template <class Wanted, class Visit>
    void for_each(const PlanModel& model, Plan plan, const std::vector<Placed>& placed,
                  const PlanChoices& choices, const CostsByRecompute& layers, const Wanted& wanted,
                  const Visit& visit);

  private:
    /// What all combinations share, placements left out.
    void begin(const PlanModel& model, const Plan& plan, std::size_t schedules);
    /// What a stage does in a step except transfers, seconds.
    [[nodiscard]] double filled(const LayerCost& layer) const;
    [[nodiscard]] double least_time(const PlanModel& model, const Plan& plan, const LayerCost& layer) const;
    void read_transfers(const PlanModel& model, Plan plan, const std::vector<Placed>& placed,
                        const LayerCost& layer);
    void read_pipeline(const PlanModel& model, Plan plan, const std::vector<Placed>& placed,
                       std::vector<StageTransfers>& pipeline) const;
    void read_data(const PlanModel& model, const Plan& plan, const LayerCost& layer);
    void read_exposed(const LayerCost& layer, const std::vector<StageTransfers>& pipeline);
    /// Fills time_.
    void add_up(const PlanModel& model, const Plan& plan, const LayerCost& layer, const MemoryUse& memory,
                std::span<const StageTransfers> pipeline);

    double micro_batches_ = 1, layers_ = 1, ends_ = 0;
    std::vector<PlanTransfers> transfers_; // of each placement, as all of the following; read when needed
    std::vector<std::vector<StageTransfers>> pipeline_; // of each schedule
    std::vector<double> exposed_; ///< of transfers between stages, seconds; whatever the level of ZeRO
    std::vector<ExposedData> data_;
    std::vector<double> time_;
};

template <class Wanted, class Visit>
void PlanBundle::for_each(const PlanModel& model, Plan plan, const std::vector<Placed>& placed,
                          const PlanChoices& choices, const CostsByRecompute& layers, const Wanted& wanted,
                          const Visit& visit) {
    const std::vector<PipelineSchedule> schedules = schedules_of(choices, model.run(), plan);
    if (schedules.empty() || placed.empty()) {
        return;
    }
    begin(model, plan, schedules.size());
    const std::vector<int> zero_levels = zero_levels_of(choices, plan);
    for (const Recompute recompute : choices.recomputes) {
        plan.recompute = recompute;
        for (std::size_t s = 0; s < schedules.size(); ++s) {
            plan.schedule = schedules[s];
            const LayerCost layer = model.overlapped(plan, layers.of(recompute));
            ends_ = model.ends_time(plan, layer, micro_batches_);
            const double least = least_time(model, plan, layer);
            exposed_.clear();
            for (const int zero : zero_levels) {
                plan.zero = zero;
                const MemoryUse memory = model.memory(plan, layer);
                if (!wanted(PlanBound{plan, memory.total(), least, std::ssize(placed)})) {
                    continue;
                }
                if (transfers_.empty()) {
                    read_transfers(model, plan, placed, layer);
                }
                if (pipeline_[s].empty()) {
                    read_pipeline(model, plan, placed, pipeline_[s]);
                }
                if (exposed_.empty()) {
                    read_exposed(layer, pipeline_[s]);
                }
                read_data(model, plan, layer);
                add_up(model, plan, layer, memory, pipeline_[s]);
                visit(PlacedPlans{plan, layer, memory.total(), time_});
            }
        }
    }
}

} // namespace meshslice
