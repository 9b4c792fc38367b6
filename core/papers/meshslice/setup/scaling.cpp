#include "core/papers/meshslice/setup/scaling.h"

#include "core/base/language.h"
#include "core/gemm/algorithms.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace meshslice {

std::string title_of(const std::string& id) {
    return std::string((*algorithm(id))->title);
}

Result<Scaling> scaling(const StudyInputs& inputs, BatchRule rule, std::vector<std::string> algorithms,
                        const RunControl& control) {
    Scaling found{std::move(algorithms), {}};
    double done = 0;
    for (const Transformer& model : inputs.models) {
        found.steps.emplace_back();
        for (const std::int32_t chips : inputs.chips) {
            const Scenario scenario = paper_scenario(model, batch(rule, chips), inputs.hardware);
            auto steps = compared(scenario, chips, found.algorithms, control);
            if (!steps) {
                return refuse(steps.error());
            }
            found.steps.back().push_back(*std::move(steps));
            done += 1;
            if (control.progress) {
                *control.progress = done / static_cast<double>(inputs.models.size() * inputs.chips.size());
            }
        }
    }
    return found;
}

std::vector<ChartPanel> utilization_panels(const StudyInputs& inputs, const Scaling& scaling) {
    std::vector<ChartPanel> panels;
    for (std::size_t m = 0; m < inputs.models.size(); ++m) {
        ChartPanel panel{
            inputs.models[m].title, {said("chips")}, {said("FLOP utilization"), ChartUnit::share}};
        panel.x.where = "on {} chips";
        for (const std::int32_t chips : inputs.chips) {
            panel.x.categories.push_back(std::to_string(chips));
        }
        for (const std::string& id : scaling.algorithms) {
            ChartSeries series{title_of(id), SeriesKind::line};
            if (id == "meshslice") {
                emphasize(series);
            }
            for (const Compared& steps : scaling.steps[m]) {
                const auto step = steps.find(id);
                series.values.push_back(step == steps.end() ? std::nullopt
                                                            : std::optional(step->second.utilization));
            }
            panel.series.push_back(std::move(series));
        }
        panels.push_back(std::move(panel));
    }
    return panels;
}

Table comparison_table(const std::string& title, const StudyInputs& inputs, const Scaling& scaling) {
    Table table;
    table.title = title;
    table.columns = {"model",  "chips",     "algorithm", "mesh",   "utilization_share",
                     "time_s", "compute_s", "launch_s",  "sync_s", "transfer_s"};
    for (std::size_t m = 0; m < inputs.models.size(); ++m) {
        for (std::size_t c = 0; c < inputs.chips.size(); ++c) {
            const Compared& steps = scaling.steps[m][c];
            for (const std::string& id : scaling.algorithms) {
                const auto found = steps.find(id);
                if (found == steps.end()) {
                    continue;
                }
                const TrainingStep& step = found->second;
                const bool ring = (*algorithm(id))->torus_axes == 1;
                table.rows.push_back({inputs.models[m].title, std::int64_t{inputs.chips[c]}, title_of(id),
                                      ring ? fmt::format("ring of {}", step.torus.chips())
                                           : fmt::format("{}", fmt::join(step.mesh, "x")),
                                      step.utilization, in_seconds(step.time), in_seconds(step.usage.compute),
                                      in_seconds(step.usage.launch), in_seconds(step.usage.sync),
                                      in_seconds(step.usage.transfer)});
            }
        }
    }
    return table;
}

std::string ranking(const Transformer& model, const Compared& steps) {
    std::vector<const TrainingStep*> order;
    for (const auto& [id, step] : steps) {
        order.push_back(&step);
    }
    std::ranges::stable_sort(order, std::ranges::greater(), &TrainingStep::utilization);
    std::string words = model.title + ":";
    for (const TrainingStep* step : order) {
        words += fmt::format("{} {} {:.1f}%", step == order.front() ? "" : ",", title_of(step->algorithm),
                             100 * step->utilization);
    }
    return words;
}

bool ahead(const Compared& steps, const std::string& first, const std::string& second) {
    const auto a = steps.find(first);
    const auto b = steps.find(second);
    return a != steps.end() && b != steps.end() && a->second.utilization > b->second.utilization;
}

} // namespace meshslice
