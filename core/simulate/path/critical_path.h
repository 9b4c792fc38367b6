#pragma once

#include "core/base/quantity.h"
#include "core/base/run_control.h"
#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/program/program.h"
#include "core/simulate/record/timeline.h"
#include "core/torus/faults.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshslice {

/// The parts of a run, as in the closed form (paper, section 3.2.2), on the chip that ends last: before the
/// multiplication of the loop's first iteration, from there to that of its last, and from there on.
enum class Phase : std::uint8_t { prologue, steady, epilogue };
[[nodiscard]] std::string_view name(Phase phase);

/// The resources of a chip that take time: the links of each axis, and the core, numbered like Place.
inline constexpr std::size_t resource_count = engine_count;
inline constexpr std::size_t phase_count = 3;

/// One link of the chain: a core or link was busy from `start` to `end`, and the next could not start before.
struct CriticalEvent {
    Time start;
    Time end;
    std::int32_t row =
        -1; ///< of the timeline, a representative's; -1: the launch of a chip that only receives
    std::uint32_t index = 0; ///< of the interval in that row
    Chip chip = 0;
    Place place = Place::core;
    Activity activity = Activity::compute;

    bool operator==(const CriticalEvent&) const = default;
};

/// Time by resource and activity.
struct CauseTimes {
    std::array<std::array<Time, activity_count>, resource_count> times{};

    [[nodiscard]] Time at(Place place, Activity activity) const {
        return times[static_cast<std::size_t>(place)][static_cast<std::size_t>(activity)];
    }
    [[nodiscard]] Time& at(Place place, Activity activity) {
        return times[static_cast<std::size_t>(place)][static_cast<std::size_t>(activity)];
    }
    [[nodiscard]] Time of(Place place) const;
    [[nodiscard]] Time total() const;

    bool operator==(const CauseTimes&) const = default;
    CauseTimes& operator+=(const CauseTimes& other);
    [[nodiscard]] friend CauseTimes operator*(CauseTimes causes, std::int64_t count) {
        for (auto& of_place : causes.times) {
            for (Time& time : of_place) {
                time = time * count;
            }
        }
        return causes;
    }
};

using PhaseTimes = std::array<CauseTimes, phase_count>; ///< by Phase
[[nodiscard]] CauseTimes all_phases(const PhaseTimes& phases);

/// Why a run takes as long as it does: a longest chain of events from its start to its end, each starting
/// when the one before it ends. Whatever shortens no such chain does not shorten the run.
struct CriticalPath {
    std::vector<CriticalEvent> events;
    /// The time of the chain. All phases together are the run's end, to the picosecond.
    PhaseTimes times;
    /// The time in which the core of the chip that ends last does not multiply, by what the chain does in
    /// that time. Multiplications in it are those of another chip, for which this one waits.
    PhaseTimes exposed;
    /// By resource: how much longer any one of its activities in the steady state (in the whole run, if it
    /// has none there) could have taken without delaying the end of the run. 0: it is on a longest chain.
    /// None for a resource that does nothing.
    std::array<std::optional<Time>, resource_count> slack;

    bool operator==(const CriticalPath&) const = default;
};

/// What critical_path() takes at most, nearly, while it looks through so many intervals, besides their
/// record.
[[nodiscard]] Bytes critical_path_memory(std::int64_t intervals);

/// Of a run that simulate() recorded of this program under these conditions. Of several longest chains, the
/// one that stays on a chip and on its resources as long as it can; the same for a folded run and a full one
/// except for the chips it names. Takes time and memory in proportion to the intervals stored; nothing is
/// found if it is stopped. `control.memory` is for what it looks through.
[[nodiscard]] CriticalPath critical_path(const Program& program, const Machine& hardware,
                                         const Schedule& schedule, const Conditions& conditions,
                                         const Timeline& timeline, const RunControl& control = {});

/// The slack of the intervals of a run, by row of its timeline and in the row's order: how much later one
/// could have ended without delaying the end of the run; 0 on a longest chain. Rows of a chip that is like
/// another one are empty: its representative's hold. None where it is not known, of a launch or a copy that
/// another row of its axis stands for.
struct RunSlack {
    std::vector<std::vector<std::optional<Time>>> rows;
};
/// Of a run that simulate() recorded of this program under these conditions. Takes time and memory in
/// proportion to the intervals stored; nothing is found if it is stopped.
[[nodiscard]] RunSlack run_slack(const Program& program, const Machine& hardware, const Schedule& schedule,
                                 const Conditions& conditions, const Timeline& timeline,
                                 const std::stop_token& stop = {});

} // namespace meshslice
