#include "ui/session/explainer.h"

#include <exception>
#include <utility>

namespace meshslice::ui {

const StepWhy* Reasons::of(std::size_t step) const {
    return step < steps.size() && steps[step] ? &*steps[step] : nullptr;
}

const ProductWhy* Reasons::of(std::size_t step, std::size_t gemm) const {
    const StepWhy* why = of(step);
    return why != nullptr && gemm < why->products.size() ? &why->products[gemm] : nullptr;
}

ReasonsPtr reasonsFor(const ResultsPtr& results, const RunControl& control) {
    auto reasons = std::make_shared<Reasons>();
    reasons->results = results;
    for (std::size_t step = 0; step < results->steps.size(); ++step) {
        Result<StepWhy> found =
            why(results->steps[step], results->scenario_of(step), control.stop, control.progress);
        if (control.stop.stop_requested()) {
            return nullptr;
        }
        reasons->steps.push_back(std::move(found));
    }
    return reasons;
}

Explainer::Explainer(QObject* parent) : QObject(parent) {
    after_painting_.setSingleShot(true);
    connect(&after_painting_, &QTimer::timeout, this, [this] {
        job_.start([this,
                    results = std::exchange(wanted_, nullptr)](const RunControl& control) -> LatestJob::Tell {
            try {
                return [this, reasons = reasonsFor(results, control)] { emit finished(reasons); };
            } catch (const std::exception&) {
                return [this] { emit finished(nullptr); }; // no memory for them: the results stand without
            }
        });
    });
}

int Explainer::pauseBefore(const Results& results) {
    std::size_t intervals = 0;
    for (const TrainingStep& step : results.steps) {
        for (const GemmResult& result : step.gemms) {
            intervals += result.timeline ? result.timeline->stored_intervals() : 0;
        }
    }
    return intervals > quick_intervals ? pause_ms : 0;
}

void Explainer::request(const ResultsPtr& results) {
    job_.cancel();
    wanted_ = results;
    // At 0 after the events at hand, of which one paints the results.
    after_painting_.start(pauseBefore(*results));
}

void Explainer::cancel() {
    after_painting_.stop();
    wanted_.reset();
    job_.cancel();
}

} // namespace meshslice::ui
