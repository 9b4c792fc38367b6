#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/document/document.h"
#include "ui/planner/cluster/cluster_pane.h"
#include "ui/planner/pipeline_pane.h"
#include "ui/planner/planner_view.h"
#include "ui/planner/scaling_pane.h"
#include "ui/session/plans.h"
#include "ui/session/session.h"
#include "ui/view/picture_file.h"

#include <QComboBox>
#include <QFile>
#include <QHelpEvent>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

/// GPT-3 175B on 512 chips of a100-nvs4, batch 1024: 2D dp 16 x pp 8 x tp 2x2 has the shortest ideal time.
class PlannerPanesTest : public ::testing::Test {
  protected:
    PlannerPanesTest() {
        Scenario scenario = default_scenario();
        scenario.batch = 1024;
        scenario.hardware = *machine_preset("a100-nvs4");
        scenario.planning.chips = 512;
        scenario.plan.split = {"all", "1f1b", "none", "1"};
        scenario.plan.split.rank = PlanOrder::ideal;
        EXPECT_TRUE(document.edit(scenario, "batch"));
        document.endEdit();
        session.follow();
        view = std::make_unique<PlannerView>(&session);
        view->resize(1100, 800);
        view->follow();
        QObject::connect(&session, &Session::changed, view.get(), &View::follow);
        view->show();
        wait();
    }
    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return view->isCurrent(); }, patience_ms));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !session.isComputing(); }, patience_ms));
    }
    /// Opens a page as a click on its tab does.
    void open(int page) {
        view->tabs()->setCurrentIndex(page);
        wait();
    }
    void changeCluster(const char* word) {
        QComboBox* list = view->cluster();
        list->setCurrentIndex(list->findData(QLatin1String(word)));
        emit list->activated(list->currentIndex());
    }
    [[nodiscard]] QPoint inRow(std::size_t stage, double share) {
        const RunLayout layout = view->pipeline()->layoutNow();
        return {layout.left + static_cast<int>(layout.dataWidth() * share), layout.rowOf(stage).center().y()};
    }
    void turn(const QPoint& at, int notches, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, view->pipeline()->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view->pipeline(), &event);
    }
    [[nodiscard]] std::string csv() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("plan.csv"));
        EXPECT_TRUE(savePicture(*view, path, QSize(900, 600), Theme::light));
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }

    Document document;
    Session session{&document};
    std::unique_ptr<PlannerView> view;
};

TEST_F(PlannerPanesTest, ThePipelineOfTheSelectedPlanIsSimulatedWhenItIsOpened) {
    PipelinePane* pipeline = view->pipeline();
    EXPECT_FALSE(pipeline->isReady()) << "nobody looks";
    EXPECT_FALSE(pipeline->job()->isBusy());
    open(1);
    ASSERT_TRUE(pipeline->timeline());
    EXPECT_EQ(pipeline->timeline()->run->stages(), 8u);
    EXPECT_EQ(pipeline->timeline()->shape.micro_batches, 64);
    const Plan first = pipeline->timeline()->of.plan;
    EXPECT_EQ(pipeline->browser().window()->row, 0u) << "the first stage holds most";
    EXPECT_THAT(pipeline->accessibleDescription().toStdString(), HasSubstr("wait for each other for "));
    view->select(1);
    EXPECT_FALSE(view->isCurrent()) << "the picture is of another plan";
    EXPECT_FALSE(pipeline->timeline());
    wait();
    EXPECT_EQ(pipeline->timeline()->of.plan.chips(), 512);
    EXPECT_FALSE(pipeline->timeline()->of.plan == first);
}

TEST_F(PlannerPanesTest, WheelDragAndKeysMoveInTime) {
    open(1);
    PipelinePane* pipeline = view->pipeline();
    const TimeRange whole = pipeline->browser().window()->whole();
    EXPECT_EQ(pipeline->browser().window()->range, whole);
    turn(inRow(0, 0.5), 4, Qt::ControlModifier);
    const TimeRange near = pipeline->browser().window()->range;
    EXPECT_NEAR(static_cast<double>(length(whole).value()) / static_cast<double>(length(near).value()),
                std::pow(zoom_step, 4), 1e-3);
    turn(inRow(0, 0.5), 4, {}); // scrolls the page
    EXPECT_EQ(pipeline->browser().window()->range, near);
    QTest::mousePress(pipeline, Qt::LeftButton, {}, inRow(2, 0.5));
    QTest::mouseMove(pipeline, inRow(2, 0.4));
    QTest::mouseRelease(pipeline, Qt::LeftButton, {}, inRow(2, 0.4));
    EXPECT_GT(pipeline->browser().window()->range.begin, near.begin) << "later comes in from the right";
    EXPECT_EQ(length(pipeline->browser().window()->range), length(near));
    EXPECT_EQ(pipeline->browser().window()->row, 0u) << "dragging selects nothing";
    QTest::mouseClick(pipeline, Qt::LeftButton, {}, inRow(2, 0.4));
    EXPECT_EQ(pipeline->browser().window()->row, 2u);
    QTest::keyClick(pipeline, Qt::Key_Down);
    EXPECT_EQ(pipeline->browser().window()->row, 3u);
    EXPECT_THAT(pipeline->accessibleDescription().toStdString(), HasSubstr("stage 4"));
    QTest::keyClick(pipeline, Qt::Key_Home);
    EXPECT_EQ(pipeline->browser().window()->range, whole);
    EXPECT_EQ(pipeline->readableParts().size(), 8u);
    EXPECT_TRUE(pipeline->readableParts()[3].selected);
}

