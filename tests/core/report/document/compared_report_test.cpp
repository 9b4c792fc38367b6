// A document about two answers.

#include "core/report/document/compared_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace meshslice {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A time and the band around it.
Answer answer_of(double seconds, double low, double high) {
    Answer answer{{{"time_s", seconds}}, "It takes a while", "Test"};
    answer.trust.bands = {{"time of a step", "time_s", seconds, low, high}};
    return answer;
}

Document both(const Answer& a, const Answer& b) {
    Reported first{.kind = "Test", .own = {{"batch", "128"}, {"engine", "vllm"}}, .answer = &a};
    Reported second{.kind = "Test", .own = {{"batch", "256"}, {"engine", "vllm"}}, .answer = &b};
    return *report_of_both(first, second, "batch 128", "batch 256");
}

const DocumentTable& table_of(const Document& document, const std::string& title) {
    const auto found = std::ranges::find(document.sections, title, &DocumentSection::title);
    return std::get<DocumentTable>(found->blocks.front());
}

/// 4 s (3 to 5) and 8 s (7 to 9) do not overlap: the difference is larger than the bands.
TEST(ComparedReport, SaysThatADifferenceIsLargerThanTheBands) {
    const Document document = both(answer_of(4, 3, 5), answer_of(8, 7, 9));
    EXPECT_EQ(document.number, "Time of a step of B: 2 times as much");
    EXPECT_THAT(document.answer, HasSubstr("The difference is larger than the bands"));
    EXPECT_EQ(document.how, "A: batch 128. B: batch 256.");
}

/// 4 s (3 to 5) and 5 s (4 to 6) overlap from 4 to 5.
TEST(ComparedReport, SaysThatBandsOverlap) {
    const Document document = both(answer_of(4, 3, 5), answer_of(5, 4, 6));
    EXPECT_EQ(document.number, "Time of a step of B: 25% more");
    EXPECT_THAT(document.answer, AllOf(HasSubstr("overlap"), HasSubstr("cannot be distinguished")));
}

TEST(ComparedReport, SaysThatNoBandIsKnown) {
    Answer a{{{"time_s", 4.0}}, "It takes a while", "Test"}, b{{{"time_s", 3.0}}, "It takes less", "Test"};
    const Document document = both(a, b);
    EXPECT_EQ(document.number, "Time of B: 25% less");
    EXPECT_THAT(document.answer, HasSubstr("No measured runs say how far off either may be"));
}

/// Only what differs, and both answers next to each other.
TEST(ComparedReport, HasATableOfWhatDiffers) {
    const Document document = both(answer_of(4, 3, 5), answer_of(8, 7, 9));
    const DocumentTable& differs = table_of(document, "What differs");
    ASSERT_EQ(differs.rows.size(), 1u);
    EXPECT_THAT(differs.rows[0], ElementsAre("batch", "128", "256"));
    const DocumentTable& answers = table_of(document, "Both answers");
    EXPECT_THAT(answers.rows[0],
                ElementsAre("time of a step", HasSubstr("4.00"), HasSubstr("8.00"), "2 times as much"));
    EXPECT_THAT(answers.rows[1][1], AllOf(StartsWith("3.00"), HasSubstr(" to 5.00")));
}

/// What is as it begins in A differs from what B says, by its value.
TEST(ComparedReport, NamesWhatIsAsItBegins) {
    const Answer a = answer_of(4, 3, 5), b = answer_of(8, 7, 9);
    const Reported first{.kind = "Test", .own = {}, .usual = {{"batch", "32"}}, .answer = &a};
    const Reported second{.kind = "Test", .own = {{"batch", "64"}}, .answer = &b};
    const Document document = *report_of_both(first, second, "batch 32", "batch 64");
    EXPECT_THAT(table_of(document, "What differs").rows[0], ElementsAre("batch", "32", "64"));
}

} // namespace
} // namespace meshslice
