#include "core/base/text.h"
#include "core/evidence/own_step.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/loaded_plan.h"
#include "core/report/chart/svg/palette.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_charts.h"
#include "core/report/plan/plan_headline.h"
#include "core/report/plan/plan_table.h"
#include "core/report/summary/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// They stand next to each other in one bar: two of one colour would be one.
TEST(ExpectedParts, HaveColoursOfTheirOwn) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        std::vector<Rgb> seen;
        for (const ExpectedPart& part : expected_parts({})) {
            const Rgb its = rgb(part.role, theme);
            EXPECT_EQ(std::ranges::count(seen, its), 0) << part.name;
            seen.push_back(its);
        }
    }
}

/// Llama 3 8B on 16 H100, whose plans are ranked by expected time.
class ExpectedFirst : public ::testing::Test {
  protected:
    ExpectedFirst() {
        Scenario scenario = default_scenario();
        scenario.hardware = *machine_preset("h100");
        scenario.model = *model_preset("llama-3-8b");
        scenario.sequence = 8192;
        scenario.batch = 64;
        scenario.planning.chips = 16;
        scenario.planning.tokens = 1'000'000'000'000;
        scenario.plan.split.strategy = "1d";
        const AskedPlans asked = *asked_plans(scenario);
        answer = *meshslice::answer(asked, 4, {}, {}, ranks_by(asked.question));
        for (const RankedPlan& one : answer.plans()) {
            expected.push_back(expected_of(answer.question, one));
        }
    }
    PlanAnswer answer;
    std::vector<ExpectedStep> expected;
};

/// The number and its bar are the expected step's, and the ideal time stands below, with its own share of the
/// peak: both have the same FLOP, so the shares are as the times, the other way round.
TEST_F(ExpectedFirst, TheSummaryHasTheExpectedTimeAsItsNumber) {
    ASSERT_TRUE(expected.front().known());
    const Summary made = plan_summary(answer, expected.front());
    const double ideal = answer.best().reading.time.total;
    EXPECT_EQ(made.seconds, expected.front().seconds);
    EXPECT_GT(made.seconds, ideal);
    EXPECT_THAT(made.expected, HasSubstr("in eight of ten"));
    EXPECT_THAT(made.ideal, HasSubstr("ideal: " + seconds_text(ideal)));
    double sum = 0;
    for (const SummaryPart& part : made.time) {
        sum += part.amount;
    }
    EXPECT_NEAR(sum, made.seconds, 1e-9 * sum);
    EXPECT_THAT(made.of_peak,
                HasSubstr(percent_text(answer.best().reading.utilization * ideal / made.seconds)));
    EXPECT_THAT(made.bound, HasSubstr("of the expected step"));
    EXPECT_THAT(made.not_counted, testing::Not(HasSubstr("stragglers"))) << "the expected step has them";
}

/// In the order of ideal times, and where nothing is asked of measured runs, that is the number.
TEST_F(ExpectedFirst, TheIdealTimeIsTheNumberWherePlansAreRankedByIt) {
    answer.question.split.rank = PlanOrder::ideal;
    const Summary made = plan_summary(answer, expected.front());
    EXPECT_EQ(made.seconds, answer.best().reading.time.total);
    EXPECT_EQ(made.expected, "");
    EXPECT_THAT(made.bound, HasSubstr("of the ideal step"));
}

/// Each bar is an expected step, the thin one next to it the ideal one, and whiskers have the interval.
TEST_F(ExpectedFirst, BarsOfPlansAreExpectedStepsWithTheirIntervals) {
    const Chart chart = plan_bars(answer, std::nullopt, {}, expected);
    const ChartPanel& panel = chart.panels.front();
    ASSERT_EQ(panel.y.spans.size(), panel.y.categories.size());
    for (std::size_t k = 0; k < panel.y.categories.size(); ++k) {
        const auto place = static_cast<std::size_t>(panel.y.items[k]);
        const RankedPlan one = answer.plans()[place];
        if (!one.reading.fits || !expected[place].known()) {
            continue;
        }
        EXPECT_NEAR(stack_sum(panel, k).value(), expected[place].seconds, 1e-9 * expected[place].seconds);
        EXPECT_EQ(stack_sum(panel, k, true).value(), one.reading.time.total);
        EXPECT_EQ(panel.y.spans[k], std::optional(std::pair(expected[place].low, expected[place].high)));
        EXPECT_EQ(stack_end(panel, k), expected[place].high);
    }
    EXPECT_THAT(chart.title, HasSubstr(seconds_text(expected.front().seconds) + " a step expected"));
    EXPECT_GE(value_range(panel, true)->second, expected.front().high) << "the whisker has room";
}

