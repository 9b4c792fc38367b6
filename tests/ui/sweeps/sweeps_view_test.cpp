#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/scenario/fields.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/heat/heat_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/look/picture_scale.h"
#include "ui/sweeps/sweeps_view.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUndoStack>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
    EXPECT_EQ(view.canvas()->surface()->chart()->panels.front().x.names.size(), 6u);
    EXPECT_EQ(view.table().rows.size(), 6u);
    EXPECT_FALSE(view.caption().isEmpty());
}

/// 64 and 128 chips of the default scenario: two points, of which the larger one takes less time.
TEST_F(SweepsViewTest, SweepsPlans) {
    view.show();
    view.depth()->setCurrentIndex(2);
    emit view.depth()->activated(2);
    EXPECT_EQ(view.field(0)->findData(QStringLiteral("mesh")), -1) << "a plan has no mesh of its own";
    view.field(0)->setCurrentIndex(view.field(0)->findData(QStringLiteral("planning.chips")));
    emit view.field(0)->activated(view.field(0)->currentIndex());
    EXPECT_EQ(view.values(0)->text().toStdString(), "32:1024:x2") << "around the mesh of 256";
    type(0, "64,128");
    wait();
    EXPECT_TRUE(view.refusal()->isHidden()) << view.refusal()->text().toStdString();
    const Table table = view.table();
    ASSERT_EQ(table.rows.size(), 2u);
    const auto time = std::ranges::find(table.columns, "time_s") - table.columns.begin();
    const auto at = [&](std::size_t row) {
        return std::get<double>(table.rows[row][static_cast<std::size_t>(time)]);
    };
    EXPECT_GT(at(0), at(1));
    const std::vector<ChartPanel>& panels = view.canvas()->surface()->chart()->panels;
    ASSERT_EQ(panels.size(), 2u) << "what is expected: time and utilization";
    view.take(0);
    EXPECT_EQ(session.own_document.scenario().planning.chips, 64);
}

/// No block runs behind a switch, and plans do; a choice stays until the task is another one.
TEST_F(SweepsViewTest, PlansATrainingRun) {
    session.setTask(Task::training);
    EXPECT_EQ(view.depth()->currentIndex(), 2);
    EXPECT_EQ(view.field(0)->findData(QStringLiteral("mesh")), -1);
    view.depth()->setCurrentIndex(0);
    emit view.depth()->activated(0);
    session.setTask(Task::block);
    EXPECT_EQ(view.depth()->currentIndex(), 0);
    EXPECT_NE(view.field(0)->findData(QStringLiteral("mesh")), -1);
}

/// A range that gives the same value again and again has no end, and says so.
TEST_F(SweepsViewTest, RefusesARangeThatNeverEnds) {
    view.show();
    wait();
    type(0, "8:512:x1.00000001");
    EXPECT_TRUE(view.refusal()->text().contains(QStringLiteral("it gives the same value again")))
        << view.refusal()->text().toStdString();
    EXPECT_EQ(view.rows()->rowCount(), 6) << "the last good sweep";
}

