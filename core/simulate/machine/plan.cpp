#include "core/simulate/machine/plan.h"

#include "core/cost/link_bandwidth.h"
#include "core/cost/workgroup_product.h"
#include "core/program/address_map.h"

#include <algorithm>

namespace meshslice {
namespace {

OperationPlan plan_of(const Program& program, const Operation& operation, const Machine& hardware,
                      const Schedule& schedule, std::int32_t variant) {
    OperationPlan plan;
    plan.communication = communication(program, operation, schedule.ring, variant);
    plan.cost = operation_cost(program, operation, hardware, schedule, variant);
    if (!plan.communication) {
        return plan;
    }
    const Communication& moves = *plan.communication;
    const std::int32_t positions = moves.ring.positions();
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        for (std::int32_t position = 0; position < positions; ++position) {
            const RingSchedule::Steps sending = moves.sending_steps(direction, position);
            plan.first_step[d].push_back(sending.begin);
            plan.sends[d].push_back(sending.count());
        }
        for (std::int32_t position = 0; position < positions; ++position) {
            const std::int32_t from =
                (position + (direction == Direction::forward ? positions - 1 : 1)) % positions;
            plan.arrivals[d].push_back(plan.sends[d][static_cast<std::size_t>(from)]);
        }
    }
    return plan;
}

/// What a GEMM has stored in the memory of the chip at `position` by then: all that it has made, except the
/// chunk that goes straight to the neighbour. Bytes.
std::int64_t stored_by(const StagedGemm& gemm, std::int64_t stages, std::int32_t position) {
    const std::int64_t chunk = gemm.written_bytes / gemm.chunks;
    const std::int64_t in_a_chunk = gemm.pieces / gemm.chunks;
    const auto bytes = [&](std::int64_t pieces) {
        return pieces / in_a_chunk * chunk + chunk * (pieces % in_a_chunk) / in_a_chunk;
    };
    const std::int64_t made = gemm.pieces_made(stages);
    // Staggered it is made first; else in its place.
    const std::int64_t straight =
        gemm.order == ChunkOrder::staggered ? 0 : (position - 1 + gemm.chunks) % gemm.chunks;
    const std::int64_t begin = straight * in_a_chunk;
    return bytes(made) - (bytes(std::clamp(made, begin, begin + in_a_chunk)) - bytes(begin));
}

/// Of all chips. They differ in unstaggered order: in the stages that the chunk sent straight on borders on.
std::int64_t least_writing_stages(const StagedGemm& gemm) {
    std::int64_t least = gemm.writing_stages(0);
    const std::int64_t others = gemm.order == ChunkOrder::unstaggered ? gemm.chunks : 1;
    for (std::int32_t position = 1; position < others; ++position) {
        least = std::min(least, gemm.writing_stages(position));
    }
    return least;
}

constexpr std::int64_t most_numbered = 65'535; ///< steps, by the 16 bits of an interval

/// How a GEMM is made, and how the collective that it may feed moves.
void add_stages(OperationPlan& plan, const Program& program, OperationId id, const Machine& hardware,
                const Schedule& schedule) {
    const Fusion* const fusion = program.fusion_of(id);
    FedCollective fed;
    if (fusion != nullptr) {
        const auto& scatter = std::get<ReduceScatter>(program.operations[fusion->collective]);
        fed.axis = scatter.axis;
        fed.fusion = static_cast<std::int32_t>(fusion - program.fusions.data());
        fed.chunks = program.torus.size(scatter.axis);
        fed.pieces = std::clamp<std::int64_t>(program.tiles_of_a_chunk(*fusion), 1,
                                              std::max<std::int64_t>(1, most_numbered / (fed.chunks - 1)));
        fed.order = fusion->order;
        fed.chunk_bytes = program.values[scatter.result].elements() * element_bytes(schedule.type);
        fed.transfer = Bytes(fed.chunk_bytes) / link_bandwidth(hardware.network, program.torus, scatter.axis);
        fed.flight = hardware.stores().link_flight.value;
        const bool ideal = schedule.arbitration == MemoryPolicy::ideal;
        fed.update_cost = ideal ? 1 : hardware.stores().near_memory_cost.value;
    }
    const auto* const multiply = std::get_if<Multiply>(&program.operations[id]);
    if (multiply == nullptr) {
        if (fusion != nullptr) {
            plan.fed = fed;
        } else if (plan.communication) {
            plan.recorded = staged_accesses(program.operations[id], *plan.communication, hardware, schedule);
            plan.accesses = program.in_loop(id) ? plan.recorded : std::array<double, 2>();
        }
        return;
    }
    const WorkgroupProduct product =
        workgroup_product(multiply->shape, hardware, schedule.type, schedule.units_for_communication);
    StagedGemm gemm;
    gemm.stages = std::min(product.stages, most_numbered / 2);
    gemm.compute = seconds(product.compute);
    gemm.read_bytes = product.read_bytes;
    gemm.written_bytes = program.values[multiply->result].elements() * element_bytes(schedule.type);
    if (fusion != nullptr) {
        gemm.write_cost = fed.update_cost;
        gemm.fusion = fed.fusion;
        gemm.chunks = fed.chunks;
        gemm.pieces = fed.chunks * fed.pieces;
        gemm.order = fed.order;
        gemm.axis = fed.axis;
    }
    plan.gemm = gemm;
}

/// How many intervals one run leaves in the row of a link that sends `sends` times per launch.
std::int64_t intervals_of_one_run(const OperationPlan& plan, std::int64_t sends) {
    const std::int64_t launches = sends > 0 && plan.cost.launch > Time(0) ? 1 : 0;
    const auto copies = std::ranges::count_if(plan.cost.copied, [](Bytes bytes) { return bytes > Bytes(0); });
    if (plan.fed) {
        return launches + sends * plan.fed->pieces;
    }
    return plan.cost.launches * (launches + sends * (plan.syncs ? 2 : 1)) + (sends > 0 ? copies : 0);
}

} // namespace

