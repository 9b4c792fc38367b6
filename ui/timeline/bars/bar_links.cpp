#include "ui/timeline/bars/bar_links.h"

#include "core/explain/recorded_run.h"

#include <utility>

namespace meshslice::ui {

BarLinks::BarLinks(std::function<void()> found) : inquiry_(&BarLinks::compute, std::move(found)) {}

Result<DirectDependencies> BarLinks::compute(const Request& request, const RunControl& control) {
    const TrainingStep& step = request.results->steps[request.bar.step];
    const Scenario& scenario = request.results->scenario_of(request.bar.step);
    const GemmResult& gemm = step.gemms[request.bar.gemm];
    const auto conditions = recorded_conditions(gemm, step.algorithm, scenario);
    if (!conditions) {
        return refuse(conditions.error());
    }
    return direct_dependencies(*gemm.program, scenario.hardware, scenario.assume.schedule, *conditions,
                               *gemm.timeline, {*request.bar.row, *request.bar.interval}, control.stop);
}

void BarLinks::ask(const ResultsPtr& results, const std::optional<Selected>& selected) {
    if (results && selected && selected->row && selected->interval && !selected->wait) {
        wanted_ = Request{results, *selected};
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
