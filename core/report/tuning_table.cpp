#include "core/report/tuning_table.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/report/json/memory_json.h"
#include "core/report/words/tuning_words.h"
#include "core/torus/torus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

namespace meshslice {
namespace {

using Json = Tree;

std::string mesh_of(const std::vector<std::int32_t>& mesh) {
    return fmt::format("{}", fmt::join(mesh, "x"));
}

/// "QKV forward 12, QKV backward data 12, ...".
std::string slices_of(const Candidate& candidate) {
    std::string words;
    for (const GemmResult& result : candidate.step.gemms) {
        words += fmt::format("{}{}{} {}", words.empty() ? "" : ", ",
                             result.gemm.layer.empty() ? "" : result.gemm.layer + " ", name(result.gemm.pass),
                             result.options.slices);
    }
    return words;
}

Json gemm_json(const GemmResult& result) {
    Json json = {{"layer", result.gemm.layer},
                 {"pass", name(result.gemm.pass)},
                 {"dataflow", name(result.gemm.dataflow)},
                 {"m", result.gemm.shape.m},
                 {"n", result.gemm.shape.n},
                 {"k", result.gemm.shape.k},
                 {"copies", result.gemm.copies},
                 {"slices", result.options.slices}};
    if (result.options.packets > 0) {
        json["packets"] = result.options.packets;
    }
    if (result.options.decomposed) {
        json["decomposed"] = name(*result.options.decomposed);
    }
    json["estimated_s"] = in_seconds(result.estimated());
    json["compute_s"] = in_seconds(result.estimate.compute * result.gemm.copies);
    for (std::size_t axis = 0; axis < result.estimate.links.size(); ++axis) {
        const LinkTime part = result.estimate.links[axis] * result.gemm.copies;
        if (part.total() > Time(0)) {
            json[fmt::format("{}_links_s", name(static_cast<Axis>(axis)))] = {
                {"launch", in_seconds(part.launch)},
                {"sync", in_seconds(part.sync)},
                {"transfer", in_seconds(part.transfer)},
                {"copy", in_seconds(part.copy)}};
        }
    }
    return json;
}

Json plan_json(const DataflowSearch& search, const DataflowPlan& plan) {
    Json json = {{"estimated_s", in_seconds(plan.time)}, {"layers", Json::array()}};
    for (std::size_t k = 0; k < plan.layers.size(); ++k) {
        json["layers"].push_back(
            {{"layer", search.layers[k].name},
             {"stationary", name(plan.layers[k].stationary)},
             {"transposed", plan.layers[k].transposed},
             {"transposition_after", std::ranges::find(plan.transpositions, k) != plan.transpositions.end()},
             {"estimated_s", in_seconds(plan.times[k])}});
    }
    return json;
}

/// The best candidate of each algorithm comes first, so that they stand in the order of the ranking.
std::vector<std::string> algorithms_of(const Tuning& tuning) {
    std::vector<std::string> titles;
    for (const Candidate& one : tuning.ranked) {
        if (std::ranges::find(titles, one.title) == titles.end()) {
            titles.push_back(one.title);
        }
    }
    return titles;
}

/// The shapes that anything runs on, from the tallest column of chips to the widest row.
std::vector<std::vector<std::int32_t>> meshes_of(const Tuning& tuning) {
    std::vector<std::vector<std::int32_t>> meshes;
    for (const Candidate& one : tuning.ranked) {
        meshes.push_back(one.step.mesh);
    }
    std::ranges::sort(meshes, std::greater());
    meshes.erase(std::unique(meshes.begin(), meshes.end()), meshes.end());
    return meshes;
}

} // namespace

Chart tuning_chart(const Tuning& tuning) {
    constexpr std::size_t most_lines = 8; // more cross each other until none can be followed
    const std::vector<std::vector<std::int32_t>> meshes = meshes_of(tuning);
    ChartPanel panel{{}, {said("Mesh")}, {said("time on one chip"), ChartUnit::seconds}};
    std::ranges::transform(meshes, std::back_inserter(panel.x.categories), mesh_of);
    const std::vector<std::string> titles = algorithms_of(tuning);
    const std::size_t drawn = std::min(most_lines, titles.size());
    for (std::size_t k = 0; k < drawn; ++k) {
        ChartSeries series{titles[k], SeriesKind::line};
        series.emphasized = k == 0;
        series.role = series.emphasized ? Role::compute : Role::quietText;
        series.values.resize(meshes.size());
        series.open.resize(meshes.size());
        series.details.resize(meshes.size());
        for (const Candidate& one : tuning.ranked) {
            const auto place =
                static_cast<std::size_t>(std::ranges::find(meshes, one.step.mesh) - meshes.begin());
            if (one.title == titles[k] && !series.values[place]) {
                series.values[place] = in_seconds(one.step.time);
                series.open[place] = !one.step.fits();
                series.details[place] = reason(tuning, one);
            }
        }
        panel.series.push_back(std::move(series));
    }
    Chart chart{finding(tuning), {std::move(panel)}};
    if (!std::ranges::all_of(tuning.ranked, [](const Candidate& one) { return one.step.fits(); })) {
        chart.notes.push_back(said("Hollow: does not fit into a chip's memory."));
    }
    if (drawn < titles.size()) {
        chart.notes.push_back(
            say("Not drawn, as their best mesh comes later in the ranking: {}.",
                listed({titles.begin() + static_cast<std::ptrdiff_t>(drawn), titles.end()}, "and")));
    }
    return chart;
}

Table tuning_table(const Tuning& tuning) {
    Table table{"Autotuner",
                {"rank", "algorithm", "mesh", "slices", "estimated_s", "simulated_s", "simulated_with_faults",
                 "flop_utilization", "memory_bytes", "fits", "reason"},
                {}};
    for (std::size_t k = 0; k < tuning.ranked.size(); ++k) {
        const Candidate& one = tuning.ranked[k];
        const auto simulated =
            one.simulated ? Table::Cell(in_seconds(*one.simulated)) : Table::Cell(std::string());
        const std::string faults = !one.simulated_with_faults   ? ""
                                   : *one.simulated_with_faults ? "yes"
                                                                : "no";
        table.rows.push_back({static_cast<std::int64_t>(k + 1), one.step.algorithm, mesh_of(one.step.mesh),
                              slices_of(one), in_seconds(one.step.time), simulated, faults,
                              one.step.utilization, one.step.memory.bytes().value(),
                              std::string(one.step.fits() ? "yes" : "no"), reason(tuning, one)});
    }
    const std::string none;
    for (const Refusal& refusal : tuning.refused) {
        table.rows.push_back({none, refusal.algorithm, mesh_of(refusal.mesh), none, none, none, none, none,
                              none, none, refusal.sentence});
    }
    return table;
}

Tree tuning_values(const Tuning& tuning, const std::string& note, const std::string& rings,
                   const DataflowSearch* dataflows) {
    Json json;
    json["finding"] = finding(tuning);
    if (!note.empty()) {
        json["simulation"] = note;
    }
    if (!rings.empty()) {
        json["rings"] = rings;
    }
    const TrainingStep& best = tuning.ranked.front().step;
    json["hbm_bytes"] = best.capacity.value();
    if (best.blocks > 0) {
        json["layers"] = best.blocks;
    }
    json["ranked"] = Json::array();
    for (const Candidate& one : tuning.ranked) {
        Json candidate = {{"algorithm", one.step.algorithm},
                          {"mesh", mesh_of(one.step.mesh)},
                          {"estimated_s", in_seconds(one.step.time)},
                          {"estimated_flop_utilization", one.step.utilization},
                          {"fits", one.step.fits()},
                          {"memory_bytes", memory_json(one.step.memory)},
                          {"reason", reason(tuning, one)}};
        if (one.step.blocks > 0) {
            candidate["model_time_s"] = one.step.model_seconds();
        }
        if (one.simulated) {
            candidate["simulated_s"] = in_seconds(*one.simulated);
        }
        if (one.simulated_with_faults) {
            candidate["simulated_with_faults"] = *one.simulated_with_faults;
        }
        candidate["gemms"] = Json::array();
        for (const GemmResult& result : one.step.gemms) {
            candidate["gemms"].push_back(gemm_json(result));
        }
        json["ranked"].push_back(std::move(candidate));
    }
    json["refused"] = Json::array();
    for (const Refusal& refusal : tuning.refused) {
        json["refused"].push_back({{"algorithm", refusal.algorithm},
                                   {"mesh", mesh_of(refusal.mesh)},
                                   {"reason", refusal.sentence}});
    }
    if (dataflows) {
        json["dataflows"] = {
            {"algorithm", dataflows->algorithm},
            {"mesh", mesh_of(dataflows->mesh)},
            {"heuristic", plan_json(*dataflows, dataflows->heuristic)},
            {"y_everywhere", plan_json(*dataflows, dataflows->y_everywhere)},
            {"fastest", plan_json(*dataflows, dataflows->fastest)},
            {"fastest_without_transposition", plan_json(*dataflows, dataflows->untransposed)}};
    }
    return json;
}

} // namespace meshslice
