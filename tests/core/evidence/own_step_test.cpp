#include "core/base/text/text_table.h"
#include "core/evidence/own_step.h"
#include "core/report/summary/own_step_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

/// 10 s, 8 to 13: 7 s compute, 2 s bubble, 1 s optimizer.
ExpectedStep ten_seconds() {
    ExpectedStep expected{10, 8, 13, {}, {}, {}};
    expected.parts.compute = 7;
    expected.parts.bubble = 2;
    expected.parts.optimizer = 1;
    expected.parts.total = 10;
    return expected;
}

std::string sentence(const OwnStep& own, std::size_t which) {
    return plain_spaces(own_step_sentences(own).at(which));
}

/// 2 s more: compute would take 9 / 7, the bubble 4 / 2, the optimizer 3 / 1 as long.
TEST(OwnStep, SaysWhichPartWouldExplainALongerStep) {
    const OwnStep own = own_step(12, ten_seconds());
    EXPECT_DOUBLE_EQ(own.ratio, 1.2);
    EXPECT_TRUE(own.inside);
    ASSERT_EQ(own.parts.size(), 3u);
    EXPECT_DOUBLE_EQ(own.parts[0].times, 9.0 / 7);
    EXPECT_DOUBLE_EQ(own.parts[1].times, 2.0);
    EXPECT_DOUBLE_EQ(own.parts[2].times, 3.0);
    EXPECT_THAT(sentence(own, 0), HasSubstr("1.20x the expected 10.0 s, inside"));
    EXPECT_THAT(sentence(own, 1), HasSubstr("2.00x as long"));
    EXPECT_THAT(sentence(own, 2), HasSubstr("12.0 s / 10.0 s = 1.20x"));
}

/// 2 s of 8 s are a quarter. 2 s of 1 s cannot be; a shorter step hides nothing less.
TEST(OwnStep, SaysHowMuchOfHiddenCommunicationWouldBeExposed) {
    ExpectedStep expected = ten_seconds();
    expected.parts.hidden = 8;
    EXPECT_THAT(sentence(own_step(12, expected), 1), HasSubstr("Or 25% of the 8.00 s of communication"));
    EXPECT_THAT(sentence(own_step(9, expected), 1), Not(HasSubstr("communication that")));
    expected.parts.hidden = 1;
    EXPECT_THAT(sentence(own_step(12, expected), 1), Not(HasSubstr("communication that")));
}

/// 3 s less: neither bubble nor optimizer takes as long as that.
TEST(OwnStep, LeavesOutPartsThatAreTooShort) {
    const OwnStep own = own_step(7, ten_seconds());
    EXPECT_FALSE(own.inside);
    EXPECT_THAT(own.parts, ElementsAre(Field(&GapPart::seconds, 7)));
    EXPECT_DOUBLE_EQ(own.parts[0].times, 4.0 / 7);
    EXPECT_THAT(sentence(own, 0), HasSubstr("0.70x the expected 10.0 s, outside"));
}

/// Only 1 s is left of 10: no part is 9 s long.
TEST(OwnStep, SaysThatNoPartExplainsTheGap) {
    EXPECT_THAT(own_step_sentences(own_step(1, ten_seconds()))[1], HasSubstr("No part alone"));
}

TEST(OwnStep, MovesOtherPlansAndNeverWidensTheirInterval) {
    ExpectedStep timed = ten_seconds();
    timed.kind = {"llama3-70b", "H100-SXM-80G", "BF16"};
    const OwnStep own = own_step(12, timed);
    ASSERT_TRUE(own.to_others);
    const double times = std::exp(own.to_others->half);
    const ExpectedStep wide{20, 10, 40, {}, {}, {}};
    const ExpectedStep other = narrowed(wide, own);
    EXPECT_DOUBLE_EQ(other.seconds, 24);
    EXPECT_DOUBLE_EQ(other.low, 24 / times);
    EXPECT_DOUBLE_EQ(other.high, 24 * times);
    EXPECT_DOUBLE_EQ(own.low, std::max(8 * 1.2, 12 / times));
    const ExpectedStep narrow{20, 19.99, 20.01, {}, {}, {}};
    EXPECT_DOUBLE_EQ(narrowed(narrow, own).low, 19.99 * 1.2);
    EXPECT_DOUBLE_EQ(narrowed(narrow, own).high, 20.01 * 1.2);
    ExpectedStep unknown;
    unknown.reason = "No run.";
    EXPECT_EQ(narrowed(unknown, own), unknown);
}

/// Where no pairs of runs are known, another plan's interval keeps its width.
TEST(OwnStep, KeepsTheWidthWhereNoRatioIsKnown) {
    const OwnStep own = own_step(12, ten_seconds());
    EXPECT_FALSE(own.to_others);
    EXPECT_DOUBLE_EQ(narrowed({20, 10, 40, {}, {}, {}}, own).low, 10 * 1.2);
}

} // namespace
} // namespace meshslice
