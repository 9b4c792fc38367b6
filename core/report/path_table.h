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

/// The row of a timeline in which an event is; of one without a bar, the first row of its core or links. None
/// where the timeline has none.
[[nodiscard]] std::optional<std::size_t> row_of(const Timeline& timeline, const CriticalEvent& event);

/// What the critical path of a step is made of: "61.7 ms: 72% compute, 21% transfer, 5.0% sync, 2.0% launch;
/// for 28% of the time the core waits". What takes no time is left out.
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
