#include "core/base/say.h"
#include "core/papers/meshslice/studies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace meshslice {

namespace {

Result<StudyResult> dataflows(const StudyInputs& inputs, const RunControl& control) {
    const std::int32_t cluster = inputs.chips.back();
    StudyResult result;
    ChartPanel panel{say("{} chips", cluster), {said("model")}, {said("FLOP utilization"), ChartUnit::share}};
    panel.series = {
        {"Y stationary"}, {"largest stationary"}, published("Y stationary"), published("largest stationary")};
    emphasize(panel.series[1]);
    for (const Transformer& model : inputs.models) {
        const std::string name = claim_name(model);
        const Scenario largest = paper_scenario(model, batch(BatchRule::weak, cluster), inputs.hardware);
        Scenario always_y = largest;
        always_y.plan.stationary = Stationary::Y;
        const auto optimized = on_best_mesh(largest, "meshslice", cluster, {}, control.stop);
        const auto unoptimized = on_best_mesh(always_y, "meshslice", cluster, {}, control.stop);
        if (!optimized || !unoptimized) {
            return refuse(!optimized ? optimized.error() : unoptimized.error());
        }
        panel.x.categories.push_back(model.title);
        const auto add = [&](std::size_t series, const TrainingStep& step, const char* which) {
            panel.series[series].values.emplace_back(step.utilization);
            const bool stated = !name.empty() && cluster == 256;
            const ClaimOutcome claim =
                outcome(fmt::format("table2-{}-{}", name, which), step.utilization, Reading::estimated);
            panel.series[series + 2].values.push_back(stated ? claim.paper : std::nullopt);
            if (stated) {
                result.claims.push_back(claim);
            }
        };
        add(0, *unoptimized, "ystn");
        add(1, *optimized, "optimized");
        if (!name.empty() && cluster == 256) {
            result.claims.push_back(outcome(fmt::format("table2-{}-gain", name),
                                            ratio(unoptimized->time, optimized->time), Reading::estimated));
        }
        const std::string where = optimized->mesh == unoptimized->mesh
                                      ? say("both on {}", fmt::join(optimized->mesh, "x"))
                                      : say("on {} instead of {}", fmt::join(optimized->mesh, "x"),
                                            fmt::join(unoptimized->mesh, "x"));
        result.finding +=
            say("{}{}: {:.2f}x as fast, {}", result.finding.empty() ? std::string() : said("; "), model.title,
                ratio(unoptimized->time, optimized->time), where);
    }
    result.panels = {std::move(panel)};
    result.table = table("FLOP utilization by dataflow", result.panels);
    return result;
}

} // namespace

/// The largest matrix of every layer stationary, or always Y; each on its best mesh.
const Study dataflows_study{"dataflows",
                            "Dataflow",
                            "What does it gain to keep the largest matrix of each layer where it is?",
                            "5.2, Table 2",
                            dataflows,
                            {true, true, ClustersAsked::largest},
                            &meshslice_evaluation,
                            Reading::estimated};

} // namespace meshslice
