#include "core/base/say.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

constexpr std::int64_t papers_tensor = 8, papers_data = 32, papers_micro_batches = 128;

std::vector<double> share_times(const PlanMarks& marks) {
    std::vector<double> times;
    for (const PlanMark& mark : marks) {
        times.push_back(mark.plan->reading.time.total);
    }
    return times;
}

std::string share_words(const PlanMarks& marks) {
    std::string words;
    for (const PlanMark& mark : marks) {
        words += fmt::format("{}tp {} {}", words.empty() ? "" : ", ", mark.place,
                             step_words(mark.plan->reading.time.total));
    }
    return words;
}

std::string memories(const PlanMarks& marks) {
    std::string words;
    for (const PlanMark& mark : marks) {
        words += fmt::format("{}tp {} {}", words.empty() ? "" : ", ", mark.place,
                             memory_words(mark.plan->reading.memory.total()));
    }
    return words;
}

/// Tensor-parallel sizes with the pipeline and the micro-batch of the best plan.
Result<PlanMarks> shares_of(const PlanModel& model, std::int64_t chips, const RunControl& control) {
    const auto best = best_plan(model, TensorStrategy::one_d, chips, control);
    if (!best) {
        return refuse(best.error());
    }
    if (!*best) {
        return refuse(say("No 1D plan of {} fits on {} chips.", model.run().model.title, chips));
    }
    PlanMarks marks;
    for (const TensorGrid grid :
         tensor_grids(model.run(), {.chips = chips}, TensorStrategy::one_d, ModelRules::exact)) {
        Plan plan = (*best)->plan;
        plan.tensor1 = grid.tensor1;
        plan.data = chips / plan.pipeline / plan.tensor1;
        if (plan.chips() == chips) {
            if (auto placed = best_placed(model, plan)) {
                marks.push_back({fmt::to_string(grid.tensor1), std::move(placed)});
            }
        }
    }
    return marks;
}

Result<StudyResult> tensor_shares(const StudyInputs& inputs, const RunControl& control) {
    const Transformer& of = inputs.models.front();
    const std::int64_t chips = inputs.chips.back();
    ByRules<PlanMarks> marks;
    std::optional<PlanModel> model;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        const auto made = plan_model(of, inputs.hardware, rule_sets[r]);
        auto found = made ? shares_of(*made, chips, control) : Result<PlanMarks>(refuse(made.error()));
        if (!found) {
            return refuse(found.error());
        }
        model = *made;
        marks[r] = *std::move(found);
    }
    // Both have the same places, unless they fix another depth.
    std::erase_if(marks[by_published], [&](const PlanMark& one) {
        return std::ranges::find(marks[by_exact], one.place, &PlanMark::place) == marks[by_exact].end();
    });
    std::erase_if(marks[by_exact], [&](const PlanMark& one) {
        return std::ranges::find(marks[by_published], one.place, &PlanMark::place) ==
               marks[by_published].end();
    });
    if (marks[by_exact].empty()) {
        return refuse(say("No 1D plan of {} fits on {} chips.", of.title, chips));
    }
    ByRules<Judgement> convex, least, memory, bubble;
    for (std::size_t r = 0; r < marks.size(); ++r) {
        const PlanMarks& all = marks[r];
        convex[r] = {falls_then_rises(share_times(all)), share_words(all)};
        const RankedPlan& best = *all[*fastest(all, false)].plan;
        least[r] = {best.plan.tensor1 == papers_tensor && best.plan.data == papers_data &&
                        best.reading.micro_batches == papers_micro_batches,
                    say("{}, {} micro-batches", split_words(best.plan), best.reading.micro_batches)};
        memory[r] = {
            std::ranges::is_sorted(all, std::greater<>(),
                                   [](const PlanMark& one) { return one.plan->reading.memory.total(); }),
            memories(all)};
        const PlanTime& widest = all.front().plan->reading.time;
        bubble[r] = {widest.bubble > widest.total - widest.bubble,
                     say("dp {}: {} of {}", all.front().plan->plan.data, step_words(widest.bubble),
                         step_words(widest.total))};
    }
    const std::size_t at = *fastest(marks[by_exact], false);
    const RankedPlan& best = *marks[by_exact][at].plan;
    StudyResult result;
    result.panels = {time_panel(of.title, said("tp"), marks, model->capacity(), false)};
    PlanTable table("Steps by the size of the tensor-parallel group");
    table.add(of.title, marks, model->run());
    result.table = std::move(table).table();
    if (of == transformers_inputs(inputs.hardware).models.front()) {
        result.claims = {
            outcome(transformers_paper(), "fig1-memory", best.reading.memory.total(), Reading::estimated)};
    }
    result.orderings = {judged("fig1-convex", convex), judged("fig1-minimum", least),
                        judged("fig1-memory-falls", memory), judged("fig1-bubble", bubble)};
    result.finding =
        say("{} on {} chips with {} stages: fastest with {} chips in a tensor-parallel group, {} "
            "a step and {} a chip",
            of.title, chips, best.plan.pipeline, best.plan.tensor1, step_words(best.reading.time.total),
            memory_words(best.reading.memory.total()));
    const double published_memory = marks[by_published][at].plan->reading.memory.total();
    result.note =
        say("The published implementation needs {} for the same plan, as it also keeps the inputs that are "
            "gathered for GEMMs.",
            memory_words(published_memory));
    if (!result.claims.empty()) {
        const double stated = *result.claims.front().paper;
        const bool paper_is_right =
            std::abs(result.claims.front().deviation()) < std::abs(published_memory / stated - 1);
        result.note +=
            said(" ") + (paper_is_right
                             ? said("Without them it is near the paper's number: the paper is right, "
                                    "its implementation is not.")
                             : said("Neither is near the paper's number."));
    }
    result.note += said(" ") +
                   said("Groups that do not divide the heads, such as 64 and 128 for GPT-3 1T, are left out; "
                        "the published notebook rounds them down.");
    return result;
}

} // namespace

/// Figure 1: groups of 1D tensor parallelism with a fixed pipeline.
const Study tensor_shares_study{"tensor-shares",
                                "Tensor against data parallelism",
                                "How many chips should share a layer when the pipeline is fixed?",
                                "4 (Q1 i), Figure 1",
                                tensor_shares,
                                {true, true, ClustersAsked::largest},
                                &transformers_evaluation,
                                Reading::estimated};

} // namespace meshslice
