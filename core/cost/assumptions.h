#pragma once

#include "core/cost/schedule.h"
#include "core/torus/faults.h"

namespace meshslice {

/// What is assumed of machine and program, apart from the plan.
struct Assumptions {
    Schedule schedule;
    Faults faults; ///< of the machine; only the simulation knows them, estimates assume a healthy one

    bool operator==(const Assumptions&) const = default;
};

} // namespace meshslice
