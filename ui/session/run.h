#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "ui/session/results.h"

#include <array>
#include <atomic>
#include <string>
#include <vector>

namespace meshslice::ui {

/// How far a run is: its algorithms run at the same time.
struct RunProgress {
    std::array<std::atomic<double>, 2> shares{}; ///< of each algorithm, 0 to 1
    std::atomic<int> algorithms = 1;

    [[nodiscard]] double share() const { return (shares[0] + shares[1]) / algorithms; }
};

/// Ids: the scenario's own algorithm and, if there is another, the one to compare with.
[[nodiscard]] std::vector<std::string> algorithmsOf(const Scenario& scenario);

/// Runs the algorithms of a scenario; an algorithm that is too large to simulate is estimated. Refuses where
/// the first does not run, or when it is cancelled. Throws nothing.
[[nodiscard]] Result<ResultsPtr> runScenario(const Scenario& scenario, std::uint64_t number,
                                             RunProgress& progress, const RunControl& control);

} // namespace meshslice::ui
