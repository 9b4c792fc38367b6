#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"
#include "ui/session/plans.h"
#include "ui/session/session.h"
#include "ui/variants/variant_answers.h"

#include <QSignalSpy>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

/// GPT-3 175B, batch 64, on 128 A100s in domains of 4.
class PlansTest : public ::testing::Test {
  protected:
    PlansTest() {
        edit([](Scenario& scenario) {
            scenario.batch = 64;
            scenario.hardware = *machine_preset("a100-nvs4");
            scenario.planning.chips = 128;
            scenario.plan.split = {"1d", "1f1b", "none", "1"};
        });
        session.follow();
    }
    template <class Change>
    void edit(const Change& change) {
        Scenario scenario = document.scenario();
        change(scenario);
        ASSERT_TRUE(document.edit(scenario, "batch"));
        document.endEdit();
    }
    [[nodiscard]] bool becomes(Plans::Kind kind) {
        return QTest::qWaitFor([&] { return plans.state().kind == kind; }, patience_ms);
    }

    Document document;
    Session session{&document};
    Plans& plans = *session.plans();
    QObject reader;
};

TEST_F(PlansTest, AreComputedWhileAReaderWantsThem) {
    EXPECT_EQ(plans.state().kind, Plans::Kind::empty);
    EXPECT_FALSE(plans.job()->isBusy()) << "no view looks";
    QSignalSpy changes(&plans, &Plans::changed);
    plans.want(&reader, true);
    EXPECT_EQ(plans.state().kind, Plans::Kind::computing);
    EXPECT_EQ(plans.current(), nullptr);
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    EXPECT_GE(changes.count(), 2);
    const FoundPlansPtr first = plans.current();
    EXPECT_EQ(plans.selected(), 0);
    EXPECT_EQ(plans.selectedPlan()->plan, first->answer.best().plan);
    plans.want(&reader, false);
    edit([](Scenario& scenario) { scenario.batch = 128; });
    EXPECT_FALSE(plans.job()->isBusy());
    EXPECT_EQ(plans.state().kind, Plans::Kind::empty);
    EXPECT_EQ(plans.current(), nullptr) << "they are of another batch";
    document.undoStack()->undo();
    EXPECT_EQ(plans.current(), first) << "and are there again without a search";
}

TEST_F(PlansTest, ThePreviousOnesStayWhileTheNextAreComputed) {
    plans.want(&reader, true);
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    const FoundPlansPtr before = plans.current();
    Gate gate(plans.job());
    edit([](Scenario& scenario) { scenario.batch = 128; });
    EXPECT_EQ(plans.state().kind, Plans::Kind::computing);
    EXPECT_EQ(plans.shown(), before);
    EXPECT_EQ(plans.current(), nullptr);
    plans.giveUp();
    EXPECT_EQ(plans.state().kind, Plans::Kind::computing) << "what is wanted is asked again";
    gate.open();
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    EXPECT_EQ(plans.current()->answer.question.batch, 128);
}

TEST_F(PlansTest, OneGemmAndARefusedSearchFailWithASentence) {
    plans.want(&reader, true);
    edit([](Scenario& scenario) { scenario.plan.split.data = 3; });
    ASSERT_TRUE(becomes(Plans::Kind::failed));
    EXPECT_THAT(plans.state().sentence.toStdString(), HasSubstr("as 1, 2 or 4 does."));
    EXPECT_EQ(plans.shown(), nullptr);
    edit([](Scenario& scenario) {
        scenario.mesh = {2, 2};
        scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    });
    EXPECT_EQ(plans.state().kind, Plans::Kind::failed);
    EXPECT_THAT(plans.state().sentence.toStdString(), HasSubstr("this scenario is a single GEMM"));
    EXPECT_FALSE(plans.question());
}

TEST_F(PlansTest, AFileWaitsForThemWithoutAReader) {
    bool done = false;
    plans.complete([&](const Result<void>& outcome) {
        EXPECT_TRUE(outcome);
        done = true;
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return done; }, patience_ms));
    EXPECT_NE(plans.current(), nullptr);
}

TEST_F(PlansTest, AReaderThatGoesAwayWantsNothing) {
    auto passing = std::make_unique<QObject>();
    Gate gate(plans.job());
    plans.want(passing.get(), true);
    plans.want(&reader, true);
    passing.reset();
    EXPECT_TRUE(plans.job()->isBusy()) << "another one waits";
    plans.want(&reader, false);
    EXPECT_FALSE(plans.job()->isBusy());
}

