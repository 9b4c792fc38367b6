#include "core/question/catalogue/study/study_trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// 10% above and 40% below: 25% apart on average, and the second is the worst. A number that is not judged
/// does not count.
TEST(StudyTrust, SaysMeanAndWorstDeviation) {
    const AnswerTrust trust = trust_of_published({{"speed-up of A", "1.00x", "1.10x", "estimated", 0.1},
                                                  {"speed-up of B", "1.00x", "0.60x", "estimated", -0.4},
                                                  {"of another machine", "1.00x", "9.00x"}},
                                                 {{"A leads", true}, {"B leads", false}, {"C leads"}});
    EXPECT_THAT(
        trust.sentences,
        ElementsAre("2 published numbers are compared with ours: 25.0% apart on average, -40.0% where "
                    "they differ most (speed-up of B).",
                    "1 of 2 published statements hold here."));
    ASSERT_EQ(trust.tables.size(), 2u);
    EXPECT_EQ(trust.tables[0].rows[1][3], Table::Cell(-0.4));
    EXPECT_EQ(trust.tables[0].rows[2][3], Table::Cell(std::string("not judged")));
    EXPECT_EQ(trust.tables[1].rows[1][1], Table::Cell(std::string("no")));
}

TEST(StudyTrust, SaysNothingWhereNothingWasPublished) {
    const AnswerTrust trust = trust_of_published({}, {});
    EXPECT_THAT(trust.sentences, IsEmpty());
    EXPECT_THAT(trust.tables, IsEmpty());
}

} // namespace
} // namespace meshslice
