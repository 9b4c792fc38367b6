#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/sweeps/sweeps_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>
#include <gtest/gtest.h>

#include <memory>

namespace meshslice::ui {
namespace {

class SweepsViewTest : public ::testing::Test {
  protected:
    SweepsViewTest() {
        view.resize(900, 640);
        auto results = std::make_shared<Results>();
        results->scenario = default_scenario();
        session.show(results);
    }
    void wait() {
        QSignalSpy answered(&view, &SweepsView::answered);
        ASSERT_TRUE(view.isCurrent() || answered.wait(patience_ms));
    }
    void type(std::size_t which, const char* text) {
        view.values(which)->setText(QLatin1String(text));
        emit view.values(which)->editingFinished();
    }

    HandMadeSession session;
    SweepsView view{&session};
};

TEST_F(SweepsViewTest, ComputesNothingBeforeItIsSeen) {
    EXPECT_FALSE(view.job()->isBusy());
    EXPECT_EQ(view.sentence().toStdString(), "The sweep starts when this view is opened.");
    EXPECT_FALSE(view.isCurrent());
}

/// A batch has no effect on a GEMM by itself: its slices are suggested instead.
TEST_F(SweepsViewTest, SuggestsAFieldThatHasAnEffect) {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.mesh = {4, 4};
    results->scenario.gemm = SingleGemm{{8192, 4096, 2048}, Dataflow::OS};
    session.show(results);
    view.show();
    wait();
    EXPECT_EQ(view.field(0)->currentText().toStdString(), "Slices S");
    EXPECT_GT(view.rows()->rowCount(), 1);
}

/// The batch of 128, from an eighth to four times as many.
TEST_F(SweepsViewTest, BeginsWithTheBatch) {
    view.show();
    wait();
    EXPECT_EQ(view.field(0)->currentText().toStdString(), "Batch");
    EXPECT_EQ(view.values(0)->text().toStdString(), "16:512:x2");
    EXPECT_EQ(view.rows()->rowCount(), 6);
    ASSERT_TRUE(view.canvas()->surface()->chart());
    EXPECT_EQ(view.canvas()->surface()->chart()->panels.front().x.categories.size(), 6u);
    EXPECT_EQ(view.table().rows.size(), 6u);
    EXPECT_FALSE(view.caption().isEmpty());
}

TEST_F(SweepsViewTest, VariesASecondField) {
    view.show();
    type(0, "64,128");
    view.field(1)->setCurrentIndex(view.field(1)->findData(QStringLiteral("links")));
    emit view.field(1)->activated(view.field(1)->currentIndex());
    EXPECT_EQ(view.values(1)->text().toStdString(), "x 0.25:x 4:x 2");
    wait();
    EXPECT_EQ(view.rows()->rowCount(), 10);
    const auto chart = view.canvas()->surface()->chart();
    ASSERT_TRUE(chart);
    EXPECT_EQ(chart->panels.front().series.size(), 2u) << "a line for each batch";
    EXPECT_EQ(chart->panels.front().series[1].items, (std::vector<int>{5, 6, 7, 8, 9}));
}

/// As on the command line: a number without a unit is a factor, if that can be meant.
TEST_F(SweepsViewTest, SweepsAFieldOfTheForm) {
    view.show();
    view.sweepField("links");
    EXPECT_EQ(view.field(0)->currentText().toStdString(), "Link bandwidth");
    type(0, "45, 90");
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("\"45\", which has no unit; 45 GB/s")))
        << view.sentence().toStdString();
    type(0, "45 GB/s, 90 GB/s");
    wait();
    EXPECT_EQ(view.table().rows[1][1], Table::Cell(90e9));
    type(0, "0.5, 1");
    wait();
    EXPECT_EQ(view.table().rows[1][0], Table::Cell(std::string("x 1")));
    EXPECT_EQ(view.rows()->rowCount(), 2);
}

/// One undo step, and no new question: what varies has no value of its own.
TEST_F(SweepsViewTest, TakesAPointOver) {
    view.show();
    wait();
    view.take(0);
    EXPECT_EQ(session.own_document.scenario().batch, 16);
    EXPECT_EQ(session.own_document.undoStack()->count(), 1);
    auto results = std::make_shared<Results>();
    results->scenario = session.own_document.scenario();
    session.show(results);
    EXPECT_TRUE(view.isCurrent());
    session.own_document.undoStack()->undo();
    EXPECT_EQ(session.own_document.scenario(), default_scenario());
}

/// The hardware first and then its links, whichever field was chosen first.
TEST_F(SweepsViewTest, TakesThePointThatIsShown) {
    view.show();
    view.sweepField("links");
    view.field(1)->setCurrentIndex(view.field(1)->findData(QStringLiteral("hardware")));
    emit view.field(1)->activated(view.field(1)->currentIndex());
    type(0, "x0.5, x1");
    type(1, "tpu-v4, tpu-v5p");
    wait();
    view.take(1);
    EXPECT_EQ(session.own_document.scenario().hardware.title, "TPU v5p, link bandwidth x 0.5");
    auto results = std::make_shared<Results>();
    results->scenario = session.own_document.scenario();
    session.show(results);
    EXPECT_TRUE(view.isCurrent());
}

/// A point that cannot be changes nothing and says why.
TEST_F(SweepsViewTest, SaysWhyAPointCannotBeTaken) {
    view.show();
    view.sweepField("links");
    type(0, "x1, x1e9");
    wait();
    const QSignalSpy refused(&session.own_document, &Document::refused);
    view.take(1);
    ASSERT_EQ(refused.count(), 1);
    EXPECT_TRUE(refused.front()[1].toString().contains(QStringLiteral("link bandwidth is")));
    EXPECT_EQ(session.own_document.scenario(), default_scenario());
}

TEST_F(SweepsViewTest, SaysWhatIsNoSweep) {
    view.show();
    type(0, "8,many");
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("--batch is \"many\"")))
        << view.sentence().toStdString();
    EXPECT_FALSE(view.isCurrent());
    EXPECT_EQ(view.rows()->rowCount(), 0);
    type(0, "8,16");
    wait();
    EXPECT_EQ(view.rows()->rowCount(), 2);
}

/// Stopped by the user it waits; what it has done stays.
TEST_F(SweepsViewTest, StopsAndGoesOn) {
    {
        const Gate gate(view.job());
        view.show();
        EXPECT_TRUE(view.stop()->isVisible());
        QTest::mouseClick(view.stop(), Qt::LeftButton);
        EXPECT_EQ(view.stop()->text().toStdString(), "Go on");
        EXPECT_FALSE(view.job()->isBusy());
        session.show(session.state().results);
        EXPECT_FALSE(view.job()->isBusy()) << "until it is asked to go on";
    }
    QTest::mouseClick(view.stop(), Qt::LeftButton);
    wait();
    EXPECT_FALSE(view.stop()->isVisible());
    EXPECT_EQ(view.rows()->rowCount(), 6);
    view.hide();
    view.show();
    EXPECT_TRUE(view.isCurrent()) << "it keeps its points";
}

} // namespace
} // namespace meshslice::ui
