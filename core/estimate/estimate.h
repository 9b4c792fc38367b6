#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/cost/operation_cost.h"
#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"
#include "core/program/program.h"

#include <array>
#include <cstdint>

namespace meshslice {

/// Communication on one axis, by the parts of its cost.
struct LinkTime {
    Time launch, sync, transfer;
    Time copy; ///< of slices

    [[nodiscard]] Time total() const { return launch + sync + transfer + copy; }
    LinkTime& operator+=(const LinkTime& other);
    friend LinkTime operator*(LinkTime part, std::int64_t times) {
        return {part.launch * times, part.sync * times, part.transfer * times, part.copy * times};
    }
    bool operator==(const LinkTime&) const = default;
};

/// Where the time of a run goes, by closed form. total = prologue + (iterations - 1) x steady + epilogue.
struct Estimate {
    Time prologue; ///< of the first iteration, what comes before its multiplication (and all before the loop)
    Time steady;   ///< one iteration in the steady state
    Time epilogue; ///< of the last iteration, its multiplication and what comes after it
    Time total;

    Time compute; ///< one chip's multiplications together, launches included
    Time launch;  ///< one chip's collectives: both axes added, overlapped or not
    Time sync;
    Time transfer;
    Time copy;                     ///< of slices; nothing where the chip works at a constant rate
    std::array<LinkTime, 3> links; ///< the same four by axis
    std::array<Time, 4> busy;      ///< of each engine by Place (three axes, core), all iterations together
    Time exposed;                  ///< total minus compute: communication that nothing hides
    Time overlapped;               ///< communication that multiplications of other iterations hide, at best

    [[nodiscard]] Time communication() const { return launch + sync + transfer + copy; }
    bool operator==(const Estimate&) const = default;
};

/// The closed form, derived from the program: the longest chain of one iteration is prologue plus epilogue;
/// one iteration of the steady state lasts as long as the slowest cycle of the dependencies (the maximum
/// cycle ratio): with a prefetch depth of 1 or more that is the busiest engine, exactly the paper's maximum
/// over the two collectives and the multiplication; with depth 0 it is the chain of all that wait for each
/// other.
/// Where links and core want more than the memory of a chip that is modelled tile by tile, that chip is
/// followed from change to change; where no chip can stand for all, every chip from operation to operation.
[[nodiscard]] Estimate estimate(const Program& program, const Machine& hardware, const Schedule& schedule);

/// An upper bound for the time of one run, in seconds: every operation after the other. In floating point, so
/// that it can be asked before anything is counted in picoseconds, of which 64 bits hold some 100 days.
[[nodiscard]] double longest_seconds(const Program& program, const Machine& hardware,
                                     const Schedule& schedule);
/// A GEMM that could take longer than a day is refused before a sum over a training step overflows.
inline constexpr double most_countable_seconds = 86'400;
/// The refusal of such a GEMM, which could take so many seconds.
[[nodiscard]] Error too_long(const GemmShape& shape, double seconds);

} // namespace meshslice
