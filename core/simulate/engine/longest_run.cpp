#include "core/simulate/engine/longest_run.h"

#include <algorithm>

namespace meshslice {
namespace {

/// How many times as long as on a healthy machine a part can take because of its faults. On a detour a
/// transfer crosses all other links of its ring, hop by hop, and shares them with as many others at most.
double slowest(const Program& program, const Conditions& conditions) {
    const auto at_work = [](double speed) { return speed > 0; };
    double least = 1;
    for (const auto& speeds : {conditions.core_speed, conditions.link_speed}) {
        for (const double speed : speeds) {
            least = at_work(speed) ? std::min(least, speed) : least;
        }
    }
    double detour = 1;
    if (!std::ranges::all_of(conditions.link_speed, at_work)) {
        for (int axis = 0; axis < program.torus.axis_count(); ++axis) {
            detour = std::max<double>(detour, program.torus.size(static_cast<Axis>(axis)));
        }
    }
    return detour / least;
}

/// A memory is shared by a core, a copy of each of three axes and six links that read twice and write.
constexpr double memory_sharers = 1 + 3 + 6 * 3;

} // namespace

double longest_run_seconds(const Program& program, const Plans& plans, const Conditions& conditions) {
    double sum = 0;
    for (OperationId id = 0; id < plans.size(); ++id) {
        double longest = 0;
        for (const OperationPlan& way : plans[id]) {
            const OperationCost& cost = way.cost;
            const double late = in_seconds(conditions.jitter) * cost.steps * cost.launches;
            const bool in_memory = cost.memory > Bytes(0) || cost.all_copying() > Time(0);
            longest = std::max(longest, in_seconds(cost.total()) * (in_memory ? memory_sharers : 1) + late);
        }
        sum += longest * static_cast<double>(program.runs(id));
    }
    return sum * slowest(program, conditions);
}

} // namespace meshslice