std::int64_t part_of(std::int64_t whole, std::int64_t parts, std::int64_t k) {
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>(static_cast<Wide>(whole) * (k + 1) / parts -
                                     static_cast<Wide>(whole) * k / parts);
}

std::int64_t StagedGemm::pieces_made(std::int64_t by_stages) const {
    return pieces * by_stages / stages;
}

std::int64_t StagedGemm::bytes_written(std::int64_t stage, std::int32_t position) const {
    return fusion >= 0 ? stored_by(*this, stage + 1, position) - stored_by(*this, stage, position)
                       : part_of(written_bytes, stages, stage);
}

std::int64_t StagedGemm::writing_stages(std::int32_t position) const {
    std::int64_t writing = 0;
    for (std::int64_t stage = 0; stage < stages; ++stage) {
        writing += bytes_written(stage, position) > 0 ? 1 : 0;
    }
    return writing;
}

std::int64_t StagedGemm::send_of(std::int64_t made, std::int32_t position) const {
    return made_and_sent(order, chunks, pieces / chunks, position, made);
}

std::int64_t FedCollective::piece_bytes(std::int64_t send) const {
    return part_of(chunk_bytes, pieces, send % pieces);
}

Plans plans(const Program& program, const Machine& hardware, const Schedule& schedule,
            const Conditions& conditions) {
    Plans plans;
    const bool in_stages = staged(schedule, hardware);
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Operation& operation = program.operations[id];
        std::vector<OperationPlan>& ways = plans.emplace_back();
        for (std::int32_t variant = 0; variant < variants(program, operation); ++variant) {
            ways.push_back(plan_of(program, operation, hardware, schedule, variant));
            ways.back().syncs = ways.back().cost.sync > Time(0) || conditions.jitter > Time(0);
            if (in_stages) {
                add_stages(ways.back(), program, id, hardware, schedule);
            }
        }
    }
    return plans;
}

bool takes_time(const Program& program, const Plans& plans, OperationId id) {
    return place(program.operations[id]) == Place::core || plans[id].front().communication.has_value();
}

