#include "core/evidence/profiled_step.h"

#include "core/base/say.h"
#include "core/work/training.h"

#include <algorithm>
#include <utility>

namespace meshslice {

RunPtr ProfiledStep::run(StepBegin begin, std::string title) const {
    Stretch shown = stretch;
    if (begin == StepBegin::first_gemm) {
        Time first = stretch.end;
        for (const DeviceLane& lane : trace->lanes) {
            for (const DeviceEvent& event : lane.events) {
                if (trace->kernels[event.kernel].work == DeviceWork::multiply &&
                    event.start >= stretch.begin) {
                    first = std::min(first, event.start);
                }
            }
        }
        shown.begin = first < stretch.end ? first : stretch.begin;
    }
    return run_of(*trace, shown, std::move(title));
}

Result<ProfiledStep> profiled_step(std::shared_ptr<const DeviceTrace> trace, std::optional<std::size_t> step,
                                   const std::string& origin, const std::string& called) {
    ProfiledStep read{std::move(trace), {}, 0, {}, {}, {}};
    read.stretch = {Time(0), read.trace->end};
    const std::vector<TraceStep>& steps = read.trace->steps;
    if (step && (*step == 0 || *step > steps.size())) {
        return refuse(steps.empty() ? say("{} names no steps; leave out {}.", origin, called)
                                    : say("{} is {}; expected 1 to {}, the steps that {} names.", called,
                                          *step, steps.size(), origin));
    }
    if (step) {
        read.stretch = {steps[*step - 1].start, steps[*step - 1].end};
        read.steps = 1;
    } else if (!steps.empty()) {
        read.stretch = {steps.front().start, steps.back().end};
        read.steps = steps.size();
    }
    read.devices = device_uses(*read.trace, read.stretch);
    read.whole = average(read.devices);
    read.kernels = kernel_uses(*read.trace, read.stretch);
    if (read.kernels.empty()) {
        return refuse(say("No event of an accelerator lies in what is asked for of {}.", origin));
    }
    return read;
}

PredictedParts predicted_parts(const PlanModel& model, const RankedPlan& plan) {
    const PlanTime& time = plan.reading.time;
    PredictedParts made;
    made.seconds = time.total;
    made.exposed = time.tensor + time.data + time.pipeline + time.experts;
    made.idle = time.bubble;
    made.multiply = time.ends;
    made.other = time.optimizer;
    const ChipTasks block = model.block(plan.plan);
    const Result<BlockPasses> passes = model.passes(plan.plan, block);
    double multiply = 0, attention = 0, other = 0;
    for (std::size_t k = 0; passes && k < block.operations.size(); ++k) {
        const ChipTask& operation = block.operations[k];
        const bool again = computed_again(operation, plan.plan.recompute);
        const auto lasts = [](const LayerPass& pass) { return pass.compute + pass.memory; };
        const double all = (again ? 2 : 1) * lasts(passes->forward[k]) + lasts(passes->backward[k]);
        (operation.name == attention_task    ? attention
         : operation.forward.matrix_flop > 0 ? multiply
                                             : other) += all;
    }
    if (const double sum = multiply + attention + other; sum > 0) {
        const double scale = (time.compute + time.memory_exposed) / sum;
        made.multiply += multiply * scale;
        made.attention += attention * scale;
        made.other += other * scale;
    } else {
        made.multiply += time.compute + time.memory_exposed;
    }
    return made;
}

std::vector<ComparedPart> compared_parts(const ProfiledStep& measured, const PredictedParts& predicted) {
    const DeviceUse& use = measured.whole;
    const auto a_step = [&](double sum) { return measured.a_step(sum); };
    return {{said("a step"), a_step(use.seconds), predicted.seconds},
            {said("multiplication"), a_step(use.of(DeviceWork::multiply)), predicted.multiply},
            {said("attention"), a_step(use.of(DeviceWork::attention)), predicted.attention},
            {said("other kernels"), a_step(use.of(DeviceWork::other) + use.of(DeviceWork::copy)),
             predicted.other},
            {said("communication, exposed"), a_step(use.of(DeviceWork::communication)), predicted.exposed},
            {said("nothing runs"), a_step(use.idle_s), predicted.idle}};
}

} // namespace meshslice
