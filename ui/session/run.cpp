#include "ui/session/run.h"

#include "core/explain/slicing_cost.h"
#include "ui/session/latest_job.h"

#include <algorithm>
#include <future>
#include <stop_token>
#include <utility>

namespace meshslice::ui {
namespace {

/// One algorithm's step: only estimated where it is too large to simulate, and then why.
struct Answer {
    Result<TrainingStep> step;
    std::string not_simulated;
};

Answer answerOf(const Scenario& scenario, const std::string& id, const RunControl& control) {
    Answer answer{training_step(scenario, id, Depth::simulate, control), {}};
    if (!answer.step && answer.step.error().kind != Error::Kind::cancelled) {
        // What cannot run at all fails again.
        auto estimated = training_step(scenario, id, Depth::estimate, control);
        if (estimated || estimated.error().kind == Error::Kind::cancelled) {
            answer.not_simulated = answer.step.error().sentence;
            answer.step = std::move(estimated);
        }
    }
    *control.progress = 1;
    return answer;
}

/// Exceptions as sentences: what goes wrong with one algorithm is no reason to lose the other.
Answer guardedAnswer(const Scenario& scenario, const std::string& id, const RunControl& control) {
    Answer answer;
    answer.step = withoutExceptions([&] {
        answer = answerOf(scenario, id, control);
        return std::move(answer.step);
    });
    return answer;
}

} // namespace

std::vector<std::string> algorithmsOf(const Scenario& scenario) {
    std::vector<std::string> ids = {scenario.algorithm};
    if (!scenario.compare.empty() && scenario.compare != scenario.algorithm) {
        ids.push_back(scenario.compare);
    }
    return ids;
}

Result<ResultsPtr> runScenario(const Scenario& scenario, std::uint64_t number, RunProgress& progress,
                               const RunControl& control) {
    return withoutExceptions([&]() -> Result<ResultsPtr> {
        const std::vector<std::string> ids = algorithmsOf(scenario);
        auto results = std::make_shared<Results>();
        results->number = number;
        results->scenario = scenario;
        // Both stop when the caller stops the run, or when the first algorithm does not run.
        std::stop_source stop;
        const std::stop_callback pass_on(control.stop, [&stop] { stop.request_stop(); });
        const auto of = [&](std::size_t place) {
            return RunControl{stop.get_token(), &progress.shares[place], control.memory};
        };
        // At the same time, so that no core waits for the last GEMM of the first.
        std::future<Answer> second;
        if (ids.size() > 1) {
            second = std::async(std::launch::async,
                                [&, other = of(1)] { return guardedAnswer(scenario, ids[1], other); });
        }
        Answer first = guardedAnswer(scenario, ids[0], of(0));
        if (!first.step) {
            stop.request_stop();
            return refuse(first.step.error());
        }
        results->steps.push_back(std::move(*first.step));
        results->estimated_because.push_back(std::move(first.not_simulated));
        if (second.valid()) {
            Answer other = second.get();
            if (other.step) {
                results->steps.push_back(std::move(*other.step));
                results->slicing = slicing_cost(
                    *std::ranges::max_element(results->steps, {}, &TrainingStep::time), scenario);
                results->estimated_because.push_back(std::move(other.not_simulated));
            } else if (other.step.error().kind == Error::Kind::cancelled) {
                return refuse(other.step.error());
            } else {
                // The first algorithm's answer stands without it.
                results->objection = other.step.error().sentence;
            }
        }
        return results;
    });
}

} // namespace meshslice::ui
