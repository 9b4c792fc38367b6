#include "core/base/say.h"
#include "core/papers/meshslice/studies.h"
#include "core/step/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {

namespace {

Result<StudyResult> layer_communication(const StudyInputs& inputs, const RunControl& control) {
    constexpr std::int64_t sequences = 16; // As many as chips: Table 3's.
    StudyResult result;
    double deviation = 0;
    double layers = 0;
    for (const Transformer& model : inputs.models) {
        Scenario scenario = paper_scenario(model, sequences, inputs.hardware);
        scenario.mesh = {4, 4};
        const auto step = training_step(scenario, "meshslice", Depth::simulate, {control.stop, nullptr});
        if (!step) {
            return refuse(step.error());
        }
        ChartPanel panel{model.title, {said("layer")}, {said("communication"), ChartUnit::seconds}};
        panel.series = {{said("estimated")}, {said("simulated")}};
        emphasize(panel.series[1]);
        for (const GemmResult& product : step->gemms) {
            const std::string& layer = product.gemm.layer;
            if (panel.x.categories.empty() || panel.x.categories.back() != layer) {
                panel.x.categories.push_back(layer);
                panel.series[0].values.emplace_back(0.0);
                panel.series[1].values.emplace_back(0.0);
            }
            *panel.series[0].values.back() +=
                in_seconds(product.estimate.communication() * product.gemm.copies);
            *panel.series[1].values.back() += in_seconds(product.usage.communication() * product.gemm.copies);
        }
        for (std::size_t k = 0; k < panel.x.categories.size(); ++k) {
            const double simulated = *panel.series[1].values[k];
            if (simulated > 0) {
                deviation += std::abs(*panel.series[0].values[k] - simulated) / simulated;
                layers += 1;
            }
        }
        result.panels.push_back(std::move(panel));
    }
    result.finding =
        layers == 0 ? said("Nothing is communicated")
                    : say("Estimate and simulation differ by {:.1f}% on average", 100 * deviation / layers);
    result.table = table("Communication time by layer on 4x4 chips", result.panels);
    result.note = said(
        "The paper compares its estimate with measured times, which it draws but does not state; here the "
        "estimate is compared with the simulation, with the chosen hardware and 16 sequences.");
    return result;
}

} // namespace

/// Communication of each layer's forward and backward passes on 4x4 chips, estimated and simulated (the
/// paper: estimated and measured).
const Study layer_communication_study{"layer-communication",
                                      "Communication by layer",
                                      "How long does each layer communicate on 4x4 chips, hidden or not?",
                                      "5.3.2, Figure 15",
                                      layer_communication,
                                      {true, true, ClustersAsked::none},
                                      &meshslice_evaluation,
                                      Reading::both};

} // namespace meshslice
