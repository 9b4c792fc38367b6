#include "core/question/catalogue/plan/plans_asked.h"

#include "core/base/text.h"
#include "core/evidence/expected_plan.h"
#include "core/plan/search/loaded_plan.h"
#include "core/question/catalogue/plan/plan_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

/// What is not said is any of a search by exact rules, and as published of others and of one plan.
Result<PlanChoices> choices_of(const Asked& asked, bool any) {
    const SplitAsked& split = asked.scenario->plan.split;
    const auto words = [&](const char* flag, const std::string& value, const char* published) {
        return any || asked.said.has(flag) || value != "any" ? value : std::string(published);
    };
    return plan_choices({words("--schedule", split.schedule, "1f1b"),
                         words("--recompute", split.recompute, "none"), words("--zero", split.zero, "1")});
}

/// What is of one plan needs all of its split.
Result<void> suits_a_search(const Asked& asked) {
    if (asked.has("placement")) {
        return refuse(fmt::format("{} applies to one plan, so all of --dp, --pp and --tp are needed, such as "
                                  "--dp 32 --pp 64 --tp 8x1.",
                                  asked.called("placement")));
    }
    return {};
}

/// A grid of two sides, or panels, need a strategy of their own.
Result<void> has_one_strategy(const Asked& asked, const PlansAsked& read, const Plan& plan) {
    const bool several = read.space.strategies.size() + read.space.algorithms.size() > 1;
    const bool panels = asked.scenario->plan.split.panels.has_value();
    if (!several || (plan.tensor2 == 1 && !panels)) {
        return {};
    }
    const std::string_view which = read.model.torus() ? "meshslice or another of its algorithms"
                                   : !panels          ? "2d or --strategy summa"
                                                      : "summa";
    return refuse(fmt::format("The plan does not say how its grid of {} splits GEMMs; --strategy {} says it.",
                              grid_text(plan), which));
}

Result<void> has_its_chips(const PlansAsked& read, const Plan& plan) {
    if (plan.data > most_planned_chips / plan.pipeline / plan.tensor1 / plan.tensor2) {
        return refuse(fmt::format("The plan has more than {} chips; expected fewer.", most_planned_chips));
    }
    if (read.of_machine && read.space.chips != plan.chips()) {
        return refuse(fmt::format("The plan {} x {} x {} has {} chips and {} were asked for; one of the two "
                                  "is enough.",
                                  plan.data, plan.pipeline, grid_text(plan), plan.chips(), read.space.chips));
    }
    return {};
}

} // namespace

Result<PlansAsked> read_plans(const Asked& asked, const Workload& workload) {
    Result<PlanModel> model = model_of_run(asked, workload);
    if (!model) {
        return refuse(model.error());
    }
    PlansAsked read{*std::move(model), {}, *plan_question(*asked.scenario)};
    read.question.batch = read.model.run().batch;
    Result<PlanSpace> asked_space = plan_space(read.question, read.model);
    if (!asked_space) {
        return refuse(asked_space.error());
    }
    PlanSpace& space = read.space = *std::move(asked_space);
    read.split_said = asked.said.has("--dp") && asked.said.has("--pp") && asked.said.has("--tp");
    const Result<PlanChoices> choices =
        choices_of(asked, !read.one() && read.model.rules() == ModelRules::exact);
    if (!choices) {
        return refuse(choices.error());
    }
    space.choices = *choices;
    space.tensor_overlap = space.tensor_overlap || asked.flag("overlap_tensor");
    space.data_overlap = space.data_overlap && !asked.flag("no_overlap_data");
    if (read.model.rules() != ModelRules::exact && !read.question.split.experts) {
        space.fixed.experts = 1; // the published rules know no groups that share experts
    }
    read.tokens = static_cast<double>(read.question.tokens.value_or(0));
    read.of_machine = asked.said.has("--chips") || asked.said.file;
    read.simulate = static_cast<std::size_t>(asked.number("simulate"));
    if (!read.one()) {
        if (const Result<void> suits = suits_a_search(asked); !suits) {
            return refuse(suits.error());
        }
    }
    return read;
}

