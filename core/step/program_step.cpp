#include "core/step/program_step.h"

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

bool multiplies(const Program& program) {
    return std::ranges::any_of(program.operations, [](const Operation& operation) {
        return std::holds_alternative<Multiply>(operation);
    });
}

/// "RdS_col, AG_col".
std::string operation_names(const Program& program) {
    std::string names;
    for (const Operation& operation : program.operations) {
        names += (names.empty() ? "" : ", ") + name(operation);
    }
    return names;
}

/// By closed form.
TrainingStep estimated(const Program& program, const std::string& title, const Schedule& schedule,
                       const Machine& hardware) {
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
    if (multiplies(program)) {
        step.flop = flop(program.shape);
    } else {
        result.called = operation_names(program);
    }
    step.capacity = hardware.hbm.value;
    step.in_stages = staged(schedule, hardware);
    return step;
}

} // namespace

Result<TrainingStep> program_step(const Program& program, const std::string& title, const Schedule& schedule,
                                  const Machine& hardware, Depth depth, const RunControl& control,
                                  std::int64_t most) {
    if (const double longest = longest_seconds(program, hardware, schedule);
        longest > most_countable_seconds) {
        return refuse(too_long(program.shape, longest));
    }
    TrainingStep step = estimated(program, title, schedule, hardware);
    if (depth == Depth::estimate) {
        return step;
    }
    Result<std::shared_ptr<const Timeline>> run =
        simulate(program, hardware, schedule, {}, control, Folding::alike_chips, nullptr, most);
    if (!run) {
        return refuse(run.error());
    }
    GemmResult& result = step.gemms.front();
    result.timeline = *std::move(run);
    result.usage = usage(*result.timeline);
    result.time = result.timeline->end();
    step.time = result.time;
    step.usage = result.usage;
    const double peak = static_cast<double>(step.torus.chips()) * hardware.peak_rate(schedule.type).value();
    step.utilization = static_cast<double>(step.flop.value()) / (peak * in_seconds(step.time));
    return step;
}

} // namespace meshslice
