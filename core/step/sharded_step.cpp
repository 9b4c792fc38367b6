#include "core/step/sharded_step.h"

#include "core/base/say.h"
#include "core/cost/mesh_links.h"

#include <utility>

namespace meshslice {
namespace {

/// The step of the one GEMM, by closed form.
TrainingStep one_gemm(const Program& program, const std::string& title, const Schedule& schedule,
                      const Hardware& hardware) {
    TrainingStep step;
    step.variant = title;
    step.torus = program.torus;
    for (const TorusAxis& axis : program.torus.axes()) {
        step.mesh.push_back(axis.size);
    }
    GemmResult& result = step.gemms.emplace_back();
    result.gemm.dataflow = program.dataflow;
    result.gemm.shape = program.shape;
    result.estimate = estimate(program, hardware, schedule);
    result.memory = memory_per_chip(program, schedule);
    result.program = std::make_shared<const Program>(program);
    result.count = std::make_shared<const Count>(count(program, schedule));
    result.bottleneck = bottleneck(program, hardware, schedule);
    result.time = result.estimated();
    result.usage = {result.estimate.compute,  result.estimate.launch, result.estimate.sync,
                    result.estimate.transfer, result.estimate.copy,   result.estimate.overlapped,
                    result.estimate.exposed};
    step.time = step.estimated = result.time;
    step.bottleneck = result.bottleneck;
    step.flop = flop(program.shape);
    step.capacity = hardware.hbm.value;
    return step;
}

} // namespace

Result<ShardedStep> sharded_step(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh,
                                 const DimensionSizes& sizes, const Schedule& schedule,
                                 const Hardware& hardware, Depth depth, const RunControl& control,
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
    if (const double longest = longest_seconds(written->program, hardware, schedule);
        longest > most_countable_seconds) {
        return refuse(too_long(written->program.shape, longest));
    }
    ShardedStep out{*std::move(written), schedule, {}};
    out.step = one_gemm(out.plan.program, text(plan, gemm, mesh), schedule, hardware);
    if (depth == Depth::estimate) {
        return out;
    }
    Result<std::shared_ptr<const Timeline>> run =
        simulate(out.plan.program, hardware, schedule, {}, control, Folding::alike_chips, nullptr, most);
    if (!run) {
        return refuse(run.error());
    }
    GemmResult& result = out.step.gemms.front();
    result.timeline = *std::move(run);
    result.usage = usage(*result.timeline);
    result.time = result.timeline->end();
    out.step.time = result.time;
    out.step.usage = result.usage;
    const double peak =
        static_cast<double>(out.step.torus.chips()) * hardware.peak_rate(schedule.type).value();
    out.step.utilisation = static_cast<double>(out.step.flop.value()) / (peak * out.seconds());
    return out;
}

Result<ShardedStep> sharded_step(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh,
                                 const DimensionSizes& sizes, const ElementKind& kind,
                                 const Hardware& hardware, Depth depth, const RunControl& control,
                                 std::int64_t most) {
    if (kind.bits != 16 && kind.bits != 8) {
        return refuse(
            say("Elements of {} bits are not simulated; those of 16 and 8 are, such as bf16 and int8.",
                kind.bits));
    }
    Schedule schedule;
    schedule.type = kind.bits == 8 ? DataType::int8 : DataType::bf16;
    return sharded_step(plan, gemm, mesh, sizes, schedule, hardware, depth, control, most);
}

} // namespace meshslice
