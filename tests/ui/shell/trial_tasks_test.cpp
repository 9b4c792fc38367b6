// What users of a trial were asked to do with scenarios and views, in the real window.

#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "core/scenario/meshes.h"
#include "tests/ui/support/trial_window.h"
#include "ui/controls/table_model.h"
#include "ui/look/picture_scale.h"
#include "ui/sweeps/sweeps_view.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"
#include "ui/tuner/tuner_view.h"

#include <QToolButton>
#include <gmock/gmock.h>

#include <set>

namespace meshslice::ui {
namespace {

/// "Batch doubles?"
TEST_F(TrialTasksTest, DoubleTheBatch) {
    const std::int64_t before = scenario().batch;
    type("Batch", "x2");
    EXPECT_EQ(scenario().batch, 2 * before);
    EXPECT_LE(actions, 2);
    press(Qt::Key_Z, Qt::ControlModifier, &window);
    EXPECT_EQ(scenario().batch, before);
}

/// "Step through a small 4x4 run" on a projector of 1280 x 720: large letters, the timeline next to the
/// torus, and each key another moment and another picture.
TEST_F(TrialTasksTest, AFourByFourRunIsSteppedOnAProjector) {
    window.resize(1280, 720);
    type("Mesh rows", "4x4");
    command("teach");
    EXPECT_EQ(window.appearance()->fontPercent(), 160);
    auto* torus = view<TorusView>("torus");
    auto* timeline = view<TimelineView>("timeline");
    ASSERT_TRUE(torus && timeline);
    EXPECT_TRUE(torus->isVisible());
    EXPECT_TRUE(timeline->isVisible()) << "side by side";
    picture("projector-begin");
    std::set<qint64> moments;
    QImage before = torus->grab().toImage();
    int changed = 0;
    constexpr int steps = 12;
    for (int step = 0; step < steps; ++step) {
        press(Qt::Key_Period, {}, torus);
        ASSERT_TRUE(window.session()->selection()->moment());
        moments.insert(window.session()->selection()->moment()->value());
        const QImage now = torus->grab().toImage();
        changed += now != before ? 1 : 0;
        before = now;
    }
    EXPECT_EQ(moments.size(), static_cast<std::size_t>(steps));
    EXPECT_EQ(changed, steps);
    EXPECT_LE(actions, 5 + steps);
    picture("projector-stepped");
    press(Qt::Key_Comma, {}, torus);
    EXPECT_EQ(window.session()->selection()->moment()->value(), *std::next(moments.rbegin()));
}

/// Blocks of one column against those of eight: the difference stands on the card, and the copies of the
/// naive one take longer in the picture of both.
TEST_F(TrialTasksTest, NaiveSlicesNextToBlockedOnes) {
    type("Mesh rows", "4x4");
    press(Qt::Key_D, Qt::ControlModifier, &window);
    settle();
    type("Block size B", "1");
    settle();
    EXPECT_LE(actions, 5);
    const Project& project = window.document()->project();
    ASSERT_EQ(project.variants.size(), 2u);
    EXPECT_EQ(project.pinned, 0u);
    EXPECT_EQ(project.variants[1].scenario.plan.block, 1);
    const auto results = window.session()->current();
    ASSERT_TRUE(results);
    ASSERT_EQ(results->steps.size(), 2u);
    const auto of_block = [&](std::int64_t block) -> const TrainingStep& {
        return results->scenario_of(0).plan.block == block ? results->steps[0] : results->steps[1];
    };
    EXPECT_GT(of_block(1).time, of_block(8).time);
    EXPECT_GT(of_block(1).usage.copy, of_block(8).usage.copy);
    picture("naive-blocked");
}

/// A stays on TPU v4, B goes to TPU v5p: one list. The cards say which is which.
TEST_F(TrialTasksTest, TwoVariantsOnDifferentHardware) {
    type("Mesh rows", "8x8");
    press(Qt::Key_D, Qt::ControlModifier, &window);
    settle();
    choose(field<QComboBox>("Hardware"), QStringLiteral("tpu-v5p"));
    settle();
    EXPECT_LE(actions, 5);
    const Project& project = window.document()->project();
    ASSERT_EQ(project.variants.size(), 2u);
    EXPECT_EQ(project.variants[0].scenario.hardware.name, "tpu-v4-paper");
    EXPECT_EQ(project.variants[1].scenario.hardware.name, "tpu-v5p");
    const auto results = window.session()->current();
    ASSERT_TRUE(results && results->steps.size() == 2);
    EXPECT_NE(results->steps[0].time, results->steps[1].time);
    picture("different-hardware");
}

/// "Which mesh, algorithm, S for Llama-3-70B on 64 TPU v5p?" Asked by clicks and typing, the tuner says what
/// `meshslice tune --model llama-3-70b --hardware tpu-v5p --chips 64 --batch 64` does. A click takes it.
TEST_F(TrialTasksTest, TheTunerAnswersAsTheCommandLine) {
    type("Mesh rows", "8x8");
    choose(field<QComboBox>("Model"), QStringLiteral("llama-3-70b"));
    choose(field<QComboBox>("Hardware"), QStringLiteral("tpu-v5p"));
    type("Batch", "64");
    turnTo(Qt::Key_5, QStringLiteral("Tuner"));
    auto* tuner = view<TunerView>("tuner");
    ASSERT_NE(tuner, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return tuner->isVisible() && tuner->isCurrent(); }, 10 * patience_ms))
        << tuner->sentence().toStdString();
    EXPECT_LE(actions, 11);
    EXPECT_EQ(scenario().model.name, "llama-3-70b");
    EXPECT_EQ(scenario().hardware.name, "tpu-v5p");
    EXPECT_EQ(scenario().batch, 64);
    const Candidate& best = tuner->answer()->tuning.ranked.front();
    EXPECT_EQ(best.step.algorithm, "meshslice");
    EXPECT_EQ(best.step.mesh, (Mesh{16, 4}));
    EXPECT_EQ(text(best.step.time), "25.1\u2009ms");
    EXPECT_EQ(slices_text(best.step), "S = 8 to 32");
    EXPECT_TRUE(best.step.fits());
    EXPECT_EQ(text(best.step.memory.bytes()), "64.9\u2009GB");
    picture("tuner-llama");
    const QPoint leader = fromPicture(tuner->picture().leaders.front().toAlignedRect()).center();
    QTest::mouseClick(tuner, Qt::LeftButton, {}, leader);
    ++actions;
    settle();
    EXPECT_EQ(scenario().mesh, (Mesh{16, 4}));
    EXPECT_EQ(scenario().plan.algorithm, "meshslice");
    const auto results = window.session()->current();
    ASSERT_TRUE(results);
    EXPECT_EQ(results->steps[0].estimated, best.step.time);
    EXPECT_THAT(headline(results->steps[0]), testing::HasSubstr("64.9 of 96.0\u2009GB"));
    EXPECT_LE(actions, 11);
}

