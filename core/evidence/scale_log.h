#pragma once

#include "core/evidence/expected_plan.h"
#include "core/plan/search/plan_question.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// Which batch a run has on other numbers of chips than its own.
enum class ScaledBatch : std::uint8_t {
    per_chip, ///< as many samples for each chip
    whole     ///< as many for all of them
};

/// A measured run of a model's family next to a number of chips.
struct MeasuredAtScale {
    std::string id, model, hardware;
    std::string precision = {}; ///< as its source calls it, "FP8"; empty in 16 bits
    std::int64_t chips = 0;
    double utilization = 0; ///< MFU with attention counted half, of the bf16 peak

    bool operator==(const MeasuredAtScale&) const = default;
};

/// The run on one number of chips.
struct ScaleRow {
    std::int64_t chips = 1, batch = 1;
    std::optional<RankedPlan> best = {}; ///< none where there is no plan
    ExpectedStep expected = {};
    std::vector<MeasuredAtScale> measured = {};
    std::string objection = {}; ///< why there is none

    /// MFU of the expected step; 0 where nothing is expected.
    [[nodiscard]] double expected_utilization() const;
};

/// What changes from few chips to many.
struct ScaleLog {
    PlanQuestion question;
    ScaledBatch batch = ScaledBatch::per_chip;
    double capacity = 0; ///< bytes of a chip's memory
    std::vector<ScaleRow> rows;
};

/// Numbers of chips, doubled each time.
[[nodiscard]] std::vector<std::int64_t> doubled_chips(std::int64_t from, std::int64_t to);

/// Searches as answer() does on each number of chips, with the batch of the question's own number or as much
/// for each chip, and takes of the first plans that fit the one that is expected to be the fastest. That some
/// number leaves no plan is part of the answer. Refuses what plan_model() refuses.
[[nodiscard]] Result<ScaleLog> scale_log(const PlanQuestion& question, const std::vector<std::int64_t>& chips,
                                         ScaledBatch batch, const RunControl& control = {});

/// The measured runs of the family of a model's name ("llama" of "llama-3-70b") on a chip of a machine's
/// family, on up to 1.4 times as many or as few chips: the machine's own chip first, then numbers of as many
/// bits as the question's, then the nearest in weights; of one model one. None of proxies with fewer layers.
[[nodiscard]] std::vector<MeasuredAtScale> measured_at_scale(const PlanQuestion& question, std::int64_t chips,
                                                             std::size_t most);

} // namespace meshslice
