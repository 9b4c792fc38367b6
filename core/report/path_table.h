#pragma once

#include "core/explain/why.h"
#include "core/figure/table.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// An event of the critical path of a GEMM of a step.
struct PathPlace {
    std::size_t gemm = 0;
    std::size_t event = 0;

    bool operator==(const PathPlace&) const = default;
};
/// Longer lists, shared by the steps, are cut: nobody reads them.
inline constexpr std::size_t most_path_lines = 100'000;
/// How many events the critical paths of a step's GEMMs have.
[[nodiscard]] std::size_t path_length(const StepWhy& why);
/// The first `most` of them, GEMM after GEMM.
[[nodiscard]] std::vector<PathPlace> path_places(const StepWhy& why, std::size_t most = most_path_lines);

/// What follows each other on the path for one operation and one slice of it: "QKV forward, gather A along
/// the row, slice 1 of 3: 31 hops, 875 us".
struct PathGroup {
    std::size_t gemm = 0;
    std::size_t first = 0; ///< event of the GEMM's path
    std::size_t count = 0; ///< events
    std::size_t hops = 0;  ///< transfers among them
    Time time;             ///< from the first one's start to the last one's end

    bool operator==(const PathGroup&) const = default;
};
/// All of the critical path of a step, in the order of time. What has no bar, such as the launch of a chip
/// that only receives, belongs to what follows it.
[[nodiscard]] std::vector<PathGroup> path_groups(const TrainingStep& step, const StepWhy& why);
/// One row for each: when it begins in the step and how long it takes, what is done, its hops, and how much
/// of its time is transfer and how much synchronization.
[[nodiscard]] Table path_group_table(const TrainingStep& step, const StepWhy& why,
                                     const std::vector<PathGroup>& groups);

/// The row of a timeline in which an event is; of one without a bar, the first row of its core or links. None
/// where the timeline has none.
[[nodiscard]] std::optional<std::size_t> row_of(const Timeline& timeline, const CriticalEvent& event);

/// What the critical path of a step is made of, and how that goes with what the core does: "61.7 ms: 61%
/// compute, 24% transfer, 14% sync; the core waits 28% of the time, and for another 11% it works while a link
/// sets the pace". What takes no time is left out.
[[nodiscard]] std::string path_summary(const StepWhy& why);

/// How the critical path of B differs from that of A: "-22.8 ms: +3.76 ms compute, -30.1 ms transfer"; what
/// both have alike is left out. Empty where one of them takes no time.
[[nodiscard]] std::string path_difference(const StepWhy& a, const StepWhy& b);

/// One row for each place: when it begins in the step and how long it takes, chip and resource, what it does,
/// for which operation and slice ("3 of 16"; empty outside the loop), and of which GEMM. Of GEMMs with
/// several copies the path of the first one stands for all.
[[nodiscard]] Table path_table(const TrainingStep& step, const StepWhy& why,
                               const std::vector<PathPlace>& places);

} // namespace meshslice