/// With batch 128 the block takes 84.5 ms unsliced and 61.7 ms sliced, 27% less.
TEST_F(SweepsViewTest, DrawsBothVariants) {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->reference = Variant{"not sliced", default_scenario()};
    results->reference->scenario.plan.slices = 1;
    session.show(results);
    view.show();
    type(0, "128,256");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    auto chart = view.canvas()->surface()->chart();
    ASSERT_TRUE(chart);
    for (const ChartPanel& panel : chart->panels) {
        ASSERT_EQ(panel.series.size(), 2u);
        EXPECT_EQ(panel.series[0].name, "B");
        EXPECT_EQ(panel.series[1].name, "A");
        EXPECT_EQ(panel.series[1].points.front().item, -1) << "a click takes B's points";
    }
    EXPECT_NEAR(chart->panels[1].series[1].points.front().y, 84.5e-3, 0.05e-3);
    EXPECT_TRUE(QString::fromStdString(chart->title)
                    .startsWith(QStringLiteral("B against A takes 27% less time with batch 128,")))
        << chart->title;
    const Table table = view.table();
    const auto at = std::ranges::find(table.columns, std::string("A time_s")) - table.columns.begin();
    EXPECT_EQ(table.columns[static_cast<std::size_t>(at) + 1], "difference time_s");
    EXPECT_NEAR(std::get<double>(table.rows[0][static_cast<std::size_t>(at) + 1]), -22.8e-3, 0.05e-3);
    EXPECT_EQ(view.rows()->columnCount(), 11) << "batch, time, A's, the difference and seven more";
    // Of two fields the picture is of B, of A, or of B against A: 1 - 61.7 / 84.5 = 27% less with batch 128.
    view.field(1)->setCurrentIndex(view.field(1)->findData(QStringLiteral("links")));
    emit view.field(1)->activated(view.field(1)->currentIndex());
    type(1, "x1,x2");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    // As lines the times of both, one line dashed under each solid one, and next to them B against A.
    ASSERT_TRUE(view.whose()->isVisible());
    chart = view.canvas()->surface()->chart();
    ASSERT_TRUE(chart);
    ASSERT_EQ(chart->panels.size(), 2u);
    const std::vector<ChartSeries>& times = chart->panels[0].series;
    ASSERT_EQ(times.size(), 4u);
    for (std::size_t line = 0; line < 2; ++line) {
        EXPECT_FALSE(times[line].dashed);
        EXPECT_TRUE(times[line + 2].dashed);
        EXPECT_EQ(times[line].name, times[line + 2].name);
        EXPECT_EQ(times[line + 2].points.front().item, -1) << "a click takes B's points";
        EXPECT_EQ(times[line + 2].points.front().detail.substr(0, 1), "A");
    }
    EXPECT_NEAR(times[0].points.front().y, 61.7e-3, 0.05e-3); // batch 128, links x 1
    EXPECT_NEAR(times[2].points.front().y, 84.5e-3, 0.05e-3);
    const ChartPanel& against = chart->panels[1];
    EXPECT_EQ(against.y.label, "time of B against A");
    EXPECT_NEAR(against.series[0].points.front().y, -0.27, 0.005);
    EXPECT_LE(against.y.low.value(), against.series[0].points.front().y) << "it has room";
    EXPECT_THAT(against.series[0].points.front().detail, testing::HasSubstr("61.7\u2009ms; A: 84.5\u2009ms"));
    EXPECT_EQ(against.series[0].points.front().item, 0);
    EXPECT_THAT(chart->notes, testing::Contains("Below zero B takes less time than A."));
    const auto names = [&] { // of the lines, at their ends
        std::size_t count = 0;
        for (const LegendEntry& entry : layoutChart(*chart, {900, 500}, {}).legend) {
            count += entry.panel == 0 ? 1 : 0;
        }
        return count;
    };
    EXPECT_EQ(names(), 2u) << "A's lines have those of B's";
    const auto show = [&](int whose) {
        view.whose()->setCurrentIndex(whose);
        emit view.whose()->activated(whose);
        chart = view.canvas()->surface()->chart();
    };
    show(1);
    EXPECT_NEAR(chart->panels[1].series[0].points.front().y, 84.5e-3, 0.05e-3);
    EXPECT_TRUE(QString::fromStdString(chart->title).startsWith(QStringLiteral("A: ")));
    show(0);
    EXPECT_NEAR(chart->panels[1].series[0].points.front().y, 61.7e-3, 0.05e-3);
    show(2);
    view.asHeatMap()->click();
    EXPECT_EQ(view.rows()->columnCount(), 12) << "A's column and the difference too";
    ASSERT_TRUE(view.whose()->isVisible());
    const auto first_cell = [&] { return view.heat()->map()->cell(1, 0); }; // batch 128, links x 1
    ASSERT_TRUE(first_cell().value);
    EXPECT_NEAR(*first_cell().value, -0.27, 0.005);
    EXPECT_EQ(heat_number(*view.heat()->map(), first_cell()), "\u221227%");
    EXPECT_THAT(view.heat()->map()->measure, testing::HasSubstr("time of B against A"));
    view.whose()->setCurrentIndex(0);
    emit view.whose()->activated(0);
    const double own = first_cell().value.value();
    view.whose()->setCurrentIndex(1);
    emit view.whose()->activated(1);
    EXPECT_NEAR(first_cell().value.value() / own, 61.7 / 84.5, 0.002) << "utilization, of the same work";
}

