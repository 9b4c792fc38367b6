#pragma once

#include "core/plan/search/plan_search.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// How many of its chips a run takes where it may take fewer.
struct ChipsTaken {
    std::int64_t asked = 1;              ///< chips that there are
    std::int64_t taken = 1;              ///< of them, with which a step is fastest
    std::size_t tried = 1;               ///< numbers of chips that were searched
    double time = 0;                     ///< seconds of a step with those taken
    std::optional<double> with_all = {}; ///< with all; none where no plan for all of them fits
    std::int64_t copies = 1;             ///< data-parallel copies of the best plan with those taken
    std::int64_t copies_of_all = 1;      ///< and with all
    std::string loss = {}; ///< where the best plan with all loses time against that of the taken

    bool operator==(const ChipsTaken&) const = default;
};

/// Numbers of chips up to the space's that data-parallel copies which divide the batch fill with whole
/// pipelines, those that leave the least idle first; the space's own is the first.
[[nodiscard]] std::vector<std::int64_t> chips_worth_trying(const TrainingRun& run, const PlanSpace& space);

/// Searches the space for each of chips_worth_trying(). Refuses what search_plans() refuses for all of them.
[[nodiscard]] Result<ChipsTaken> chips_taken(const PlanModel& model, const PlanSpace& space,
                                             const RunControl& control = {});
/// "1000 of 1024 chips: with all of them a step takes 801 ms, 257 ms more of the pipeline's bubble."
[[nodiscard]] std::string chips_taken_words(const ChipsTaken& taken);

} // namespace meshslice