/// What A and B ask alike is asked once; where they differ A's are found, too.
TEST_F(PlansTest, AreOfAToo) {
    plans.want(&reader, true);
    ASSERT_TRUE(document.duplicate(0)); // pins the first
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    EXPECT_FALSE(plans.current()->of_a) << "the same plans";
    edit([](Scenario& scenario) { scenario.plan.split.pipeline = 16; });
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    ASSERT_TRUE(plans.current()->of_a);
    EXPECT_EQ(plans.current()->answer.best().plan.pipeline, 16);
    const Plan pinned = plans.current()->plans.at(1).plan;
    edit([&](Scenario& scenario) { scenario.plan.loaded = pinned; });
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    EXPECT_EQ(plans.current()->answer.chosen().plan, pinned);
    EXPECT_EQ(plans.selectedPlan()->plan, pinned);
}

/// A step of the best plan that took twice as long as expected doubles what is expected of all, without
/// another search.
TEST_F(PlansTest, AMeasuredStepCorrectsWhatIsExpected) {
    plans.want(&reader, true);
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    const FoundPlansPtr before = plans.current();
    ASSERT_TRUE(before->expected.front().known()) << before->expected.front().reason;
    const double twice = 2 * before->expected.front().seconds;
    edit([&](Scenario& scenario) { scenario.planning.measured_step = twice; });
    EXPECT_EQ(plans.state().kind, Plans::Kind::ready);
    const FoundPlansPtr after = plans.current();
    ASSERT_EQ(after->expected.size(), before->expected.size());
    for (std::size_t k = 0; k < before->expected.size(); ++k) {
        if (before->expected[k].known()) {
            EXPECT_NEAR(after->expected[k].seconds, 2 * before->expected[k].seconds, 1e-9 * twice);
            EXPECT_LE(after->expected[k].width(), before->expected[k].width() + 1e-12);
        }
    }
    document.undoStack()->undo();
    EXPECT_EQ(plans.current()->expected, before->expected);
}

/// A's measured step corrects what is expected of A's plan, as it does where A is on the screen itself; and
/// the cards of both variants say what their headlines say.
TEST_F(PlansTest, AMeasuredStepCorrectsThePlanOfAAndBothCards) {
    session.setTask(Task::training);
    plans.want(&reader, true);
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    const double twice = 2 * plans.current()->expectedOfChosen().seconds;
    const double longer = 1.5 * twice; // as B's is timed
    edit([&](Scenario& scenario) { scenario.planning.measured_step = twice; });
    VariantAnswers answers(&session);
    ASSERT_TRUE(document.duplicate(0));
    edit([&](Scenario& scenario) {
        scenario.plan.split.pipeline = 16;
        scenario.planning.measured_step = longer;
    });
    ASSERT_TRUE(becomes(Plans::Kind::ready));
    const FoundPlansPtr found = plans.current();
    ASSERT_TRUE(found->of_a);
    EXPECT_NEAR(found->of_a->expected.seconds, twice, 1e-9 * twice);
    EXPECT_NEAR(found->expectedOfChosen().seconds, longer, 1e-9 * longer);
    for (const auto& [variant, seconds] : {std::pair(0U, twice), std::pair(1U, longer)}) {
        const Scenario& its = document.project().variants[variant].scenario;
        ASSERT_TRUE(QTest::qWaitFor([&] { return answers.of(its) != nullptr; }, patience_ms));
        EXPECT_EQ(answers.of(its)->refusal, QString());
        EXPECT_NEAR(in_seconds(answers.of(its)->time), seconds, 1e-9 * seconds) << variant;
        EXPECT_THAT(answers.of(its)->headline.toStdString(),
                    HasSubstr(seconds_text(seconds) + " a step expected"));
    }
}

/// What is asked goes into the file, and papers and the lab, which are about no document, leave it there.
TEST_F(PlansTest, AServedModelIsOpenedAgainAsServed) {
    session.setTask(Task::serving);
    session.setTask(Task::papers);
    const Result<Project> kept = read_project(write_project(document.project()), "kept.json");
    ASSERT_TRUE(kept) << kept.error().sentence;
    Document other;
    Session opened(&other);
    other.beginWith(*kept);
    EXPECT_EQ(opened.task(), Task::serving);
    opened.setTask(Task::training);
    EXPECT_EQ(other.project().task, ProjectTask::training);
    EXPECT_EQ(opened.task(), Task::training);
}

} // namespace
} // namespace meshslice::ui
