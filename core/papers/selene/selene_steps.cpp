#include "core/base/say.h"
#include "core/base/text.h"
#include "core/papers/selene/studies.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

Result<StudyResult> selene_steps(const StudyInputs& inputs, const RunControl& control) {
    const auto fit = fit_efficiencies(inputs.hardware, control);
    if (!fit) {
        return refuse(fit.error());
    }
    ChartPanel panel{
        said("A step, 8 to 512 A100"), {said("model")}, {said("time of a step"), ChartUnit::seconds}};
    panel.y.logarithmic = true;
    panel.series = {{said("own efficiencies")}, {said("fitted efficiencies")}, {said("measured")}};
    panel.series[0].role = Role::quietText;
    panel.series[1].role = Role::compute;
    panel.series[1].emphasized = true;
    panel.series[2].role = Role::text;
    panel.series[2].hollow = true;
    panel.series[2].source = selene_measurements().citation;
    StudyResult result;
    result.table = {"Measured steps",
                    {"model", "recomputation", "chips", "measured_s", "fitted_s", "fitted_deviation", "own_s",
                     "own_deviation"},
                    {}};
    for (std::size_t k = 0; k < fit->fitted.steps.size(); ++k) {
        const MeasuredRun& run = measured_runs[k / 2];
        const ClaimOutcome &own = fit->own.steps[k], &fitted = fit->fitted.steps[k];
        const char* again = k % 2 == 0 ? "full" : "selective";
        panel.x.categories.push_back(fmt::format("{}, {}", run.name, said(again)));
        panel.series[0].values.emplace_back(own.ours);
        panel.series[1].values.emplace_back(fitted.ours);
        panel.series[2].values.push_back(fitted.paper);
        result.table.rows.push_back({std::string(run.name), std::string(again), 8 * run.stages,
                                     fitted.paper.value_or(0), fitted.ours, fitted.deviation(), own.ours,
                                     own.deviation()});
    }
    result.panels = {std::move(panel)};
    result.claims = fit->fitted.steps;
    const FittedEfficiencies own = efficiencies(inputs.hardware), reached = efficiencies(fit->hardware);
    result.finding =
        say("With three fitted numbers eight steps are {:.2f}% off on average and {:.2f}% at worst; with "
            "the cluster's own efficiencies {:.2f}% and {:.2f}%",
            100 * fit->fitted.mean, 100 * fit->fitted.worst, 100 * fit->own.mean, 100 * fit->own.worst);
    result.note =
        say("Fitted, one set for all steps: {:.1f}% of the peak instead of {:.1f}%, {} of HBM instead of {}, "
            "{:.1f}% of the fast domain's bandwidth instead of {:.1f}%. The best known planner, Calculon "
            "(Isaev et al., SC 2023), is 3.65% off on average and 8.87% at worst, by its own report. The "
            "chosen models do not matter: they are those that were measured.",
            100 * reached.peak, 100 * own.peak, si_text(reached.hbm, "B/s"), si_text(own.hbm, "B/s"),
            100 * reached.links, 100 * own.links);
    return result;
}

} // namespace

/// Table 5: steps measured on 8 to 512 A100, with fitted efficiencies.
const Study selene_steps_study{"measured-steps",
                               "Measured steps",
                               "How far are steps of 22B to 1T parameters from what was measured?",
                               "6, Table 5",
                               selene_steps,
                               {false, true, ClustersAsked::none},
                               &selene_evaluation,
                               Reading::estimated};

} // namespace meshslice
