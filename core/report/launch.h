#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/scenario/plan/plan.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Programs that train models, whose flags a plan can be turned into.
enum class Framework : std::uint8_t { megatron, torchtitan, maxtext };
inline constexpr std::array frameworks = {Framework::megatron, Framework::torchtitan, Framework::maxtext};
[[nodiscard]] std::string_view name(Framework framework);  ///< "megatron", as a command line has it
[[nodiscard]] std::string_view title(Framework framework); ///< "Megatron-LM"

struct LaunchFlag {
    std::string name;  ///< as the framework has it: "--micro-batch-size", "ici_fsdp_parallelism"
    std::string value; ///< empty of a switch

    bool operator==(const LaunchFlag&) const = default;
};
/// What is typed to run a plan with a framework, and what it will do otherwise.
struct Launch {
    std::vector<LaunchFlag> flags;
    std::vector<std::string> differs; ///< sentences

    bool operator==(const Launch&) const = default;
};

/// Flags as the documentation of Megatron-LM (megatron/training/arguments.py), TorchTitan
/// (torchtitan/config) and MaxText (configs/base.yml) have them. Refuses what the framework has no flags
/// for: splits of both sides of a GEMM, blocks of several kinds.
[[nodiscard]] Result<Launch> launch_of(Framework framework, const TrainingRun& run, const Plan& plan);
/// As it is pasted behind the program's name, a flag in each line.
[[nodiscard]] std::string launch_text(Framework framework, const Launch& launch);

} // namespace meshslice
