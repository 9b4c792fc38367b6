#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// What a simulation keeps: known before it begins.
struct Recording {
    std::int64_t intervals = 0; ///< busy ones, of one chip of each class
    std::int64_t largest = 0;   ///< of one GEMM
    /// At most so many more, where a memory gives stages and pieces another share while it serves them.
    std::int64_t cuts = 0;

    [[nodiscard]] std::int64_t most() const { return intervals + cuts; }
    [[nodiscard]] Bytes bytes() const { return Bytes(most() * static_cast<std::int64_t>(sizeof(Interval))); }
    /// Whether a simulation would keep it (see most_intervals), if memories cut nothing.
    [[nodiscard]] bool fits() const { return intervals <= most_intervals; }
    bool operator==(const Recording&) const = default;
};

/// What is worth a word before a run begins.
inline constexpr Bytes much_memory = Bytes(100'000'000);

/// "53.2 million busy intervals, 1.28 GB"; "up to ..." where only the run itself knows.
[[nodiscard]] std::string text(const Recording& recording);

/// What simulating the scenario's training step with an algorithm (an id) would record. Refused where
/// training_step is.
[[nodiscard]] Result<Recording> planned_recording(const Scenario& scenario, const std::string& algorithm,
                                                  const RunControl& control = {});
/// The busy intervals of each GEMM of a step whose programs are written; 0 for one that shares another's.
[[nodiscard]] std::vector<std::int64_t> planned_intervals(const std::vector<GemmResult>& gemms,
                                                          const Scenario& scenario,
                                                          const Conditions& conditions,
                                                          const std::stop_token& stop = {});
/// All of them together.
[[nodiscard]] Recording recording_of(const std::vector<std::int64_t>& intervals);

/// By GEMM of a step: the first that is the same program (see distinct_gemms), so that one run is simulated
/// for both and they share a timeline.
[[nodiscard]] std::vector<std::size_t> first_of_its_kind(const std::vector<GemmResult>& results);

/// Why a recording that does not fit is refused, and what would fit: which slice count, which mesh, or one
/// GEMM alone.
[[nodiscard]] Error too_large(const Recording& recording, const Scenario& scenario,
                              const std::string& algorithm, const RunControl& control = {});

} // namespace meshslice
