// How well the ratio of two expected times is known.

#include "core/evidence/training/step_ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace meshslice {
namespace {

/// Two rows of each of so many models, all off by e^0.5, the first by 0.02 (k + 1) more than the second.
struct MadeRows {
    explicit MadeRows(int models) {
        for (int k = 0; k < models; ++k) {
            for (const bool more : {true, false}) {
                TrainingRow row;
                row.id = std::to_string(2 * k + (more ? 1 : 0));
                row.group = row.id;
                row.model = "model " + std::to_string(k);
                row.hardware = "chip";
                row.precision = "BF16";
                row.framework = "software";
                row.chip = &chip;
                row.again_told = true;
                fitted.left_out[row.id] = 0.5 + (more ? 0.02 * (k + 1) : 0);
                rows.push_back(row);
            }
        }
    }
    TrainingChip chip;
    FittedTraining fitted;
    std::vector<TrainingRow> rows;
};

/// 0.02, 0.04, ... 0.2, and one group more that may be off by anything: eight of ten of these eleven are the
/// first 8.8, up to 0.18. What all share, a factor of e^0.5, is not in it.
TEST(StepRatio, LeavesOutWhatBothShare) {
    const MadeRows made(10);
    const StepKind kind{"other model", "chip", "BF16"};
    const auto ratio = step_ratio(made.fitted, made.rows, kind, kind);
    ASSERT_TRUE(ratio);
    EXPECT_NEAR(ratio->half, 0.18, 1e-9);
    EXPECT_NEAR(ratio->least_times(), std::exp(0.18), 1e-9);
    EXPECT_EQ(ratio->pairs, 10);
    EXPECT_EQ(ratio->groups, 10);
    EXPECT_TRUE(ratio->model && ratio->chip && ratio->numbers && ratio->software);
}

TEST(StepRatio, IsNotKnownByFewPairs) {
    const MadeRows made(9);
    const StepKind kind{"other model", "chip", "BF16"};
    EXPECT_FALSE(step_ratio(made.fitted, made.rows, kind, kind));
}

TEST(StepRatio, IsNotKnownOfAdaptersNextToAllWeightsOrOfNoModel) {
    const MadeRows made(10);
    const StepKind kind{"other model", "chip", "BF16"};
    StepKind adapters = kind;
    adapters.adapters = true;
    EXPECT_FALSE(step_ratio(made.fitted, made.rows, kind, adapters));
    EXPECT_FALSE(step_ratio(made.fitted, made.rows, {}, {}));
}

/// Half as wide again where the nearest run is another stack's.
TEST(StepRatio, IsWiderFarFromWhatWasMeasured) {
    const MadeRows made(10);
    StepKind far{"other model", "chip", "BF16"};
    far.nearest = 1;
    EXPECT_NEAR(step_ratio(made.fitted, made.rows, far, far)->half, 0.18 * 1.5, 1e-9);
    EXPECT_NEAR(step_ratio(made.fitted, made.rows, far, far)->wider, 1.5, 1e-9);
}

/// Of the shipped rows plans of one model on one chip share most of their error: their ratio is known better
/// than that of two models on two chips, and of independent errors.
TEST(StepRatio, IsKnownBetterWhereMoreIsShared) {
    const StepKind one{"llama3-70b", "H100-SXM-80G", "BF16"};
    const StepKind other_chip{"llama3-70b", "A100-SXM-80G", "BF16"};
    const StepKind other_numbers{"llama3-70b", "H100-SXM-80G", "FP8"};
    const auto same = step_ratio(one, one), chips = step_ratio(one, other_chip),
               numbers = step_ratio(one, other_numbers);
    ASSERT_TRUE(same && chips && numbers);
    EXPECT_GT(same->groups, 20);
    EXPECT_GT(same->half, 0.03);
    EXPECT_LT(same->half, 0.14) << "the errors of single times";
    EXPECT_LT(same->half, numbers->half);
    EXPECT_LT(same->half, chips->half);
}

} // namespace
} // namespace meshslice
