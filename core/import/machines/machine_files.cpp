#include "core/import/machines/machine_files.h"

#include "core/base/say.h"
#include "core/import/machines/chip_sheet.h"
#include "core/import/machines/plain_yaml.h"
#include "core/import/machines/topology_matrix.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace meshslice {
namespace {

bool has_all(const nlohmann::json& file, std::initializer_list<const char*> keys) {
    return file.is_object() && std::ranges::all_of(keys, [&](const char* key) { return file.contains(key); });
}

} // namespace

std::string_view name(MachineWriter writer) {
    switch (writer) {
    case MachineWriter::topology: return "nvidia-smi topo -m";
    case MachineWriter::calculon: return "Calculon";
    case MachineWriter::astra_network:
    case MachineWriter::astra_system: return "ASTRA-sim";
    case MachineWriter::aiconfigurator: return "aiconfigurator";
    case MachineWriter::genz: return "GenZ";
    case MachineWriter::llm_viewer: break;
    }
    return "LLM-Viewer";
}

Result<MachineWriter> writer_of_machine(std::string_view text, const std::string& origin) {
    if (read_topology_matrix(text, origin)) {
        return MachineWriter::topology;
    }
    const Result<nlohmann::json> parsed = parse_json_or_yaml(text, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    const nlohmann::json& file = *parsed;
    if (has_all(file, {"matrix", "mem1", "networks"})) {
        return MachineWriter::calculon;
    }
    if (has_all(file, {"topology", "npus_count"}) || has_all(file, {"topologies-per-dim", "units-count"}) ||
        has_all(file, {"logical-dims"})) {
        return MachineWriter::astra_network;
    }
    if (has_all(file, {"scheduling-policy"}) || has_all(file, {"local-mem-bw"})) {
        return MachineWriter::astra_system;
    }
    if (has_all(file, {"gpu", "node"})) {
        return MachineWriter::aiconfigurator;
    }
    for (const bool genz : {true, false}) {
        if (holds_chip_sheets(file, genz)) {
            return genz ? MachineWriter::genz : MachineWriter::llm_viewer;
        }
    }
    return refuse(
        say("{}: expected what `nvidia-smi topo -m` prints, a system of Calculon (matrix, mem1, "
            "networks), a network of ASTRA-sim (topology, npus_count, bandwidth, latency) or a "
            "system of it (local-mem-bw, peak-perf), a system of aiconfigurator (gpu, node) or of "
            "GenZ (Flops, Memory_size, Memory_BW), or the hardware of LLM-Viewer (bandwidth, FP16).",
            origin));
}

} // namespace meshslice