MemoryStretches memory_stretches(const Program& program, const Plans& plans, MemoryPolicy policy) {
    // Of all runs: stages that write, pieces that are read or added, halves of stages, GEMMs.
    std::int64_t writes = 0, pieces = 0, stages = 0, gemms = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const OperationPlan& plan = plans[id].front();
        if (plan.gemm) {
            writes += program.runs(id) * least_writing_stages(*plan.gemm);
            stages += program.runs(id) * plan.gemm->stages;
            gemms += program.runs(id);
        }
        if (plan.fed) { // The first chunk is not read; every piece is added.
            pieces += program.runs(id) * (2 * plan.fed->sends() - plan.fed->pieces);
        }
    }
    if (pieces == 0) {
        return {writes, 0};
    }
    switch (policy) {
    case MemoryPolicy::ideal:
        return {writes + pieces, 0}; // Nothing cuts anything.
    // Pieces come first. A write stops while there are any and goes on after them: one cut for both.
    case MemoryPolicy::round_robin: return {writes + pieces, pieces};
    // GEMMs come first. A piece has another share from stage to stage, and none while one writes.
    case MemoryPolicy::compute_first: return {writes + pieces, stages + gemms};
    // A write has half of the memory from the first piece to the last in a row; a piece another share while
    // a stage computes, writes, or neither.
    case MemoryPolicy::communication_aware: break;
    }
    return {writes + pieces, writes + 2 * pieces + stages + gemms};
}

std::int64_t most_cuts_by_links(const Program& program, const Plans& plans) {
    std::int64_t cuts = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        std::int64_t sends = 0; // of the variant that sends most
        for (const OperationPlan& way : plans[id]) {
            std::int64_t both = 0;
            for (const std::vector<std::int32_t>& at : way.sends) {
                both += at.empty() ? 0 : *std::ranges::max_element(at);
            }
            sends = std::max(sends, way.accesses[0] > 0 ? both * way.cost.launches + 2 : 0);
        }
        // It begins and ends, at both ends of a link, and cuts both streams.
        cuts += program.runs(id) * sends * 2 * 2 * 2;
    }
    return cuts;
}

std::int64_t intervals_on_core(const Program& program, const Plans& plans, OperationId id, Chip chip) {
    const OperationPlan& plan = plans[id].front();
    const std::int64_t launches = plan.cost.launch > Time(0) ? 1 : 0;
    // Every stage computes; most then write.
    const std::int64_t stages =
        plan.gemm
            ? plan.gemm->stages + plan.gemm->writing_stages(program.torus.coordinate(chip, plan.gemm->axis))
            : 1;
    return program.runs(id) * (launches + stages);
}

IntervalsOnLinks::IntervalsOnLinks(const Program& program, const Plans& plans, OperationId id)
    : program_(program), operation_(program.operations[id]), ways_(plans[id]), runs_(program.runs(id)) {
    const auto* shift = std::get_if<Shift>(&operation_);
    if (shift && shift->is_skew()) {
        return;
    }
    std::vector<std::int64_t> runs_by_way(ways_.size());
    if (ways_.size() == 1) {
        runs_by_way.front() = runs_;
    } else {
        for (std::int64_t iteration = 0; iteration < runs_; ++iteration) {
            ++runs_by_way[static_cast<std::size_t>(variant(program, operation_, iteration, Chip{0}))];
        }
    }
    for (std::size_t d = 0; d < at_position_.size(); ++d) {
        at_position_[d].resize(ways_.front().sends[d].size());
        for (std::size_t number = 0; number < ways_.size(); ++number) {
            if (runs_by_way[number] == 0) {
                continue;
            }
            for (std::size_t position = 0; position < at_position_[d].size(); ++position) {
                const std::int32_t sends = ways_[number].sends[d][position];
                at_position_[d][position] += runs_by_way[number] * intervals_of_one_run(ways_[number], sends);
            }
        }
    }
}

std::int64_t IntervalsOnLinks::of(Chip chip, Direction direction) const {
    const auto d = static_cast<std::size_t>(direction);
    const auto position =
        static_cast<std::size_t>(program_.torus.coordinate(chip, static_cast<Axis>(place(operation_))));
    if (position < at_position_[d].size()) {
        return at_position_[d][position];
    }
    // A skew takes a chip the same way in every run.
    const OperationPlan& way = ways_[static_cast<std::size_t>(variant(program_, operation_, 0, chip))];
    return runs_ * intervals_of_one_run(way, way.sends[d][position]);
}

} // namespace meshslice
