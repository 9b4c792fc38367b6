#include "core/machine/catalogue.h"
#include "core/report/words/headline.h"
#include "core/scenario/file/project.h"
#include "core/scenario/meshes.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/document/document.h"
#include "ui/planner/cluster/cluster_pane.h"
#include "ui/planner/loaded_plan_bar.h"
#include "ui/planner/machines/machine_line.h"
#include "ui/planner/pipeline_pane.h"
#include "ui/planner/plan_table_model.h"
#include "ui/planner/planner_view.h"
#include "ui/session/session.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

/// GPT-3 175B, batch 1024, on 512 chips of a100-nvs4; another cluster by choice.
class LoadedPlanTest : public ::testing::Test {
  protected:
    void begin(const char* cluster = "a100-nvs4", std::int64_t chips = 512, const char* strategy = "1d") {
        Scenario scenario = default_scenario();
        scenario.batch = 1024;
        scenario.hardware = *machine_preset(cluster);
        scenario.planning.chips = chips;
        scenario.plan.split.strategy = strategy;
        scenario.plan.split.rank = PlanOrder::ideal;
        ASSERT_TRUE(document.edit(scenario, "batch"));
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
    [[nodiscard]] QTableView* plans() { return view->plansTable(); }
    /// In the column of the time, which cannot be edited.
    [[nodiscard]] QPoint inRow(int row) { return plans()->visualRect(view->rows()->index(row, 1)).center(); }
    [[nodiscard]] QString cell(int row, const char* name) {
        const auto& columns = view->rows()->source().columns;
        const auto at = std::ranges::find(columns, name) - columns.begin();
        return view->rows()->index(row, static_cast<int>(at)).data().toString();
    }
    void clickRow(int row) {
        plans()->scrollTo(view->rows()->index(row, 1));
        QTest::mouseClick(plans()->viewport(), Qt::LeftButton, {}, inRow(row));
    }
    void press(QPushButton* button) {
        ASSERT_TRUE(button->isVisible() && button->isEnabled()) << button->text().toStdString();
        QTest::mouseClick(button, Qt::LeftButton);
        wait();
    }
    [[nodiscard]] std::string line() { return view->bar()->line()->text().toStdString(); }
    [[nodiscard]] const std::optional<Plan>& loaded() { return document.scenario().plan.loaded; }

    Document document;
    Session session{&document};
    std::unique_ptr<PlannerView> view;
};

TEST_F(LoadedPlanTest, AButtonLoadsTheSelectedPlan) {
    begin();
    EXPECT_FALSE(loaded());
    EXPECT_FALSE(view->bar()->line()->isVisible());
    EXPECT_FALSE(view->bar()->release()->isVisible());
    clickRow(2);
    EXPECT_EQ(view->selected(), 2);
    EXPECT_FALSE(loaded()) << "a click selects";
    const int steps = document.undoStack()->count();
    press(view->bar()->use());
    EXPECT_EQ(document.undoStack()->count(), steps + 1);
    ASSERT_TRUE(loaded());
    EXPECT_EQ(view->selected(), 2) << "what is loaded stays selected";
    EXPECT_THAT(line(), HasSubstr("Pinned: "));
    EXPECT_THAT(line(), HasSubstr("slower than the best found."));
    EXPECT_FALSE(view->bar()->use()->isEnabled()) << "it is in use";
    clickRow(0);
    EXPECT_TRUE(view->bar()->use()->isEnabled());
    const Plan third = *loaded();
    document.undoStack()->undo();
    wait();
    EXPECT_FALSE(loaded());
    EXPECT_FALSE(view->bar()->line()->isVisible());
    document.undoStack()->redo();
    wait();
    EXPECT_EQ(loaded(), third);
    EXPECT_EQ(view->selected(), 2);
    press(view->bar()->release());
    EXPECT_FALSE(loaded());
    EXPECT_EQ(view->selected(), 0) << "the search chooses";
    EXPECT_EQ(document.undoStack()->undoText(), QStringLiteral("change of the plan"));
    document.undoStack()->undo();
    wait();
    EXPECT_EQ(loaded(), third);
}

TEST_F(LoadedPlanTest, ADoubleClickAndEnterLoadARow) {
    begin();
    clickRow(1);
    QTest::mouseDClick(plans()->viewport(), Qt::LeftButton, {}, inRow(1));
    wait();
    ASSERT_TRUE(loaded());
    const Plan second = *loaded();
    plans()->setFocus();
    QTest::keyClick(plans(), Qt::Key_Down);
    QTest::keyClick(plans(), Qt::Key_Return);
    wait();
    EXPECT_NE(loaded(), second);
    EXPECT_EQ(view->selected(), 2);
    document.undoStack()->undo();
    EXPECT_EQ(loaded(), second);
}

/// Both pages look into what is loaded, also after the file is read again.
TEST_F(LoadedPlanTest, PagesShowItAndTheFileKeepsIt) {
    begin();
    clickRow(3);
    press(view->bar()->use());
    view->tabs()->setCurrentIndex(1);
    wait();
    ASSERT_TRUE(view->pipeline()->timeline());
    EXPECT_EQ(view->pipeline()->timeline()->of.plan, *loaded());
    view->tabs()->setCurrentIndex(2);
    wait();
    EXPECT_TRUE(view->places()->isReady());
    const std::string file = write_project(document.project());
    const auto read = read_project(file, "plan.meshslice.json");
    ASSERT_TRUE(read) << read.error().sentence;
    const Plan fourth = *loaded();
    document.reset();
    wait();
    EXPECT_FALSE(loaded());
    document.beginWith(*read);
    wait();
    EXPECT_EQ(loaded(), fourth);
    EXPECT_EQ(view->selected(), 3);
    EXPECT_THAT(line(), HasSubstr("Pinned: "));
}

/// 256 chips are not the 512 that it is for. The scenario keeps it, and with 512 chips it is back.
TEST_F(LoadedPlanTest, OneThatDoesNotSuitIsSaidAndLeftOut) {
    begin();
    clickRow(1);
    press(view->bar()->use());
    const Plan second = *loaded();
    view->chips()->setFocus();
    view->chips()->selectAll();
    QTest::keyClicks(view->chips(), QStringLiteral("256"));
    QTest::keyClick(view->chips(), Qt::Key_Return);
    wait();
    EXPECT_EQ(loaded(), second);
    EXPECT_EQ(view->selected(), 0);
    EXPECT_THAT(line(), HasSubstr("does not fit this scenario, so the search chooses. It is for 512 chips, "
                                  "and the scenario has 256."));
    EXPECT_THAT(view->canvas()->surface()->chart()->title, HasSubstr("on 256 chips"));
    document.undoStack()->undo();
    wait();
    EXPECT_EQ(view->selected(), 1);
    EXPECT_THAT(line(), HasSubstr("Pinned: "));
}

TEST_F(LoadedPlanTest, OpensAGroupOfATorusAsAVariant) {
    begin("tpu-v5p", 64, "all");
    QSignalSpy asked(view.get(), &PlannerView::timelineAsked);
    int meshed = -1;
    for (int row = 0; row < view->rows()->rowCount() && meshed < 0; ++row) {
        const bool meshes = cell(row, "strategy") != QStringLiteral("1d");
        meshed = meshes && cell(row, "tp") != QStringLiteral("1x1") ? row : -1;
    }
    ASSERT_GE(meshed, 0);
    const std::string strategy = cell(meshed, "strategy").toStdString();
    const QStringList sides = cell(meshed, "tp").split(QLatin1Char('x'));
    const std::int64_t micro_batch = cell(meshed, "micro-batch").toLongLong();
    ASSERT_GE(micro_batch, 1);
    clickRow(meshed);
    ASSERT_TRUE(view->bar()->openGroup()->isEnabled());
    const int steps = document.undoStack()->count();
    QTest::mouseClick(view->bar()->openGroup(), Qt::LeftButton);
    EXPECT_EQ(asked.count(), 1);
    EXPECT_EQ(document.undoStack()->count(), steps + 1);
    ASSERT_EQ(document.project().variants.size(), 2u);
    const Variant& group = document.project().variants[1];
    EXPECT_EQ(document.project().current, 1u);
    EXPECT_FALSE(document.project().pinned) << "it is another run than that of the whole scenario";
    EXPECT_THAT(group.name, HasSubstr(": dp "));
    EXPECT_EQ(group.scenario.mesh, (Mesh{sides[1].toInt(), sides[0].toInt()})) << "rows, then columns";
    EXPECT_EQ(group.scenario.plan.algorithm, strategy);
    EXPECT_EQ(group.scenario.batch, micro_batch) << "what the group works on at a time";
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.current() != nullptr; }, 10 * patience_ms));
    EXPECT_EQ(session.current()->steps[0].mesh, group.scenario.mesh) << "today's views show it";
    document.undoStack()->undo();
    EXPECT_EQ(document.project().variants.size(), 1u);
}

