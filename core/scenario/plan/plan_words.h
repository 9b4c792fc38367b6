#pragma once

#include "core/base/result.h"
#include "core/scenario/plan/plan.h"

#include <cstdint>
#include <string>
#include <string_view>
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

/// "any" of them, or one or several with commas between them.
[[nodiscard]] Result<std::vector<ContextExchange>> parse_context_exchanges(std::string_view words);

/// The sides of a tensor-parallel grid; 0: any.
struct GridSides {
    std::int64_t first = 0, second = 0;

    bool operator==(const GridSides&) const = default;
};
/// "8x1", or "8" of a grid of one side; "8xany" and "anyx4" leave one side open, "any" or "auto" both.
[[nodiscard]] Result<GridSides> parse_grid(std::string_view words);
/// The text that it reads: "8x1", "8xany", "any".
[[nodiscard]] std::string text(const GridSides& grid);

} // namespace meshslice
