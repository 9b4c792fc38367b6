#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/session/inquiry.h"
#include "ui/session/latest_job.h"

#include <QTest>
#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <vector>

namespace meshslice::ui {
namespace {

TEST(LatestJobTest, TellsOnlyTheNewest) {
    LatestJob job;
    Gate gate(&job);
    std::vector<int> told;
    for (int k = 1; k <= 3; ++k) {
        job.start(
            [&told, k](const RunControl&) -> LatestJob::Tell { return [&told, k] { told.push_back(k); }; });
    }
    gate.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !job.isBusy(); }, patience_ms));
    EXPECT_EQ(told, std::vector<int>{3});
}

TEST(LatestJobTest, ExceptionsAreSentences) {
    const Result<int> thrown = withoutExceptions([]() -> Result<int> { throw std::bad_alloc(); });
    ASSERT_FALSE(thrown);
    EXPECT_NE(thrown.error().sentence.find("memory"), std::string::npos);
}

/// Twice the question; 13 is refused.
class InquiryTest : public ::testing::Test {
  protected:
    InquiryTest()
        : inquiry(
              [](const int& question, const RunControl&) -> Result<int> {
                  return question == 13 ? Result<int>(refuse("13 is not a question.")) : 2 * question;
              },
              [this] { ++answers; }) {}

    bool settles() {
        return QTest::qWaitFor([&] { return !inquiry.job()->isBusy(); }, patience_ms);
    }

    int answers = 0;
    Inquiry<int, int> inquiry;
};

TEST_F(InquiryTest, AnswersTheNewestQuestionOnce) {
    Gate gate(inquiry.job());
    for (const int question : {1, 2, 3}) {
        EXPECT_TRUE(inquiry.ask(question));
    }
    EXPECT_EQ(inquiry.asked(), 3);
    gate.open();
    ASSERT_TRUE(settles());
    EXPECT_EQ(answers, 1);
    EXPECT_EQ(inquiry.answer(), 6);
    EXPECT_EQ(inquiry.answered(), 3);
    EXPECT_FALSE(inquiry.ask(3)) << "known already";
    EXPECT_EQ(answers, 1);
}

TEST_F(InquiryTest, ARefusalIsAnAnswerToo) {
    inquiry.ask(13);
    ASSERT_TRUE(settles());
    EXPECT_EQ(inquiry.answer(), std::nullopt);
    EXPECT_EQ(inquiry.refusal(), QStringLiteral("13 is not a question."));
    EXPECT_FALSE(inquiry.ask(13));
    inquiry.ask(1);
    ASSERT_TRUE(settles());
    EXPECT_TRUE(inquiry.refusal().isEmpty());
}

TEST_F(InquiryTest, AFileHearsOfEveryEnd) {
    std::vector<std::string> heard;
    const auto hear = [&](const Result<void>& outcome) {
        heard.push_back(outcome ? "complete" : outcome.error().sentence);
    };
    inquiry.ask(1, hear);
    EXPECT_TRUE(heard.empty());
    ASSERT_TRUE(settles());
    inquiry.ask(1, hear); // known already
    inquiry.ask(13, hear);
    ASSERT_TRUE(settles());
    EXPECT_EQ(heard, (std::vector<std::string>{"complete", "complete", "13 is not a question."}));
    const Gate gate(inquiry.job());
    inquiry.ask(2, hear);
    inquiry.cancelUnlessAwaited();
    EXPECT_EQ(inquiry.asked(), 2);
    inquiry.ask(3); // another question takes its place
    ASSERT_EQ(heard.size(), 4u);
    EXPECT_EQ(heard[3], cancelled().value().sentence);
    inquiry.cancelUnlessAwaited();
    EXPECT_EQ(inquiry.asked(), std::nullopt);
}

} // namespace
} // namespace meshslice::ui