/// From the pipeline of a GPU plan down to the steps of one collective per port, and back out.
TEST_F(PlannerPanesTest, ABarOpensIntoWhatIsInsideIt) {
    open(1);
    PipelinePane* pipeline = view->pipeline();
    const auto enter = [&](std::size_t depth) {
        QTest::keyClick(pipeline, Qt::Key_Return);
        return QTest::qWaitFor([&] { return pipeline->browser().depth() == depth; }, patience_ms);
    };
    ASSERT_TRUE(enter(2)) << "a pass";
    const RunWindow* pass = pipeline->browser().window();
    ASSERT_EQ(pass->rowCount(), 1u);
    EXPECT_EQ(pass->at(0).name, QStringLiteral("blocks"));
    EXPECT_EQ(pass->path.size(), 2);
    ASSERT_TRUE(enter(3)) << "a block";
    EXPECT_EQ(pipeline->browser().window()->at(0).name, QStringLiteral("tasks"));
    ASSERT_TRUE(enter(4)) << "the first task that communicates";
    QTest::keyClick(pipeline, Qt::Key_Down); // from the core to the group's network
    ASSERT_TRUE(enter(5)) << "a collective";
    EXPECT_EQ(pipeline->browser().window()->at(0).where, QStringLiteral("chip 1 of 2  "));
    EXPECT_EQ(pipeline->browser().window()->rowCount(), 2u);
    EXPECT_EQ(pipeline->browser().window()->at(0).name, QStringLiteral("ports to the switch of 4"));
    for (std::size_t depth = 4; depth > 0; --depth) {
        QTest::keyClick(pipeline, Qt::Key_Backspace);
        EXPECT_EQ(pipeline->browser().depth(), depth);
    }
    QTest::keyClick(pipeline, Qt::Key_Backspace);
    EXPECT_EQ(pipeline->browser().depth(), 1u) << "there is nothing around the pipeline";
}

/// Before its first pass a stage gathers the weights that its data-parallel copies share.
TEST_F(PlannerPanesTest, ATipSaysWhatAStageDoes) {
    open(1);
    const QPoint at = inRow(0, 0.0) + QPoint(1, 0);
    QHelpEvent help(QEvent::ToolTip, at, view->pipeline()->mapToGlobal(at));
    QApplication::sendEvent(view->pipeline(), &help);
    EXPECT_THAT(QToolTip::text().toStdString(), HasSubstr("stage 1"));
    EXPECT_THAT(QToolTip::text().toStdString(), HasSubstr("waits for weights"));
    QToolTip::hideText();
}

TEST_F(PlannerPanesTest, AClickOnAChipShowsItsGroups) {
    open(2);
    ClusterPane* places = view->places();
    EXPECT_EQ(places->selected(), PlanChip{});
    const ClusterLayout layout = places->layoutNow();
    ASSERT_GT(layout.chips.size(), 4u);
    EXPECT_EQ(layout.boxes.front().chips.size(), 4u) << "the four tensor-parallel chips";
    QTest::mouseClick(places, Qt::LeftButton, {}, layout.chips[2].area.center());
    EXPECT_EQ(places->selected(), layout.chips[2].chip);
    QTest::keyClick(places, Qt::Key_Left);
    EXPECT_EQ(places->selected(), layout.chips[1].chip);
    EXPECT_THAT(places->readAloud().toStdString(), HasSubstr("slow network"));
    EXPECT_THAT(places->readAloud().toStdString(),
                HasSubstr("Tensor parallel: 4 chips, all in one fast domain"));
    EXPECT_THAT(csv(), HasSubstr("across_slow_network_bytes"));
}

TEST_F(PlannerPanesTest, NumbersOfChipsHaveTheirBestPlansOnTheMarks) {
    open(3);
    const auto& chart = view->scaling()->canvas()->surface()->chart();
    ASSERT_TRUE(chart);
    bool own = false;
    for (const ChartSeries& series : chart->panels[0].series) {
        for (const ChartPoint& point : series.points) {
            own = own || (point.x == 512 && point.label == "2D: dp 16 x pp 8 x tp 2x2");
        }
    }
    EXPECT_TRUE(own);
    EXPECT_THAT(csv(), HasSubstr("chips,strategy,dp"));
}

TEST_F(PlannerPanesTest, AFileIsOfThePageThatIsSeen) {
    open(1);
    EXPECT_THAT(csv(), HasSubstr("stage,forward_s,backward_s,waits_s"));
    EXPECT_THAT(view->caption().toStdString(), HasSubstr("dp 16 x pp 8 x tp 2x2"));
    view->hide();
    view->select(1);
    EXPECT_FALSE(view->isCurrent());
    bool done = false;
    view->complete([&](const Result<void>& outcome) {
        EXPECT_TRUE(outcome);
        done = true;
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return done; }, patience_ms));
    EXPECT_TRUE(view->isCurrent());
}

