#include "core/cost/traffic/program_traffic.h"

#include "core/program/ring_schedule.h"

namespace meshslice {
namespace {

/// Bytes that one run of a communication sends, on average over the chips of its ring.
double sent_bytes(const Program& program, const Operation& operation, const Schedule& schedule) {
    double sum = 0;
    const std::int32_t ways = variants(program, operation);
    for (std::int32_t variant = 0; variant < ways; ++variant) {
        const auto moves = communication(program, operation, schedule.ring, variant);
        for (std::int32_t position = 0; moves && position < moves->ring.positions(); ++position) {
            for (const Direction direction : both_directions) {
                sum += static_cast<double>(moves->step_bytes(direction, schedule.type).value()) *
                       moves->sending_steps(direction, position).count() * moves->repeats /
                       moves->ring.positions();
            }
        }
    }
    return sum / ways;
}

} // namespace

DramTraffic dram_traffic(const Program& program, OperationId id, const Schedule& schedule) {
    const Operation& operation = program.operations[id];
    const auto runs = static_cast<double>(program.runs(id));
    const bool fused = program.fusion_of(id) != nullptr;
    DramTraffic traffic;
    const auto add = [&](DramSource source, double bytes) {
        traffic.bytes[static_cast<std::size_t>(source)] += bytes * runs;
    };
    const auto bytes_of = [&](ValueId value) {
        return static_cast<double>(program.values[value].elements()) *
               static_cast<double>(element_bytes(schedule.type));
    };
    if (const auto* multiply = std::get_if<Multiply>(&operation)) {
        double written = bytes_of(multiply->result);
        if (fused) { // The first chunk is stored by the neighbour.
            written -= bytes_of(writes(program.operations[program.fusion_of(id)->collective]));
        }
        add(DramSource::gemm_write, written);
        return traffic;
    }
    const auto moves = communication(program, operation, schedule.ring);
    if (!moves) {
        return traffic;
    }
    const double sent = sent_bytes(program, operation, schedule);
    if (!moves->ring.adds() && !std::holds_alternative<AddSendRecv>(operation)) {
        add(DramSource::gather_read, sent);
        add(DramSource::gather_write, sent);
        return traffic;
    }
    const auto* scatter = std::get_if<ReduceScatter>(&operation);
    const double chunk = scatter != nullptr ? bytes_of(scatter->result) : 0;
    if (fused) {
        add(DramSource::scatter_read, sent - chunk);
        add(DramSource::scatter_write, sent);
    } else if (schedule.reduction == Reduction::near_memory) {
        add(DramSource::scatter_read, sent);
        add(DramSource::scatter_write, sent);
    } else { // One copy for the first step and two for the last sum, which is one more write.
        add(DramSource::scatter_read, 2 * sent + chunk);
        add(DramSource::scatter_write, sent + chunk);
    }
    return traffic;
}

DramTraffic dram_traffic(const Program& program, const Schedule& schedule) {
    DramTraffic all;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const DramTraffic one = dram_traffic(program, id, schedule);
        for (std::size_t source = 0; source < dram_sources; ++source) {
            all.bytes[source] += one.bytes[source];
        }
    }
    return all;
}

} // namespace meshslice
