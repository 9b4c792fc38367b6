#include "ui/document/explainer.h"

#include <exception>

namespace meshslice::ui {

const ProductWhy* Reasons::of(std::size_t step, std::size_t gemm) const {
    return step < steps.size() && steps[step] && gemm < steps[step]->products.size()
               ? &steps[step]->products[gemm]
               : nullptr;
}

ReasonsPtr reasonsFor(const ResultsPtr& results, const std::stop_token& stop) {
    auto reasons = std::make_shared<Reasons>();
    reasons->results = results;
    for (const TrainingStep& step : results->steps) {
        Result<StepWhy> found = why(step, results->scenario, stop);
        if (stop.stop_requested()) {
            return nullptr;
        }
        reasons->steps.push_back(found ? std::optional(std::move(*found)) : std::nullopt);
    }
    return reasons;
}

Explainer::Explainer(QObject* parent) : QObject(parent) {
    after_painting_.setSingleShot(true);
    after_painting_.setInterval(0); // after the events at hand, of which one paints the results
    connect(&after_painting_, &QTimer::timeout, this, [this] {
        job_.request([this, results = std::move(wanted_)](const std::stop_token& stop) -> NewestJob::Answer {
            try {
                return [this, reasons = reasonsFor(results, stop)] { emit finished(reasons); };
            } catch (const std::exception&) {
                return [this] { emit finished(nullptr); }; // no memory for them: the results stand without
            }
        });
    });
}

void Explainer::request(const ResultsPtr& results) {
    job_.cancel();
    wanted_ = results;
    after_painting_.start();
}

void Explainer::cancel() {
    after_painting_.stop();
    job_.cancel();
}

} // namespace meshslice::ui