/// Unsliced B takes 84.5 ms where A takes 61.7: 37% more, on an axis that has zero and room for it.
TEST_F(SweepsViewTest, SaysWhereBTakesMore) {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.plan.slices = 1;
    results->reference = Variant{"sliced", default_scenario()};
    session.show(results);
    view.show();
    type(0, "128,256");
    view.field(1)->setCurrentIndex(view.field(1)->findData(QStringLiteral("links")));
    emit view.field(1)->activated(view.field(1)->currentIndex());
    type(1, "x1,x2");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    const auto& chart = view.canvas()->surface()->chart();
    ASSERT_TRUE(chart);
    const ChartPanel& against = chart->panels[1];
    EXPECT_NEAR(against.series[0].points.front().y, 84.5 / 61.7 - 1, 0.005);
    EXPECT_EQ(against.y.low, 0.0);
    EXPECT_GE(against.y.high.value(), against.series[0].points.front().y);
    EXPECT_LE(against.y.high.value(), 0.6);
    EXPECT_THAT(chart->notes, testing::Not(testing::Contains("Below zero B takes less time than A.")));
    view.asHeatMap()->click();
    ASSERT_TRUE(view.heat()->map());
    EXPECT_EQ(heat_number(*view.heat()->map(), view.heat()->map()->cell(1, 0)), "+37%");
    EXPECT_FALSE(view.heat()->map()->best) << "it is nowhere better";
}

/// What is hidden and seen again after a stop still has A next to it.
TEST_F(SweepsViewTest, AStoppedSweepKeepsItsA) {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->reference = Variant{"not sliced", default_scenario()};
    results->reference->scenario.plan.slices = 1;
    session.show(results);
    Gate gate(view.job());
    view.show();
    type(0, "128,256");
    ASSERT_TRUE(view.stop()->isVisible());
    view.hide(); // gives A up too, if it is still under way
    view.show();
    view.stop()->click();
    view.hide();
    view.show();
    gate.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.rows()->columnCount() == 11; }, patience_ms))
        << "batch, time, A's, the difference and seven more";
    view.stop()->click(); // goes on
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    ASSERT_EQ(view.canvas()->surface()->chart()->panels[0].series.size(), 2u);
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
    ASSERT_EQ(chart->panels.front().series[1].points.size(), 5u);
    EXPECT_EQ(chart->panels.front().series[1].points.front().item, 5);
    EXPECT_EQ(chart->panels.front().series[1].points.back().item, 9);
}

/// As on the command line: a number without a unit is a factor, if that can be meant.
TEST_F(SweepsViewTest, SweepsAFieldOfTheForm) {
    view.show();
    view.sweepField("links");
    EXPECT_EQ(view.values(0)->selectedText(), view.values(0)->text()) << "the range is typed next";
    EXPECT_EQ(view.field(0)->currentText().toStdString(), "Link bandwidth");
    type(0, "45, 90");
    EXPECT_TRUE(view.refusal()->text().startsWith(
        QStringLiteral("Link bandwidth is \"45\", which needs a unit, such as \"45 GB/s\"")))
        << view.refusal()->text().toStdString();
    type(0, "45 GB/s, 90 GB/s");
    wait();
    EXPECT_EQ(view.table().rows[1][1], Table::Cell(90e9));
    type(0, "0.5, 1");
    wait();
    EXPECT_EQ(view.table().rows[1][0], Table::Cell(std::string("x 1")));
    EXPECT_EQ(view.rows()->rowCount(), 2);
}

/// The machine of the default scenario says nothing about its pod.
TEST_F(SweepsViewTest, OffersNoFieldThatIsNotKnown) {
    view.show();
    EXPECT_LT(view.field(0)->findData(QStringLiteral("ring_mesh_multiple")), 0);
    EXPECT_GE(view.field(0)->findData(QStringLiteral("links")), 0);
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.hardware = *machine_preset("tpu-v5p");
    session.show(results);
    EXPECT_GE(view.field(0)->findData(QStringLiteral("ring_mesh_multiple")), 0);
}

/// Where the point comes from is marked, also with Ctrl, which adds rows to those that a user marks.
TEST_F(SweepsViewTest, MarksTheRowOfThePointThatIsKept) {
    view.show();
    wait();
    auto* table = view.findChild<QTableView*>();
    table->selectRow(4);
    emit view.canvas()->surface()->picked(0);
    EXPECT_EQ(table->currentIndex().row(), 0);
    QTest::keyPress(&view, Qt::Key_Control, Qt::ControlModifier);
    emit view.canvas()->surface()->picked(2);
    QTest::keyRelease(&view, Qt::Key_Control);
    const QModelIndexList marked = table->selectionModel()->selectedRows();
    ASSERT_EQ(marked.size(), 1);
    EXPECT_EQ(marked.front().row(), 2);
}