/// From a new scenario to the group of a plan on a torus, by clicks alone: the cluster, a plan, its group.
/// The headline of the group says what its plan says of memory.
TEST_F(LoadedPlanTest, AClickedTorusOpensItsGroup) {
    begin();
    QComboBox* list = view->cluster();
    const int at = list->findData(QStringLiteral("tpu-v5p"));
    ASSERT_GE(at, 0) << "tori are in the list";
    EXPECT_EQ(list->itemText(at), QStringLiteral("TPU v5p, torus of 3 axes"));
    list->showPopup();
    const QModelIndex item = list->model()->index(at, 0);
    list->view()->scrollTo(item);
    QTest::mouseClick(list->view()->viewport(), Qt::LeftButton, {}, list->view()->visualRect(item).center());
    wait();
    EXPECT_EQ(document.scenario().hardware.name, "tpu-v5p");
    EXPECT_THAT(view->machine()->line()->text().toStdString(),
                HasSubstr("These plans are for 512 chips; the headline and the other views show the 256 "
                          "chips of the mesh."));
    int with_group = -1;
    for (int row = 0; row < view->rows()->rowCount() && with_group < 0; ++row) {
        with_group = cell(row, "tp") != QStringLiteral("1x1") ? row : -1;
    }
    ASSERT_GE(with_group, 0);
    clickRow(with_group);
    press(view->bar()->openGroup());
    ASSERT_EQ(document.project().variants.size(), 2u);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.current() != nullptr; }, 10 * patience_ms));
    const TrainingStep& step = session.current()->steps[0];
    EXPECT_TRUE(step.fits());
    const std::string said_above = headline(step);
    EXPECT_THAT(said_above, HasSubstr("GB in its plan; "));
    EXPECT_THAT(said_above, Not(HasSubstr("does not fit")));
    EXPECT_THAT(view->machine()->line()->text().toStdString(),
                HasSubstr("These plans are for 512 chips; the headline and the other views show one "
                          "tensor-parallel group, "));
    EXPECT_THAT(line(), HasSubstr("Pinned: ")) << "the plan that it is a group of";
}

