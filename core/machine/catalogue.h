#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The machines that come with the program, in the order of their files' names. One with a fast domain
/// (NVLink behind a switch) is there as its file has it, or with domains of 4, 8 and 64 chips: "a100-nvs4",
/// ...
[[nodiscard]] const std::vector<Machine>& machine_presets();

/// One of them by name. A name without "-nvsN" has the domain of its file; with it, domains of N chips, 2 to
/// 65,536: "b200-nvs72". The error lists what there is.
[[nodiscard]] Result<Machine> machine_preset(std::string_view name);

/// The title of a preset as it is typed: "NVIDIA H100 SXM" of "h100", with the size of its domain where that
/// is typed too. Empty where there is none of the name.
[[nodiscard]] std::string preset_title(std::string_view name);

/// Those of the presets that have what a question needs, such as is_torus.
[[nodiscard]] std::vector<Machine> presets_that(bool (*have)(const Machine&));
/// Their names in a row, for a refusal: "tpu-v3, tpu-v4, ...".
[[nodiscard]] std::string names_of(const std::vector<Machine>& machines);

[[nodiscard]] bool is_torus(const Machine& machine);
/// Fast domains, joined by a slower network.
[[nodiscard]] bool has_domains(const Machine& machine);
/// A torus whose chips run a program's own collectives: not one of those whose stores feed them.
[[nodiscard]] bool is_plain_torus(const Machine& machine);
/// Fast domains or a torus, of chips whose rate of vectors is known, as plans of a training run need it.
[[nodiscard]] bool trains_by_plan(const Machine& machine);

/// The machine with domains of so many chips, said in its name and title.
[[nodiscard]] Machine with_domain(const Machine& machine, std::int64_t chips);

} // namespace meshslice
