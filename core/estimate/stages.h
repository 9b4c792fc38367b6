#pragma once

#include "core/base/quantity.h"
#include "core/cost/schedule.h"
#include "core/estimate/condensed.h"
#include "core/machine/machine.h"
#include "core/program/program.h"

#include <vector>

namespace meshslice {

/// A part of an operation: some time without memory (launch, synchronization), then something that moves in
/// the memory of its chip.
struct Stage {
    Time before;
    Time alone;        ///< how long it moves if nothing else uses the memory
    double rate = 0;   ///< bytes/s meanwhile
    double weight = 1; ///< bytes of the memory for each of those
    double busier = 0; ///< the same on the chip at the other end of the link, where that is more
    bool operator==(const Stage&) const = default;
};

/// One run of an operation, all that it stands for together.
struct Stages {
    std::vector<Stage> stages; ///< none: it takes no time
    Time wait;                 ///< before them, in the first turn of the loop and outside it
    Time further_wait;         ///< and in every further turn
    Stage waiting = {};        ///< what moves on other chips meanwhile,
    double waiting_moves = 0;  ///< in this share of the wait
    bool operator==(const Stages&) const = default;
};

/// Steps of a ring that are kept apart; where there are more, several are taken together.
inline constexpr std::int64_t most_steps_apart = 8;

/// Of every operation. `times`: as operation_times() has them.
[[nodiscard]] std::vector<Stages> stages(const CondensedProgram& condensed, const OperationTimes& times,
                                         const Machine& hardware, const Schedule& schedule);

} // namespace meshslice
