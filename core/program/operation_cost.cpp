#include "core/program/operation_cost.h"

#include "core/program/ring_schedule.h"

namespace meshslice {

OperationCost operation_cost(const Program& program, const Operation& operation, const Hardware& hardware,
                             const Schedule& schedule) {
    OperationCost cost;
    if (const auto* multiply = std::get_if<Multiply>(&operation)) {
        cost.launch = hardware.launch_time(LaunchKind::multiply);
        cost.compute = flop(multiply->shape) / hardware.effective_rate(schedule.type);
    } else if (const auto moves = communication(program, operation, schedule.ring)) {
        cost.launch = hardware.launch_time(moves->launch);
        cost.sync = hardware.sync.value;
        cost.steps = moves->ring.steps();
        for (const Direction direction : both_directions) {
            cost.transfer[static_cast<std::size_t>(direction)] =
                moves->step_bytes(direction, schedule.type) / hardware.link_bandwidth.value;
        }
    }
    return cost;
}

} // namespace meshslice
