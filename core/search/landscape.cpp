#include "core/search/landscape.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "core/scenario/suggestions.h"
#include "core/search/autotune.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace meshslice {
namespace {

/// The scenario on one mesh, healthy, with one slice count.
Scenario on(const Scenario& scenario, const std::vector<std::int32_t>& mesh,
            std::optional<std::int64_t> slices) {
    Scenario with = scenario;
    with.mesh = mesh;
    with.plan.slices = slices;
    with.assume.faults = {};
    return with;
}

std::vector<std::optional<std::int64_t>> columns(const Scenario& scenario, const Algorithm& algorithm,
                                                 const std::vector<std::vector<std::int32_t>>& meshes) {
    std::set<std::int64_t> counts;
    for (const auto& mesh : meshes) {
        const std::vector<std::int64_t> own = slice_choices(on(scenario, mesh, {}));
        counts.insert(own.begin(), own.end());
    }
    std::vector<std::optional<std::int64_t>> all = {std::nullopt};
    if (takes_at_most(algorithm, OptionId::slices) && !counts.empty()) {
        for (std::int64_t most = 1; most <= *counts.rbegin(); most *= 2) {
            all.emplace_back(most);
        }
    } else {
        all.insert(all.end(), counts.begin(), counts.end());
    }
    return all;
}

LandscapeCell cell_without_products(std::string objection) {
    LandscapeCell cell;
    cell.objection = std::move(objection);
    return cell;
}

/// Refused only when cancelled.
Result<LandscapeCell> cell_of(const Scenario& scenario, Depth depth, const std::stop_token& stop) {
    const auto read = [&](const Scenario& valid) {
        return depth == Depth::estimate ? estimated_step(valid, valid.plan.algorithm, {}, stop)
                                        : training_step(valid, valid.plan.algorithm, depth, {stop, nullptr});
    };
    LandscapeCell cell;
    const Result<TrainingStep> step = checked(scenario).and_then(read);
    if (!step) {
        if (step.error().kind == Error::Kind::cancelled) {
            return refuse(step.error());
        }
        cell.objection = step.error().sentence;
        return cell;
    }
    for (const GemmResult& result : step->gemms) {
        cell.products.push_back(
            {result.options.slices, result.time, result.usage.compute * result.gemm.copies});
    }
    cell.time = step->time;
    cell.utilization = step->utilization;
    cell.memory = step->memory.bytes();
    cell.fits = step->fits();
    return cell;
}

/// Of equals the first; equals are what the autotuner takes for such: times that differ by less than a
/// picosecond a slice. Where nothing fits, only the cells that need least are looked at.
std::optional<std::pair<std::size_t, std::size_t>> best_cell(const Landscape& landscape) {
    std::optional<Bytes> least;
    for (const LandscapeCell& cell : landscape.cells) {
        if (cell.runs()) {
            least = std::min(least.value_or(cell.memory), cell.memory);
        }
    }
    const Bytes room = std::max(landscape.capacity, least.value_or(Bytes(0)));
    const auto eligible = [&](const LandscapeCell& cell) { return cell.runs() && cell.memory <= room; };
    std::optional<Time> bar;
    for (const LandscapeCell& cell : landscape.cells) {
        if (!eligible(cell)) {
            continue;
        }
        Time rounding;
        for (std::size_t k = 0; k < cell.products.size(); ++k) {
            rounding += Time(cell.products[k].slices) * landscape.gemms[k].copies;
        }
        bar = std::min(bar.value_or(cell.time + rounding), cell.time + rounding);
    }
    const auto best = std::ranges::find_if(
        landscape.cells, [&](const LandscapeCell& cell) { return eligible(cell) && cell.time <= *bar; });
    if (best == landscape.cells.end()) {
        return std::nullopt;
    }
    const auto place = static_cast<std::size_t>(best - landscape.cells.begin());
    return std::pair(place / landscape.slices.size(), place % landscape.slices.size());
}

/// Why: there is no mesh, or what the first one lacks.
std::string runs_nowhere(const Scenario& scenario, const Algorithm& algorithm, const Landscape& landscape) {
    if (landscape.cells.empty()) {
        return no_mesh(scenario.hardware, algorithm);
    }
    const std::string& first = landscape.cells.front().objection;
    return landscape.meshes.size() == 1
               ? first
               : say("{} runs on none of the {} meshes of {} chips. {}", algorithm.title,
                     landscape.meshes.size(), chips_of(scenario.mesh), first);
}

} // namespace

Result<Landscape> landscape(const Scenario& scenario, Depth depth, const RunControl& control) {
    auto found = algorithm_and_gemms(scenario, scenario.plan.algorithm);
    if (!found) {
        return refuse(found.error());
    }
    const Algorithm& algorithm = *found->algorithm;
    Landscape result;
    result.algorithm = scenario.plan.algorithm;
    result.depth = depth;
    result.capacity = scenario.hardware.hbm.value;
    result.gemms = std::move(found->gemms);
    result.meshes = tuned_meshes(scenario, algorithm);
    result.slices = columns(scenario, algorithm, result.meshes);
    const std::size_t count = result.meshes.size() * result.slices.size();
    for (const auto& mesh : result.meshes) {
        const std::vector<std::int64_t> own = slice_choices(on(scenario, mesh, {}));
        for (const auto& slices : result.slices) {
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            const Scenario there = on(scenario, mesh, slices);
            const bool odd = slices && !takes_at_most(algorithm, OptionId::slices) &&
                             std::ranges::find(own, *slices) == own.end();
            Result<LandscapeCell> cell = odd ? cell_without_products(objection(there, there.plan.algorithm))
                                             : cell_of(there, depth, control.stop);
            if (!cell) {
                return refuse(cell.error());
            }
            result.cells.push_back(*std::move(cell));
            if (control.progress) {
                control.progress->store(static_cast<double>(result.cells.size()) /
                                        static_cast<double>(count));
            }
        }
    }
    result.best = best_cell(result);
    if (!result.best) {
        const Mesh& first = result.meshes.empty() ? scenario.mesh : result.meshes.front();
        return refuse(with_suggestions({runs_nowhere(scenario, algorithm, result)}, on(scenario, first, {}),
                                       scenario.plan.algorithm));
    }
    return result;
}

} // namespace meshslice
