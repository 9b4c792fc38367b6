#include "core/base/say.h"
#include "core/papers/transformers/grid_sweep.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::int64_t context_domain = 64;
constexpr std::int64_t deeper = 8; ///< times as many stages

PlanMarks of_stages(const PlanMarks& marks, bool shallow) {
    const auto depth = [](const PlanMark& one) { return one.plan->plan.pipeline; };
    const std::int64_t least = std::ranges::min(marks, {}, depth).plan->plan.pipeline;
    PlanMarks some;
    std::ranges::copy_if(marks, std::back_inserter(some),
                         [&](const PlanMark& one) { return (depth(one) == least) == shallow; });
    return some;
}

std::string grid_memories(const PlanMarks& marks) {
    std::string words;
    for (const PlanMark& mark : marks) {
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", mark.place,
                             memory_words(mark.plan->reading.memory.total()));
    }
    return words;
}

Judgement none_fits(const PlanMarks& marks) {
    const PlanMarks shallow = of_stages(marks, true);
    return {std::ranges::none_of(shallow, [](const PlanMark& one) { return one.plan->reading.fits; }),
            grid_memories(shallow)};
}

/// The fastest that fits is among the shallow pipelines, or not.
Judgement best_that_fits(const PlanMarks& marks, bool shallow) {
    const auto at = fastest(marks, true);
    if (!at) {
        return {false, said("none fits")};
    }
    const std::int64_t depth = marks[*at].plan->plan.pipeline;
    const bool is_shallow = of_stages(marks, true).front().plan->plan.pipeline == depth;
    return {is_shallow == shallow,
            fmt::format("{} {}", marks[*at].place, step_words(marks[*at].plan->reading.time.total))};
}

/// Without much of a pipeline weights need most where few chips split them, activations where few split the
/// sequence.
Judgement both_ends_are_large(const PlanMarks& marks) {
    const PlanMarks shallow = of_stages(marks, true);
    const MemoryUse& tall = shallow.front().plan->reading.memory;
    const MemoryUse& wide = shallow.back().plan->reading.memory;
    const auto of = [](const MemoryUse& one) { return one.weights + one.gradients + one.optimizer; };
    return {of(wide) > of(tall) && tall.activations > wide.activations && of(wide) > wide.activations &&
                tall.activations > of(tall),
            say("{}: weights and optimizer {}, activations {}; {}: {} and {}", shallow.front().place,
                memory_words(of(tall)), memory_words(tall.activations), shallow.back().place,
                memory_words(of(wide)), memory_words(wide.activations))};
}

Judgement falls_with_columns(const PlanMarks& marks) {
    const PlanMarks deep = of_stages(marks, false);
    return {std::ranges::is_sorted(deep, std::greater<>(),
                                   [](const PlanMark& one) { return one.plan->reading.memory.total(); }),
            grid_memories(deep)};
}

/// Of the vision model: the group, depth and micro-batch of its best 2D plan, then eight times as many
/// stages.
Result<GridSizes> vision_sizes(const Transformer& model, const Machine& cluster, std::int64_t chips,
                               ModelRules rules, const RunControl& control) {
    const auto made = plan_model(model, cluster, rules);
    if (!made) {
        return refuse(made.error());
    }
    const auto best = best_plan(*made, TensorStrategy::two_d, chips, control);
    if (!best) {
        return refuse(best.error());
    }
    if (!*best) {
        return refuse(say("No 2D plan of {} fits on {} chips.", model.title, chips));
    }
    const Plan& plan = (*best)->plan;
    const std::int64_t tensor = plan.tensor1 * plan.tensor2;
    std::int64_t depth = plan.pipeline * deeper;
    while (depth > plan.pipeline && (model.layers % depth != 0 || chips % (depth * tensor) != 0)) {
        depth /= 2;
    }
    return GridSizes{{{tensor, plan.pipeline, plan.micro_batch}, {tensor, depth, plan.micro_batch}}};
}

Result<StudyResult> context_parallel(const StudyInputs& inputs, const RunControl& control) {
    const std::int64_t chips = inputs.chips.back();
    const Machine large = in_domains(inputs.hardware, context_domain);
    const std::array models = {&inputs.models.front(), &inputs.models.back()};
    std::array<ByRules<PlanMarks>, models.size()> marks;
    StudyResult result;
    PlanTable table("2D plans by grid");
    for (std::size_t m = 0; m < models.size(); ++m) {
        std::optional<PlanModel> model;
        for (std::size_t r = 0; r < rule_sets.size(); ++r) {
            // Sizes are chosen by the published rules, so that both compare the same plans.
            const auto sizes =
                m == 0 ? grid_sizes(*models[m], inputs.hardware, chips, ModelRules::reference, control)
                       : vision_sizes(*models[m], inputs.hardware, chips, ModelRules::reference, control);
            const auto made = plan_model(*models[m], large, rule_sets[r]);
            if (!sizes || !made) {
                return refuse(!sizes ? sizes.error() : made.error());
            }
            model = *made;
            marks[m][r] = grid_sweep(*made, TensorStrategy::two_d, *sizes, chips, std::nullopt);
        }
        if (marks[m][by_exact].size() != marks[m][by_published].size() || marks[m][by_exact].empty()) {
            return refuse(say("No grids of {} on {} chips compare by both rules.", models[m]->title, chips));
        }
        const std::string title = fmt::format("{}, {}", models[m]->title, large.title);
        result.panels.push_back(time_panel(title, "", marks[m], model->capacity(), false));
        table.add(models[m]->title, marks[m], model->run());
        const PlanMark& best = marks[m][by_exact][fastest(marks[m][by_exact], true).value_or(0)];
        result.finding += (result.finding.empty() ? std::string() : said("; ")) +
                          say("{} on {} chips: {} is the fastest that fits, {}", models[m]->title, chips,
                              best.place, step_words(best.plan->reading.time.total));
        done(control, m + 1, models.size());
    }
    const auto both = [](const ByRules<PlanMarks>& of, auto judge) {
        return ByRules<Judgement>{judge(of[by_published]), judge(of[by_exact])};
    };
    const auto among = [](bool shallow) {
        return [=](const PlanMarks& of) { return best_that_fits(of, shallow); };
    };
    result.orderings = {judged("figA2-language-memory", both(marks[0], none_fits)),
                        judged("figA2-language-deep", both(marks[0], among(false))),
                        judged("figA2-vision-shallow", both(marks[1], among(true))),
                        judged("figA2-vision-ends", both(marks[1], both_ends_are_large)),
                        judged("figA2-vision-columns", both(marks[1], falls_with_columns))};
    result.table = std::move(table).table();
    result.note =
        said("The optimizer's state is shared by data- and context-parallel chips, as in the published "
             "search; the published notebook of this figure shares it among data-parallel chips "
             "alone, which needs up to 8% more memory.");
    return result;
}

} // namespace

/// Figure A2: shapes of the grid of 2D tensor parallelism with context parallelism.
const Study context_parallel_study{
    "context-parallel",
    "2D tensor parallelism",
    "How should a group split heads and sequence, with few stages and with many?",
    "B, Figure A2",
    context_parallel,
    {true, true, ClustersAsked::largest},
    &transformers_evaluation,
    Reading::estimated};

} // namespace meshslice
