#pragma once

#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/pipeline/pipeline_run.h"
#include "core/plan/search/plan_question.h"

#include <array>
#include <cstdint>
#include <memory>

namespace meshslice {

/// The model whose plans answer() ranks for this question; with the same `groups`. Refuses as answer() does.
[[nodiscard]] Result<PlanModel> plan_model(const PlanQuestion& question,
                                           std::shared_ptr<TunedGroups> groups = {});

/// One plan of an answer, which a reader wants to look into.
struct ChosenPlan {
    PlanQuestion question;
    Plan plan;

    bool operator==(const ChosenPlan&) const = default;
};

/// A pipeline of more passes is not drawn: what is recorded of it would take some 300 MB.
inline constexpr std::int64_t most_drawn_passes = 2'000'000;

/// A step of a chosen plan, simulated micro-batch by micro-batch.
struct PlanTimeline {
    ChosenPlan of;
    PipelineShape shape;
    std::shared_ptr<const PipelineRun> run;      ///< never null
    double estimated = 0;                        ///< seconds of the step in the ranking
    double capacity = 0;                         ///< bytes of a chip's memory
    std::shared_ptr<const PlanModel> model = {}; ///< that read it
};
/// Refuses what plan_model() and simulate_plan() refuse, and more than most_drawn_passes; stops when asked.
[[nodiscard]] Result<PlanTimeline> plan_timeline(const ChosenPlan& chosen, const RunControl& control = {});

enum class PlanGroup : std::uint8_t { tensor, data, pipeline };
inline constexpr std::array plan_groups = {PlanGroup::tensor, PlanGroup::data, PlanGroup::pipeline};

/// What one chip has to do with the other chips of one of its groups, in one step.
struct GroupTraffic {
    std::int64_t chips = 1;
    std::int64_t together = 1; ///< of them in one fast domain; on a torus all
    /// Bytes that the chip sends, the mean of all: of rings, their steps together. 0 where a group's programs
    /// decide it.
    double sent = 0;
    double leaves = 0;  ///< bytes of `sent` that cross the outermost level
    double exposed = 0; ///< seconds of the step that nothing hides

    bool operator==(const GroupTraffic&) const = default;
};

/// Where the groups of a chosen plan stand.
struct PlanPlaces {
    ChosenPlan of;
    Machine hardware;
    bool torus = false;
    std::int64_t domain = 1; ///< chips of a fast domain, the outermost unit; on a torus 1
    Placement in_domain;     ///< of them the chips of each group
    std::array<GroupTraffic, plan_groups.size()> traffic;

    [[nodiscard]] const GroupTraffic& of_group(PlanGroup group) const {
        return traffic[static_cast<std::size_t>(group)];
    }
};
/// Refuses what plan_model() refuses.
[[nodiscard]] Result<PlanPlaces> plan_places(const ChosenPlan& chosen);

/// A chip of a plan: which part of each group it is, from 0.
struct PlanChip {
    std::int64_t tensor1 = 0, tensor2 = 0, data = 0, pipeline = 0;

    bool operator==(const PlanChip&) const = default;
};
/// Whether two chips of a plan are of one data_group().
[[nodiscard]] bool hold_same_weights(const Plan& plan, const PlanChip& one, const PlanChip& other);
/// The chips that one fast domain holds, in the order of tensor1, tensor2, data and pipeline, the first
/// changing fastest; `placement` are their numbers.
[[nodiscard]] std::int64_t chips_together(const Placement& placement);
[[nodiscard]] PlanChip chip_in_domain(const Placement& placement, std::int64_t index);

} // namespace meshslice
