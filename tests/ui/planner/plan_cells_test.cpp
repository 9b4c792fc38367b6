// The parts of a plan are edited where they stand, in the table of plans; pipelines of A and B stand under
// each other.

#include "core/machine/catalogue.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/details/plan_text.h"
#include "ui/document/document.h"
#include "ui/planner/loaded_plan_bar.h"
#include "ui/planner/pipeline_pane.h"
#include "ui/planner/plan_table_model.h"
#include "ui/planner/planner_view.h"
#include "ui/session/plans.h"
#include "ui/session/session.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

/// GPT-3 175B, batch 64, on 128 A100s in domains of 4.
class PlanCellsTest : public ::testing::Test {
  protected:
    PlanCellsTest() {
        Scenario scenario = default_scenario();
        scenario.batch = 64;
        scenario.hardware = *machine_preset("a100-nvs4");
        scenario.planning.chips = 128;
        scenario.plan.split.strategy = "1d";
        scenario.plan.split.rank = PlanOrder::ideal;
        EXPECT_TRUE(document.edit(scenario, "batch"));
        document.endEdit();
        session.follow();
        view = std::make_unique<PlannerView>(&session);
        view->resize(1280, 800);
        view->follow();
        QObject::connect(&session, &Session::changed, view.get(), &View::follow);
        view->show();
        wait();
    }
    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return view->isCurrent(); }, patience_ms));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !session.isComputing(); }, patience_ms));
    }
    [[nodiscard]] QTableView* table() { return view->plansTable(); }
    [[nodiscard]] QModelIndex cell(int row, std::string_view field) {
        return view->rows()->index(row, view->rows()->columnOf(field));
    }
    [[nodiscard]] QString text(int row, std::string_view field) { return cell(row, field).data().toString(); }
    /// As a user does: a double click, what is typed, Enter.
    void type(int row, std::string_view field, const char* words) {
        const QModelIndex at = cell(row, field);
        table()->scrollTo(at);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(at).center());
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(at).center());
        auto* line = table()->viewport()->findChild<QLineEdit*>();
        ASSERT_NE(line, nullptr) << "an editor is open";
        line->selectAll();
        QTest::keyClicks(line, QLatin1String(words));
        QTest::keyClick(line, Qt::Key_Return);
        QCoreApplication::processEvents(); // which takes it
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    [[nodiscard]] std::string line() { return view->bar()->line()->text().toStdString(); }
    [[nodiscard]] const SplitAsked& split() { return document.scenario().plan.split; }

    Document document;
    Session session{&document};
    std::unique_ptr<PlannerView> view;
};

TEST_F(PlanCellsTest, ADoubleClickFixesAPartAndUndoFreesIt) {
    EXPECT_FALSE(view->bar()->line()->isVisible());
    const int steps = document.undoStack()->count();
    type(1, "planning.pp", "16");
    EXPECT_EQ(split().pipeline, 16);
    EXPECT_EQ(document.undoStack()->count(), steps + 1);
    wait();
    for (int row = 0; row < view->rows()->rowCount(); ++row) {
        EXPECT_EQ(text(row, "planning.pp"), QStringLiteral("16"));
    }
    EXPECT_EQ(line(), "Fixed: pp 16. The search chooses the rest.");
    EXPECT_TRUE(cell(0, "planning.pp").data(Qt::FontRole).value<QFont>().bold()) << "what is fixed is bold";
    EXPECT_FALSE(cell(0, "planning.dp").data(Qt::FontRole).isValid());
    type(0, "planning.micro_batch", "1");
    wait();
    EXPECT_EQ(split().micro_batch, 1);
    document.undoStack()->undo();
    wait();
    EXPECT_EQ(split().micro_batch, std::nullopt);
    EXPECT_EQ(split().pipeline, 16);
    type(0, "planning.pp", "auto");
    EXPECT_EQ(split().pipeline, std::nullopt);
    wait();
    EXPECT_FALSE(view->bar()->line()->isVisible());
}

TEST_F(PlanCellsTest, KeysEditTooAndAListHasTheChoices) {
    table()->setFocus();
    table()->setCurrentIndex(cell(0, "planning.recompute"));
    QTest::keyClick(table(), Qt::Key_F2);
    auto* list = table()->viewport()->findChild<QComboBox*>();
    ASSERT_NE(list, nullptr);
    const int full = list->findData(QStringLiteral("full"));
    ASSERT_GE(full, 0);
    EXPECT_EQ(list->itemText(list->findData(QStringLiteral("any"))), QStringLiteral("auto"));
    list->setCurrentIndex(full);
    emit list->activated(full);
    EXPECT_EQ(split().recompute, "full");
    wait();
    EXPECT_EQ(text(0, "planning.recompute"), QStringLiteral("full"));
    table()->setFocus();
    table()->setCurrentIndex(cell(0, "planning.tp"));
    QTest::keyClick(table(), Qt::Key_Return);
    auto* line = table()->viewport()->findChild<QLineEdit*>();
    ASSERT_NE(line, nullptr) << "Enter edits the cell";
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("4"));
    QTest::keyClick(line, Qt::Key_Return);
    QCoreApplication::processEvents();
    EXPECT_EQ(split().tensor, "4x1");
    wait();
    QTest::mouseClick(view->bar()->release(), Qt::LeftButton);
    wait();
    SplitAsked free{"1d"};
    free.rank = PlanOrder::ideal;
    EXPECT_EQ(split(), free) << "all of it is free again";
    document.undoStack()->undo();
    EXPECT_EQ(split().tensor, "4x1");
    EXPECT_EQ(split().recompute, "full");
}

