#include "core/program/operation_cost.h"

#include "core/program/ring_schedule.h"

namespace meshslice {

OperationCost operation_cost(const Program& program, const Operation& operation, const Hardware& hardware,
                             const Schedule& schedule, std::int32_t variant) {
    OperationCost cost;
    if (const auto* multiply = std::get_if<Multiply>(&operation)) {
        cost.launch = hardware.launch_time(LaunchKind::multiply);
        cost.compute = flop(multiply->shape) / hardware.effective_rate(schedule.type);
    } else if (const auto moves = communication(program, operation, schedule.ring, variant);
               moves && moves->ring.steps() > 0) {
        cost.launch = hardware.launch_time(moves->launch);
        cost.sync = hardware.sync.value;
        cost.steps = moves->ring.steps();
        cost.launches = moves->repeats;
        for (const Direction direction : both_directions) {
            cost.transfer[static_cast<std::size_t>(direction)] =
                moves->step_bytes(direction, schedule.type) / hardware.link_bandwidth.value;
        }
    }
    return cost;
}

OperationCost longest_cost(const Program& program, const Operation& operation, const Hardware& hardware,
                           const Schedule& schedule) {
    OperationCost longest = operation_cost(program, operation, hardware, schedule, 0);
    // Round a closed ring a stream is as long from every root.
    const bool streams =
        std::holds_alternative<Broadcast>(operation) || std::holds_alternative<Reduce>(operation);
    const bool alike = streams && program.torus.wraps(static_cast<Axis>(place(operation)));
    for (std::int32_t variant = 1; !alike && variant < variants(program, operation); ++variant) {
        const OperationCost cost = operation_cost(program, operation, hardware, schedule, variant);
        if (cost.total() > longest.total()) {
            longest = cost;
        }
    }
    return longest;
}

} // namespace meshslice
