#include "core/simulate/machine/plan.h"

#include <algorithm>

namespace meshslice {
namespace {

OperationPlan plan_of(const Program& program, const Operation& operation, const Hardware& hardware,
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

/// How many intervals one run leaves in the row of a link that sends `sends` times per launch.
std::int64_t intervals_of_one_run(const OperationPlan& plan, std::int64_t sends) {
    const std::int64_t launches = sends > 0 && plan.cost.launch > Time(0) ? 1 : 0;
    const auto copies = std::ranges::count_if(plan.cost.copied, [](Bytes bytes) { return bytes > Bytes(0); });
    return plan.cost.launches * (launches + sends * (plan.syncs ? 2 : 1)) + (sends > 0 ? copies : 0);
}

} // namespace

Plans plans(const Program& program, const Hardware& hardware, const Schedule& schedule,
            const Conditions& conditions) {
    Plans plans;
    for (const Operation& operation : program.operations) {
        std::vector<OperationPlan>& ways = plans.emplace_back();
        for (std::int32_t variant = 0; variant < variants(program, operation); ++variant) {
            ways.push_back(plan_of(program, operation, hardware, schedule, variant));
            ways.back().syncs = ways.back().cost.sync > Time(0) || conditions.jitter > Time(0);
        }
    }
    return plans;
}

bool takes_time(const Program& program, const Plans& plans, OperationId id) {
    return place(program.operations[id]) == Place::core || plans[id].front().communication.has_value();
}

std::int64_t intervals_on_core(const Program& program, const Plans& plans, OperationId id) {
    return program.runs(id) * (plans[id].front().cost.launch > Time(0) ? 2 : 1);
}

std::int64_t intervals_on_link(const Program& program, const Plans& plans, OperationId id, Chip chip,
                               Direction direction) {
    const auto axis = static_cast<Axis>(place(program.operations[id]));
    const auto position = static_cast<std::size_t>(program.torus.coordinate(chip, axis));
    const auto d = static_cast<std::size_t>(direction);
    const std::vector<OperationPlan>& ways = plans[id];
    const std::int64_t runs = program.runs(id);
    if (ways.size() == 1) {
        return runs * intervals_of_one_run(ways.front(), ways.front().sends[d][position]);
    }
    std::int64_t sum = 0;
    for (std::int64_t iteration = 0; iteration < runs; ++iteration) {
        const auto which = variant(program, program.operations[id], iteration, chip);
        const OperationPlan& way = ways[static_cast<std::size_t>(which)];
        sum += intervals_of_one_run(way, way.sends[d][position]);
    }
    return sum;
}

} // namespace meshslice
