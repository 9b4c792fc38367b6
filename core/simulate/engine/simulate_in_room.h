#pragma once

#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/recording_room.h"

#include <memory>

namespace meshslice {

/// simulate() for one of several runs whose recordings are kept together: refuses more busy intervals than
/// `room`, which is not null, has left for them.
[[nodiscard]] Result<std::shared_ptr<const Timeline>>
simulate_in_room(const Program& program, const Machine& hardware, const Schedule& schedule,
                 const Conditions& conditions, const RunControl& control, Folding folding,
                 std::shared_ptr<IntervalMemory> memory, std::shared_ptr<RecordingRoom> room);

} // namespace meshslice
