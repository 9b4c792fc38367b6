// How close expected and measured times come to ideal ones.

#include "core/base/text/text_table.h"
#include "core/evidence/expected_plan.h"
#include "core/evidence/measured_scenario.h"
#include "core/evidence/near_ideal.h"
#include "core/evidence/own_step.h"
#include "core/evidence/training/training_amounts.h"
#include "core/machine/catalogue.h"
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
        TrainingRow counted = *row;
        counted.count = FlopCount::half_attention;
        const double peak = row->bits == 16 ? row->chip->bf16 : row->chip->fp8;
        const double utilization = counted_flop(counted) / measured_step(*row) / peak;
        EXPECT_LE(closest->times, 0.8 / utilization) << closest->id;
    }
    EXPECT_GT(closest_to_ideal(true)->times, closest_to_ideal(false)->times)
        << "dispatch, combine and small GEMMs keep experts further away";
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
              "The interval is cut at the ideal time, 9.50 s, as the machine's numbers allow nothing "
              "shorter; by the errors of measured runs alone it would begin at 7.00 s.");
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
    EXPECT_THAT(plain_spaces(expected_words(close)),
                testing::AllOf(HasSubstr("No measured run of a model without experts is known to have come "
                                         "this close to its ideal time: 1.010 times it is expected here, and "
                                         "the closest of "),
                               HasSubstr("The interval is cut at the ideal time")));
    Tree values;
    add_expected(values, close);
    EXPECT_NEAR(*values.at("closest_to_ideal")->at("times_ideal_expected")->number(), 1.01, 1e-9);
    read.reading.time.total = seconds / 1.5;
    const ExpectedStep far = expected_of(question, read);
    EXPECT_FALSE(far.closest || far.cut());
    EXPECT_THAT(expected_words(far), Not(HasSubstr("ideal")));
}

} // namespace
} // namespace meshslice
