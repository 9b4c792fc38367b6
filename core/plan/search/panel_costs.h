#pragma once

#include "core/plan/search/advice/plan_bundle.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace meshslice {

/// What a layer costs with each of several panel counts, and with which of these no plan is faster. Panels
/// change no memory, so such a count is in no answer: another one takes no longer in either pass, and
/// whatever else a step waits for grows by no more than its passes shrink. Where data-parallel rings need
/// links of the tensor-parallel group only what does not use these hides them: there the other count exposes
/// no more of its own communication either.
class PanelCosts {
  public:
    PanelCosts(const PlanModel& model, std::vector<std::int64_t> counts, std::vector<Recompute> recomputes)
        : model_(model), counts_(std::move(counts)), recomputes_(std::move(recomputes)) {}

    struct Cost {
        CostsByRecompute layers; ///< not read where it is behind
        bool runs = false;       ///< else the refusal says why not
        Error refusal;
        bool behind = false; ///< another count is as fast, and comes first
    };
    /// Of a plan that PlanModel::check() lets through, with one of these counts; `shared`: whether a
    /// placement of it has rings on links of the tensor-parallel group.
    [[nodiscard]] const Cost& of(const Plan& plan, bool shared);

  private:
    using Costs = std::map<std::int64_t, Cost>; ///< by count
    void read(Plan plan, bool shared, Costs& costs);

    const PlanModel& model_;
    std::vector<std::int64_t> counts_;
    std::vector<Recompute> recomputes_;
    std::int64_t micro_batch_ = 0;
    std::map<std::int64_t, LayerCosts> readers_; ///< by count, each with its block
    std::map<std::pair<TensorPart, bool>, Costs> costs_;
};

} // namespace meshslice
