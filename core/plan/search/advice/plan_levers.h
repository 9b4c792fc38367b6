#pragma once

#include "core/plan/search/plan_search.h"

#include <string>
#include <vector>

namespace meshslice {

/// What a change of the chips, their networks or the run would save a plan that stays as it is.
struct PlanLever {
    std::string what; ///< "twice the FLOP/s"
    double saved = 0; ///< share of the time that a sample takes

    bool operator==(const PlanLever&) const = default;
};

/// Twice the rate of everything there is, one after the other, and twice the batch; the largest first, those
/// of less than half a percent left out. Of a plan that PlanModel::check() lets through.
[[nodiscard]] std::vector<PlanLever> plan_levers(const PlanModel& model, const Plan& plan);

/// What half the rate of something would cost a plan that stays as it is: communication that is hidden up to
/// the brim takes no time, and a slower network lengthens the step all the same.
struct PlanLoss {
    std::string what; ///< "half the bandwidth of the slow network"
    double more = 0;  ///< share of the time that a sample takes, on top of it

    bool operator==(const PlanLoss&) const = default;
};

/// Half the rate of everything there is, one after the other; the largest first, those of less than half a
/// percent left out. Of a plan that PlanModel::check() lets through.
[[nodiscard]] std::vector<PlanLoss> plan_losses(const PlanModel& model, const Plan& plan);

/// Days that a training on so many tokens takes, step after step: as many whole steps as see them all, with
/// no failure, restart, evaluation or checkpoint between them.
[[nodiscard]] double days_for_tokens(const TrainingRun& run, double step, double tokens);
/// "2920 days"; less than one as "27.3 s".
[[nodiscard]] std::string days_text(double days);

} // namespace meshslice
