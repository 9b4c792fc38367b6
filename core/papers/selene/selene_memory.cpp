#include "core/base/say.h"
#include "core/papers/selene/studies.h"
#include "core/work/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// Bytes of a parameter, its gradient and the optimizer's state of it.
constexpr double kept_of_weight = 18;

Result<StudyResult> selene_memory(const StudyInputs& inputs, const RunControl& control) {
    ChartPanel panel{said("A chip of the first stage"), {said("model")}, {said("memory"), ChartUnit::bytes}};
    panel.series = {{said("parameters and optimizer")},
                    {said("activations")},
                    {said("parameters and optimizer")},
                    {said("activations")}};
    panel.series[0].role = panel.series[2].role = Role::transferHorizontal;
    panel.series[1].role = panel.series[3].role = Role::compute;
    for (const std::size_t k : {2U, 3U}) {
        panel.series[k].hollow = true;
        panel.series[k].source = selene_measurements().citation;
    }
    StudyResult result;
    double worst = 0, without_mask = 0;
    for (const MeasuredRun& run : measured_runs) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const auto reading = measured_step(run, false, inputs.hardware);
        if (!reading) {
            return refuse(reading.error());
        }
        const auto mask = share_of_inner_dropout(run, inputs.hardware);
        if (!mask) {
            return refuse(mask.error());
        }
        const MemoryUse& memory = reading->memory;
        // Its four counts are those of the blocks: the embedding of the first stage is not in them.
        const double parameters = memory.weights * kept_of_weight / weight_bytes;
        const auto claim = [&](const char* what, double ours) {
            result.claims.push_back(
                outcome(selene_measurements(), fmt::format("{}-{}", what, run.id), ours, Reading::estimated));
            return result.claims.back().paper;
        };
        panel.x.categories.emplace_back(run.name);
        panel.series[0].values.emplace_back(parameters);
        panel.series[1].values.emplace_back(memory.activations);
        panel.series[2].values.push_back(claim("parameters", parameters));
        worst = std::max(worst, std::abs(result.claims.back().deviation()));
        panel.series[3].values.push_back(claim("activations", memory.activations));
        without_mask = std::max(without_mask,
                                std::abs(memory.activations * (1 - *mask) / *result.claims.back().paper - 1));
    }
    double activations = 0;
    for (std::size_t k = 1; k < result.claims.size(); k += 2) {
        activations = std::max(activations, std::abs(result.claims[k].deviation()));
    }
    result.panels = {std::move(panel)};
    result.table = table("Memory of a chip of the first stage", result.panels);
    result.finding = say("Parameters and optimizer are up to {:.1f}% off, activations up to {:.1f}%",
                         100 * worst, 100 * activations);
    result.note = say("Parameters, gradients and optimizer are those of the blocks, with 18 bytes a "
                      "parameter; figure 1 leaves "
                      "out the embedding. The block here has a dropout between the GEMMs of its feed-forward "
                      "network, which "
                      "those models do not "
                      "have: without its mask activations are at most {:.1f}% off.",
                      100 * without_mask);
    return result;
}

} // namespace

/// Figure 1: memory of the same runs, with sequence parallelism and selective recomputation.
const Study selene_memory_study{
    "measured-memory",  "Measured memory", "How far is the memory of those runs from what was published?",
    "1, Figure 1",      selene_memory,     {false, false, ClustersAsked::none},
    &selene_evaluation, Reading::estimated};

} // namespace meshslice
