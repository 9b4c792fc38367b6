#pragma once

#include "core/base/result.h"
#include "core/scenario/plan.h"

#include <string>
#include <vector>

namespace meshslice {

/// How plans of one split may run: what a search tries of each, in all combinations. Those of the published
/// search (arXiv 2410.00273) unless others are set.
struct PlanChoices {
    std::vector<PipelineSchedule> schedules = {PipelineSchedule{}};
    /// The interleaved schedule too, with each number of chunks that divides the layers of a stage.
    bool interleaved = false;
    std::vector<Recompute> recomputes = {Recompute::none};
    std::vector<int> zero_levels = {1};

    bool operator==(const PlanChoices&) const = default;
};

/// What each choice may be, in words: "any", or one or several names with commas between them. `any` are 1F1B
/// and interleaved pipelines, every kind of recomputation, every level of ZeRO. GPipe, which keeps the
/// activations of all micro-batches to save some transfers, is tried where it is named.
struct ChoiceWords {
    std::string schedule =
        "any"; ///< "1f1b", "gpipe", "interleaved" with any number of chunks, "interleaved:2"
    std::string recompute = "any"; ///< "none", "attention", "full"
    std::string zero = "any";      ///< "0" to "3"

    bool operator==(const ChoiceWords&) const = default;
};
[[nodiscard]] Result<PlanChoices> plan_choices(const ChoiceWords& words);

} // namespace meshslice
