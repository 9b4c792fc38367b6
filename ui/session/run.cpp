#include "ui/session/run.h"

#include "core/explain/slicing_cost.h"
#include "ui/session/latest_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <stop_token>
#include <utility>

namespace meshslice::ui {
namespace {

/// One algorithm's step: only estimated where it is too large to simulate, and then why.
struct Answer {
    Result<TrainingStep> step = refuse("Not known yet.");
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

/// Exceptions as sentences: what goes wrong with one algorithm does not lose the other.
Answer guardedAnswer(const Scenario& scenario, const std::string& id, const RunControl& control) {
    Answer answer;
    answer.step = withoutExceptions([&] {
        answer = answerOf(scenario, id, control);
        return std::move(answer.step);
    });
    return answer;
}

/// Of all steps at the same time, over the longest one's.
std::vector<StepDensity> densitiesOf(const std::vector<TrainingStep>& steps) {
    const Stretch whole{Time(0), std::ranges::max_element(steps, {}, &TrainingStep::time)->time};
    std::vector<std::future<StepDensity>> others;
    for (std::size_t step = 1; step < steps.size(); ++step) {
        others.push_back(
            std::async(std::launch::async, [&, step] { return density(steps[step], whole, density_parts); }));
    }
    std::vector<StepDensity> all = {density(steps.front(), whole, density_parts)};
    for (std::future<StepDensity>& other : others) {
        all.push_back(other.get());
    }
    return all;
}

/// The step of the same scenario with the same algorithm, if there is one.
Answer knownAnswer(const Results& known, const RunPart& part) {
    Scenario alone = *part.scenario;
    alone.compare.clear();
    for (std::size_t step = 0; step < known.steps.size(); ++step) {
        Scenario theirs = known.scenario_of(step);
        theirs.compare.clear();
        theirs.serving = alone.serving;               // a step does not depend on it
        alone.plan.algorithm = theirs.plan.algorithm; // the step says which it is of
        if (known.steps[step].algorithm == part.algorithm && theirs == alone) {
            return {known.steps[step], known.not_simulated(step)};
        }
    }
    return {};
}

} // namespace

std::vector<RunPart> partsOf(const RunRequest& request) {
    const Scenario& own = request.scenario;
    if (request.reference) {
        const Variant& other = *request.reference;
        return {{&own, own.plan.algorithm, fmt::format("B ({})", request.name)},
                {&other.scenario, other.scenario.plan.algorithm, fmt::format("A ({})", other.name)}};
    }
    std::vector<RunPart> parts = {{&own, own.plan.algorithm, {}}};
    if (!own.compare.empty() && own.compare != own.plan.algorithm) {
        parts.push_back({&own, own.compare, {}});
    }
    return parts;
}

Result<ResultsPtr> runScenario(const RunRequest& request, std::uint64_t number, RunProgress& progress,
                               const RunControl& control, const ResultsPtr& known) {
    return withoutExceptions([&]() -> Result<ResultsPtr> {
        const std::vector<RunPart> parts = partsOf(request);
        auto results = std::make_shared<Results>();
        results->number = number;
        results->scenario = request.scenario;
        results->reference = request.reference;
        // Both stop when the caller stops the run, or when the first algorithm does not run.
        std::stop_source stop;
        const std::stop_callback pass_on(control.stop, [&stop] { stop.request_stop(); });
        const auto answer = [&](std::size_t place) {
            const RunControl own{stop.get_token(), &progress.shares[place], control.memory};
            Answer made = known ? knownAnswer(*known, parts[place]) : Answer{};
            if (!made.step) {
                made = guardedAnswer(*parts[place].scenario, parts[place].algorithm, own);
            }
            if (made.step) {
                made.step->variant = parts[place].variant;
            }
            *own.progress = 1;
            return made;
        };
        // At the same time, so that no core waits for the last GEMM of the first.
        std::future<Answer> second;
        if (parts.size() > 1) {
            second = std::async(std::launch::async, [&] { return answer(1); });
        }
        Answer first = answer(0);
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
                if (!request.reference) {
                    results->slicing = slicing_cost(
                        *std::ranges::max_element(results->steps, {}, &TrainingStep::time), request.scenario);
                }
                results->estimated_because.push_back(std::move(other.not_simulated));
            } else if (other.step.error().kind == Error::Kind::cancelled) {
                return refuse(other.step.error());
            } else {
                // The first algorithm's answer stands without it.
                results->objection = other.step.error().sentence;
            }
        }
        results->densities = densitiesOf(results->steps);
        return results;
    });
}

} // namespace meshslice::ui
