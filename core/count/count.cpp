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

/// How often the ring of `chip` follows each variant of an operation.
std::vector<std::int64_t> runs_by_variant(const Program& program, OperationId id, Chip chip) {
    const Operation& operation = program.operations[id];
    std::vector<std::int64_t> runs(static_cast<std::size_t>(variants(program, operation)));
    if (runs.size() == 1) {
        return {program.runs(id)};
    }
    for (std::int64_t iteration = 0; iteration < program.runs(id); ++iteration) {
        ++runs[static_cast<std::size_t>(variant(program, operation, iteration, chip))];
    }
    return runs;
}

/// Adds what an operation sends over every link, by chip and link slot.
void add_traffic(const Program& program, OperationId id, const Schedule& schedule,
                 std::vector<Bytes>& carried) {
    const Operation& operation = program.operations[id];
    std::vector<Communication> ways;
    for (std::int32_t which = 0; which < variants(program, operation); ++which) {
        if (const auto way = communication(program, operation, schedule.ring, which)) {
            ways.push_back(*way);
        }
    }
    const auto slots = static_cast<std::size_t>(program.torus.link_slots());
    for (Chip chip = 0; chip < program.torus.chips() && !ways.empty(); ++chip) {
        const std::vector<std::int64_t> runs = runs_by_variant(program, id, chip);
        for (std::size_t which = 0; which < ways.size(); ++which) {
            const Communication& way = ways[which];
            const std::int32_t position = program.torus.coordinate(chip, way.axis);
            for (const Direction direction : both_directions) {
                const auto slot = static_cast<std::size_t>(link_slot(way.axis, direction));
                const std::int64_t sends = way.sending_steps(direction, position).count() * runs[which];
                carried[static_cast<std::size_t>(chip) * slots + slot] +=
                    way.step_bytes(direction, schedule.type) * sends;
            }
        }
    }
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
        add_traffic(program, id, schedule, carried);
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
