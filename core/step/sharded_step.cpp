#include "core/step/sharded_step.h"

#include "core/base/say.h"
#include "core/cost/mesh_links.h"
#include "core/step/program_step.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// The time by steps leaves out a synchronization of every step; by it these plans are chosen.
constexpr std::size_t most_timed = 64; ///< plans whose programs are written

} // namespace

Result<ShardedStep> sharded_step(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh,
                                 const DimensionSizes& sizes, const Schedule& schedule,
                                 const Machine& hardware, Depth depth, const RunControl& control,
                                 std::int64_t most) {
    const Result<std::vector<MeshLinks>> links = links_of(mesh, hardware);
    if (!links) {
        return refuse(links.error());
    }
    std::vector<bool> closes;
    for (const MeshLinks& one : *links) {
        closes.push_back(one.closes);
    }
    Result<ShardedProgram> written = sharded_program(plan, gemm, mesh, sizes, closes);
    if (!written) {
        return refuse(written.error());
    }
    Result<TrainingStep> step =
        program_step(written->program, text(plan, gemm, mesh), schedule, hardware, depth, control, most);
    if (!step) {
        return refuse(step.error());
    }
    const StepConditions made{hardware, {schedule, {}}, step->torus};
    return ShardedStep{
        *std::move(written),
        std::make_shared<const StepRun>(std::make_shared<const TrainingStep>(*std::move(step)), made)};
}

Result<ShardedStep> sharded_step(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh,
                                 const DimensionSizes& sizes, DataType kind, const Machine& hardware,
                                 Depth depth, const RunControl& control, std::int64_t most) {
    if (bits(kind) != 16 && bits(kind) != 8) {
        return refuse(
            say("Elements of {} bits are not simulated; those of 16 and 8 are, such as bf16 and int8.",
                bits(kind)));
    }
    Schedule schedule;
    schedule.type = hardware.multiplies_as(kind);
    return sharded_step(plan, gemm, mesh, sizes, schedule, hardware, depth, control, most);
}

Result<ShardedPlans> timed_sharded_plans(const ShardedGemm& gemm, const NamedMesh& mesh,
                                         const DimensionSizes& sizes, DataType kind, const Machine& hardware,
                                         const RunControl& control) {
    Result<ShardedPlans> found = sharded_plans(gemm, mesh, sizes, kind, hardware);
    if (!found) {
        return found;
    }
    const auto end =
        found->plans.begin() + static_cast<std::ptrdiff_t>(std::min(most_timed, found->plans.size()));
    std::vector<CostedPlan> best(std::make_move_iterator(found->plans.begin()), std::make_move_iterator(end));
    for (CostedPlan& plan : best) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        if (const auto step = sharded_step(plan.plan, gemm, mesh, sizes, kind, hardware, Depth::estimate)) {
            plan.time_s = in_seconds(step->gemm().estimate.total);
        }
    }
    rank(best);
    const double last = best.back().time_s;
    std::ranges::move(best, found->plans.begin());
    // The others stay behind them: what their programs take on top is at least as much as that.
    std::for_each(end, found->plans.end(),
                  [&](CostedPlan& plan) { plan.time_s = std::max(plan.time_s, last); });
    return found;
}

} // namespace meshslice
