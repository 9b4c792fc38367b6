#pragma once

#include "core/base/run_control.h"
#include "core/search/vary.h"
#include "core/step/training_step.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace meshslice {

/// The same scenario again and again, with one field or two taking one value after another.
struct Sweep {
    Scenario scenario;
    std::vector<Vary> fields; ///< one or two; of two the second changes faster
    Depth depth = Depth::estimate;

    [[nodiscard]] std::size_t size() const;
    bool operator==(const Sweep&) const = default;
};

/// One scenario of a sweep and how its step does, or the sentence why it does not run.
struct SweepPoint {
    std::vector<FieldValue> values;  ///< of each field, as asked for
    std::vector<FieldValue> results; ///< of each field, as the scenario has it: a factor's number
    Time time;
    Flop flop; ///< of all chips together
    double utilization = 0;
    Time compute;
    Time exposed;
    double hidden_share = 0;
    Bytes memory;   ///< of one chip
    Bytes capacity; ///< that it has
    bool fits = true;
    std::int64_t least_slices = 0; ///< of its GEMMs
    std::int64_t most_slices = 0;
    std::string objection;

    [[nodiscard]] bool runs() const { return objection.empty(); }
    bool operator==(const SweepPoint&) const = default;
};

/// Refused where there is nothing to vary, a field varies twice, one has no effect in any point, or there are
/// too many points.
[[nodiscard]] Result<void> checked(const Sweep& sweep);

/// The values of a sweep's point, counted from 0.
[[nodiscard]] std::vector<FieldValue> values_at(const Sweep& sweep, std::size_t point);
/// The scenario with values of these fields, set in the order of the table: hardware before its numbers.
/// Where the hardware is one of them, the edits of the scenario's own are made on it too.
[[nodiscard]] Result<Scenario> with_values(const Scenario& scenario, const std::vector<Vary>& fields,
                                           const std::vector<FieldValue>& values);
/// What the points share: the scenario where the numbers that vary are the preset's and all else that varies
/// has its first value. The same whichever point it was taken from.
[[nodiscard]] Scenario shared_by_points(const Sweep& sweep);
/// The scenario of a point. Refused where a field cannot have its value there.
[[nodiscard]] Result<Scenario> scenario_at(const Sweep& sweep, std::size_t point);

/// Takes one point after the other, in the order of the sweep, from any thread but never from two at once.
using TakePoint = std::function<void(const SweepPoint& point)>;

/// Estimates or simulates the points from `from` on, the number of those that are done already, several at
/// a time; each is handed over as soon as all before it are. Points that do not run are points like any
/// other. Simulations run one after another, each on all cores, as each may fill the memory. Refused
/// where checked() refuses, or when stopped; what was handed over stays good then, and a later run can go on
/// from there.
[[nodiscard]] Result<void> run_sweep(const Sweep& sweep, const TakePoint& take, std::size_t from = 0,
                                     const RunControl& control = {}, unsigned threads = 0);

} // namespace meshslice
