#include "core/base/say.h"
#include "core/papers/transformers/scaling_plans.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::int64_t widest_domain = 64;

std::string splits_of(const PlanMarks& marks) {
    std::string words;
    for (const PlanMark& mark : marks) {
        if (mark.plan) {
            words +=
                fmt::format("{}{}: {}", words.empty() ? "" : "; ", mark.place, split_words(mark.plan->plan));
        }
    }
    return words;
}

/// On the most chips fewer stages than in small domains, and more copies.
Judgement fewer_stages(const PlanMarks& large, const PlanMarks& small) {
    const auto ours = with_plans(large);
    const auto its = with_plans(small);
    if (ours.empty() || its.empty()) {
        return {};
    }
    const Plan& wide = ours.back()->plan;
    const Plan& narrow = its.back()->plan;
    return {wide.pipeline < narrow.pipeline && wide.data > narrow.data,
            say("{} instead of {}", split_words(wide), split_words(narrow))};
}

Judgement domain_for_data(const PlanMarks& large) {
    const auto plans = with_plans(large);
    if (plans.empty()) {
        return {};
    }
    const Placement& at = plans.back()->plan.placement;
    return {at.data > 1 && at.tensor1 * at.data == widest_domain,
            say("{} chips of a tensor-parallel group and {} of a data-parallel one in a domain", at.tensor1,
                at.data)};
}

/// More than half of the plans below the most chips have one column, and the last has several.
Judgement one_column_until_the_end(const PlanMarks& marks) {
    const auto plans = with_plans(marks);
    const auto flat =
        std::ranges::count_if(plans, [](const RankedPlan* one) { return one->plan.tensor2 == 1; });
    return {!plans.empty() && 2 * flat > std::ssize(plans) && plans.back()->plan.tensor2 > 1,
            splits_of(marks)};
}

Result<StudyResult> large_domains(const StudyInputs& inputs, const RunControl& control) {
    const Transformer& of = inputs.models.front();
    const Machine large = in_domains(inputs.hardware, widest_domain);
    const BlocksByRules blocks = no_blocks_yet();
    const auto small =
        best_by_chips(of, inputs.hardware, TensorStrategy::one_d, inputs.chips, control, blocks);
    const auto one_d =
        small ? best_by_chips(of, large, TensorStrategy::one_d, inputs.chips, control, blocks) : small;
    done(control, 1, 3);
    const auto summa =
        one_d ? best_by_chips(of, large, TensorStrategy::summa, inputs.chips, control, blocks) : one_d;
    if (!summa) {
        return refuse(summa.error());
    }
    const auto model = plan_model(of, large, ModelRules::exact);
    if (!model) {
        return refuse(model.error());
    }
    StudyResult result;
    result.panels = {
        time_panel(say("{}, 1D", of.title), "", with_splits(*one_d), model->capacity(), true),
        time_panel(say("{}, SUMMA", of.title), "", with_splits(*summa), model->capacity(), true)};
    PlanTable table("The best plan on each number of chips");
    table.add(say("{}, 1D", large.title), *one_d, model->run());
    table.add(say("{}, SUMMA", large.title), *summa, model->run());
    table.add(say("{}, 1D", inputs.hardware.title), *small, model->run());
    result.table = std::move(table).table();
    ByRules<Judgement> stages, data, columns;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        stages[r] = fewer_stages((*one_d)[r], (*small)[r]);
        data[r] = domain_for_data((*one_d)[r]);
        columns[r] = one_column_until_the_end((*summa)[r]);
    }
    result.orderings = {judged("figA3-fewer-stages", stages), judged("figA3-domain-for-data", data),
                        judged("figA3-summa-columns", columns)};
    const auto& last = (*one_d)[by_exact].back().plan;
    const auto& narrow = (*small)[by_exact].back().plan;
    result.finding = last && narrow
                         ? say("{} on {} chips: {} in domains of {}, {} a step; {} on {}, {}", of.title,
                               inputs.chips.back(), split_words(last->plan), widest_domain,
                               step_words(last->reading.time.total), split_words(narrow->plan),
                               inputs.hardware.title, step_words(narrow->reading.time.total))
                         : say("{}: nothing fits on {} chips", of.title, inputs.chips.back());
    return result;
}

} // namespace

/// Figure A3: the best plans in domains of 64.
const Study large_domains_study{"large-domains",
                                "Plans in large fast domains",
                                "What do the best plans do with fast domains of 64 chips?",
                                "B, Figure A3",
                                large_domains,
                                {true, true, ClustersAsked::all},
                                &transformers_evaluation,
                                Reading::estimated};

} // namespace meshslice
