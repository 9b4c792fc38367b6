#include "core/count/count.h"

#include "core/program/ring_schedule.h"

#include <algorithm>

namespace meshslice {
namespace {

/// How many buffers a value needs at the same time: temporaries made inside the loop are made ahead.
std::int64_t buffers(const Program& program, ValueId value, Prefetch prefetch) {
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        if (writes(program.operations[id]) == value) {
            return std::min(prefetch.depth + 1, program.iterations);
        }
    }
    return 1;
}

} // namespace

Count count(const Program& program, const Schedule& schedule) {
    const std::int64_t element = element_bytes(schedule.type);
    Count result;
    for (ValueId id = 0; id < program.values.size(); ++id) {
        const Value& value = program.values[id];
        if (value.role == Value::Role::temporary) {
            result.buffers_per_chip +=
                Bytes(value.elements() * element * buffers(program, id, schedule.prefetch));
        } else {
            result.shards_per_chip += Bytes(value.elements() * element);
        }
    }
    const auto slots = static_cast<std::size_t>(program.torus.link_slots());
    std::vector<Bytes> carried(static_cast<std::size_t>(program.torus.chips()) * slots);
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const std::int64_t runs = program.runs(id);
        if (const auto* multiply = std::get_if<Multiply>(&program.operations[id])) {
            result.flop_per_chip += flop(multiply->shape) * runs;
            std::int64_t elements = program.values[writes(program.operations[id])].elements();
            for (const ValueId value : reads(program.operations[id])) {
                elements += program.values[value].elements();
            }
            result.hbm_per_chip += Bytes(elements * element * runs);
        }
        const auto steps = communication(program, program.operations[id], schedule.ring);
        if (!steps) {
            continue;
        }
        for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
            const std::int32_t position = program.torus.coordinate(chip, steps->axis);
            for (const Direction direction : both_directions) {
                const std::int64_t sends = steps->sending_steps(direction, position).count();
                carried[static_cast<std::size_t>(chip) * slots +
                        static_cast<std::size_t>(link_slot(steps->axis, direction))] +=
                    steps->step_bytes(direction, schedule.type) * (sends * runs);
            }
        }
    }
    std::vector<Bytes> sent(static_cast<std::size_t>(program.torus.chips()));
    for (const Link& link : program.torus.links()) {
        const auto chip = static_cast<std::size_t>(link.chip);
        const Bytes bytes =
            carried[chip * slots + static_cast<std::size_t>(link_slot(link.axis, link.direction))];
        result.links.push_back({link, bytes});
        result.busiest_link = std::max(result.busiest_link, bytes);
        sent[chip] += bytes;
    }
    result.sent_per_chip = *std::max_element(sent.begin(), sent.end());
    return result;
}

} // namespace meshslice
