#pragma once

#include "core/base/quantity.h"
#include "core/run/stretch.h"
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

/// How long a chip's memory was kept busy, averaged over the chips: as if the whole of it served one stream
/// at a time, so that with a policy that shares it both together are no longer than the run.
struct MemoryUsage {
    Time gemm;          ///< by what GEMMs write
    Time communication; ///< by what the collectives that they feed read and update
    Time collectives;   ///< by what other collectives read and write

    bool operator==(const MemoryUsage&) const = default;
};
/// 0 where memories were not recorded (see Timeline::served()).
[[nodiscard]] MemoryUsage memory_usage(const Timeline& timeline);

/// The same of the part of a run that lies within a stretch: exposed is the time within it in which the core
/// has nothing to multiply.
[[nodiscard]] Usage usage(const Timeline& timeline, Stretch within);

/// How long the core or link of each row is busy: a link with what goes round over it too. The row of a link
/// that is dead or missing stands for none: 0.
[[nodiscard]] std::vector<Time> busy_times(const Timeline& timeline);
[[nodiscard]] std::vector<Time> busy_times(const Timeline& timeline, Stretch within);

/// The bytes that the link of each row carries within a stretch, with what goes round over it; of a transfer
/// that is cut by the share of its time that lies within. Cores, and links that are dead or missing, carry 0.
[[nodiscard]] std::vector<double> carried_bytes(const Timeline& timeline, Stretch within);

/// What a run does within a stretch. What is under way at an edge counts by the share of its time that lies
/// within: of a transfer that is cut in the middle half the bytes, of a multiplication half the FLOP.
struct StretchUse {
    Time length;     ///< of the part of the stretch in which the run is under way
    Usage usage;     ///< within it, averaged over the chips
    Time links_busy; ///< launching, synchronizing, transferring or copying: averaged over the links there are
    Bytes moved;     ///< sent by all chips together; what goes round a dead link counts once
    Flop flop;       ///< of all chips together

    bool operator==(const StretchUse&) const = default;
    StretchUse& operator+=(const StretchUse& other);
    [[nodiscard]] friend StretchUse operator*(const StretchUse& use, std::int64_t times) {
        return {use.length * times, use.usage * times, use.links_busy * times, use.moved * times,
                use.flop * times};
    }
};
[[nodiscard]] StretchUse stretch_use(const Timeline& timeline, Stretch within);

} // namespace meshslice
