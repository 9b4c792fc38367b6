#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "ui/session/results.h"

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice::ui {

/// How far a run is: its algorithms run at the same time.
struct RunProgress {
    std::array<std::atomic<double>, 2> shares{}; ///< of each algorithm, 0 to 1
    std::atomic<int> algorithms = 1;

    [[nodiscard]] double share() const { return (shares[0] + shares[1]) / algorithms; }
};

/// What a run is about: a scenario, with the algorithm that it is compared with, or next to another variant.
struct RunRequest {
    Scenario scenario;
    std::string name;                 ///< the scenario's, as a variant
    std::optional<Variant> reference; ///< the other variant; then no algorithm is compared

    // A scenario on its own is the usual request.
    RunRequest(Scenario of) : scenario(std::move(of)) {} // NOLINT(google-explicit-constructor)
    RunRequest(Variant of, std::optional<Variant> other)
        : scenario(std::move(of.scenario)), name(std::move(of.name)), reference(std::move(other)) {}
};

/// One of the steps of a run.
struct RunPart {
    const Scenario* scenario; ///< the request's
    std::string algorithm;    ///< id
    std::string variant;      ///< "A (half links)"; empty without a reference
};
/// The scenario's own algorithm and, if there is one, what it is compared with.
[[nodiscard]] std::vector<RunPart> partsOf(const RunRequest& request);

/// Runs the steps of a request; one that is too large to simulate is estimated, and one that `known` has, if
/// not null, is taken from there. Refuses where the first does not run, or when it is cancelled. Throws
/// nothing.
[[nodiscard]] Result<ResultsPtr> runScenario(const RunRequest& request, std::uint64_t number,
                                             RunProgress& progress, const RunControl& control,
                                             const ResultsPtr& known = nullptr);

} // namespace meshslice::ui
