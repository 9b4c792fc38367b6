#include "core/plan/search/plan_question.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/machine/catalogue.h"
#include "core/plan/evaluate/scenario_memory.h"
#include "core/plan/search/chosen_plan.h"
#include "core/scenario/meshes.h"
#include "core/scenario/plan/plan_words.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace meshslice {

Result<PlanQuestion> plan_question(const Scenario& scenario) {
    if (scenario.gemm) {
        return refuse(said("A plan needs a model; this scenario is a single GEMM. Choose one block as its "
                           "task."));
    }
    if (!trains_by_plan(scenario.hardware)) {
        return refuse(say("Plans need fast domains or a torus and a known rate of vectors, which {} lacks; "
                          "{} have them.",
                          scenario.hardware.title, names_of(presets_that(trains_by_plan))));
    }
    TrainingRun run;
    count_as_asked(scenario, run);
    return PlanQuestion{scenario.model,
                        scenario.sequence,
                        scenario.planning.batch.value_or(scenario.batch),
                        scenario.hardware,
                        scenario.chips(),
                        scenario.planning.tokens,
                        scenario.plan.split,
                        run.ends,
                        run.optimizer_step,
                        run.keeps,
                        run.uneven_stages,
                        run.exchange,
                        scenario.planning.recipe,
                        scenario.planning.prices,
                        scenario.planning.adapters};
}

std::string other_chips_note(const Scenario& scenario) {
    const std::int64_t run = scenario.chips();
    const std::int64_t shown = chips_of(scenario.mesh);
    if (scenario.gemm || !is_torus(scenario.hardware) || run == shown) {
        return {};
    }
    const auto so_many = [](std::int64_t count) {
        return count == 1 ? said("one chip") : say("{} chips", count);
    };
    const std::optional<Plan>& loaded = scenario.plan.loaded;
    return scenario.is_group() && loaded && shown == loaded->tensor1 * loaded->tensor2
               ? say("These plans are for {}; the headline and the other views show one tensor-parallel "
                     "group, {}.",
                     so_many(run), so_many(shown))
               : say("These plans are for {}; the headline and the other views show the {} of the mesh.",
                     so_many(run), so_many(shown));
}

SplitAsked runs_on(SplitAsked split, const Machine& on) {
    PlanSpace space;
    if (!set_strategies(space, split.strategy, is_torus(on))) {
        split.strategy = SplitAsked{}.strategy;
    }
    return split;
}

const RankedPlan& PlanAnswer::best() const {
    return fits() && !search.ranked.empty() ? search.ranked.front() : search.smallest;
}

std::vector<RankedPlan> PlanAnswer::plans() const {
    std::vector<RankedPlan> all = search.ranked;
    if (loaded && std::ranges::find(all, loaded->plan, &RankedPlan::plan) == all.end()) {
        all.push_back(*loaded);
    }
    for (const RankedPlan& one : search.frontier) {
        if (std::ranges::find(all, one.plan, &RankedPlan::plan) == all.end()) {
            all.push_back(one);
        }
    }
    return all;
}

