#include "core/report/tuning_table.h"

#include "core/report/memory_json.h"
#include "core/report/words/tuning_words.h"
#include "core/torus/torus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

} // namespace

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