/// One group of a plan is not a run by itself, also where its plan was released.
TEST_F(LoadedPlanTest, AGroupIsNotPlannedForAlone) {
    begin("tpu-v5p", 64, "all");
    int with_group = -1;
    for (int row = 0; row < view->rows()->rowCount() && with_group < 0; ++row) {
        with_group = cell(row, "tp") != QStringLiteral("1x1") ? row : -1;
    }
    ASSERT_GE(with_group, 0);
    clickRow(with_group);
    press(view->bar()->openGroup());
    ASSERT_TRUE(loaded());
    EXPECT_TRUE(view->machine()->isVisible());
    EXPECT_FALSE(view->machine()->planForMesh()->isVisible());
    press(view->bar()->release());
    EXPECT_FALSE(loaded());
    EXPECT_FALSE(view->machine()->planForMesh()->isVisible());
}

/// The rate of vectors on a ring of GPUs is not known: the view says so.
TEST_F(LoadedPlanTest, ARingOfGpusHasNoPlans) {
    begin();
    Scenario ring = document.scenario();
    ring.hardware = *machine_preset("t3-paper");
    ring.mesh = {8};
    ring.plan.algorithm = "tp-ar";
    ring.compare.clear();
    ring.plan.slices.reset();
    const auto edited = document.edit(ring, "hardware");
    ASSERT_TRUE(edited) << edited.error().sentence;
    document.endEdit();
    EXPECT_FALSE(view->isCurrent());
    EXPECT_THAT(view->sentence().toStdString(), HasSubstr("a known rate of vectors"));
}

