#include "core/base/say.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::int64_t small_domain = 8, large_domain = 64;

/// Depths of the pipeline, the shallowest first, with the group and micro-batch of the best plan in domains
/// of the given cluster.
PlanMarks depths(const PlanModel& model, const Plan& fixed, std::int64_t chips) {
    PlanMarks marks;
    for (const std::int64_t depth : divisors(model.run().model.layers)) {
        Plan plan = fixed;
        plan.pipeline = depth;
        plan.data = chips / depth / plan.tensor1;
        if (plan.chips() == chips) {
            if (auto placed = best_placed(model, plan)) {
                marks.push_back({fmt::to_string(depth), std::move(placed)});
            }
        }
    }
    return marks;
}

std::string depth_words(const PlanMarks& marks) {
    std::string words;
    for (const PlanMark& mark : marks) {
        words += fmt::format("{}pp {} {}{}", words.empty() ? "" : ", ", mark.place,
                             step_words(mark.plan->reading.time.total),
                             mark.plan->reading.fits ? "" : " " + said("(does not fit)"));
    }
    return words;
}

Judgement least_at(const PlanMarks& marks, std::int64_t depth) {
    const auto at = fastest(marks, false);
    return {at && marks[*at].plan->plan.pipeline == depth, depth_words(marks)};
}

/// Going to more data parallelism, its time rises to a peak and then falls; at the peak fewer of its chips
/// are in a domain than after it.
Judgement rises_and_falls(const PlanMarks& marks) {
    const auto data = [](const PlanMark& one) { return one.plan->reading.time.data; };
    const auto most = std::ranges::max_element(marks, {}, data);
    std::string words;
    for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
        words += fmt::format("{}dp {} {} ({})", words.empty() ? "" : ", ", mark->plan->plan.data,
                             step_words(data(*mark)), mark->plan->plan.placement.data);
    }
    const bool inside = most != marks.begin() && most != marks.end() - 1;
    return {inside && most->plan->plan.placement.data < marks.front().plan->plan.placement.data,
            say("{}; in brackets the chips in a domain", words)};
}

Result<StudyResult> pipeline_depth(const StudyInputs& inputs, const RunControl& control) {
    const Transformer& of = inputs.models.front();
    const std::int64_t chips = inputs.chips.back();
    const Machine large = in_domains(inputs.hardware, large_domain);
    ByRules<PlanMarks> near, far;
    std::optional<PlanModel> model;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        const auto small = plan_model(of, inputs.hardware, rule_sets[r]);
        const auto wide = plan_model(of, large, rule_sets[r]);
        if (!small || !wide) {
            return refuse(!small ? small.error() : wide.error());
        }
        const auto best = best_plan(*small, TensorStrategy::one_d, chips, control);
        if (!best) {
            return refuse(best.error());
        }
        if (!*best) {
            return refuse(say("No 1D plan of {} fits on {} chips.", of.title, chips));
        }
        near[r] = depths(*small, (*best)->plan, chips);
        far[r] = depths(*wide, (*best)->plan, chips);
        model = *small;
    }
    const bool same = std::ranges::equal(near[0], near[1], {}, &PlanMark::place, &PlanMark::place) &&
                      std::ranges::equal(far[0], far[1], {}, &PlanMark::place, &PlanMark::place);
    if (!same || near[by_exact].empty() || far[by_exact].empty()) {
        return refuse(say("The pipelines of {} on {} chips do not compare by both rules.", of.title, chips));
    }
    ByRules<Judgement> least, peak, all_data, shallow, infeasible;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        least[r] = least_at(near[r], 64);
        peak[r] = rises_and_falls(near[r]);
        const Plan& most = near[r].front().plan->plan;
        all_data[r] = {most.placement.data == small_domain,
                       say("dp {}: {} of its chips in a domain", most.data, most.placement.data)};
        shallow[r] = least_at(far[r], 2);
        const RankedPlan& one = *far[r].front().plan;
        const auto first = fastest(far[r], false);
        infeasible[r] = {first == 0U && one.plan.pipeline == 1 && !one.reading.fits,
                         say("pp 1 {} and {}, fastest pp {} {} and {}, fastest that fits pp {}",
                             step_words(one.reading.time.total), memory_words(one.reading.memory.total()),
                             far[r][*first].place, step_words(far[r][*first].plan->reading.time.total),
                             memory_words(far[r][*first].plan->reading.memory.total()),
                             far[r][fastest(far[r], true).value_or(*first)].place)};
    }
    StudyResult result;
    const auto title = [&](const Machine& cluster) { return fmt::format("{}, {}", of.title, cluster.title); };
    result.panels = {time_panel(title(inputs.hardware), said("pp"), near, model->capacity(), false),
                     time_panel(title(large), said("pp"), far, model->capacity(), false)};
    PlanTable table("Steps by the depth of the pipeline");
    table.add(inputs.hardware.title, near, model->run());
    table.add(large.title, far, model->run());
    result.table = std::move(table).table();
    result.orderings = {judged("fig2-minimum", least), judged("fig2-data-peak", peak),
                        judged("fig2-all-data", all_data), judged("fig2-large-domain", shallow),
                        judged("fig2-one-stage", infeasible)};
    const PlanMark& small_best = near[by_exact][*fastest(near[by_exact], false)];
    const PlanMark& large_best = far[by_exact][*fastest(far[by_exact], false)];
    result.finding = say("{} on {} chips: {} stages are fastest on {}, {} on {}", of.title, chips,
                         small_best.place, inputs.hardware.title, large_best.place, large.title);
    if (!infeasible[by_published].holds && !infeasible[by_exact].holds) {
        result.note = said(
            "The published implementation does not find one stage fastest in domains of 64 either: there the "
            "paper is wrong by its own implementation.");
    }
    return result;
}

} // namespace

/// Figure 2: depths of the pipeline in small and large fast domains.
const Study pipeline_depth_study{"pipeline-depth",
                                 "Pipeline depth",
                                 "How deep should the pipeline be, in small fast domains and in large ones?",
                                 "4 (Q1 ii, iii), Figure 2",
                                 pipeline_depth,
                                 {true, true, ClustersAsked::largest},
                                 &transformers_evaluation,
                                 Reading::estimated};

} // namespace meshslice
