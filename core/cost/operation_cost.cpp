#include "core/cost/operation_cost.h"

#include "core/cost/link_bandwidth.h"
#include "core/cost/tiled_product.h"
#include "core/cost/workgroup_product.h"
#include "core/program/ring_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace meshslice {
namespace {

/// What a communication copies out of a slice before it starts, and into a slice after it has ended.
std::array<Bytes, 2> copied(const Program& program, const Operation& communication, DataType type) {
    std::array<Bytes, 2> bytes{};
    const auto of = [&](const Slicing& slicing, ValueId part) {
        return slicing.count == 1 ? Bytes(0)
                                  : copied_bytes(program.values[part].elements(), slicing.block, type);
    };
    const ReadValues sources = reads(communication);
    for (const Operation& operation : program.operations) {
        if (const auto* slice = std::get_if<Slice>(&operation);
            slice && std::ranges::find(sources, slice->result) != sources.end()) {
            bytes[0] += of(slice->slicing, slice->result);
        } else if (const auto* put = std::get_if<PutSlice>(&operation);
                   put && put->source == writes(communication)) {
            bytes[1] += of(put->slicing, put->source);
        }
    }
    return bytes;
}

/// How many times as long as alone a transfer takes for the way home on a folded ring. Each link there also
/// has its own transfers, which last `transfer` after each `sync`. In a ring of two chips both begin
/// together. In a longer ring the links send one after another: the way home has them to itself during one
/// synchronization or, where transfers are shorter than two synchronizations, for the share of the time that
/// these take.
double way_home_factor(std::int32_t chips, double sync, double transfer) {
    if (chips == 2) {
        return 2;
    }
    if (chips == 3 || transfer >= 2 * sync) {
        return std::max(1.0, 2 - sync / transfer);
    }
    return 2 * (sync + transfer) / (2 * sync + transfer);
}

/// How long the way home lasts that the chips of a folded ring all begin together: until it is agreed, the
/// links have their own transfers alone; it shares them with what is left of these, both at `pace`, and then
/// has them to itself. All but `pace` in picoseconds.
double way_home_in_step(double alone, double late, double pace) {
    const double others_left = std::max(0.0, alone - late);
    return alone - others_left + others_left / pace;
}

/// What one chip multiplies in one turn of the loop, if it may send meanwhile.
Time multiplies_in_a_turn(const Program& program, const Machine& hardware, const Schedule& schedule) {
    Time sum;
    for (OperationId id = program.loop_begin; schedule.prefetch.depth > 0 && id < program.loop_end; ++id) {
        if (std::holds_alternative<Multiply>(program.operations[id])) {
            sum += operation_cost(program, program.operations[id], hardware, schedule).total();
        }
    }
    return sum;
}

/// What memories move for each byte that crosses a link: on the chip that moves most, and the mean of all.
struct MemoryTraffic {
    double most = 0;
    double mean = 0;
};

/// Of a stream. Most chips pass packets on; but in short rings they may only send them or only get them, and
/// the root may send or get them both ways. A single packet is sent on when all of it is there: then the mean
/// of all steps, of which the root may send the first both ways.
MemoryTraffic memory_for_stream(const Communication& moves, bool line, std::int64_t reads,
                                std::int64_t ways) {
    const RingSchedule& ring = moves.ring;
    const std::int32_t chips = ring.positions();
    const bool broadcasts = ring.collective() == Collective::broadcast;
    const bool halves = !line && chips == 2 && ways == 2; // Each goes its way to the other chip.
    const bool both_ways =
        halves || (line ? ring.root() > 0 && ring.root() < chips - 1 : chips > 2 && ways == 2);
    const std::int32_t hops = ring.steps() - ring.chunks() + 1; // Of the longest way.
    const double mean = static_cast<double>((reads + 1) * (halves ? chips : chips - 1)) / chips;
    if (ring.chunks() == 1) {
        const int twice = both_ways && (broadcasts || halves) ? 1 : 0;
        return {static_cast<double>(reads) * (hops + twice) / hops, mean};
    }
    const std::int64_t passes = hops > 1 ? reads + 1 : reads;
    const std::int64_t root = broadcasts || halves ? 2 * reads : 2;
    return {static_cast<double>(both_ways ? std::max(passes, root) : passes), mean};
}

/// What a chip sends is read, and what it gets at the same time is written, both ways where the chunks go
/// both ways. On a line the mean of all steps.
MemoryTraffic memory_for_each(const Communication& moves, bool line, std::int64_t reads,
                              const std::array<Bytes, 2>& sent) {
    const auto ways = std::ranges::count_if(sent, [](Bytes bytes) { return bytes > Bytes(0); });
    const Collective pattern = moves.ring.collective();
    if (pattern == Collective::broadcast || pattern == Collective::reduce) {
        return memory_for_stream(moves, line, reads, ways);
    }
    if (pattern == Collective::all_to_all) { // The chips in the middle of a line never rest.
        return {2.0 * static_cast<double>(reads + 1), 2.0 * static_cast<double>(reads + 1)};
    }
    const double both_ways = steps_both_ways(moves.ring.positions());
    const double each_way =
        line ? 1 + both_ways / moves.ring.steps() : static_cast<double>(std::max<std::ptrdiff_t>(1, ways));
    return {each_way * static_cast<double>(reads + 1), each_way * static_cast<double>(reads + 1)};
}

/// Whether chips add to what travels: round a ring, or one after the other.
bool adds(const Communication& moves, const Operation& operation) {
    return moves.ring.adds() || std::holds_alternative<AddSendRecv>(operation);
}

} // namespace

