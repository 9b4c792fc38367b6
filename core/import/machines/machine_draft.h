#pragma once

#include "core/machine/machine.h"

#include <string>
#include <vector>

namespace meshslice {

/// A machine as far as another program's file says it, and what it does not say or what is lost.
struct MachineDraft {
    Machine machine;
    std::vector<std::string> missing; ///< sentences
};

} // namespace meshslice
