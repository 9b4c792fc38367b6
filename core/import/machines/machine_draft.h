#pragma once

#include "core/machine/machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// A machine as far as another program's file says it, and what it does not say or what is lost.
struct MachineDraft {
    Machine machine;
    std::vector<std::string> missing; ///< sentences
};

/// A switch of so many units, 0 for as many as there are, in all else like another level.
[[nodiscard]] Level switch_like(const Level& like, std::int64_t units, double bytes_per_s,
                                const std::string& source);

} // namespace meshslice
