#pragma once

#include "core/plan/search/plan_search.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// How many of its chips a run takes where it may take fewer.
struct ChipsTaken {
    std::int64_t asked = 1; ///< chips that there are
    std::int64_t taken = 1; ///< of them, with which a step is fastest
    std::size_t tried = 1;  ///< numbers of chips that were searched
    double time = 0;        ///< seconds of a step with those taken, expected ones where they are known
    std::optional<double> with_all = {}; ///< with all; none where no plan for all of them fits
    std::int64_t copies = 1;             ///< data-parallel copies of the best plan with those taken
    std::int64_t copies_of_all = 1;      ///< and with all
    bool expected = false;               ///< both times are expected ones
    std::string loss = {}; ///< where the best plan with all loses time against that of the taken

    bool operator==(const ChipsTaken&) const = default;
};

/// Numbers of chips up to the space's that data-parallel copies which divide the batch fill with whole
/// pipelines, those that leave the least idle first; the space's own is the first.
[[nodiscard]] std::vector<std::int64_t> chips_worth_trying(const TrainingRun& run, const PlanSpace& space);

/// A new one for each search, as searches go on at a time.
using MakeExpected = std::function<ExpectedSeconds()>;
/// Searches the space for each of chips_worth_trying(), by expected time where `expected` makes any, and
/// takes the number with which that is least; else the one with the least ideal time. Refuses what
/// search_plans() refuses for all of them.
[[nodiscard]] Result<ChipsTaken> chips_taken(const PlanModel& model, const PlanSpace& space,
                                             const RunControl& control = {},
                                             const MakeExpected& expected = {});
/// "1000 of 1024 chips: with all of them a step takes 801 ms, 257 ms more of the pipeline's bubble."
[[nodiscard]] std::string chips_taken_words(const ChipsTaken& taken);

} // namespace meshslice
