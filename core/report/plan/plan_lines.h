#pragma once

#include "core/plan/search/plan_question.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// "1D: dp 32 x pp 64 x tp 8x1, micro-batch 1, ZeRO 1"
[[nodiscard]] std::string plan_name(const Plan& plan);
/// The two parts of it: "2D: dp 4 x pp 32 x tp 2x4", and how it runs, "micro-batch 1, panels 16, 2 chunks
/// interleaved, ZeRO 3": its sharding wherever chips share weights, the rest where it is not as usual.
[[nodiscard]] std::string split_name(const Plan& plan);
[[nodiscard]] std::string further_words(const Plan& plan);
/// "57.0 GB of 192 GB per chip"
[[nodiscard]] std::string memory_of_chip(const RankedPlan& one, double capacity);
/// What a reading takes its time for, and each part of its memory, as rows of words for a terminal:
/// "compute", "1.72 s", "53%".
struct PlanPart {
    std::string name;
    double amount = 0; ///< seconds or bytes
    double share = 0;  ///< of the whole
};
[[nodiscard]] std::vector<PlanPart> time_parts(const RankedPlan& plan);
[[nodiscard]] std::vector<PlanPart> memory_parts(const PlanReading& reading);

/// "1 micro-batch", "4 micro-batches".
[[nodiscard]] std::string micro_batches_words(std::int64_t count);

/// All there is to say about a plan, line by line.
[[nodiscard]] std::string plan_lines(const RankedPlan& one, double capacity);

[[nodiscard]] bool is_loaded(const PlanAnswer& answer, const RankedPlan& one);
/// Of the training that the question says, in steps of so many seconds.
[[nodiscard]] double days_of_training(const PlanAnswer& answer, double step);

} // namespace meshslice
