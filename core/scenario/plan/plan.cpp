#include "core/scenario/plan/plan.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/plan/planning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::string_view interleaved_prefix = "interleaved:";

} // namespace

std::string_view name(TensorStrategy strategy) {
    constexpr std::array<std::string_view, 4> names = {"1d", "2d", "summa", "algorithm"};
    return names[static_cast<std::size_t>(strategy)];
}

std::string_view name(ContextExchange exchange) {
    constexpr std::array<std::string_view, all_context_exchanges.size()> names = {"gather", "ring",
                                                                                  "all-to-all"};
    return names[static_cast<std::size_t>(exchange)];
}

std::string title(ContextExchange exchange) {
    switch (exchange) {
    case ContextExchange::ring: return said("keys and values round a ring");
    case ContextExchange::all_to_all: return said("tokens for heads, all-to-all");
    case ContextExchange::gather: break;
    }
    return said("keys and values gathered");
}

std::string text(const PipelineSchedule& schedule) {
    switch (schedule.kind) {
    case PipelineKind::interleaved: return fmt::format("{}{}", interleaved_prefix, schedule.chunks);
    case PipelineKind::gpipe: return "gpipe";
    case PipelineKind::zero_bubble: return "zero-bubble";
    case PipelineKind::dualpipe: return "dualpipe";
    case PipelineKind::one_f_one_b: break;
    }
    return "1f1b";
}

Result<PipelineSchedule> parse_pipeline_schedule(std::string_view words) {
    for (const PipelineKind kind : {PipelineKind::one_f_one_b, PipelineKind::gpipe, PipelineKind::zero_bubble,
                                    PipelineKind::dualpipe}) {
        if (words == text(PipelineSchedule{kind, 1})) {
            return PipelineSchedule{kind, 1};
        }
    }
    if (words.starts_with(interleaved_prefix)) {
        const Result<std::int64_t> chunks = parse_whole(words.substr(interleaved_prefix.size()));
        if (chunks && *chunks >= 2 && *chunks <= most_planned_chips) {
            return PipelineSchedule{PipelineKind::interleaved, *chunks};
        }
    }
    return refuse(say(
        "The schedule is \"{}\"; expected 1f1b, gpipe, zero-bubble, dualpipe or interleaved:V, V chunks of "
        "each stage from 2 on.",
        shortened(words)));
}

std::string_view name(Recompute recompute) {
    constexpr std::array<std::string_view, 3> names = {"none", "attention", "full"};
    return names[static_cast<std::size_t>(recompute)];
}

Result<Recompute> parse_recompute(std::string_view words) {
    for (const Recompute recompute : {Recompute::none, Recompute::attention, Recompute::full}) {
        if (words == name(recompute)) {
            return recompute;
        }
    }
    return refuse(
        say("What is computed again is \"{}\"; expected none, attention or full.", shortened(words)));
}

std::vector<std::int64_t> Plan::placed_numbers() const {
    std::vector<std::int64_t> numbers;
    for (std::size_t level = 0; level < placed_levels(); ++level) {
        const Placement& at = placed(level);
        numbers.insert(numbers.end(), {at.tensor1, at.tensor2, at.data, at.pipeline});
    }
    return numbers;
}

std::string grid_text(const Plan& plan) {
    return fmt::format("{}x{}", plan.tensor1, plan.tensor2);
}

std::string_view strategy_name(const Plan& plan) {
    return plan.algorithm != nullptr ? plan.algorithm->id : name(plan.strategy);
}

std::string_view strategy_title(const Plan& plan) {
    constexpr std::array<std::string_view, 4> titles = {"1D", "2D", "SUMMA", "algorithm"};
    return plan.algorithm != nullptr ? plan.algorithm->title
                                     : titles[static_cast<std::size_t>(plan.strategy)];
}

std::int64_t Plan::tori() const {
    if (axes == TorusAxes{} || data < 1) {
        return 1;
    }
    std::int64_t left = data; // divided, as a product of what a file says may have more than 64 bits
    for (const Placement& axis : axes) {
        if (axis.data < 1 || left % axis.data != 0) {
            return 1;
        }
        left /= axis.data;
    }
    return left;
}

std::string axis_text(const Placement& axis) {
    std::vector<std::string> groups;
    for (const auto& [group, chips] : placed_groups) {
        if (axis.*chips > 1) {
            groups.push_back(fmt::format("{} {}", group, axis.*chips));
        }
    }
    return fmt::format("{}", fmt::join(groups, ", "));
}

std::string placement_text(const Plan& plan) {
    if (plan.axes != TorusAxes{}) {
        std::vector<std::string> axes;
        for (const Placement& axis : plan.axes) {
            if (std::string words = axis_text(axis); !words.empty()) {
                axes.push_back(std::move(words));
            }
        }
        const std::string words = fmt::format("{}", fmt::join(axes, " x "));
        return plan.tori() > 1 ? fmt::format("{} x ({})", plan.tori(), words) : words;
    }
    std::vector<std::string> levels;
    for (std::size_t level = 0; level < plan.placed_levels(); ++level) {
        const Placement& at = plan.placed(level);
        levels.push_back(fmt::format("{},{},{},{}", at.tensor1, at.tensor2, at.data, at.pipeline));
    }
    return fmt::format("{}", fmt::join(levels, "/"));
}

} // namespace meshslice