TEST_F(PlanCellsTest, AWrongValueSaysWhatWouldWork) {
    type(0, "planning.dp", "3");
    EXPECT_EQ(split().data, std::nullopt);
    ASSERT_TRUE(view->refusal()->isVisible());
    EXPECT_THAT(view->refusal()->text().toStdString(), HasSubstr("as 1, 2 or 4 does."));
    EXPECT_TRUE(view->isCurrent()) << "the plans stay";
    type(0, "planning.tp", "8y");
    EXPECT_THAT(view->refusal()->text().toStdString(), HasSubstr("such as 8x1"));
    type(0, "planning.dp", "2");
    EXPECT_FALSE(view->refusal()->isVisible());
    EXPECT_EQ(split().data, 2);
}

/// A pinned plan is edited like any other: the rest of it stays.
TEST_F(PlanCellsTest, AnEditOfAPinnedPlanKeepsTheRestOfIt) {
    view->select(1);
    QTest::mouseClick(view->bar()->use(), Qt::LeftButton);
    wait();
    ASSERT_TRUE(document.scenario().plan.loaded);
    const Plan pinned = *document.scenario().plan.loaded;
    EXPECT_THAT(line(), HasSubstr("Pinned: "));
    const std::int64_t stages = pinned.pipeline == 8 ? 16 : 8;
    type(view->selected(), "planning.pp", std::to_string(stages).c_str());
    EXPECT_FALSE(document.scenario().plan.loaded);
    EXPECT_EQ(split().pipeline, stages);
    EXPECT_EQ(split().data, std::nullopt) << "the other sizes make up for it";
    EXPECT_EQ(split().recompute, name(pinned.recompute));
    EXPECT_EQ(split().zero, std::to_string(pinned.zero));
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario().plan.loaded, pinned);
}

TEST_F(PlanCellsTest, WhyThePlanLosesStandsWholeInItsRow) {
    const auto& columns = view->rows()->source().columns;
    ASSERT_EQ(columns[1], "expected_s");
    ASSERT_EQ(columns[2], "ideal_s");
    ASSERT_EQ(columns[3], "note");
    const QFontMetrics letters(table()->font());
    for (int row = 0; row < view->rows()->rowCount(); ++row) {
        const QString why = view->rows()->index(row, 3).data().toString();
        EXPECT_LE(letters.horizontalAdvance(why), table()->columnWidth(3)) << why.toStdString();
    }
    EXPECT_LE(table()->horizontalHeader()->sectionViewportPosition(4), table()->viewport()->width())
        << "it is in sight";
}

TEST_F(PlanCellsTest, PipelinesOfAAndBStandUnderEachOther) {
    ASSERT_TRUE(document.duplicate(0)); // pins the first
    Scenario other = document.scenario();
    other.plan.split.pipeline = 16;
    ASSERT_TRUE(document.edit(other, "planning.pp"));
    document.endEdit();
    view->tabs()->setCurrentIndex(1);
    wait();
    ASSERT_TRUE(session.plans()->current()->of_a);
    const RunWindow* window = view->pipeline()->browser().window();
    ASSERT_NE(window, nullptr);
    ASSERT_EQ(window->runs.size(), 2u);
    EXPECT_EQ(window->runs[0].name.front(), QStringLiteral("A"));
    EXPECT_EQ(window->runs[1].name.front(), QStringLiteral("B"));
    EXPECT_EQ(window->runs[1].rows.size(), 16u);
    EXPECT_EQ(window->range, window->whole()) << "one axis of time, as long as the longer step";
    EXPECT_THAT(window->words.finding.toStdString(), HasSubstr("B has "));
    EXPECT_THAT(planText(*session.plans()->current(), *session.plans()->selectedPlan(), {}).toStdString(),
                testing::AllOf(HasSubstr("Why"), HasSubstr("Against A")));
    document.pin(std::nullopt);
    wait();
    EXPECT_EQ(view->pipeline()->browser().window()->runs.size(), 1u);
}

} // namespace
} // namespace meshslice::ui
