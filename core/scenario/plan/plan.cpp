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

namespace {

constexpr std::array<std::pair<Recompute, std::string_view>, 6> recompute_words = {
    {{Recompute::core_attention, "core_attn"},
     {Recompute::norms, "layernorm"},
     {Recompute::activations, "act"},
     {Recompute::feed_forward, "mlp"},
     {Recompute::attention, "attention"},
     {Recompute::full, "full"}}};
/// The same of layers with experts.
constexpr std::array<std::pair<Recompute, std::string_view>, 2> recompute_words_of_experts = {
    {{Recompute::activations, "moe_act"}, {Recompute::feed_forward, "moe"}}};

Recompute recompute_of(std::string_view word) {
    for (const auto& [part, its] : recompute_words) {
        if (its == word) {
            return part;
        }
    }
    for (const auto& [part, its] : recompute_words_of_experts) {
        if (its == word) {
            return part;
        }
    }
    return Recompute::none;
}

/// What is part of another part goes without saying.
Recompute without_repeats(Recompute all) {
    if (share_parts(all, Recompute::full) && (static_cast<unsigned>(all) & 32U) != 0) {
        return Recompute::full;
    }
    auto bits = static_cast<unsigned>(all);
    bits &= share_parts(all, Recompute::feed_forward) ? ~4U : ~0U;
    bits &= share_parts(all, Recompute::attention) ? ~1U : ~0U;
    return static_cast<Recompute>(bits);
}

} // namespace

std::string name(Recompute recompute) {
    std::string words;
    for (const auto& [part, word] : recompute_words) {
        if ((static_cast<unsigned>(part) & static_cast<unsigned>(recompute)) != 0) {
            words += (words.empty() ? "" : "+") + std::string(word);
        }
    }
    return words.empty() ? "none" : words;
}

Result<Recompute> parse_recompute(std::string_view words) {
    if (words == "none") {
        return Recompute::none;
    }
    Recompute all = Recompute::none;
    for (std::string_view rest = words;;) {
        const std::size_t end = rest.find('+');
        const Recompute one = recompute_of(rest.substr(0, end));
        if (one == Recompute::none) {
            return refuse(
                say("What is computed again is \"{}\"; expected none, attention, full, or core_attn, "
                    "layernorm, act and mlp, with + between several.",
                    shortened(words)));
        }
        all = all | one;
        if (end == std::string_view::npos) {
            return without_repeats(all);
        }
        rest = rest.substr(end + 1);
    }
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
