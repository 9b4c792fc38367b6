#include "core/count/count.h"

#include "core/cost/operation_cost.h"
#include "core/cost/traffic/program_traffic.h"
#include "core/program/ring_schedule.h"

#include <algorithm>
#include <array>
#include <optional>

namespace meshslice {
namespace {

/// How many buffers a value needs at the same time: temporaries made inside the loop are made ahead, and what
/// is carried round the loop has one content more than iterations.
std::int64_t buffers_of(const Program& program, ValueId value, Prefetch prefetch) {
    bool in_loop = false;
    bool before = false;
    for (OperationId id = 0; id < program.loop_end; ++id) {
        if (writes(program.operations[id]) == value) {
            in_loop = in_loop || program.in_loop(id);
            before = before || id < program.loop_begin;
        }
    }
    return in_loop ? std::min(prefetch.depth + 1, program.iterations + (before ? 1 : 0)) : 1;
}

/// Bytes that one run of an operation, in one of its variants, sends from a position of the ring.
Bytes sent_once(const Communication& way, const Schedule& schedule, Direction direction,
                std::int32_t position) {
    return way.step_bytes(direction, schedule.type) * way.sending_steps(direction, position).count() *
           way.repeats;
}

/// Adds what an operation sends over every link, by chip and link slot.
void add_traffic(const Program& program, OperationId id, const Schedule& schedule,
                 std::vector<Bytes>& carried) {
    const Operation& operation = program.operations[id];
    const std::size_t engine = engine_of(operation);
    if (engine >= core_engine) {
        return;
    }
    const auto axis = static_cast<Axis>(engine);
    std::vector<std::optional<Communication>> ways;
    for (std::int32_t which = 0; which < variants(program, operation); ++which) {
        ways.push_back(communication(program, operation, schedule.ring, which));
    }
    if (!ways.front()) {
        return;
    }
    // What each position sends in all runs; of a skew the rings differ, so it is worked out chip by chip.
    const bool rings_differ = ways.size() > 1 && std::holds_alternative<Shift>(operation);
    const std::int64_t told_apart = ways.size() == 1 ? 1 : program.runs(id);
    const auto all_runs = [&](Chip chip, Direction direction, std::int32_t position) {
        Bytes sum;
        for (std::int64_t run = 0; run < told_apart; ++run) {
            const auto which = static_cast<std::size_t>(variant(program, operation, run, chip));
            sum += sent_once(*ways[which], schedule, direction, position);
        }
        return sum * (program.runs(id) / told_apart);
    };
    std::array<std::vector<Bytes>, 2> sent;
    for (const Direction direction : both_directions) {
        for (std::int32_t position = 0; position < program.torus.size(axis) && !rings_differ; ++position) {
            sent[static_cast<std::size_t>(direction)].push_back(all_runs(0, direction, position));
        }
    }
    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
        const std::int32_t position = program.torus.coordinate(chip, axis);
        for (const Direction direction : both_directions) {
            const auto link =
                static_cast<std::size_t>(chip * program.torus.link_slots() + link_slot(axis, direction));
            carried[link] +=
                rings_differ ? all_runs(chip, direction, position)
                             : sent[static_cast<std::size_t>(direction)][static_cast<std::size_t>(position)];
        }
    }
}

/// On a folded ring, what would cross the link that is missing crosses all others, the other way.
void fold_traffic(const Torus& torus, std::vector<Bytes>& carried) {
    const auto at = [&](Chip chip, Axis axis, Direction direction) -> Bytes& {
        return carried[static_cast<std::size_t>(chip * torus.link_slots() + link_slot(axis, direction))];
    };
    const std::vector<Bytes> before = carried;
    for (const Link& link : torus.links()) {
        if (!torus.missing(link)) {
            continue;
        }
        const Bytes bytes = before[static_cast<std::size_t>(link.chip * torus.link_slots() +
                                                            link_slot(link.axis, link.direction))];
        at(link.chip, link.axis, link.direction) -= bytes;
        for (std::int32_t place = 0; place < torus.size(link.axis); ++place) {
            const Link back{torus.along(link.chip, link.axis, place), link.axis, opposite(link.direction)};
            if (!torus.missing(back)) {
                at(back.chip, back.axis, back.direction) += bytes;
            }
        }
    }
}

} // namespace

double share_of_output(const Program& program) {
    if (program.values.size() <= output_value) {
        return 1;
    }
    const GemmShape& shape = program.shape;
    return static_cast<double>(program.values[output_value].elements()) /
           (static_cast<double>(shape.m) * static_cast<double>(shape.n));
}

Memory memory_per_chip(const Program& program, const Schedule& schedule) {
    const std::int64_t element = element_bytes(schedule.type);
    Memory memory;
    for (ValueId id = 0; id < program.values.size(); ++id) {
        const Bytes bytes(program.values[id].elements() * element);
        switch (program.values[id].role) {
        case Value::Role::left: memory.left += bytes; break;
        case Value::Role::right: memory.right += bytes; break;
        case Value::Role::output: memory.output += bytes; break;
        case Value::Role::temporary:
            memory.buffers += bytes * buffers_of(program, id, schedule.prefetch);
            break;
        }
    }
    return memory;
}

Count count(const Program& program, const Schedule& schedule) {
    Count result;
    result.dram_per_chip = dram_traffic(program, schedule);
    const Memory memory = memory_per_chip(program, schedule);
    result.buffers_per_chip = memory.buffers;
    result.shards_per_chip = memory.shards();
    const auto slots = static_cast<std::size_t>(program.torus.link_slots());
    std::vector<Bytes> carried(static_cast<std::size_t>(program.torus.chips()) * slots);
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const std::int64_t runs = program.runs(id);
        if (const auto* multiply = std::get_if<Multiply>(&program.operations[id])) {
            result.flop_per_chip += flop(multiply->shape) * runs;
            result.hbm_per_chip += hbm_bytes(*multiply, schedule.type) * runs;
        }
        add_traffic(program, id, schedule, carried);
    }
    fold_traffic(program.torus, carried);
    std::vector<Bytes> sent(static_cast<std::size_t>(program.torus.chips()));
    for (const Link& link : program.torus.links()) {
        if (program.torus.missing(link)) {
            continue;
        }
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
