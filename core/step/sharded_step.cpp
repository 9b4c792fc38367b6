#include "core/step/sharded_step.h"

#include "core/base/say.h"
#include "core/cost/mesh_links.h"
#include "core/step/program_step.h"

#include <utility>

namespace meshslice {

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

} // namespace meshslice