/// Heads stand apart when the letters grow.
TEST_F(SweepsViewTest, ColumnsGrowWithTheirHeads) {
    view.show();
    wait();
    auto* table = view.findChild<QTableView*>();
    QFont large = view.font();
    large.setPointSizeF(1.6 * large.pointSizeF());
    view.setFont(large);
    QApplication::processEvents();
    const QHeaderView* heads = table->horizontalHeader();
    for (int column = 0; column < view.rows()->columnCount(); ++column) {
        EXPECT_GT(heads->sectionSize(column), heads->sectionSizeHint(column)) << column;
    }
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
TEST_F(SweepsViewTest, KeepsAPointAsAVariant) {
    Document& document = session.own_document;
    const Scenario before = document.scenario();
    view.show();
    wait();
    view.keep(0);
    ASSERT_EQ(document.project().variants.size(), 2U);
    EXPECT_EQ(document.project().variants[0].scenario, before);
    EXPECT_EQ(document.project().variants[1].name.substr(0, 5), "batch");
    EXPECT_NE(document.scenario().batch, before.batch);
    EXPECT_EQ(document.project().pinned, 0U) << "and stands next to the scenario";
    document.undoStack()->undo();
    EXPECT_EQ(document.project().variants.size(), 1U);
}

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

/// The last good sweep stays, and a sentence names the field as the list above does.
TEST_F(SweepsViewTest, ARefusedTextChangesNothing) {
    view.show();
    wait();
    EXPECT_FALSE(view.refusal()->isVisible());
    const QColor usual = view.values(0)->palette().color(QPalette::Base);
    type(0, "8,many");
    EXPECT_TRUE(view.refusal()->isVisible());
    EXPECT_TRUE(
        view.refusal()->text().startsWith(QStringLiteral("Batch is \"many\"; expected a whole number")))
        << view.refusal()->text().toStdString();
    EXPECT_FALSE(view.refusal()->text().contains(QStringLiteral("--")));
    EXPECT_NE(view.values(0)->palette().color(QPalette::Base), usual);
    EXPECT_TRUE(view.isCurrent());
    EXPECT_EQ(view.rows()->rowCount(), 6);
    EXPECT_TRUE(view.canvas()->surface()->chart());
    view.values(0)->setText(QStringLiteral("8,16"));
    EXPECT_FALSE(view.refusal()->isVisible()) << "as soon as the text is right";
    EXPECT_EQ(view.rows()->rowCount(), 6) << "until it is entered";
    emit view.values(0)->editingFinished();
    wait();
    EXPECT_EQ(view.rows()->rowCount(), 2);
    EXPECT_EQ(view.values(0)->palette().color(QPalette::Base), usual);
}

/// Taken back key by key with the line's own undo, the sentence goes with the text.
TEST_F(SweepsViewTest, TheSentenceGoesWithTheText) {
    view.show();
    wait();
    view.values(0)->setFocus();
    view.values(0)->end(false);
    QTest::keyClicks(view.values(0), QStringLiteral(",many"));
    QTest::keyClick(view.values(0), Qt::Key_Return);
    ASSERT_TRUE(view.refusal()->isVisible());
    for (int k = 0; k < 5 && view.values(0)->isUndoAvailable(); ++k) {
        view.values(0)->undo();
    }
    EXPECT_EQ(view.values(0)->text().toStdString(), "16:512:x2");
    EXPECT_FALSE(view.refusal()->isVisible());
}

/// A field without an effect is refused with a sentence about the window, not the command line.
TEST_F(SweepsViewTest, SaysWhatNeedsASimulation) {
    view.show();
    wait();
    view.sweepField("faults.jitter_s");
    EXPECT_EQ(view.values(0)->text().toStdString(), "500 ns, 1 us, 2 us");
    EXPECT_TRUE(view.refusal()->text().contains(QStringLiteral("it needs a simulation.")))
        << view.refusal()->text().toStdString();
    EXPECT_FALSE(view.refusal()->text().contains(QStringLiteral("--")));
    EXPECT_EQ(view.rows()->rowCount(), 6) << "the batches stay";
}

TEST_F(SweepsViewTest, ShowsPeoplesNames) {
    view.show();
    view.sweepField("algorithm");
    type(0, "meshslice, cannon");
    wait();
    EXPECT_EQ(view.rows()->headerData(0, Qt::Horizontal).toString().toStdString(), "algorithm");
    EXPECT_EQ(view.rows()->index(0, 0).data().toString().toStdString(), "MeshSlice");
    EXPECT_EQ(view.rows()->index(1, 0).data().toString().toStdString(), "Cannon");
    EXPECT_FALSE(view.rows()->index(1, 4).data().toString().isEmpty()) << "why it does not run";
    EXPECT_EQ(view.rows()->index(1, 1).data().toString(), QString()) << "not zero";
    EXPECT_EQ(view.values(0)->placeholderText().toStdString(), values_form(scenario_field("algorithm")));
}

/// Ctrl+E exports the view, wherever the cursor is.
TEST_F(SweepsViewTest, LeavesItsKeysToTheWindow) {
    QKeyEvent exports(QEvent::ShortcutOverride, Qt::Key_E, Qt::ControlModifier);
    exports.ignore(); // as shortcuts are asked for
    QApplication::sendEvent(view.values(0), &exports);
    EXPECT_FALSE(exports.isAccepted());
    QKeyEvent copies(QEvent::ShortcutOverride, Qt::Key_C, Qt::ControlModifier);
    copies.ignore();
    QApplication::sendEvent(view.values(0), &copies);
    EXPECT_TRUE(copies.isAccepted()) << "which the line needs";
}

/// From mark to mark with the arrows; Enter takes the point.
TEST_F(SweepsViewTest, IsWalkedThroughByKeys) {
    view.show();
    wait();
    view.canvas()->setFocus();
    QTest::keyClick(view.canvas(), Qt::Key_Right);
    QTest::keyClick(view.canvas(), Qt::Key_Right);
    QTest::keyClick(view.canvas(), Qt::Key_Return);
    EXPECT_EQ(session.own_document.scenario().batch, 32);
}

/// Two batches by three bandwidths: three columns, two rows, the larger batch above.
TEST_F(SweepsViewTest, ShowsTwoFieldsAsAHeatMap) {
    view.show();
    type(0, "32, 1024");
    EXPECT_FALSE(view.asHeatMap()->isVisible()) << "of one field there is none";
    view.field(1)->setCurrentIndex(view.field(1)->findData(QStringLiteral("links")));
    emit view.field(1)->activated(view.field(1)->currentIndex());
    type(1, "x 0.5, x 1, x 2");
    wait();
    ASSERT_TRUE(view.asHeatMap()->isVisible());
    QTest::mouseClick(view.asHeatMap(), Qt::LeftButton);
    EXPECT_TRUE(view.heat()->isVisible());
    EXPECT_FALSE(view.canvas()->isVisible());
    ASSERT_TRUE(view.heat()->map());
    const HeatMap map = *view.heat()->map();
    EXPECT_EQ(map.columns, (std::vector<std::string>{"x 0.5", "x 1", "x 2"}));
    EXPECT_EQ(map.rows, (std::vector<std::string>{"1024", "32"}));
    EXPECT_TRUE(map.cell(0, 0).open) << "1024 sequences do not fit";
    EXPECT_EQ(map.best, 5u);
    // The arrows go from the best cell; Enter takes it.
    view.heat()->setFocus();
    QTest::keyClick(view.heat(), Qt::Key_Left);
    EXPECT_EQ(view.heat()->selected(), 4u);
    EXPECT_TRUE(
        view.heat()->accessibleDescription().contains(QStringLiteral("link bandwidth x 1, batch 32")));
    QTest::keyClick(view.heat(), Qt::Key_Left);
    QTest::keyClick(view.heat(), Qt::Key_Return);
    EXPECT_EQ(session.own_document.scenario().hardware.title,
              "TPU v4, as in the MeshSlice paper, link bandwidth x 0.5");
    // A click takes a cell.
    const QRectF cell = view.heat()->layoutNow().cell(map, 2);
    QTest::mouseClick(view.heat(), Qt::LeftButton, {}, fromPicture(cell.toRect()).center());
    EXPECT_EQ(session.own_document.scenario().batch, 1024);
    // Files have the picture that is seen.
    QImage image(600, 400, QImage::Format_RGB32);
    QPainter painter(&image);
    view.paintPicture(painter, image.size(), Theme::dark);
    painter.end();
    const HeatLayout layout = layoutHeat(map, image.size());
    const QPoint corner = layout.cell(map, 5).toRect().topLeft() + QPoint(4, 4);
    EXPECT_EQ(image.pixelColor(corner), tint(Role::compute, Theme::dark, 1.0));
    QTest::mouseClick(view.asLines(), Qt::LeftButton);
    EXPECT_TRUE(view.canvas()->isVisible());
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
