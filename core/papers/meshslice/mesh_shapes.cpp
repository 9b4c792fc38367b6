#include "core/papers/meshslice/studies.h"
#include "core/papers/meshslice/two_readings.h"
#include "core/scenario/choices.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace meshslice {
namespace {

/// The least value of a series; none where nothing runs.
std::optional<double> lowest(const ChartSeries& series) {
    std::optional<double> least;
    for (const std::optional<double>& value : series.values) {
        least = value && (!least || *value < *least) ? value : least;
    }
    return least;
}

Result<StudyResult> mesh_shapes(const StudyInputs& inputs, const RunControl& control) {
    const std::int32_t cluster = inputs.chips.back();
    StudyResult result;
    OrderingOutcome best{"mesh-32x8-best", true, {}, Reading::simulated};
    OrderingOutcome agrees{"mesh-estimate-agrees", true, {}, Reading::both};
    for (const Transformer& model : inputs.models) {
        Scenario scenario = paper_scenario(model, batch(BatchRule::weak, cluster), inputs.hardware);
        ChartPanel panel = two_readings(model.title, "mesh");
        for (const Mesh& mesh : meshes_for(scenario.hardware, **algorithm("meshslice"), cluster)) {
            scenario.mesh = mesh;
            const auto step = training_step(scenario, "meshslice", Depth::simulate, {control.stop, nullptr});
            if (!step && step.error().kind == Error::Kind::cancelled) {
                return refuse(step.error());
            }
            const std::string name = fmt::format("{}", fmt::join(mesh, "x"));
            if (step) {
                add_category(panel, name, *step);
            } else { // A mesh over which the products do not divide.
                add_empty_category(panel, name);
            }
        }
        const std::optional<double> slowest = lowest(panel.series[1]);
        if (!slowest) {
            return refuse(fmt::format("MeshSlice runs {} on no mesh of {} chips: its GEMMs do not divide.",
                                      model.title, cluster));
        }
        const auto [estimated, simulated] = best_categories(panel);
        const std::string& chosen = panel.x.categories[simulated];
        best.holds = best.holds && chosen == "32x8";
        agrees.holds = agrees.holds && estimated == simulated;
        const std::string numbers =
            fmt::format("{}: estimate {} at {:.1f}%, simulation {} at {:.1f}%", model.title,
                        panel.x.categories[estimated], 100 * *panel.series[0].values[estimated], chosen,
                        100 * *panel.series[1].values[simulated]);
        best.numbers += (best.numbers.empty() ? "" : "; ") + numbers;
        const double gain = *panel.series[1].values[simulated] / *slowest;
        result.finding += fmt::format("{}{}: {} is best, {:.1f}x as fast as the slowest mesh",
                                      result.finding.empty() ? "" : "; ", model.title, chosen, gain);
        // Which mesh the paper's "not optimal" one is, its text does not say; the square one is what a user
        // without a tuner would take.
        const auto square = std::ranges::find(panel.x.categories, "16x16");
        if (cluster == 256 && claim_name(model) == "gpt3" && square != panel.x.categories.end()) {
            const double of_square =
                *panel.series[1].values[static_cast<std::size_t>(square - panel.x.categories.begin())];
            result.claims.push_back(outcome(
                "fig13-gpt3-shape-gain", *panel.series[1].values[simulated] / of_square, Reading::simulated));
            result.note =
                "The paper does not say which mesh its 2.4x is over; here it is over the square mesh "
                "16x16.";
        }
        result.panels.push_back(std::move(panel));
        if (control.progress) {
            *control.progress =
                static_cast<double>(result.panels.size()) / static_cast<double>(inputs.models.size());
        }
    }
    agrees.numbers = best.numbers;
    if (cluster == 256) {
        result.orderings.push_back(best);
    }
    result.orderings.push_back(agrees);
    result.table = table("FLOP utilisation by mesh", result.panels);
    return result;
}

} // namespace

/// MeshSlice on every mesh, estimated and simulated.
const Study mesh_shapes_study{
    "mesh-shapes",         "Mesh shape", "Which mesh is fastest, and do estimate and simulation agree?",
    "5.2, Figure 13",      mesh_shapes,  {true, true, ClustersAsked::largest},
    &meshslice_evaluation, Reading::both};

} // namespace meshslice
