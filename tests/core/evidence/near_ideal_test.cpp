// How close expected and measured times come to ideal ones.

#include "core/base/text/text_table.h"
#include "core/evidence/expected_plan.h"
#include "core/evidence/measured_scenario.h"
#include "core/evidence/near_ideal.h"
#include "core/evidence/own_step.h"
#include "core/evidence/training/training_amounts.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/report/summary/expected_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::Not;

/// No run was faster than its ideal time. Large GEMMs are taken to reach 80% of the peak of an H100 or a
/// GB200, so that a run with an MFU of u took at most 0.8 / u times its ideal time; parts that are not GEMMs
/// make the ideal time longer.
TEST(NearIdeal, TheClosestRunTookNoLessThanItsIdealTime) {
    for (const bool experts : {false, true}) {
        const std::optional<ClosestToIdeal> closest = closest_to_ideal(experts);
        ASSERT_TRUE(closest);
        EXPECT_GT(closest->runs, experts ? 50 : 200);
        EXPECT_GE(closest->times, 1);
        const TrainingRow* row = measured_run(closest->id);
        ASSERT_NE(row, nullptr);
        EXPECT_EQ(row->experts > 0, experts);
        EXPECT_EQ(closest->times, measured_step(*row) / shortest_ideal(*row).value());
        TrainingRow counted = *row;
        counted.count = FlopCount::half_attention;
        const double peak = row->bits == 16 ? row->chip->bf16 : row->chip->fp8;
        const double utilization = counted_flop(counted) / measured_step(*row) / peak;
        EXPECT_LE(closest->times, 0.8 / utilization) << closest->id;
    }
    EXPECT_GT(closest_to_ideal(true)->times, closest_to_ideal(false)->times)
        << "dispatch, combine and small GEMMs keep experts further away";
}

/// MPT 70B on 256 H100, which share its weights and compute all of it again: 2048 x 2048 tokens, 16384 a
/// chip, times 8 FLOP for each of the 80 x 12 x 8192^2 weights of its layers, 8.444e15; half of the scores, 4
/// times 2 x 2048 x 8192 FLOP for each token and layer, 0.176e15; and the head, 6 FLOP for each of 8192 x
/// 50368 weights, 0.041e15. At 80% of 989.4 TFLOP/s that is 10.94 s. Vectors pass HBM, of a layer and token 2
/// x 4 x 8192 numbers of its activation function and 10 x 8192 of norms and sums, in 2 bytes, 4 times: 0.46 s
/// at 3.35 TB/s. What nothing hides of the gathers, and passes that this leaves out, are at most as much
/// again.
TEST(NearIdeal, TheIdealTimeOfARunIsAsItIsByHand) {
    const TrainingRow* row = measured_run("T0002");
    ASSERT_NE(row, nullptr);
    EXPECT_NEAR(shortest_ideal(*row).value(), 11.40, 0.46);
}

TEST(NearIdeal, TheClosestRunIsNamedToWhatIsCloser) {
    for (const bool experts : {false, true}) {
        const std::optional<ClosestToIdeal> closest = closest_to_ideal(experts);
        ASSERT_TRUE(closest);
        EXPECT_EQ(closest_above(closest->times * 0.999, experts), closest);
        EXPECT_EQ(closest_above(closest->times, experts), std::nullopt);
        EXPECT_EQ(closest_above(3, experts), std::nullopt);
    }
}

/// 10 s, 7 to 14: nothing is shorter than the ideal 9.5 s, and how wide it is stays as it was.
TEST(NearIdeal, AnIntervalIsCutAtTheIdealTime) {
    ExpectedStep expected{10, 7, 14, {}, {}, {}};
    const double width = expected.width();
    cut_at_ideal(expected);
    EXPECT_EQ(expected.low, 7) << "no ideal time is known";
    expected.ideal = 9.5;
    cut_at_ideal(expected);
    EXPECT_EQ(expected.low, 9.5);
    EXPECT_EQ(expected.low_by_errors, 7);
    EXPECT_EQ(expected.high, 14);
    EXPECT_EQ(expected.width(), width);
    EXPECT_EQ(plain_spaces(cut_words(expected)),
              "The interval is cut at the ideal time, 9.50 s, as nothing is expected below what this plan "
              "takes by the machine's numbers and the overlap that is asked for; by the errors of measured "
              "runs alone it would begin at 7.00 s.");
    Tree values;
    add_expected(values, expected);
    EXPECT_EQ(*values.at("time_low_cut_at"), Tree("ideal"));
    EXPECT_EQ(values.at("time_low_by_errors_s")->number(), std::optional(7.0));
}

