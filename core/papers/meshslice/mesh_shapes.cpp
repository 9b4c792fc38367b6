#include "core/base/say.h"
#include "core/papers/meshslice/setup/two_readings.h"
#include "core/papers/meshslice/studies.h"
#include "core/scenario/choices.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

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

/// How much faster 32x8 is than 16x16, by estimate, with one thing changed.
Result<double> gain_over_square(const Scenario& changed) {
    std::array<Time, 2> times;
    constexpr std::array<std::array<std::int32_t, 2>, 2> meshes = {{{32, 8}, {16, 16}}};
    for (std::size_t k = 0; k < meshes.size(); ++k) {
        Scenario there = changed;
        there.mesh = {meshes[k][0], meshes[k][1]};
        const auto step = estimated_step(there, "meshslice");
        if (!step) {
            return refuse(step.error());
        }
        times[k] = step->time;
    }
    return ratio(times[1], times[0]);
}

/// What would have to be assumed for the paper's gain: first another mesh to compare with, then, with the
/// square one, other machines and dataflows, one at a time.
Result<std::string> what_closes_the_gap(const ChartPanel& panel, std::size_t best, double paper,
                                        const Machine& hardware) {
    const std::vector<std::optional<double>>& reached = panel.series[1].values;
    std::size_t nearest = best;
    for (std::size_t k = 0; k < reached.size(); ++k) {
        const auto off = [&](std::size_t mesh) { return std::abs(*reached[best] / *reached[mesh] - paper); };
        nearest = reached[k] && off(k) < off(nearest) ? k : nearest;
    }
    const Transformer model = paper_inputs(hardware).models.front();
    const Scenario as_it_is = paper_scenario(model, batch(BatchRule::weak, 256), hardware);
    Scenario one_way = as_it_is;
    one_way.assume.schedule.ring = RingMode::one_way;
    Scenario no_launches = as_it_is;
    no_launches.hardware.launch[Collective::all_gather].value = Time(0);
    no_launches.hardware.launch[Collective::reduce_scatter].value = Time(0);
    Scenario always_y = as_it_is;
    always_y.plan.stationary = Stationary::Y;
    Scenario one_slice = as_it_is;
    one_slice.plan.slices = 1;
    const std::array<std::pair<const char*, const Scenario*>, 4> changes = {
        {{"links used one way", &one_way},
         {"no launch times", &no_launches},
         {"Y stationary everywhere", &always_y},
         {"one slice", &one_slice}}};
    std::string tried;
    for (const auto& [words, scenario] : changes) {
        const Result<double> gain = gain_over_square(*scenario);
        if (!gain) {
            return refuse(gain.error());
        }
        tried += fmt::format("{}{} {:.2f}x", tried.empty() ? "" : ", ", words, *gain);
    }
    return say("The paper's {:.1f}x for GPT-3 is what {} gains over {}, {:.2f}x; over 16x16 it gains, "
               "with one assumption changed at a time: {}",
               paper, panel.x.categories[best], panel.x.categories[nearest],
               *reached[best] / *reached[nearest], tried);
}

Result<StudyResult> mesh_shapes(const StudyInputs& inputs, const RunControl& control) {
    const std::int32_t cluster = inputs.chips.back();
    StudyResult result;
    std::string closing; ///< what would close the gap to the paper's gain
    OrderingOutcome best{"mesh-32x8-best", true, {}, Reading::simulated};
    OrderingOutcome agrees{"mesh-estimate-agrees", true, {}, Reading::both};
    for (const Transformer& model : inputs.models) {
        Scenario scenario = paper_scenario(model, batch(BatchRule::weak, cluster), inputs.hardware);
        ChartPanel panel = two_readings(model.title, said("mesh"));
        for (const Mesh& mesh : meshes_for(scenario.hardware, **algorithm("meshslice"), cluster)) {
            scenario.mesh = mesh;
            const auto step = training_step(scenario, "meshslice", Depth::simulate, {control.stop, nullptr});
            if (!step && step.error().kind == Error::Kind::cancelled) {
                return refuse(step.error());
            }
            const std::string name = fmt::format("{}", fmt::join(mesh, "x"));
            if (step) {
                add_category(panel, name, *step);
            } else { // A mesh over which the GEMMs do not divide.
                add_empty_category(panel, name);
            }
        }
        const std::optional<double> slowest = lowest(panel.series[1]);
        if (!slowest) {
            return refuse(say("MeshSlice runs {} on no mesh of {} chips: its GEMMs do not divide.",
                              model.title, cluster));
        }
        const auto [estimated, simulated] = best_categories(panel);
        const std::string& chosen = panel.x.categories[simulated];
        best.holds = best.holds && chosen == "32x8";
        agrees.holds = agrees.holds && estimated == simulated;
        const std::string numbers =
            say("{}: estimate {} at {:.1f}%, simulation {} at {:.1f}%", model.title,
                panel.x.categories[estimated], 100 * *panel.series[0].values[estimated], chosen,
                100 * *panel.series[1].values[simulated]);
        best.numbers += (best.numbers.empty() ? std::string() : said("; ")) + numbers;
        const double gain = *panel.series[1].values[simulated] / *slowest;
        result.finding += say("{}{}: {} is best, {:.1f}x as fast as the slowest mesh",
                              result.finding.empty() ? std::string() : said("; "), model.title, chosen, gain);
        const auto square = std::ranges::find(panel.x.categories, "16x16");
        if (cluster == 256 && claim_name(model) == "gpt3" && square != panel.x.categories.end()) {
            const double most = *panel.series[1].values[simulated];
            const double of_square =
                *panel.series[1].values[static_cast<std::size_t>(square - panel.x.categories.begin())];
            const ClaimOutcome claim = outcome("fig13-gpt3-shape-gain", most / of_square, Reading::simulated);
            const auto why = what_closes_the_gap(panel, simulated, *claim.paper, inputs.hardware);
            if (!why) {
                return refuse(why.error());
            }
            result.claims.push_back(claim);
            closing = *why;
            result.note =
                said("The paper does not say which mesh its 2.4x is over; here it is over the square mesh "
                     "16x16, which a user without a tuner would take.");
        }
        result.panels.push_back(std::move(panel));
        if (control.progress) {
            *control.progress =
                static_cast<double>(result.panels.size()) / static_cast<double>(inputs.models.size());
        }
    }
    if (!closing.empty()) {
        result.note = closing + said(". ") + result.note;
    }
    agrees.numbers = best.numbers;
    if (cluster == 256) {
        result.orderings.push_back(best);
    }
    result.orderings.push_back(agrees);
    result.table = table("FLOP utilization by mesh", result.panels);
    return result;
}

} // namespace

/// MeshSlice on every mesh, estimated and simulated.
const Study mesh_shapes_study{
    "mesh-shapes",         "Mesh shape", "Which mesh is fastest, and do estimate and simulation agree?",
    "5.2, Figure 13",      mesh_shapes,  {true, true, ClustersAsked::largest},
    &meshslice_evaluation, Reading::both};

} // namespace meshslice