/// "Links half as fast": B's links, next to A with those of the preset.
TEST_F(TrialTasksTest, LinksHalfAsFast) {
    press(Qt::Key_D, Qt::ControlModifier, &window);
    settle();
    for (QToolButton* button : window.findChildren<QToolButton*>()) {
        if (button->accessibleName().startsWith(QStringLiteral("Hardware numbers"))) {
            QTest::mouseClick(button, Qt::LeftButton);
            ++actions;
        }
    }
    QApplication::processEvents();
    type("Link bandwidth", "x0.5");
    EXPECT_LE(actions, 4);
    const Project& project = window.document()->project();
    ASSERT_EQ(project.variants.size(), 2u);
    EXPECT_EQ(project.pinned, 0u);
    const auto links = [&](std::size_t variant) {
        return project.variants[variant].scenario.hardware.network.link_bandwidth(0).value();
    };
    EXPECT_EQ(2 * links(1), links(0));
    const auto results = window.session()->current();
    ASSERT_TRUE(results && results->steps.size() == 2);
    const Time of_a = results->scenario_of(0) == project.variants[0].scenario ? results->steps[0].time
                                                                              : results->steps[1].time;
    EXPECT_LT(of_a, std::max(results->steps[0].time, results->steps[1].time)) << "A is the faster one";
    picture("half-speed-links");
}

/// "Two meshes side by side": A's 32x8 and B's 16x16, both in every view.
TEST_F(TrialTasksTest, TwoMeshesSideBySide) {
    press(Qt::Key_D, Qt::ControlModifier, &window);
    settle();
    type("Mesh rows", "16x16");
    EXPECT_LE(actions, 3);
    const auto results = window.session()->current();
    ASSERT_TRUE(results && results->steps.size() == 2);
    const std::set<Mesh> meshes = {results->steps[0].mesh, results->steps[1].mesh};
    EXPECT_EQ(meshes, (std::set<Mesh>{{32, 8}, {16, 16}}));
    picture("two-meshes");
}

/// "Sweep batch 8 ... 512": the view begins with the batch.
TEST_F(TrialTasksTest, BatchesAreSwept) {
    turnTo(Qt::Key_5, QStringLiteral("Sweep"));
    auto* sweep = view<SweepsView>("sweep");
    ASSERT_NE(sweep, nullptr);
    QTest::mouseDClick(sweep->values(0), Qt::LeftButton);
    sweep->values(0)->selectAll();
    QTest::keyClicks(sweep->values(0), QStringLiteral("8:512:x2"));
    QTest::keyClick(sweep->values(0), Qt::Key_Return);
    actions += 2;
    ASSERT_TRUE(QTest::qWaitFor([&] { return sweep->isCurrent() && sweep->rows()->rowCount() == 7; },
                                10 * patience_ms));
    EXPECT_LE(actions, 4);
    EXPECT_EQ(sweep->rows()->index(0, 0).data().toString(), QStringLiteral("8"));
    EXPECT_EQ(sweep->rows()->index(6, 0).data().toString(), QStringLiteral("512"));
    picture("swept");
}

} // namespace
} // namespace meshslice::ui