std::array<double, 2> staged_accesses(const Operation& operation, const Communication& moves,
                                      const Machine& hardware, const Schedule& schedule) {
    if (!adds(moves, operation)) {
        return {1, 1};
    }
    if (schedule.reduction == Reduction::near_memory) {
        return {1, hardware.stores().near_memory_cost.value};
    }
    const bool scatters = std::holds_alternative<ReduceScatter>(operation);
    return {2 - (scatters ? 1.0 / moves.ring.steps() : 0), 1};
}

namespace {

/// On a ring of GPUs: all_reduce_times() operation by operation. A flight counts as the synchronization of a
/// step: the link waits for what it sends next.
OperationCost staged_cost(const Program& program, const Operation& operation, const Machine& hardware,
                          const Schedule& schedule, std::int32_t variant) {
    OperationCost cost;
    const double memory = hardware.hbm_bandwidth.value.value();
    if (const auto* multiply = std::get_if<Multiply>(&operation)) {
        const WorkgroupProduct product =
            workgroup_product(multiply->shape, hardware, schedule.type, schedule.units_for_communication);
        cost.launch = hardware.launch.multiply.value;
        cost.compute =
            seconds(std::max(product.compute, product.read_bytes / memory) + product.written_bytes / memory);
        return cost;
    }
    const auto moves = communication(program, operation, schedule.ring, variant);
    if (!moves || moves->ring.steps() == 0) {
        return cost;
    }
    cost.launch = hardware.launch_time(moves->ring.collective());
    cost.sync = hardware.sync.value + hardware.stores().link_flight.value;
    cost.steps = moves->ring.steps();
    cost.launches = moves->repeats;
    const auto* const scatter = std::get_if<ReduceScatter>(&operation);
    const bool fed = scatter != nullptr && scatter->one_way;
    const std::array<Bytes, 2> sent = {moves->step_bytes(Direction::forward, schedule.type),
                                       moves->step_bytes(Direction::backward, schedule.type)};
    // What a collective's own compute units reach of the memory.
    const double units = static_cast<double>(schedule.units_for_communication);
    const double by_units = units > 0 && !fed ? units * hardware.stores().unit_bandwidth.value.value()
                                              : std::numeric_limits<double>::infinity();
    const auto [sends, receives] = staged_accesses(operation, *moves, hardware, schedule);
    const double accesses = fed ? 1 + hardware.stores().near_memory_cost.value : sends + receives;
    const Time in_memory =
        seconds(accesses * static_cast<double>((sent[0] + sent[1]).value()) / std::min(memory, by_units));
    for (std::size_t d = 0; d < sent.size(); ++d) {
        if (sent[d] > Bytes(0)) {
            cost.transfer[d] =
                std::max(sent[d] / link_bandwidth(hardware.network, program.torus, moves->axis), in_memory);
        }
    }
    if (scatter != nullptr && !fed && schedule.reduction != Reduction::near_memory) {
        // The last sum, of two copies, on no link.
        const std::int64_t bytes = program.values[scatter->result].elements() * element_bytes(schedule.type);
        cost.copied[1] = Bytes(3 * bytes);
        cost.copying[1] = seconds(3 * static_cast<double>(bytes) /
                                  std::min(memory * hardware.stores().reduction_share.value, by_units));
    }
    return cost;
}

} // namespace