TEST_F(PlannerPanesTest, AnotherPageGivesUpWhatIsComputed) {
    Gate gate(view->pipeline()->job());
    view->tabs()->setCurrentIndex(1);
    ASSERT_TRUE(view->pipeline()->job()->isBusy());
    EXPECT_FALSE(view->isCurrent());
    EXPECT_EQ(view->sentence(), QStringLiteral("Computing…"));
    view->tabs()->setCurrentIndex(0);
    EXPECT_FALSE(view->pipeline()->job()->isBusy());
    EXPECT_TRUE(view->isCurrent()) << "the ranking is there";
    gate.open();
    open(1);
    EXPECT_TRUE(view->pipeline()->timeline());
}

TEST_F(PlannerPanesTest, AnotherQuestionEmptiesThePages) {
    open(2);
    Gate gate(session.plans()->job());
    changeCluster("h100-nvs8");
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.plans()->job()->isBusy(); }, patience_ms));
    EXPECT_FALSE(view->isCurrent());
    EXPECT_TRUE(view->table().rows.empty());
    gate.open();
    wait();
    EXPECT_EQ(view->places()->layoutNow().boxes.front().chips.front(), PlanChip{});
    EXPECT_THAT(view->caption().toStdString(), HasSubstr("H100"));
}

/// However the search ends: hidden, cancelled or destroyed while it is held.
TEST_F(PlannerPanesTest, ClosingInTheMiddleOfASearchIsSafe) {
    auto gate = std::make_unique<Gate>(session.plans()->job());
    changeCluster("h100-nvs8");
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.plans()->job()->isBusy(); }, patience_ms));
    view->hide();
    EXPECT_FALSE(session.plans()->job()->isBusy());
    ASSERT_TRUE(QTest::qWaitFor([&] { return gate->hasGivenUp(); }, patience_ms));
    view->show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.plans()->job()->isBusy(); }, patience_ms))
        << "asked again";
    view->giveUp();
    EXPECT_TRUE(session.plans()->job()->isBusy()) << "what is seen is still asked for";
    view.reset();
    ASSERT_TRUE(QTest::qWaitFor([&] { return gate->hasGivenUp(); }, patience_ms));
    gate.reset();
    QTest::qWait(20); // nothing arrives any more
}

TEST_F(PlannerPanesTest, ClosingInTheMiddleOfASimulationIsSafe) {
    Gate pipeline(view->pipeline()->job());
    Gate scaling(view->scaling()->job());
    view->tabs()->setCurrentIndex(3);
    ASSERT_TRUE(view->scaling()->job()->isBusy());
    view->tabs()->setCurrentIndex(1);
    ASSERT_TRUE(view->pipeline()->job()->isBusy());
    view.reset();
    EXPECT_TRUE(QTest::qWaitFor([&] { return pipeline.hasGivenUp() && scaling.hasGivenUp(); }, patience_ms));
}

TEST_F(PlannerPanesTest, EveryPageSaysWhatItIs) {
    for (int page = 0; page < view->tabs()->count(); ++page) {
        EXPECT_FALSE(view->tabs()->tabText(page).isEmpty());
        EXPECT_FALSE(view->tabs()->tabToolTip(page).isEmpty());
    }
    for (QWidget* pane : std::initializer_list<QWidget*>{view->pipeline(), view->places(), view->scaling()}) {
        EXPECT_FALSE(pane->accessibleName().isEmpty());
    }
}

/// Micro-batches of 64 samples have 1, 2, 4, ... 64; those of 32 have the same except the last. Other numbers
/// of chips have other grids.
TEST_F(PlannerPanesTest, AnEditOnATorusTunesOnlyWhatIsNew) {
    EXPECT_EQ(session.plans()->groups()->tunings(), 0) << "in fast domains nothing is tuned";
    const auto edit = [&](std::int64_t batch, const char* zero) {
        Scenario scenario = document.scenario();
        scenario.batch = batch;
        scenario.hardware = *machine_preset("tpu-v5p");
        scenario.planning.chips = 64;
        scenario.plan.split = {"meshslice", "1f1b", "none", zero};
        EXPECT_TRUE(document.edit(scenario, "batch"));
        document.endEdit();
        wait();
    };
    edit(64, "1");
    const std::int64_t first = session.plans()->groups()->tunings();
    EXPECT_GT(first, 0);
    edit(32, "1");
    edit(64, "2");
    EXPECT_EQ(session.plans()->groups()->tunings(), first);
    open(3);
    ASSERT_TRUE(view->scaling()->isReady());
    const std::int64_t scaled = session.plans()->groups()->tunings();
    EXPECT_GT(scaled, first);
    edit(64, "1"); // and what the scaling needs for it is there
    EXPECT_TRUE(view->scaling()->isReady());
    EXPECT_EQ(session.plans()->groups()->tunings(), scaled);
}

} // namespace
} // namespace meshslice::ui