Result<PlanSpace> plan_space(const PlanQuestion& question, const PlanModel& model) {
    const SplitAsked& split = question.split;
    PlanSpace space;
    space.chips = question.chips;
    if (const auto set = set_strategies(space, split.strategy, model.torus()); !set) {
        return refuse(set.error());
    }
    if (question.adapters.on()) {
        if (space.strategies.empty()) {
            return refuse(say("The programs of {} train all weights; the strategy 1d takes adapters.",
                              space.algorithms.front()->title));
        }
        space.algorithms.clear();
        std::erase(space.strategies, TensorStrategy::summa);
        if (space.strategies.empty()) {
            return refuse(no_adapters_in_panels());
        }
    }
    if (question.recipe != NumberRecipe::bf16 && !space.algorithms.empty()) {
        if (space.strategies.empty()) {
            return refuse(say("The programs of {} multiply in bf16; the strategy 1d takes {}.",
                              space.algorithms.front()->title, name(question.recipe)));
        }
        space.algorithms.clear();
    }
    const Result<PlanChoices> choices = plan_choices({split.schedule, split.recompute, split.zero});
    if (!choices) {
        return refuse(choices.error());
    }
    const Result<GridSides> grid = parse_grid(split.tensor);
    if (!grid) {
        return refuse(grid.error());
    }
    const Result<std::vector<ContextExchange>> contexts = parse_context_exchanges(split.context);
    if (!contexts) {
        return refuse(contexts.error());
    }
    space.choices = *choices;
    space.contexts = *contexts;
    if (split.offload > 0 && model.hardware().pcie.value.value() <= 0) {
        return refuse(no_way_to_host(model.hardware()));
    }
    if (model.torus() && split.shard) {
        return refuse(no_shard_on_torus());
    }
    if (model.torus() && split.experts.value_or(1) > 1) {
        return refuse(no_experts_on_torus());
    }
    space.fixed = {split.data.value_or(0),
                   split.pipeline.value_or(0),
                   grid->first,
                   grid->second,
                   split.micro_batch.value_or(0),
                   split.panels.value_or(0),
                   split.experts.value_or(model.torus() ? 1 : 0),
                   split.shard.value_or(0),
                   split.shard.has_value() && split.sums_each_backward,
                   split.offload};
    space.tensor_overlap = split.tensor_overlap;
    space.data_overlap = split.data_overlap;
    return space;
}

/// Where plans that do not fit are left out.
static std::string no_plan_fits(const PlanAnswer& answer) {
    const std::string none =
        say("No plan of {} on {} chips fits: the smallest needs {} and a chip has {}.",
            answer.question.model.title, answer.question.chips,
            bytes_text(answer.search.smallest.reading.memory.total()), bytes_text(answer.capacity));
    return answer.would_fit.empty()
               ? none
               : none + said(" ") + say("What would fit: {}.", listed(answer.would_fit, "or"));
}

std::optional<std::size_t> PlanAnswer::place_of_loaded() const {
    if (!loaded) {
        return std::nullopt;
    }
    const std::vector<RankedPlan> all = plans();
    const auto at = std::ranges::find(all, loaded->plan, &RankedPlan::plan);
    return static_cast<std::size_t>(at - all.begin());
}

Result<PlanAnswer> answer(const PlanQuestion& question, std::size_t top, const RunControl& control,
                          std::shared_ptr<TunedGroups> groups, const MakeExpected& expected) {
    const Result<PlanModel> model = plan_model(question, std::move(groups));
    if (!model) {
        return refuse(model.error());
    }
    Result<PlanSpace> space = plan_space(question, *model);
    if (!space) {
        return refuse(space.error());
    }
    PlanAnswer made{question, model->capacity(), {}, {}, {}};
    if (question.split.fewer_chips) {
        const Result<ChipsTaken> taken = chips_taken(*model, *space, control, expected);
        if (!taken) {
            return refuse(taken.error());
        }
        made.taken = *taken;
        made.question.chips = space->chips = taken->taken;
    }
    Result<PlanSearch> found =
        search_plans(*model, *space, top, control, expected ? expected() : ExpectedSeconds());
    if (!found) {
        return refuse(found.error());
    }
    made.search = *std::move(found);
    made.larger_batch = batch_that_fills(*model, made.best().plan);
    if (!made.fits()) {
        made.would_fit = what_would_fit(*model, *space, control.stop);
        if (control.stop.stop_requested()) {
            return cancelled();
        }
    }
    if (question.split.fits_only) {
        if (!made.fits()) {
            return refuse(no_plan_fits(made));
        }
        std::erase_if(made.search.ranked, [](const RankedPlan& one) { return !one.reading.fits; });
    }
    return made;
}

} // namespace meshslice