/// A click plans for what the headline is about.
TEST_F(LoadedPlanTest, PlansForTheChipsOfTheMesh) {
    begin("tpu-v4-paper", 512, "all");
    EXPECT_THAT(view->machine()->line()->text().toStdString(), HasSubstr("These plans are for 512 chips; "));
    press(view->machine()->planForMesh());
    EXPECT_EQ(document.scenario().planning.chips, std::nullopt);
    EXPECT_EQ(view->chips()->text(), QStringLiteral("256"));
    EXPECT_FALSE(view->machine()->isVisible()) << "all of the window is about the same chips";
    document.undoStack()->undo();
    wait();
    EXPECT_EQ(document.scenario().planning.chips, 512);
    EXPECT_TRUE(view->machine()->isVisible());
}

/// The texts of the buttons next to the pinned plan get shorter, their names do not.
TEST_F(LoadedPlanTest, ButtonsTakeHalfOfTheRow) {
    begin();
    LoadedPlanBar* bar = view->bar();
    const auto text = [&] { return bar->openGroup()->text().toStdString(); };
    const auto needed = [&] { return bar->buttons()->sizeHint().width(); };
    EXPECT_EQ(text(), "Open its tensor-parallel group");
    EXPECT_LE(needed(), view->width() / 2);
    bar->fitButtons(needed() - 1);
    EXPECT_EQ(text(), "Open its group");
    bar->fitButtons(needed() - 1);
    EXPECT_EQ(text(), "Open");
    EXPECT_EQ(bar->openGroup()->accessibleName(), QStringLiteral("Open its tensor-parallel group"));
    view->resize(1101, 800); // there is room again
    EXPECT_EQ(text(), "Open its tensor-parallel group");
}

TEST_F(LoadedPlanTest, GroupsOfDomainsSayWhyTheyAreNotOpened) {
    begin();
    EXPECT_FALSE(view->bar()->openGroup()->isEnabled());
    EXPECT_THAT(view->bar()->openGroup()->toolTip().toStdString(), HasSubstr("run no programs"));
    for (QPushButton* button : {view->bar()->use(), view->bar()->release(), view->bar()->openGroup()}) {
        EXPECT_FALSE(button->accessibleName().isEmpty());
        EXPECT_FALSE(button->toolTip().isEmpty());
    }
}

/// A is on chips of an A100, B on as many of an H100.
TEST_F(LoadedPlanTest, AsPlanStandsNextToBs) {
    begin();
    ASSERT_TRUE(document.duplicate(0)); // pins the first
    wait();
    EXPECT_EQ(view->canvas()->surface()->chart()->panels[0].y.categories.size(), 12u)
        << "with the same plans there is nothing to compare";
    Scenario other = document.scenario();
    other.hardware = *machine_preset("h100-nvs8");
    ASSERT_TRUE(document.edit(other, "hardware"));
    wait();
    const Chart bars = *view->canvas()->surface()->chart();
    ASSERT_EQ(bars.panels[0].y.categories.size(), 13u);
    EXPECT_TRUE(bars.panels[0].y.categories[0].starts_with("A: 1D: dp ")) << bars.panels[0].y.categories[0];
    EXPECT_TRUE(bars.panels[0].y.categories[1].starts_with("B: 1D: dp ")) << bars.panels[0].y.categories[1];
    EXPECT_TRUE(bars.panels[0].y.details[0].starts_with("Variant 1\n"));
    EXPECT_EQ(bars.panels[0].y.items[0], -1);
    EXPECT_EQ(bars.panels[0].y.items[1], 0);
    EXPECT_THAT(bars.title, HasSubstr("less time a step than A ("));
    const auto& points = view->frontier()->surface()->chart()->panels[0].series;
    EXPECT_TRUE(
        std::ranges::any_of(points, [](const ChartSeries& one) { return one.name == "frontier of A"; }));
    EXPECT_THAT(view->accessibleDescription().toStdString(), HasSubstr("than A ("));
    emit view->canvas()->surface()->picked(-1);
    EXPECT_EQ(view->selected(), 0) << "A's is not B's to select";
    document.pin(std::nullopt);
    wait();
    EXPECT_EQ(view->canvas()->surface()->chart()->panels[0].y.categories.size(), 12u);
}

} // namespace
} // namespace meshslice::ui