Bytes hbm_bytes(const Multiply& multiply, DataType type) {
    const GemmShape& shape = multiply.shape;
    const std::int64_t elements =
        shape.m * shape.k + shape.k * shape.n + shape.m * shape.n * (multiply.accumulate ? 2 : 1);
    return Bytes(elements * element_bytes(type));
}

OperationCost operation_cost(const Program& program, const Operation& operation, const Machine& hardware,
                             const Schedule& schedule, std::int32_t variant) {
    OperationCost cost;
    if (staged(schedule, hardware)) {
        return staged_cost(program, operation, hardware, schedule, variant);
    }
    const bool by_tiles = tiled(schedule, hardware);
    if (const auto* multiply = std::get_if<Multiply>(&operation)) {
        cost.launch = hardware.launch.multiply.value;
        if (by_tiles) {
            const TiledProduct product =
                tiled_product(multiply->shape, multiply->accumulate, hardware, schedule.type);
            cost.compute = product.time;
            cost.memory = product.bytes;
        } else {
            cost.compute = flop(multiply->shape) / hardware.effective_rate(schedule.type);
            if (chip_model(schedule, hardware) == ChipModel::roofline) {
                cost.compute = std::max(cost.compute,
                                        hbm_bytes(*multiply, schedule.type) / hardware.hbm_bandwidth.value);
            }
        }
        if (const auto& table = hardware.measured_products.value;
            !table.empty() && schedule.type == DataType::bf16) {
            const GemmShape& shape = multiply->shape;
            cost.compute = time_by_table(table, shape.m, shape.n, shape.k);
            // It moved no more bytes in that time than the memory can.
            const double memory = hardware.hbm_bandwidth.value.value() * in_seconds(cost.compute);
            cost.memory = std::min(cost.memory, Bytes(static_cast<std::int64_t>(memory)));
        }
    } else if (const auto moves = communication(program, operation, schedule.ring, variant);
               moves && moves->ring.steps() > 0) {
        cost.launch = hardware.launch_time(moves->ring.collective());
        cost.sync = hardware.sync.value;
        cost.steps = moves->ring.steps();
        cost.launches = moves->repeats;
        Bandwidth bandwidth = link_bandwidth(hardware.network, program.torus, moves->axis);
        if (by_tiles) {
            cost.reads = adds(*moves, operation) ? 2 : 1;
            cost.copied = copied(program, operation, schedule.type);
            for (std::size_t side = 0; side < cost.copied.size(); ++side) {
                cost.copying[side] = cost.copied[side] / hardware.hbm_bandwidth.value;
            }
        }
        std::array<Bytes, 2> sent{};
        for (const Direction direction : both_directions) {
            sent[static_cast<std::size_t>(direction)] = moves->step_bytes(direction, schedule.type);
        }
        if (by_tiles) {
            const MemoryTraffic use =
                memory_for_each(*moves, !program.torus.wraps(moves->axis), cost.reads, sent);
            cost.memory_each = use.most;
            cost.memory_mean = use.mean;
            bandwidth = Bandwidth(
                std::min(bandwidth.value(), hardware.hbm_bandwidth.value.value() / cost.memory_each));
        }
        for (const Direction direction : both_directions) {
            const auto d = static_cast<std::size_t>(direction);
            const Bytes bytes = sent[d];
            // Usually both directions carry the same, and this division is a good part of an estimate's time.
            cost.transfer[d] = d > 0 && bytes == sent[0] ? cost.transfer[0] : bytes / bandwidth;
            if (by_tiles && bytes > Bytes(0)) {
                cost.rate[d] = bandwidth;
            }
        }
    }
    return cost;
}

