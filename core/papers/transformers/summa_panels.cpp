#include "core/base/say.h"
#include "core/papers/transformers/grid_sweep.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::int64_t large_summa_domain = 64;
constexpr std::int64_t papers_panels = 8;

std::string least_words(const PlanMarks& marks) {
    std::string words;
    for (const PlanMark& mark : marks) {
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", mark.place,
                             step_words(mark.plan->reading.time.total));
    }
    return words;
}

/// Of each pipeline depth, the fastest grid has one column.
Judgement one_column(const PlanMarks& marks) {
    bool holds = true;
    std::vector<std::int64_t> depths;
    for (const PlanMark& mark : marks) {
        depths.push_back(mark.plan->plan.pipeline);
    }
    depths.erase(std::unique(depths.begin(), depths.end()), depths.end());
    for (const std::int64_t depth : depths) {
        PlanMarks of_depth;
        std::ranges::copy_if(marks, std::back_inserter(of_depth),
                             [&](const PlanMark& one) { return one.plan->plan.pipeline == depth; });
        holds = holds && of_depth[*fastest(of_depth, false)].plan->plan.tensor2 == 1;
    }
    return {holds, least_words(marks)};
}

Judgement fastest_is(const PlanMarks& marks, std::int64_t n1, std::int64_t n2, std::int64_t depth) {
    const PlanMark& best = marks[*fastest(marks, false)];
    const Plan& plan = best.plan->plan;
    return {plan.tensor1 == n1 && plan.tensor2 == n2 && plan.pipeline == depth,
            say("{} {}, then by time: {}", best.place, step_words(best.plan->reading.time.total), [&] {
                PlanMarks rest = marks;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(*fastest(marks, false)));
                return rest.empty() ? std::string() : rest[*fastest(rest, false)].place;
            }())};
}

Result<StudyResult> summa_panels(const StudyInputs& inputs, const RunControl& control) {
    const Transformer& of = inputs.models.front();
    const std::int64_t chips = inputs.chips.back();
    const std::array clusters = {inputs.hardware, in_domains(inputs.hardware, large_summa_domain)};
    StudyResult result;
    PlanTable table("SUMMA by grid");
    std::array<ByRules<PlanMarks>, clusters.size()> searched;
    std::array<ByRules<PlanMarks>, clusters.size()> eight;
    ByRules<Judgement> fits;
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        std::optional<PlanModel> model;
        for (std::size_t r = 0; r < rule_sets.size(); ++r) {
            const auto made = plan_model(of, clusters[c], rule_sets[r]);
            const auto sweep = made ? grid_sizes(of, inputs.hardware, chips, rule_sets[r], control)
                                    : Result<GridSizes>(refuse(made.error()));
            if (!sweep) {
                return refuse(sweep.error());
            }
            model = *made;
            searched[c][r] = grid_sweep(*made, TensorStrategy::summa, *sweep, chips, std::nullopt);
            eight[c][r] = grid_sweep(*made, TensorStrategy::summa, *sweep, chips, papers_panels);
            if (c == 0) {
                // The first of the shallow ones, and the same group with 1D.
                const auto one_d = grid_sweep(*made, TensorStrategy::one_d, *sweep, chips, std::nullopt);
                const auto shallow = [](const PlanMark& one) { return one.plan->plan.pipeline == 1; };
                const auto panelled = std::ranges::find_if(searched[c][r], shallow);
                const auto plain = std::ranges::find_if(one_d, shallow);
                if (panelled != searched[c][r].end() && plain != one_d.end()) {
                    fits[r] = {panelled->plan->reading.fits && !plain->plan->reading.fits,
                               say("SUMMA {} {}, 1D {}, of {}", panelled->place,
                                   memory_words(panelled->plan->reading.memory.total()),
                                   memory_words(plain->plan->reading.memory.total()),
                                   memory_words(made->capacity()))};
                }
            }
        }
        if (!std::ranges::equal(searched[c][0], searched[c][1], {}, &PlanMark::place, &PlanMark::place) ||
            searched[c][by_exact].empty()) {
            return refuse(say("No grids of {} on {} chips compare by both rules.", of.title, chips));
        }
        result.panels.push_back(time_panel(fmt::format("{}, {}", of.title, clusters[c].title), "",
                                           searched[c], model->capacity(), false));
        table.add(clusters[c].title, searched[c], model->run());
        for (std::size_t r = 0; r < rule_sets.size(); ++r) {
            for (const PlanMark& mark : eight[c][r]) {
                table.add(fmt::format("{}, {} panels", clusters[c].title, papers_panels),
                          r == by_exact ? "exact" : "reference", mark, model->run());
            }
        }
        done(control, c + 1, clusters.size());
    }
    // The paper's own number of panels under the published rules, the best number under the exact ones.
    const auto both = [&](std::size_t c, auto judge) {
        const PlanMarks& published = eight[c][by_published];
        return ByRules<Judgement>{judge(published.empty() ? searched[c][by_published] : published),
                                  judge(searched[c][by_exact])};
    };
    const auto is = [](std::int64_t n1, std::int64_t n2, std::int64_t depth) {
        return [=](const PlanMarks& marks) { return fastest_is(marks, n1, n2, depth); };
    };
    result.orderings = {judged("fig3-one-column", both(0, one_column)),
                        judged("fig3-small-domain", both(0, is(8, 1, 128))),
                        judged("fig3-large-domain", both(1, is(8, 4, 1))), judged("fig3-fits", fits)};
    result.table = std::move(table).table();
    const auto best = [&](std::size_t c) {
        return searched[c][by_exact][*fastest(searched[c][by_exact], false)].place;
    };
    result.finding = say("{} on {} chips with SUMMA: {} is fastest on {}, {} on {}", of.title, chips, best(0),
                         clusters[0].title, best(1), clusters[1].title);
    const Judgement own_search = one_column(searched[0][by_published]);
    result.note = say(
        "The paper fixes eight panels. Its implementation searches no fewer than the longer side of the grid "
        "has chips; with that search the published rules have {}. Exactly, a panel belongs to one row and "
        "one column, and eight cannot be had on 32x1, 16x2, 2x16 and 1x32. Under the published rules "
        "statements are judged with eight panels, under the exact ones with the best number.",
        own_search.numbers);
    return result;
}

} // namespace

/// Figure 3: shapes of SUMMA's grid, its panels, without a pipeline and with the deepest.
const Study summa_panels_study{
    "summa-panels",
    "SUMMA's panels and shapes",
    "Which shape of a SUMMA grid is fastest, without a pipeline and with the deepest?",
    "4 (Q1 iv), Figure 3",
    summa_panels,
    {true, true, ClustersAsked::largest},
    &transformers_evaluation,
    Reading::estimated};

} // namespace meshslice
