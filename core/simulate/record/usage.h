#pragma once

#include "core/base/quantity.h"
#include "core/simulate/record/timeline.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// How one chip spent its time, averaged over the chips.
struct Usage {
    Time compute; ///< the core multiplies
    /// Of collectives, summed over the axes. Time in which either of the two links of an axis works counts
    /// once: as transfer where one of them transfers, else as copy, sync or launch.
    Time launch;
    Time sync;
    Time transfer;
    Time copy;       ///< of slices, by the axis that moves them
    Time overlapped; ///< of all four: while the core multiplies, so hidden
    Time exposed;    ///< the core has nothing to multiply: the run's end minus compute and its launches

    [[nodiscard]] Time communication() const { return launch + sync + transfer + copy; }
    bool operator==(const Usage&) const = default;

    Usage& operator+=(const Usage& other);
    [[nodiscard]] friend Usage operator*(const Usage& usage, std::int64_t times) {
        return {usage.compute * times, usage.launch * times,     usage.sync * times,   usage.transfer * times,
                usage.copy * times,    usage.overlapped * times, usage.exposed * times};
    }
};
[[nodiscard]] Usage usage(const Timeline& timeline);

/// How long the core or link of each row is busy: a link with what goes round over it too. The row of a link
/// that is dead or missing stands for none: 0.
[[nodiscard]] std::vector<Time> busy_times(const Timeline& timeline);

} // namespace meshslice
