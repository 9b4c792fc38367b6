#pragma once

#include "core/plan/search/plan_question.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// The best plan for one number of chips.
struct PlanAtChips {
    std::int64_t chips = 1;
    std::optional<RankedPlan> best; ///< the smallest one where none fits; none where there is no plan
    std::string objection{};        ///< why there is none

    bool operator==(const PlanAtChips&) const = default;
};

/// How the fastest plan changes with the number of chips.
struct PlanScaling {
    PlanQuestion question;
    std::string cluster_title;
    double capacity = 0;             ///< bytes of a chip's memory
    std::vector<PlanAtChips> points; ///< from few chips to many
};

/// The numbers of chips that are asked about: an eighth of those given to eight times as many, doubled each
/// time; only whole ones, no more than most_planned_chips.
[[nodiscard]] std::vector<std::int64_t> chips_around(std::int64_t chips);

/// Searches as answer() does, by `expected` where it is given, once for each of chips_around(). Refuses a
/// model or a cluster that cannot be planned; that some number of chips leaves no plan is part of the answer.
[[nodiscard]] Result<PlanScaling> plan_scaling(const PlanQuestion& question, const RunControl& control = {},
                                               std::shared_ptr<TunedGroups> groups = {},
                                               const ExpectedSeconds& expected = {});

} // namespace meshslice
