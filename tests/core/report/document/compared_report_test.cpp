// A document about two answers.

#include "core/base/text/text_table.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/plan/search/loaded_plan.h"
#include "core/report/document/compared_report.h"
#include "core/report/document/summarized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace meshslice {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
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

/// 4 s (3 to 5: ln 4/3 = 0.288) and 8 s (7 to 9: ln 8/7 = 0.134): independent errors add up to the root of
/// their squares, 0.317, a factor of 1.37, and 8 is twice 4.
TEST(ComparedReport, SaysThatADifferenceIsLargerThanTheError) {
    const Document document = both(answer_of(4, 3, 5), answer_of(8, 7, 9));
    EXPECT_EQ(document.number, "Time of a step of B: 2 times as much");
    EXPECT_THAT(
        document.answer,
        HasSubstr("In time of a step, B is 2 times A (1.46 to 2.75 in eight of ten cases, if the errors "
                  "of A and B have nothing in common), so measured runs tell the two apart."));
    EXPECT_EQ(document.how, "A: batch 128. B: batch 256.");
}

/// 4 s (3 to 5) and 5 s (4 to 6): the root of 0.288 and 0.223 in squares is 0.364, a factor of 1.44 next to
/// 1.25.
TEST(ComparedReport, SaysThatTwoCannotBeToldApart) {
    const Document document = both(answer_of(4, 3, 5), answer_of(5, 4, 6));
    EXPECT_EQ(document.number, "Time of a step of B: 25% more");
    EXPECT_THAT(document.answer, HasSubstr("so measured runs cannot tell which takes longer"));
}

/// 4 s (3.6 to 4.4) and 4.64 s (4.18 to 5.1): both ln 0.105 off, together 0.149, a factor of 1.1607: of 1.16
/// the end is 0.9994, and not 1.
TEST(ComparedReport, SaysAnEndNearOneWithMoreDigits) {
    EXPECT_THAT(both(answer_of(4, 3.6, 4.4), answer_of(4.64, 4.176, 5.104)).answer,
                HasSubstr("B is 1.16 times A (0.999"));
}

TEST(ComparedReport, SaysWhyNoRatioIsKnown) {
    EXPECT_THAT(both(answer_of(4, 0, 5), answer_of(8, 7, 9)).answer, HasSubstr("A band begins at zero"));
}

/// 4 s and 8 s are not times of a step: 100 and 70 tokens/s say nothing of them.
TEST(ComparedReport, TakesTokensOnlyNextToTimesOfAStep) {
    Answer a = answer_of(4, 3, 5), b = answer_of(8, 7, 9);
    for (auto [one, rate] : {std::pair(&a, 100.0), std::pair(&b, 70.0)}) {
        one->values["first_token_s"] = one->trust.bands.front().value;
        one->values["tokens_per_s"] = rate;
        one->trust.bands.front().path = "first_token_s";
        one->trust.bands.front().name = "time to the first token";
    }
    EXPECT_THAT(both(a, b).answer, HasSubstr("In time to the first token, B is 2 times A"));
}

/// 3.6 to 4.4 and 4.3 to 5.8 overlap; the root of 0.105 and 0.151 in squares is 0.184, a factor of 1.20, and
/// 5 is 1.25 times 4.
TEST(ComparedReport, TellsApartWhatBandsAloneDoNot) {
    EXPECT_THAT(both(answer_of(4, 3.6, 4.4), answer_of(5, 4.3, 5.8)).answer, HasSubstr("tell the two apart"));
}

/// Llama 3 8B on 8 chips of a machine, its weights sharded over them.
Answer plan_on(const Machine& machine) {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 16;
    question.machine = machine;
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    Plan plan;
    plan.data = plan.placement.data = 8;
    plan.micro_batch = 2;
    plan.zero = 3;
    plan.recompute = Recompute::attention;
    PlanAnswer found;
    found.question = question;
    found.search.ranked = {read_chosen_plan({question, plan}).value()};
    const ExpectedStep expected = expected_of(question, found.search.ranked.front());
    Answer answer = answer_of(expected.seconds, expected.low, expected.high);
    auto of = std::make_shared<Summarized>();
    of->plans = std::make_shared<const PlanAnswer>(found);
    answer.detail = of;
    return answer;
}

