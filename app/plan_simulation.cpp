#include "app/plan_simulation.h"

#include "app/output_file.h"
#include "app/progress_line.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/plan/inside/plan_run.h"
#include "core/report/trace/chrome_trace.h"
#include "core/run/open_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace meshslice {
namespace {

std::vector<std::string> simulated_row(std::size_t rank, const RankedPlan& plan, const SimulatedTime& its) {
    const auto part = [&](double time) {
        return fmt::format("{:.1f}%", its.total > 0 ? 100 * time / its.total : 0.0);
    };
    const double estimate = plan.reading.time.total;
    const double beyond = 100 * (its.total / estimate - 1);
    return {fmt::to_string(rank),   seconds_text(its.total),
            seconds_text(estimate), std::abs(beyond) < 0.005 ? "0.00%" : fmt::format("{:+.2f}%", beyond),
            part(its.passes),       part(its.data),
            part(its.pipeline),     part(its.bubble),
            bytes_text(its.memory)};
}

} // namespace

std::vector<Result<SimulatedTime>> simulated_plans(const PlanModel& model,
                                                   const std::vector<RankedPlan>& plans, std::size_t count) {
    const std::size_t all = std::min(count, plans.size());
    if (all == 0) {
        return {};
    }
    ProgressLine progress("Simulating");
    std::vector<Result<SimulatedTime>> simulated;
    for (std::size_t k = 0; k < all; ++k) {
        simulated.push_back(simulate_plan(model, plans[k].plan).map(simulated_time));
        *progress.share() = static_cast<double>(k + 1) / static_cast<double>(all);
    }
    return simulated;
}

std::string simulated_text(const std::vector<RankedPlan>& plans,
                           const std::vector<Result<SimulatedTime>>& simulated) {
    std::vector<std::vector<std::string>> rows = {{"", "simulated", "estimate", "difference", "passes",
                                                   "exposed data", "exposed sends", "waits", "memory"}};
    std::string refused;
    for (std::size_t k = 0; k < simulated.size(); ++k) {
        if (simulated[k]) {
            rows.push_back(simulated_row(k + 1, plans[k], *simulated[k]));
        } else {
            refused += fmt::format("{}: {}\n", k + 1, simulated[k].error().sentence);
        }
    }
    const char* note = "waits: share of the step in which a stage waits for others, their transfers and "
                       "exchanges included; the estimate's bubble is to fill and drain the pipeline, without "
                       "those.\n";
    return (rows.size() > 1 ? text_table(rows, 1, true) + note : std::string()) + refused;
}

Result<void> write_plan_trace(const PlanModel& model, const Plan& plan, const std::string& path,
                              const std::string& open) {
    Result<PipelineRun> pipeline = simulate_plan(model, plan);
    if (!pipeline) {
        return refuse(pipeline.error());
    }
    RunPtr run =
        std::make_shared<const PlanRun>(std::make_shared<const PipelineRun>(*std::move(pipeline)),
                                        std::make_shared<const PlanAndModel>(PlanAndModel{model, plan}));
    const Result<RunPtr> inner = open.empty() ? std::move(run) : open_path(std::move(run), open);
    if (!inner) {
        return refuse(inner.error());
    }
    const std::vector<RunPtr> runs = {*inner};
    if (const Result<void> small = exportable(runs); !small) {
        return small;
    }
    return write_file(path, [&](std::ostream& out) { write_chrome_trace(runs, out); });
}

} // namespace meshslice
