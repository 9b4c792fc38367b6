#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/papers/transformers/scaling_plans.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace meshslice {
namespace {

constexpr double insignificant = 0.01; ///< a share of a step
constexpr std::int64_t whole_domain = 8;

/// "1024 pp 128, ..." of every number of chips with a plan.
template <class Words>
std::string each_plan(const PlanMarks& marks, const Words& words) {
    std::string all;
    for (const PlanMark& mark : marks) {
        if (mark.plan) {
            all += fmt::format("{}{}: {}", all.empty() ? "" : ", ", mark.place, words(*mark.plan));
        }
    }
    return all;
}

Judgement deepest_until_4096(const PlanMarks& marks) {
    bool holds = true;
    for (const std::int64_t chips : {512, 1024, 2048, 4096}) {
        const RankedPlan* plan = on_chips(marks, chips);
        holds = holds && plan != nullptr && plan->plan.pipeline == 128;
    }
    for (const std::int64_t chips : {8192, 16'384}) {
        const RankedPlan* plan = on_chips(marks, chips);
        holds = holds && plan != nullptr && plan->plan.pipeline < 128;
    }
    return {holds,
            each_plan(marks, [](const RankedPlan& one) { return fmt::format("pp {}", one.plan.pipeline); })};
}

/// The size of the group falls from the fewest chips on, and from its least on only rises.
Judgement group_falls_then_rises(const PlanMarks& marks) {
    std::vector<double> sizes;
    for (const RankedPlan* one : with_plans(marks)) {
        sizes.push_back(static_cast<double>(one->plan.tensor1));
    }
    const bool falls = !sizes.empty() && sizes.front() > std::ranges::min(sizes);
    return {falls && falls_then_rises(sizes),
            each_plan(marks, [](const RankedPlan& one) { return fmt::format("tp {}", one.plan.tensor1); })};
}

Judgement placed_as(const PlanMarks& marks) {
    const auto is = [&](std::int64_t chips, const Placement& at) {
        const RankedPlan* plan = on_chips(marks, chips);
        return plan != nullptr && plan->plan.placement == at;
    };
    const bool holds = is(2048, {4, 1, 1, 2}) && is(1024, {2, 1, 2, 2}) && is(8192, {8, 1, 1, 1}) &&
                       is(16'384, {8, 1, 1, 1});
    return {holds, say("{}; chips of tensor-, data- and pipeline-parallel groups in a domain",
                       each_plan(marks, [](const RankedPlan& one) {
                           const Placement& at = one.plan.placement;
                           return fmt::format("{},{},{}", at.tensor1, at.data, at.pipeline);
                       }))};
}

/// Compute is the largest part everywhere.
Judgement mostly_compute(const PlanMarks& marks) {
    const auto plans = with_plans(marks);
    return {std::ranges::all_of(plans,
                                [](const RankedPlan* one) {
                                    const PlanTime& time = one->reading.time;
                                    return time.compute >= std::max({time.tensor, time.data, time.pipeline,
                                                                     time.bubble, time.memory_exposed});
                                }),
            each_plan(marks, [](const RankedPlan& one) {
                return fmt::format("{:.0f}%", 100 * one.reading.time.compute / one.reading.time.total);
            })};
}

Judgement memory_falls(const PlanMarks& marks, double capacity) {
    const auto plans = with_plans(marks);
    const bool holds = plans.size() > 1 && plans.front()->reading.memory.total() > 0.75 * capacity &&
                       plans.back()->reading.memory.total() < 0.5 * capacity;
    return {holds, each_plan(marks, [&](const RankedPlan& one) {
                return fmt::format("{:.0f}%", 100 * one.reading.memory.total() / capacity);
            })};
}

Judgement memory_is_full(const PlanMarks& marks, double capacity) {
    const auto plans = with_plans(marks);
    return {std::ranges::all_of(
                plans, [&](const RankedPlan* one) { return one->reading.memory.total() > 0.75 * capacity; }),
            each_plan(marks, [&](const RankedPlan& one) {
                return fmt::format("{:.0f}%", 100 * one.reading.memory.total() / capacity);
            })};
}

Judgement no_memory_time(const PlanMarks& marks) {
    const auto plans = with_plans(marks);
    const auto share = [](const RankedPlan& one) {
        return one.reading.time.memory_exposed / one.reading.time.total;
    };
    return {
        std::ranges::all_of(plans, [&](const RankedPlan* one) { return share(*one) < insignificant; }),
        each_plan(marks, [&](const RankedPlan& one) { return fmt::format("{:.1f}%", 100 * share(one)); })};
}

/// At the largest scale: compute, bubble, tensor-parallel communication, the rest of the communication.
Judgement bottlenecks(const PlanMarks& marks) {
    const auto plans = with_plans(marks);
    if (plans.empty()) {
        return {};
    }
    const PlanTime& time = plans.back()->reading.time;
    return {time.compute > time.bubble && time.bubble > time.tensor &&
                time.tensor > std::max(time.data, time.pipeline),
            say("compute {}, bubble {}, tensor {}, data {}, pipeline {}", step_words(time.compute),
                step_words(time.bubble), step_words(time.tensor), step_words(time.data),
                step_words(time.pipeline))};
}

/// On the most chips.
Judgement tensor_then_bubble(const PlanMarks& marks) {
    const auto plans = with_plans(marks);
    if (plans.empty()) {
        return {};
    }
    const PlanTime& time = plans.back()->reading.time;
    return {
        time.tensor > time.bubble && time.bubble > std::max({time.data, time.pipeline, time.memory_exposed}),
        each_plan(marks, [](const RankedPlan& one) {
            return say("tp {:.0f}%, bubble {:.1f}%", 100 * one.reading.time.tensor / one.reading.time.total,
                       100 * one.reading.time.bubble / one.reading.time.total);
        })};
}

/// The grid that most plans on 1024 chips and more have is 4x4.
Judgement four_by_four(const PlanMarks& marks) {
    std::map<std::string, int> counts;
    for (const RankedPlan* one : with_plans(marks)) {
        if (one->plan.chips() >= 1024) {
            ++counts[grid_text(one->plan)];
        }
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
    return {most != counts.end() && most->first == "4x4",
            each_plan(marks, [](const RankedPlan& one) { return grid_text(one.plan); })};
}

Judgement domain_for_tensor(const PlanMarks& marks) {
    const auto plans = with_plans(marks);
    return {std::ranges::all_of(plans,
                                [](const RankedPlan* one) {
                                    return one->plan.placement.tensor1 * one->plan.placement.tensor2 ==
                                           whole_domain;
                                }),
            each_plan(marks, [](const RankedPlan& one) {
                return fmt::format("{}x{}", one.plan.placement.tensor1, one.plan.placement.tensor2);
            })};
}

/// Compares two strategies where both have a plan: all times of the first below those of the second, or all
/// memories.
Judgement all_below(const PlanMarks& first, const PlanMarks& second, bool memory) {
    Judgement found{true, {}};
    for (std::size_t k = 0; k < first.size(); ++k) {
        if (!first[k].plan || !second[k].plan) {
            continue;
        }
        const PlanReading& a = first[k].plan->reading;
        const PlanReading& b = second[k].plan->reading;
        const double ratio = memory ? a.memory.total() / b.memory.total() : a.time.total / b.time.total;
        found.holds = found.holds && ratio <= 1;
        found.numbers +=
            fmt::format("{}{}: {:.3f}", found.numbers.empty() ? "" : ", ", first[k].place, ratio);
    }
    found.holds = found.holds && !found.numbers.empty();
    return found;
}

/// The depths without the one slip that makes transfers between domains free.
Result<std::string> depths_without_the_slip(const Transformer& model, const Machine& cluster,
                                            const std::vector<std::int32_t>& chips,
                                            const RunControl& control) {
    const auto made = plan_model(model, cluster, ModelRules::reference.without(Slip::free_slow_transfers));
    if (!made) {
        return refuse(made.error());
    }
    const auto marks = best_plans(*made, TensorStrategy::one_d, chips, control);
    if (!marks) {
        return refuse(marks.error());
    }
    return each_plan(*marks, [](const RankedPlan& one) { return fmt::format("pp {}", one.plan.pipeline); });
}

/// On which clusters any 1D plan of the model fits, of the inputs' numbers of chips.
Result<Judgement> one_d_never_fits(const Transformer& model, const std::vector<std::int32_t>& chips,
                                   ModelRules rules, const RunControl& control,
                                   const std::shared_ptr<ChipBlocks>& blocks) {
    Judgement found{true, {}};
    for (const char* chip : {"a100", "h200", "b200"}) {
        const Machine machine = *machine_preset(fmt::format("{}-nvs8", chip));
        const auto made = plan_model(model, machine, rules, blocks);
        if (!made) {
            return refuse(made.error());
        }
        double least = 0;
        for (const std::int32_t count : chips) {
            PlanSpace space;
            space.chips = count;
            const auto all = search_plans(*made, space, 0, {control.stop});
            if (!all && all.error().kind == Error::Kind::cancelled) {
                return refuse(all.error());
            }
            if (all) {
                const double memory = all->smallest.reading.memory.total();
                least = least == 0 ? memory : std::min(least, memory);
            }
        }
        found.holds = found.holds && least > made->capacity();
        found.numbers += fmt::format("{}{} / {}", found.numbers.empty() ? "" : ", ", memory_words(least),
                                     memory_words(made->capacity()));
    }
    return found;
}

Result<StudyResult> optimal_plans(const StudyInputs& inputs, const RunControl& control) {
    const Transformer& words = inputs.models.front();
    const Transformer& images = inputs.models.back();
    const BlocksByRules blocks = no_blocks_yet(); // of the images
    const auto one_d = best_by_chips(words, inputs.hardware, TensorStrategy::one_d, inputs.chips, control);
    done(control, 1, 4);
    const auto two_d =
        one_d ? best_by_chips(images, inputs.hardware, TensorStrategy::two_d, inputs.chips, control, blocks)
              : one_d;
    done(control, 2, 4);
    const auto summa =
        two_d ? best_by_chips(images, inputs.hardware, TensorStrategy::summa, inputs.chips, control, blocks)
              : two_d;
    done(control, 3, 4);
    if (!summa) {
        return refuse(summa.error());
    }
    const auto words_model = plan_model(words, inputs.hardware, ModelRules::exact);
    const auto images_model = plan_model(images, inputs.hardware, ModelRules::exact);
    if (!words_model || !images_model) {
        return refuse(!words_model ? words_model.error() : images_model.error());
    }
    const double capacity = words_model->capacity();
    ByRules<Judgement> never_fits;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        auto found = one_d_never_fits(images, inputs.chips, rule_sets[r], control, blocks[r]);
        if (!found) {
            return refuse(found.error());
        }
        never_fits[r] = *std::move(found);
    }
    const auto without_slip = depths_without_the_slip(words, inputs.hardware, inputs.chips, control);
    const auto images_1d =
        best_by_chips(images, inputs.hardware, TensorStrategy::one_d, {inputs.chips.back()}, control, blocks);
    if (!without_slip || !images_1d) {
        return refuse(!without_slip ? without_slip.error() : images_1d.error());
    }
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        const auto &one = (*images_1d)[r].back().plan, &two = (*two_d)[r].back().plan;
        if (one && two) {
            never_fits[r].numbers +=
                say("; on {} chips 1D takes {:.3f} times as long as 2D", inputs.chips.back(),
                    one->reading.time.total / two->reading.time.total);
        }
    }
    const auto both = [](const ByRules<PlanMarks>& marks, auto judge) {
        return ByRules<Judgement>{judge(marks[by_published]), judge(marks[by_exact])};
    };
    const auto full = [&](auto judge) {
        return [=](const PlanMarks& marks) { return judge(marks, capacity); };
    };
    const auto against = [](const ByRules<PlanMarks>& a, const ByRules<PlanMarks>& b, bool memory) {
        return ByRules<Judgement>{all_below(a[by_published], b[by_published], memory),
                                  all_below(a[by_exact], b[by_exact], memory)};
    };
    ByRules<PlanMarks> every = *one_d; // both models
    for (std::size_t r = 0; r < every.size(); ++r) {
        every[r].insert(every[r].end(), (*two_d)[r].begin(), (*two_d)[r].end());
    }
    StudyResult result;
    result.panels = {time_panel(say("{}, 1D", words.title), "", with_splits(*one_d), capacity, true),
                     time_panel(say("{}, 2D", images.title), "", with_splits(*two_d), capacity, true)};
    PlanTable table("The best plan on each number of chips");
    table.add(say("{}, 1D", words.title), *one_d, words_model->run());
    table.add(say("{}, 2D", images.title), *two_d, images_model->run());
    table.add(say("{}, SUMMA", images.title), *summa, images_model->run());
    result.table = std::move(table).table();
    result.orderings = {judged("fig4-compute", both(every, mostly_compute)),
                        judged("fig4-language-pipeline", both(*one_d, deepest_until_4096)),
                        judged("fig4-language-group", both(*one_d, group_falls_then_rises)),
                        judged("fig4-language-placement", both(*one_d, placed_as)),
                        judged("fig4-language-memory", both(*one_d, full(memory_falls))),
                        judged("fig4-language-hbm-time", both(*one_d, no_memory_time)),
                        judged("fig4-language-bottlenecks", both(*one_d, bottlenecks)),
                        judged("fig4-vision-no-1d", never_fits),
                        judged("fig4-vision-grid", both(*two_d, four_by_four)),
                        judged("fig4-vision-tensor", both(*two_d, tensor_then_bubble)),
                        judged("fig4-vision-domain", both(*two_d, domain_for_tensor)),
                        judged("fig4-vision-memory", both(*two_d, full(memory_is_full))),
                        judged("fig4-vision-summa-slower", against(*two_d, *summa, false)),
                        judged("fig4-vision-summa-memory", against(*summa, *two_d, true))};
    for (const auto& [title, marks] : {std::pair(&result.panels[0].title, &(*one_d)[by_exact]),
                                       std::pair(&result.panels[1].title, &(*two_d)[by_exact])}) {
        const RankedPlan* largest = marks->empty() || !marks->back().plan ? nullptr : &*marks->back().plan;
        result.finding +=
            (result.finding.empty() ? std::string() : said("; ")) +
            (largest == nullptr ? say("{}: nothing fits on {} chips", *title, inputs.chips.back())
                                : say("{} on {} chips: {} and {} a step", *title, inputs.chips.back(),
                                      split_words(largest->plan), step_words(largest->reading.time.total)));
    }
    result.note =
        say("Published plans with several stages in a domain have transfers between domains for nothing, by "
            "mistake. Without that slip alone the published rules have {}. Bars are by the exact rules; the "
            "table has both.",
            *without_slip);
    return result;
}

} // namespace

/// Figure 4: the best plan on every number of chips.
const Study optimal_plans_study{"optimal-plans",
                                "Optimal plans against scale",
                                "How does the best plan change with the number of chips?",
                                "4 (Q2), Figure 4",
                                optimal_plans,
                                {true, true, ClustersAsked::all},
                                &transformers_evaluation,
                                Reading::estimated};

} // namespace meshslice
