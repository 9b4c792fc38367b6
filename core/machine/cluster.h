#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What plans of whole training runs are made for: GPUs in fast domains (NVLink behind a switch) within a
/// slower network, which are hardware like any other, read by read_machine(), but no torus, so that
/// hardware_presets() does not have them; or a torus that it has.

/// Those that come with the program, each with domains of 4, 8 and 64 chips: "a100-nvs4", "a100-nvs8", ...
[[nodiscard]] const std::vector<Machine>& cluster_presets();

/// One of them by name. A name without "-nvsN" has the domain of its file; with it, domains of N chips, 2 to
/// 65,536: "b200-nvs72". Or one of hardware_presets() that is a torus: "tpu-v5p". The error lists what there
/// is.
[[nodiscard]] Result<Machine> cluster(std::string_view name);

/// The fast domain of a cluster, or null where it has none; the same of the network around.
[[nodiscard]] const SwitchedDomain* switched_domain(const Network& network);
[[nodiscard]] const OuterNetwork* outer_network(const Network& network);

/// The cluster with domains of so many chips, said in its name and title.
[[nodiscard]] Machine with_domain(const Machine& cluster, std::int64_t chips);

} // namespace meshslice
