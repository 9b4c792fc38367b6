#pragma once

#include "core/plan/search/plan_question.h"
#include "core/plan/search/plan_search.h"
#include "core/plan/search/space.h"
#include "core/question/question.h"
#include "core/work/work.h"

#include <cstddef>
#include <optional>

namespace meshslice {

/// What is asked, read.
struct PlansAsked {
    PlanModel model;
    PlanSpace space;
    PlanQuestion question;
    double tokens = 0;        ///< of the whole training; 0: not said
    bool of_machine = false;  ///< the chips were said; else one plan says them
    std::size_t simulate = 0; ///< so many of the first plans

    std::optional<ChipsTaken> taken = {}; ///< where a search may take fewer chips
    bool split_said = false;              ///< by flags: one plan is read

    /// All of the split is said: one plan is read.
    [[nodiscard]] bool one() const {
        const FixedSplit& split = space.fixed;
        return split_said && split.data > 0 && split.pipeline > 0 && split.tensor1 > 0 && split.tensor2 > 0;
    }
};

[[nodiscard]] Result<PlansAsked> read_plans(const Asked& asked, const Workload& workload);

/// The plan whose split is said, with what is left open as it is fastest.
[[nodiscard]] Result<RankedPlan> read_one(const Asked& asked, const PlansAsked& read);

/// Whether nothing asks for other plans than the one that the scenario has loaded.
[[nodiscard]] bool reads_the_loaded_plan(const Asked& asked);
/// The plan of the scenario's file, which has to suit its run.
[[nodiscard]] Result<RankedPlan> read_loaded(const Asked& asked, const PlansAsked& read);

} // namespace meshslice