/// A step of the chosen plan of twice what is expected doubles what is expected of each plan.
TEST_F(ExpectedFirst, AMeasuredStepOfTheChosenPlanCorrectsEach) {
    ASSERT_GE(answer.search.ranked.size(), 2u);
    for (const bool pinned : {false, true}) {
        answer.loaded = pinned ? std::optional(answer.search.ranked[1]) : std::nullopt;
        const double twice = 2 * expected[pinned ? 1 : 0].seconds;
        for (std::size_t k : {0U, 1U}) {
            const ExpectedStep its = corrected_of(answer, answer.search.ranked[k], twice);
            EXPECT_NEAR(its.seconds, 2 * expected[k].seconds, 1e-9 * twice);
            EXPECT_EQ(corrected_of(answer, answer.search.ranked[k], std::nullopt), expected[k]);
        }
    }
    answer.loaded = answer.best();
    answer.loaded->plan.tensor1 = answer.loaded->plan.tensor2 = 2; // of which nothing is expected
    EXPECT_EQ(own_step_of(answer, 10), std::nullopt);
    EXPECT_EQ(corrected_of(answer, answer.best(), 10), expected.front());
}

/// Twice the times: the reason names the same part, of twice as many seconds, and parts still add up.
TEST_F(ExpectedFirst, ReasonsNextToCorrectedTimesAreCorrectedToo) {
    ASSERT_GE(answer.search.ranked.size(), 2u);
    const RankedPlan& best = answer.search.ranked[0];
    const RankedPlan& next = answer.search.ranked[1];
    const double twice = 2 * expected[0].seconds;
    const ExpectedStep of_best = corrected_of(answer, best, twice), its = corrected_of(answer, next, twice);
    double sum = 0;
    for (const ExpectedPart& part : expected_parts(its)) {
        sum += part.seconds;
    }
    EXPECT_NEAR(sum, its.seconds, 1e-9 * sum);
    const std::vector<ExpectedPart> before = expected_parts(expected[1]), after = expected_parts(its);
    const std::vector<ExpectedPart> first = expected_parts(expected[0]);
    double largest = 0;
    std::string name;
    for (std::size_t k = 0; k < before.size(); ++k) {
        EXPECT_NEAR(after[k].seconds, 2 * before[k].seconds, 1e-9 * twice) << before[k].name;
        if (before[k].seconds - first[k].seconds > largest) {
            largest = before[k].seconds - first[k].seconds;
            name = before[k].name;
        }
    }
    ASSERT_GT(largest, 0);
    EXPECT_THAT(why_behind_expected(best, of_best, next, its, answer.capacity),
                HasSubstr(seconds_text(2 * largest) + " more of " + name));
}

TEST_F(ExpectedFirst, TheHeadlineAndTheSectionsSayBothTimes) {
    const PlanHeadline headline = plan_headline(answer, std::nullopt, expected.front());
    EXPECT_EQ(headline.big, seconds_text(expected.front().seconds) + " a step expected");
    EXPECT_THAT(headline.small,
                AllOf(HasSubstr("in eight of ten; ideal: " + seconds_text(answer.best().reading.time.total)),
                      HasSubstr(" for 1.00\u2009T tokens")));
    const std::vector<PlanSection> sections =
        plan_sections(answer, answer.best(), std::nullopt, expected.front());
    EXPECT_THAT(sections[0].lines.front(), HasSubstr("of the expected step"));
    EXPECT_THAT(sections[1].heading, HasSubstr("Expected step: "));
    EXPECT_THAT(sections[2].heading, HasSubstr("Ideal step: "));
}

/// A pinned plan compares with the best found by what is expected of both.
TEST_F(ExpectedFirst, APinnedPlanComparesByExpectedTimes) {
    ASSERT_GE(answer.search.ranked.size(), 2u);
    answer.loaded = answer.search.ranked[1];
    const std::string words = loaded_finding(answer, expected[1], expected[0]);
    EXPECT_THAT(words, HasSubstr(seconds_text(expected[1].seconds) + " a step expected, "));
    EXPECT_THAT(words, HasSubstr(percent_text(expected[1].seconds / expected[0].seconds - 1) +
                                 " slower than the best found."));
}

/// Fewer chips are taken where a step is expected to be faster with them, and the times said are expected
/// ones.
TEST_F(ExpectedFirst, FewerChipsAreTakenByExpectedTime) {
    PlanQuestion question = answer.question;
    question.split.fewer_chips = true;
    question.chips = 11; // of which a batch of 8 fills 8, and 11 stages have a bubble
    question.batch = 8;
    const Result<PlanAnswer> found = meshslice::answer(question, 1, {}, {}, ranks_by(question));
    ASSERT_TRUE(found) << found.error().sentence;
    ASSERT_TRUE(found->taken);
    ASSERT_LT(found->taken->taken, 11);
    EXPECT_TRUE(found->taken->expected);
    EXPECT_EQ(found->taken->time, expected_step(found->question, found->best().plan).seconds);
    EXPECT_THAT(chips_taken_words(*found->taken), HasSubstr("a step is expected to take "));
}

} // namespace
} // namespace meshslice
