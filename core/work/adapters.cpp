#include "core/work/adapters.h"

#include <cstddef>

namespace meshslice {

std::string_view name(FrozenNumbers numbers) {
    constexpr std::array<std::string_view, all_frozen_numbers.size()> names = {"bf16", "fp8", "nf4"};
    return names[static_cast<std::size_t>(numbers)];
}

std::string_view name(AdapterTargets targets) {
    constexpr std::array<std::string_view, all_adapter_targets.size()> names = {"all", "attention", "qkv"};
    return names[static_cast<std::size_t>(targets)];
}

double frozen_bytes(FrozenNumbers numbers) {
    constexpr std::array<double, all_frozen_numbers.size()> bytes = {2, 1, (4 + 0.127) / 8};
    return bytes[static_cast<std::size_t>(numbers)];
}

} // namespace meshslice
