#include "ui/timeline/bars/bar_links.h"

#include "core/explain/recorded_run.h"

#include <utility>

namespace meshslice::ui {

BarLinks::BarLinks(std::function<void()> found) : inquiry_(&BarLinks::compute, std::move(found)) {}

Result<DirectDependencies> BarLinks::compute(const Request& request, const RunControl& control) {
    const TrainingStep& step = request.run->step();
    const StepConditions& made = request.run->conditions();
    const GemmResult& gemm = step.gemms[request.bar.gemm];
    const auto conditions = recorded_conditions(gemm, step.algorithm, made);
    if (!conditions) {
        return refuse(conditions.error());
    }
    return direct_dependencies(*gemm.program, made.machine, made.assume.schedule, *conditions, *gemm.timeline,
                               {*request.bar.row, *request.bar.interval}, control.stop);
}

void BarLinks::ask(const StepRunPtr& run, const std::optional<Selected>& selected) {
    if (run && selected && selected->row && selected->interval && !selected->wait) {
        wanted_ = Request{run, *selected};
        inquiry_.ask(*wanted_);
    } else {
        wanted_.reset();
        inquiry_.clear();
    }
}

const DirectDependencies* BarLinks::of(const std::optional<Selected>& selected) const {
    const bool known = wanted_ && inquiry_.answered() == wanted_ && selected == wanted_->bar;
    return known && inquiry_.answer() ? &*inquiry_.answer() : nullptr;
}

QString BarLinks::refusal() const {
    return wanted_ && inquiry_.answered() == wanted_ ? inquiry_.refusal() : QString();
}

} // namespace meshslice::ui
