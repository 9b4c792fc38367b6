#pragma once

#include "core/base/result.h"
#include "core/import/machines/machine_draft.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// Whose file of a machine it is.
enum class MachineWriter : std::uint8_t {
    topology,      ///< `nvidia-smi topo -m`
    calculon,      ///< a system
    astra_network, ///< ASTRA-sim: a network, or a logical topology
    astra_system,  ///< ASTRA-sim: a system
    aiconfigurator,
    genz,
    llm_viewer
};
[[nodiscard]] std::string_view name(MachineWriter writer); ///< "Calculon", for people

/// By what the file holds. Refuses what is none of these, and says what was expected.
[[nodiscard]] Result<MachineWriter> writer_of_machine(std::string_view text, const std::string& origin);

/// ASTRA-sim's network: rings inside become a torus; a switch, and chips that are all linked, a switch.
[[nodiscard]] Result<MachineDraft> machine_of_astra_network(std::string_view text, const Machine& chip,
                                                            const std::string& origin);
/// ASTRA-sim's system: the peak and the memory's bandwidth; the network is the chip's own.
[[nodiscard]] Result<MachineDraft> machine_of_astra_system(std::string_view text, const Machine& chip,
                                                           const std::string& origin);
/// aiconfigurator's system (NVIDIA, systems/*.yaml): a GPU, its server and its rack.
[[nodiscard]] Result<MachineDraft> machine_of_aiconfigurator(std::string_view text, const Machine& chip,
                                                             const std::string& origin);
/// A system of GenZ or the hardware of LLM-Viewer. `entry`: which of a file with several; empty where there
/// is one.
[[nodiscard]] Result<MachineDraft> machine_of_chip_sheet(std::string_view text, const Machine& chip,
                                                         const std::string& origin, const std::string& entry);

} // namespace meshslice
