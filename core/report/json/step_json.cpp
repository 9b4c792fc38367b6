#include "core/report/json/step_json.h"

#include "core/cost/traffic/memory_traffic.h"
#include "core/report/json/memory_json.h"
#include "core/report/json/why_json.h"
#include "core/report/words/headline.h"
#include "core/simulate/record/usage.h"
#include "core/step/breakdown.h"
#include "core/torus/torus.h"

#include <utility>

namespace meshslice {
namespace {

/// On a healthy machine.
Bound by(const Bottleneck& bottleneck) {
    Bound bound;
    bound.bottleneck = bottleneck;
    return bound;
}

/// Bytes of a chip, by what they are accessed for.
Tree dram_json(const DramTraffic& dram, std::int64_t copies) {
    Tree bytes;
    for (const auto& [key, source] : {std::pair("gemm_write", DramSource::gemm_write),
                                      std::pair("scatter_read", DramSource::scatter_read),
                                      std::pair("scatter_write", DramSource::scatter_write),
                                      std::pair("gather_read", DramSource::gather_read),
                                      std::pair("gather_write", DramSource::gather_write)}) {
        bytes[key] = static_cast<std::int64_t>(dram.of(source)) * copies;
    }
    return bytes;
}

} // namespace

Tree step_values(const TrainingStep& step, const StepWhy* why, const TrainingStep* compared) {
    // The closed form knows no faults; what bounds a run with some is found with them in place.
    const Bottleneck* bound = why ? &why->bottleneck : knows_its_bound(step) ? &step.bottleneck : nullptr;
    Tree json;
    json["algorithm"] = step.algorithm;
    json["mesh"] = step.gemms.empty() ? std::string() : shape_text(step.torus);
    json["chips"] = step.torus.chips();
    json["time_s"] = in_seconds(step.time);
    json["estimated_s"] = in_seconds(step.estimated);
    if (step.blocks > 0) {
        json["layers"] = step.blocks;
        json["model_time_s"] = step.model_seconds();
    }
    json["flop"] = step.flop.value();
    json["flop_utilization"] = step.utilization;
    json["estimated_flop_utilization"] = step.estimated_utilization;
    json["compute_s"] = in_seconds(step.usage.compute);
    json["launch_s"] = in_seconds(step.usage.launch);
    json["sync_s"] = in_seconds(step.usage.sync);
    json["transfer_s"] = in_seconds(step.usage.transfer);
    json["copy_s"] = in_seconds(step.usage.copy);
    json["exposed_s"] = in_seconds(step.usage.exposed);
    json["hidden_share"] = step.hidden_share();
    if (bound) {
        add_bound(json, why ? static_cast<const Bound&>(*why) : by(*bound), step.torus);
        json["saves_if_twice_as_fast"] = saves_json(*bound, step.torus);
    }
    for (const EditedNumber& one : step.hardware_edits) {
        json["hardware_edits"].push_back({{"number", one.key},
                                          {"value", one.now},
                                          {one.of_preset ? "preset" : "before", one.before},
                                          {"source", one.source}});
    }
    if (step.chunk_order) {
        json["chunk_order"] = name(*step.chunk_order);
    }
    json["memory_counted"] = step.memory_counted;
    json["fits"] = step.fits();
    json["hbm_bytes"] = step.capacity.value();
    json["memory_bytes"] = memory_json(step.memory);
    if (step.blocks > 0) {
        json["block_memory_bytes"] = memory_json(step.block_memory);
    }
    if (why) {
        json["why"] = why_json(step, *why);
    }
    json["gemms"] = Tree::array();
    const Table rows = gemm_table(step);
    for (std::size_t k = 0; k < step.gemms.size(); ++k) {
        Tree gemm;
        for (std::size_t column = 0; column < rows.columns.size(); ++column) {
            std::visit([&](const auto& value) { gemm[rows.columns[column]] = value; }, rows.rows[k][column]);
        }
        const GemmResult& result = step.gemms[k];
        if (why) {
            add_bound(gemm, why->products[k], step.torus);
        } else if (bound != nullptr) {
            add_bound(gemm, by(result.bottleneck), step.torus);
        }
        if (result.options.packets > 0) {
            gemm["packets"] = result.options.packets;
        }
        if (result.options.decomposed) {
            gemm["decomposed"] = name(*result.options.decomposed);
        }
        const std::int64_t copies =
            result.gemm.copies; // Times and traffic are of all of them, memory is of one.
        gemm["prologue_s"] = in_seconds(result.estimate.prologue * copies);
        gemm["steady_s"] = in_seconds(result.estimate.steady * copies);
        gemm["epilogue_s"] = in_seconds(result.estimate.epilogue * copies);
        gemm["flop_per_chip"] = (result.count->flop_per_chip * copies).value();
        gemm["sent_per_chip_bytes"] = (result.count->sent_per_chip * copies).value();
        gemm["busiest_link_bytes"] = (result.count->busiest_link * copies).value();
        gemm["peak_memory_bytes"] = result.count->peak_memory().value();
        const DramTraffic* dram = result.timeline ? result.timeline->dram(0) : nullptr;
        if (dram == nullptr && !result.timeline && step.in_stages) {
            dram = &result.count->dram_per_chip;
        }
        if (dram != nullptr) {
            gemm["dram_bytes"] = dram_json(*dram, copies);
        }
        for (Chip chip = 0; result.timeline && dram != nullptr && chip < step.torus.chips(); ++chip) {
            Tree of_chip = {{"chip", place_text(step.torus, chip)}};
            of_chip.update(dram_json(*result.timeline->dram(chip), copies));
            gemm["dram_bytes_by_chip"].push_back(std::move(of_chip));
        }
        if (result.timeline && result.timeline->records_memory()) {
            const MemoryUsage memory = memory_usage(*result.timeline);
            gemm["memory_busy_s"] = {{"gemm", in_seconds(memory.gemm * copies)},
                                     {"communication", in_seconds(memory.communication * copies)},
                                     {"collectives", in_seconds(memory.collectives * copies)}};
        }
        if (why) {
            gemm["why"] = why_json(result, why->products[k], step.faults, step.torus);
        }
        json["gemms"].push_back(std::move(gemm));
    }
    if (compared) {
        Tree& other = json["compared_with"];
        other = {
            {"algorithm", compared->algorithm},          {"mesh", shape_text(compared->torus)},
            {"time_s", in_seconds(compared->time)},      {"estimated_s", in_seconds(compared->estimated)},
            {"flop_utilization", compared->utilization}, {"exposed_s", in_seconds(compared->usage.exposed)},
            {"hidden_share", compared->hidden_share()}};
        if (knows_its_bound(*compared)) {
            add_bound(other, by(compared->bottleneck), compared->torus);
        }
        other["fits"] = compared->fits();
        other["memory_bytes"] = memory_json(compared->memory);
    }
    return json;
}

} // namespace meshslice
