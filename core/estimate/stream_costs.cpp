#include "core/estimate/stream_costs.h"

#include "core/cost/link_bandwidth.h"
#include "core/program/writer.h"

namespace meshslice {

const OperationCost& StreamCosts::cut(CondensedProgram& condensed, OperationId id, std::int64_t most) {
    Program& program = condensed.program;
    Operation& operation = program.operations[id];
    auto* const broadcast = std::get_if<Broadcast>(&operation);
    auto* const reduce = std::get_if<Reduce>(&operation);
    const Axis axis = broadcast ? broadcast->axis : reduce->axis;
    const std::int64_t panel = broadcast ? program.values[broadcast->result].elements() / broadcast->parts
                                         : program.values[reduce->source].elements() / reduce->parts;
    const std::int64_t packets = stream_packets(panel, most);
    (broadcast ? broadcast->packets : reduce->packets) = packets;
    Common& its = common_[reduce ? 1 : 0][static_cast<std::size_t>(axis)];
    if (!its.known || in_memory_) {
        its.known = true;
        its.cost = longest_cost(program, operation, hardware_, schedule_);
        its.moves = communication(program, operation, schedule_.ring);
        its.other_steps = its.cost.steps - packets;
        its.link = its.moves ? link_bandwidth(hardware_.network, program.torus, axis) : Bandwidth();
        return its.cost;
    }
    if (its.moves) { // Else there is one chip alone.
        its.moves->chunk_elements = panel / packets;
        its.cost.steps = static_cast<std::int32_t>(its.other_steps + packets);
        const Bytes forward = its.moves->step_bytes(Direction::forward, schedule_.type);
        const Bytes backward = its.moves->step_bytes(Direction::backward, schedule_.type);
        its.cost.transfer[0] = forward / its.link;
        its.cost.transfer[1] = backward == forward ? its.cost.transfer[0] : backward / its.link;
    }
    return its.cost;
}

} // namespace meshslice