OperationCost longest_cost(const Program& program, const Operation& operation, const Machine& hardware,
                           const Schedule& schedule) {
    OperationCost longest = operation_cost(program, operation, hardware, schedule, 0);
    // Round a closed ring a stream takes equally long from every root.
    const bool streams =
        std::holds_alternative<Broadcast>(operation) || std::holds_alternative<Reduce>(operation);
    const auto folded = [&] { return program.torus.folded(static_cast<Axis>(place(operation))); };
    const bool round = streams && program.torus.wraps(static_cast<Axis>(place(operation))) && !folded();
    // Along a line it takes longest from its end, as the first root has it, unless memory takes part.
    const bool alike = round || (streams && !tiled(schedule, hardware) && !staged(schedule, hardware));
    const std::int32_t roots = alike ? 1 : variants(program, operation);
    for (std::int32_t variant = 1; variant < roots; ++variant) {
        if (streams && variant == 2 && roots > 4) {
            variant = roots - 2; // From further inside a line the longest way is shorter, all else the same.
        }
        const OperationCost cost = operation_cost(program, operation, hardware, schedule, variant);
        if (cost.total() > longest.total()) {
            longest = cost;
        }
    }
    if (longest.steps > 0 && folded() && !streams) {
        const auto axis = static_cast<Axis>(place(operation));
        const double link = link_bandwidth(hardware.network, program.torus, axis).value();
        const bool both_ways = longest.transfer[0] > Time(0) && longest.transfer[1] > Time(0);
        const Time step = longest.sync;
        longest.sync = step * (program.torus.size(axis) - 1);
        const bool sends =
            std::holds_alternative<SendRecv>(operation) || std::holds_alternative<AddSendRecv>(operation);
        // Sends that follow each other closely are not begun together.
        const Time turn =
            sends && longest.launches == 1 ? multiplies_in_a_turn(program, hardware, schedule) : Time(0);
        for (std::size_t d = 0; both_ways && d < longest.transfer.size(); ++d) {
            // Half a link may still be more than the memory serves.
            const double served = longest.rate[d].value() > 0 ? longest.rate[d].value() / link : 1;
            const auto alone = static_cast<double>(longest.transfer[d].value());
            const auto late = static_cast<double>((longest.sync - step).value());
            double shared = way_home_in_step(alone, late, std::min(1.0, 0.5 / served));
            // Where the core sets the pace, all chips go on together; else those in the middle run ahead.
            const double rest = static_cast<double>((longest.launch + longest.sync).value());
            if (shared + rest > static_cast<double>(turn.value())) {
                const double half_free =
                    way_home_factor(program.torus.size(axis), static_cast<double>(step.value()), alone);
                const double slower = std::max(1.0, served * half_free);
                shared = alone * slower;
                if (slower == 1) {
                    // Until what goes home is agreed, the memory serves the other direction alone; in a
                    // gather the chips' next steps take about half of that.
                    shared =
                        std::max({alone * served, alone / 2, alone - late / (longest.steps > 1 ? 2 : 1)});
                }
            }
            longest.rate[d] = Bandwidth(longest.rate[d].value() * alone / shared);
            longest.transfer[d] = shared < static_cast<double>(OperationCost::longest.value())
                                      ? Time(std::llround(shared))
                                      : OperationCost::longest;
        }
    }
    return longest;
}

} // namespace meshslice
