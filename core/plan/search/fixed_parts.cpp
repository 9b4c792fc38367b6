#include "core/plan/search/fixed_parts.h"

#include "core/base/say.h"
#include "core/plan/search/chosen_plan.h"
#include "core/scenario/plan/plan_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace meshslice {

SplitAsked freed(const SplitAsked& split) {
    SplitAsked free;
    free.strategy = split.strategy;
    free.experts = split.experts;
    free.shard = split.shard;
    free.sums_each_backward = split.sums_each_backward;
    free.offload = split.offload;
    free.context = split.context;
    free.tensor_overlap = split.tensor_overlap;
    free.data_overlap = split.data_overlap;
    free.rank = split.rank;
    free.fits_only = split.fits_only;
    free.fewer_chips = split.fewer_chips;
    return free;
}

std::string fixed_words(const SplitAsked& split) {
    const SplitAsked free;
    std::vector<std::string> words;
    const auto add = [&](bool fixed, const std::string& its) {
        if (fixed) {
            words.push_back(its);
        }
    };
    add(split.data.has_value(), fmt::format("dp {}", split.data.value_or(0)));
    add(split.pipeline.has_value(), fmt::format("pp {}", split.pipeline.value_or(0)));
    add(split.tensor != free.tensor, "tp " + split.tensor);
    add(split.experts.has_value(), fmt::format("ep {}", split.experts.value_or(0)));
    add(split.context != free.context, say("context {}", split.context));
    add(split.shard.has_value(), say("shared by {}", split.shard.value_or(0)));
    add(split.micro_batch.has_value(), say("micro-batch {}", split.micro_batch.value_or(0)));
    add(split.schedule != free.schedule, say("schedule {}", split.schedule));
    add(split.recompute != free.recompute, say("recomputation {}", split.recompute));
    add(split.zero != free.zero, say("ZeRO {}", split.zero));
    add(split.offload > 0, say("{}% of activations offloaded", split.offload));
    add(split.panels.has_value(), say("panels {}", split.panels.value_or(0)));
    return fmt::format("{}", fmt::join(words, said(", ")));
}

SplitAsked fixed_around(const SplitAsked& split, const Plan& plan, std::string_view field) {
    SplitAsked fixed = split;
    const bool of_sizes = field == "planning.dp" || field == "planning.pp" || field == "planning.tp";
    fixed.data = of_sizes ? std::nullopt : std::optional(plan.data);
    fixed.pipeline = of_sizes ? std::nullopt : std::optional(plan.pipeline);
    fixed.tensor = of_sizes ? SplitAsked{}.tensor : text(GridSides{plan.tensor1, plan.tensor2});
    if (plan.experts > 1) { // one is what a model without experts has, of which nothing is said
        fixed.experts = plan.experts;
    }
    fixed.context = std::string(name(plan.context));
    fixed.shard = plan.shard > 0 ? std::optional(plan.shard) : std::nullopt;
    fixed.sums_each_backward = plan.sums_each_backward;
    fixed.offload = plan.offload;
    const auto keep = [&](std::string_view its, auto& member, auto value) {
        if (its != field) {
            member = std::move(value);
        }
    };
    if (!of_sizes) { // which micro-batches and chunks have to divide
        keep("planning.micro_batch", fixed.micro_batch, plan.micro_batch);
        keep("planning.schedule", fixed.schedule, text(plan.schedule));
    }
    keep("planning.recompute", fixed.recompute, name(plan.recompute));
    keep("planning.zero", fixed.zero, std::to_string(plan.zero));
    return fixed;
}

Result<void> check_fixed_parts(const PlanQuestion& question) {
    const Result<PlanModel> model = plan_model(question);
    if (!model) {
        return refuse(model.error());
    }
    const Result<PlanSpace> space = plan_space(question, *model);
    return space ? check_fixed(*model, *space) : refuse(space.error());
}

} // namespace meshslice