Result<RankedPlan> read_one(const Asked& asked, const PlansAsked& read) {
    const Result<Placed> placement = placement_asked(asked);
    if (!placement) {
        return refuse(placement.error());
    }
    const FixedSplit& split = read.space.fixed;
    Plan plan;
    plan.data = split.data;
    plan.pipeline = split.pipeline;
    plan.tensor1 = split.tensor1;
    plan.tensor2 = split.tensor2;
    plan.micro_batch = std::max(split.micro_batch, std::int64_t{1});
    plan.panels = std::max(split.panels, std::int64_t{1});
    placement->put(plan);
    plan.tensor_overlap = read.space.tensor_overlap;
    plan.data_overlap = read.space.data_overlap;
    if (read.space.strategies.empty()) {
        plan.strategy = TensorStrategy::of_algorithm;
        plan.algorithm = read.space.algorithms.front();
    } else {
        plan.strategy = read.space.strategies.front();
    }
    if (const Result<void> sound = has_one_strategy(asked, read, plan); !sound) {
        return refuse(sound.error());
    }
    if (read.model.torus() && asked.has("placement")) {
        return refuse(fmt::format("{} applies to fast domains, and {} is a torus; without it the fastest way "
                                  "to lay the groups along its axes is taken.",
                                  asked.called("placement"), read.model.cluster_name()));
    }
    if (const Result<void> sound = has_its_chips(read, plan); !sound) {
        return refuse(sound.error());
    }
    plan.shard = split.shard;
    plan.sums_each_backward = split.sums_each_backward;
    plan.offload = split.offload;
    const ExpectedSeconds expects =
        read.model.rules() == ModelRules::exact ? ranked_by(read.question) : ExpectedSeconds();
    std::optional<Result<RankedPlan>> best;
    for (const std::int64_t experts : expert_sizes(read.model.run(), read.space, plan.strategy)) {
        if (split.experts == 0 && plan.data % experts != 0) {
            continue;
        }
        plan.experts = experts;
        for (const ContextExchange context : read.space.contexts) {
            plan.context = context;
            Result<RankedPlan> found = fastest_plan(
                read.model, plan, {split.panels == 0, !asked.has("placement"), read.space.choices});
            if (found && found->reading.fits && expects) {
                constexpr double none = std::numeric_limits<double>::infinity();
                const double seconds = expects(found->plan).value_or(none);
                found->expected = seconds < found->reading.time.total ? none : seconds;
            }
            if (!best || (found && (!*best || plan_before(*found, **best)))) {
                best = std::move(found);
            }
        }
    }
    if (!best) { // of this strategy none has groups of that size
        plan.experts = split.experts;
        return fastest_plan(read.model, plan, {split.panels == 0, !asked.has("placement"), {}});
    }
    return best->map([](RankedPlan one) {
        one.expected = 0; // which compared sizes alone
        return one;
    });
}

bool reads_the_loaded_plan(const Asked& asked) {
    static const std::set<std::string, std::less<>> about_any = {
        "--tokens",         "--rules",   "--simulate",         "--measured-step",
        "--trace",          "--open",    "--fits-memory",      "--ends",
        "--optimizer-step", "--no-ends", "--no-optimizer-step"};
    return asked.scenario->plan.loaded && std::ranges::all_of(asked.said.flags, [](const auto& said) {
               return about_any.contains(said.first);
           });
}

Result<RankedPlan> read_loaded(const Asked& asked, const PlansAsked& read) {
    const Plan& plan = *asked.scenario->plan.loaded;
    const Result<RankedPlan> sound = read_chosen_plan(ChosenPlan{read.question, plan});
    if (!sound) {
        return refuse(fmt::format("{}: the plan {} does not suit the scenario. {}", asked.said.origin,
                                  text(plan), sound.error().sentence));
    }
    return RankedPlan{plan, read.model.reading(plan, read.model.layer(plan))};
}

} // namespace meshslice