/// One plan on an H100 and on one with 0.9 times the HBM bandwidth: slower by less than measured runs tell,
/// and certainly not faster; the other way round certainly not slower. With launches of half the time either
/// may be. An H200 is another chip: two runs.
TEST(ComparedReport, SaysWhereOnePlanCannotBeFaster) {
    const Machine usual = *machine_preset("h100-nvs8");
    Machine slower = usual;
    ASSERT_TRUE(edit(slower, machine_number("hbm_bandwidth_in_bytes_per_s"), Factor{0.9}));
    const auto words = [](const Machine& a, const Machine& b) {
        return plain_spaces(both(plan_on(a), plan_on(b)).answer);
    };
    const auto one_run = HasSubstr("Both are one run, which shares at least as much");
    EXPECT_THAT(words(usual, slower),
                AllOf(HasSubstr(" (1 to "), one_run,
                      HasSubstr("and B cannot be faster: it is the same plan, and each number of its machine "
                                "is the same as A's or slower. Measured runs cannot tell how much longer it "
                                "takes.")));
    EXPECT_THAT(words(slower, usual),
                AllOf(HasSubstr(" to 1 in eight of ten"), one_run,
                      HasSubstr("and B cannot be slower: it is the same plan, and each number of its machine "
                                "is the same as A's or faster. Measured runs cannot tell how much less time "
                                "it takes.")));
    ASSERT_TRUE(edit(slower, machine_number("launch_multiply_in_s"), Factor{0.5}));
    EXPECT_THAT(words(usual, slower),
                AllOf(one_run, HasSubstr("so measured runs cannot tell which takes longer.")));
    EXPECT_THAT(words(usual, *machine_preset("h200-nvs8")), Not(one_run));
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

/// 4 s and 1 s on one scale, 2 bytes and 8 bytes on another: each pair below each other, the shorter bar as
/// much shorter.
TEST(ComparedReport, DrawsBothBarsToOneScale) {
    const auto summary = [](double seconds, double bytes) {
        Summary made;
        made.time = {{"compute", seconds, 1}};
        made.memory = {{"weights", bytes, 1}};
        return made;
    };
    const Answer a = answer_of(4, 3, 5), b = answer_of(1, 0.9, 1.1);
    const Reported first{.kind = "Test", .own = {}, .answer = &a, .summary = summary(4, 2)};
    const Reported second{.kind = "Test", .own = {}, .answer = &b, .summary = summary(1, 8)};
    const Document document = *report_of_both(first, second, "a", "b");
    const auto section =
        std::ranges::find(document.sections, "Where time and memory go", &DocumentSection::title);
    ASSERT_NE(section, document.sections.end());
    std::vector<double> lengths;
    for (const DocumentBlock& block : section->blocks) {
        lengths.push_back(std::get<DocumentBar>(block).length);
    }
    EXPECT_THAT(lengths, ElementsAre(1, 0.25, 0.25, 1));
    EXPECT_THAT(html(document), HasSubstr("width:25.000%"));
}

/// What is as it begins in A differs from what B says, by its value.
TEST(ComparedReport, NamesWhatIsAsItBegins) {
    const Answer a = answer_of(4, 3, 5), b = answer_of(8, 7, 9);
    const Reported first{.kind = "Test", .own = {}, .usual = {{"batch", "32"}}, .answer = &a};
    const Reported second{.kind = "Test", .own = {{"batch", "64"}}, .answer = &b};
    const Document document = *report_of_both(first, second, "batch 32", "batch 64");
    EXPECT_THAT(table_of(document, "What differs").rows[0], ElementsAre("batch", "32", "64"));
}

/// A says when the first token comes and how long one takes, B the latter alone: 20 ms and 10 ms are
/// compared, never 2 s and 10 ms.
TEST(ComparedReport, ComparesTheSameNumberOfBoth) {
    Answer a{{{"ttft_s", 2.0}, {"tpot_s", 0.02}}, "Both", "Test"};
    a.trust.bands = {{"time to first token", "ttft_s", 2, 1, 3},
                     {"time per output token", "tpot_s", 0.02, 0.01, 0.03}};
    Answer b{{{"ttft_s", nullptr}, {"tpot_s", 0.01}}, "One", "Test"};
    b.trust.bands = {{"time per output token", "tpot_s", 0.01, 0.005, 0.015}};
    EXPECT_EQ(both(a, b).number, "Time per output token of B: 50% less");
    EXPECT_EQ(both(b, a).number, "Time per output token of B: 2 times as much");
    EXPECT_THAT(table_of(both(a, b), "Both answers").rows[0],
                ElementsAre("time per output token", HasSubstr("20.0"), HasSubstr("10.0"), "50% less"));
}

TEST(ComparedReport, ComparesNothingWhereNoNumberIsInBoth) {
    const Answer a{{{"chips", 4}}, "It takes four chips", "Test"};
    const Answer b{{{"devices", 8}}, "It takes eight devices", "Test"};
    const Document document = both(a, b);
    EXPECT_EQ(document.number, "");
    EXPECT_EQ(document.answer, "It takes four chips; It takes eight devices");
}

/// Of nothing no share can be said; 0.01% is less than "0.1%" prints.
TEST(ComparedReport, SaysNoChangeThatIsNone) {
    const auto number = [](double a, double b) {
        return both({{{"time_s", a}}, "A", "Test"}, {{{"time_s", b}}, "B", "Test"}).number;
    };
    EXPECT_EQ(number(0, 1), "");
    EXPECT_EQ(number(1, 1.0001), "Time of B: nearly the same");
    EXPECT_EQ(number(1, 0.9999), "Time of B: nearly the same");
    EXPECT_EQ(number(1, 1), "Time of B: the same");
    EXPECT_EQ(number(1, 1.001), "Time of B: 0.1% more");
}

/// Three digits would make 1020 of both.
TEST(ComparedReport, CountsToTheLastDigit) {
    const Document document =
        both({{{"most_batch", 1024}}, "A", "Test"}, {{{"most_batch", 1023}}, "B", "Test"});
    EXPECT_THAT(table_of(document, "Numbers that differ").rows[0],
                ElementsAre("most batch", "1024", "1023", "x 0.999"));
    EXPECT_THAT(document.answer, HasSubstr("A: most batch 1024; B: most batch 1023."));
}

/// The same asked twice: a sentence, and no table of heads alone.
TEST(ComparedReport, SaysThatNothingDiffers) {
    const Answer answer = answer_of(4, 3, 5);
    const Reported one{.kind = "Test", .own = {{"batch", "128"}}, .answer = &answer};
    const Document document = *report_of_both(one, one, "batch 128", "batch 128");
    const auto differs = std::ranges::find(document.sections, "What differs", &DocumentSection::title);
    ASSERT_NE(differs, document.sections.end());
    EXPECT_THAT(differs->blocks, ElementsAre(DocumentBlock(DocumentText{{"Nothing differs."}})));
    EXPECT_EQ(std::ranges::find(document.sections, "Numbers that differ", &DocumentSection::title),
              document.sections.end());
}

/// Twice as long for three times as much: the time alone would speak against B.
TEST(ComparedReport, SaysHowManyTokensBothTakeASecond) {
    const Document document = both({{{"time_s", 4.0}, {"tokens_per_s", 1000.0}}, "A", "Test"},
                                   {{{"time_s", 8.0}, {"tokens_per_s", 1500.0}}, "B", "Test"});
    EXPECT_EQ(document.number, "Time of B: 2 times as much");
    EXPECT_THAT(document.answer, HasSubstr("Tokens/s: A 1000, B 1500."));
    EXPECT_THAT(table_of(document, "Both answers").rows[2],
                ElementsAre("tokens/s", "1000", "1500", "50% more"));
}

} // namespace
} // namespace meshslice
