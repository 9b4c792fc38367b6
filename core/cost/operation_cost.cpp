#include "core/cost/operation_cost.h"

#include "core/cost/tiled_product.h"
#include "core/program/ring_schedule.h"

#include <cmath>

namespace meshslice {
namespace {

/// What a communication copies out of a slice before it starts, and into one after it has ended.
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

/// The rate at which a link can count on being served: its own, or what is left to it of a memory shared
/// fairly (max-min) by the core, a copy for each axis and every link both ways, all at the same time, each
/// sent byte read twice.
Bandwidth served(const Hardware& hardware, const Program& program, std::int64_t reads) {
    const double memory = hardware.hbm_bandwidth.value.value();
    const double link = hardware.link_bandwidth.value.value();
    int axes = 0; // with links
    for (int axis = 0; axis < program.torus.axis_count(); ++axis) {
        axes += program.torus.size(static_cast<Axis>(axis)) > 1 ? 1 : 0;
    }
    const double links = 2.0 * axes;
    const double insatiable = 1.0 + axes;
    double level = (memory - links * 3 * link) / insatiable; // Where all links get all they want,
    if (level < 2 * link) {
        level = (memory - links * link) / (insatiable + links); // or all but the readers,
    }
    if (level < link) {
        level = memory / (insatiable + 2 * links); // or nobody.
    }
    return Bandwidth(std::min(link, level / static_cast<double>(reads)));
}

} // namespace

OperationCost operation_cost(const Program& program, const Operation& operation, const Hardware& hardware,
                             const Schedule& schedule, std::int32_t variant) {
    OperationCost cost;
    const bool by_tiles = tiled(schedule, hardware);
    if (const auto* multiply = std::get_if<Multiply>(&operation)) {
        cost.launch = hardware.launch_time(LaunchKind::multiply);
        if (by_tiles) {
            const TiledProduct product =
                tiled_product(multiply->shape, multiply->accumulate, hardware, schedule.type);
            cost.compute = product.time;
            cost.memory = product.bytes;
        } else {
            cost.compute = flop(multiply->shape) / hardware.effective_rate(schedule.type);
        }
        if (const auto& table = hardware.measured_products.value;
            !table.empty() && schedule.type == DataType::bf16) {
            const GemmShape& shape = multiply->shape;
            cost.compute = time_by_table(table, shape.m, shape.n, shape.k);
            // It moved no more bytes meanwhile than the memory does.
            const double memory = hardware.hbm_bandwidth.value.value() * in_seconds(cost.compute);
            cost.memory = std::min(cost.memory, Bytes(static_cast<std::int64_t>(memory)));
        }
    } else if (const auto moves = communication(program, operation, schedule.ring, variant);
               moves && moves->ring.steps() > 0) {
        cost.launch = hardware.launch_time(moves->launch);
        cost.sync = hardware.sync.value;
        cost.steps = moves->ring.steps();
        cost.launches = moves->repeats;
        Bandwidth bandwidth = hardware.link_bandwidth.value;
        if (by_tiles) {
            cost.reads = moves->ring.adds() || std::holds_alternative<AddSendRecv>(operation) ? 2 : 1;
            bandwidth = served(hardware, program, cost.reads);
            cost.copied = copied(program, operation, schedule.type);
            for (std::size_t side = 0; side < cost.copied.size(); ++side) {
                cost.copying[side] = cost.copied[side] / hardware.hbm_bandwidth.value;
            }
        }
        for (const Direction direction : both_directions) {
            const auto d = static_cast<std::size_t>(direction);
            const Bytes bytes = moves->step_bytes(direction, schedule.type);
            cost.transfer[d] = bytes / bandwidth;
            if (by_tiles && bytes > Bytes(0)) {
                cost.rate[d] = bandwidth;
            }
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
    if (longest.steps > 0 && program.torus.folded(static_cast<Axis>(place(operation)))) {
        const bool both_ways = longest.transfer[0] > Time(0) && longest.transfer[1] > Time(0);
        longest.sync = longest.sync * (program.torus.size(static_cast<Axis>(place(operation))) - 1);
        for (std::size_t d = 0; both_ways && d < longest.transfer.size(); ++d) {
            // Half a link may still be more than the memory serves.
            const double served = longest.rate[d].value() > 0
                                      ? longest.rate[d].value() / hardware.link_bandwidth.value.value()
                                      : 1;
            const auto alone = static_cast<double>(longest.transfer[d].value());
            longest.transfer[d] = Time(std::llround(alone * std::max(1.0, 2 * served)));
        }
    }
    return longest;
}

} // namespace meshslice
