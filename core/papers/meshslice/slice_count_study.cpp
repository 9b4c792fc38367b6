#include "core/base/say.h"
#include "core/papers/meshslice/setup/two_readings.h"
#include "core/papers/meshslice/studies.h"
#include "core/scenario/choices.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace meshslice {

namespace {

Result<StudyResult> slice_count_study(const StudyInputs& inputs, const RunControl& control) {
    const std::int32_t cluster = inputs.chips.back();
    StudyResult result;
    OrderingOutcome agrees{"slices-estimate-agrees", true, {}, Reading::both};
    for (const Transformer& model : inputs.models) {
        Scenario scenario = paper_scenario(model, batch(BatchRule::weak, cluster), inputs.hardware);
        const auto best = on_best_mesh(scenario, "meshslice", cluster, {}, control.stop);
        if (!best) {
            return refuse(best.error());
        }
        scenario.mesh = best->mesh;
        ChartPanel panel =
            two_readings(say("{} on {}", model.title, fmt::join(best->mesh, "x")), said("slice count S"));
        for (const std::int64_t slices : slice_choices(scenario)) {
            scenario.plan.slices = slices;
            const auto step = training_step(scenario, "meshslice", Depth::simulate, {control.stop, nullptr});
            if (!step) {
                return refuse(step.error());
            }
            add_category(panel, std::to_string(slices), *step);
        }
        const auto [estimated, simulated] = best_categories(panel);
        agrees.holds = agrees.holds && estimated == simulated;
        agrees.numbers += say("{}{}: estimate S = {}, simulation S = {}",
                              agrees.numbers.empty() ? std::string() : said("; "), panel.title,
                              panel.x.categories[estimated], panel.x.categories[simulated]);
        result.finding +=
            say("{}{}: best at S = {}, {:.1f}%", result.finding.empty() ? std::string() : said("; "),
                panel.title, panel.x.categories[simulated], 100 * *panel.series[1].values[simulated]);
        result.panels.push_back(std::move(panel));
        if (control.progress) {
            *control.progress =
                static_cast<double>(result.panels.size()) / static_cast<double>(inputs.models.size());
        }
    }
    result.orderings.push_back(agrees);
    result.table = table("FLOP utilization by slice count, the same for all GEMMs", result.panels);
    return result;
}

} // namespace

/// MeshSlice on its best mesh with every slice count that all GEMMs have in common, estimated and
/// simulated.
const Study slice_counts_study{
    "slice-counts",        "Slice count",     "How finely should be sliced, and do both agree?",
    "5.2, Figure 14",      slice_count_study, {true, true, ClustersAsked::largest},
    &meshslice_evaluation, Reading::both};

} // namespace meshslice