/// A step of half of what is expected refutes the ideal time: what it corrects is not cut there. One of 1.2
/// times as long moves the interval, 7 to 14 s before it was cut, to 8.4 to 16.8 s, and the cut stays.
TEST(NearIdeal, AMeasuredStepMovesTheIntervalBeforeItIsCut) {
    ExpectedStep expected{10, 7, 14, {}, {}, {}};
    expected.ideal = 9.5;
    cut_at_ideal(expected);
    const ExpectedStep longer = narrowed(expected, own_step(12, expected));
    EXPECT_DOUBLE_EQ(longer.low, 9.5);
    EXPECT_DOUBLE_EQ(longer.low_by_errors, 8.4);
    EXPECT_DOUBLE_EQ(longer.high, 16.8);
    const ExpectedStep shorter = narrowed(expected, own_step(5, expected));
    EXPECT_DOUBLE_EQ(shorter.low, 3.5);
    EXPECT_FALSE(shorter.cut());
}

/// 1% above the ideal time is nearer than any measured run came, and half as long again is not.
TEST(NearIdeal, SaysThatNoMeasuredRunCameAsClose) {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 16;
    question.machine = *machine_preset("h100-nvs8");
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    RankedPlan read;
    read.plan.data = read.plan.placement.data = 8;
    read.plan.micro_batch = 2;
    read.plan.zero = 3;
    read.plan.recompute = Recompute::attention;
    const double seconds = expected_step(question, read.plan).seconds;
    read.reading.time.total = seconds / 1.01;
    const ExpectedStep close = expected_of(question, read);
    ASSERT_TRUE(close.closest);
    EXPECT_GT(close.closest->times, 1.01);
    EXPECT_EQ(close.low, read.reading.time.total);
    EXPECT_THAT(
        plain_spaces(expected_words(close)),
        testing::AllOf(HasSubstr("No measured run of a model without experts is known to have come "
                                 "this close to its ideal time: 1.010 times it is expected here. Of "),
                       HasSubstr("runs the closest took at most "),
                       HasSubstr("The interval is cut at the ideal time")));
    Tree values;
    add_expected(values, close);
    EXPECT_NEAR(*values.at("closest_to_ideal")->at("times_ideal_expected")->number(), 1.01, 1e-9);
    read.reading.time.total = seconds / 1.5;
    const ExpectedStep far = expected_of(question, read);
    EXPECT_FALSE(far.closest || far.cut());
    EXPECT_THAT(expected_words(far), Not(HasSubstr("ideal")));
    // The ideal times of measured runs are with the usual overlaps and shares of the peak.
    read.reading.time.total = seconds / 1.01;
    PlanQuestion other = question;
    other.split.tensor_overlap = true;
    EXPECT_FALSE(expected_of(other, read).closest);
    other = question;
    other.split.data_overlap = false;
    EXPECT_FALSE(expected_of(other, read).closest);
    other = question;
    EXPECT_TRUE(edit(other.machine, machine_number("effective_fraction_of_peak"), Factor{0.9}));
    EXPECT_FALSE(expected_of(other, read).closest);
    EXPECT_TRUE(edit(other.machine, machine_number("effective_fraction_of_peak"), Factor{1}));
    EXPECT_TRUE(expected_of(other, read).closest);
}

/// A plan is read before anything is expected of it, and one for another number of chips has no ideal time.
TEST(NearIdeal, APlanThatDoesNotSuitItsQuestionHasNoIdealTime) {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 16;
    question.machine = *machine_preset("h100-nvs8");
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    Plan plan;
    plan.data = plan.placement.data = 8;
    plan.micro_batch = 2;
    plan.zero = 3;
    plan.recompute = Recompute::full;
    const ExpectedStep read = expected_of(question, plan);
    EXPECT_GT(read.ideal, 0);
    EXPECT_LE(read.ideal, read.seconds);
    question.chips = 16;
    const ExpectedStep other = expected_of(question, plan);
    EXPECT_EQ(other.ideal, 0);
    EXPECT_GT(other.seconds, 0);
}

} // namespace
} // namespace meshslice
