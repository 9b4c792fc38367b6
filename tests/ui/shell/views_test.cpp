#include "core/scenario/file/project.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/session/session.h"
#include "ui/settings/help_text.h"
#include "ui/shell/bars/breadcrumb.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/bars/task_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/views.h"
#include "ui/view/picture_area.h"
#include "ui/view/picture_column.h"
#include "ui/view/view.h"

#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QDockWidget>
#include <QKeySequence>
#include <QMenuBar>
#include <QTabBar>
#include <QTest>
#include <gtest/gtest.h>

#include <set>

namespace meshslice::ui {
namespace {

TEST(ViewRegister, NamesEveryViewOnce) {
    std::set<std::string> ids;
    for (const ViewEntry& entry : viewRegister()) {
        EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
        EXPECT_FALSE(entry.title.isEmpty()) << entry.id;
        EXPECT_FALSE(entry.places.empty()) << entry.id << " is never seen";
    }
}

TEST(ViewRegister, EveryTaskAndTabHasAKeyOfItsOwn) {
    QStringList keys;
    for (const Task task : allTasks()) {
        EXPECT_FALSE(keyOf(task).isEmpty());
        keys << keyOf(task).toString();
    }
    for (const Tab tab : {Tab::summary, Tab::timeline, Tab::map, Tab::limits, Tab::compare}) {
        keys << keyOf(tab).toString();
    }
    EXPECT_EQ(keys.removeDuplicates(), 0) << keys.join(QLatin1Char(' ')).toStdString();
    EXPECT_EQ(keyOf(Tab::timeline).toString(), QStringLiteral("Ctrl+2"));
}

class TasksTest : public ::testing::Test {
  protected:
    TasksTest() {
        window.document()->beginWith(project_of(smallScenario()));
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
    }
    void choose(Task task) {
        auto* bar = window.findChild<TaskBar*>();
        QTest::mouseClick(bar->buttons()->button(static_cast<int>(task)), Qt::LeftButton);
        QApplication::processEvents();
    }
    QStringList tabs() {
        QStringList names;
        const QTabBar* bar = window.pictures()->left()->tabs();
        for (int k = 0; k < bar->count(); ++k) {
            names << bar->tabText(k);
        }
        return names;
    }

    MainWindow window{Memory::forget};
};

/// The task rules form, headline and tabs: nothing in the window speaks of another one.
TEST_F(TasksTest, RuleTheFrame) {
    const ScenarioPanel& panel = *window.scenarioPanel();
    EXPECT_TRUE(panel.shows("algorithm"));
    EXPECT_FALSE(panel.shows("planning.zero"));
    EXPECT_TRUE(tabs().contains(QStringLiteral("Limits")));

    choose(Task::training);
    EXPECT_EQ(window.session()->task(), Task::training);
    EXPECT_TRUE(panel.shows("model"));
    EXPECT_TRUE(panel.shows("planning.zero"));
    EXPECT_FALSE(panel.shows("algorithm"));
    EXPECT_TRUE(window.headline()->about().contains(QStringLiteral("training run")));
    EXPECT_EQ(window.pictures()->current().tab, Tab::summary) << "answers first";

    choose(Task::papers);
    EXPECT_TRUE(window.headline()->isHidden()) << "it speaks of a scenario";
    EXPECT_TRUE(window.scenarioDock()->isHidden());
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("studies"));
    EXPECT_TRUE(window.pictures()->left()->tabs()->isHidden()) << "there is one";

    choose(Task::block);
    EXPECT_FALSE(window.headline()->isHidden());
    EXPECT_FALSE(window.scenarioDock()->isHidden());
    EXPECT_TRUE(panel.shows("algorithm"));
    EXPECT_FALSE(window.document()->isModified()) << "another question is not an edit";
}

/// One GEMM in place of a block is another scenario: an edit that can be undone.
TEST_F(TasksTest, AGemmIsAnEdit) {
    choose(Task::gemm);
    EXPECT_TRUE(window.document()->scenario().gemm.has_value());
    EXPECT_TRUE(window.document()->isModified());
    window.document()->undoStack()->undo();
    EXPECT_EQ(window.session()->task(), Task::block);
    choose(Task::gemm);
    choose(Task::training);
    EXPECT_FALSE(window.document()->scenario().gemm.has_value()) << "one GEMM is not a training run";
}

/// The task is the project's: it is there again when the file is opened.
TEST_F(TasksTest, AreKeptInTheFile) {
    choose(Task::training);
    const Result<Project> again = read_project(write_project(window.document()->project()), "a file");
    ASSERT_TRUE(again);
    choose(Task::lab);
    window.document()->restore(*again, {});
    EXPECT_EQ(window.session()->task(), Task::training);
    window.document()->reset();
    EXPECT_EQ(window.session()->task(), Task::block);
}

/// Every page can be asked for by its name, whatever the task, and brings the task along.
TEST_F(TasksTest, EveryPageIsFoundByItsName) {
    for (const ViewPlace& place : window.pictures()->places()) {
        if (place.title == titleOf(place.tab)) {
            continue; // the tab's own action shows it
        }
        int actions = 0;
        for (QAction* action : window.findChildren<QAction*>()) {
            if (action->text() == place.title && action->shortcut().isEmpty() && !action->isCheckable()) {
                ++actions;
                action->trigger();
                const ViewPlace now = window.pictures()->current();
                EXPECT_EQ(now.view, place.view) << place.title.toStdString();
                EXPECT_EQ(now.page, place.page) << place.title.toStdString();
                EXPECT_TRUE(has(place.tasks, window.session()->task()));
                EXPECT_TRUE(place.view->isVisible()) << place.title.toStdString();
            }
        }
        EXPECT_EQ(actions, 1) << place.title.toStdString();
    }
}

TEST_F(TasksTest, TabsAreTurnedByTheirNumbersAndRememberTheirPage) {
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    EXPECT_EQ(window.pictures()->current().tab, Tab::limits);
    QTabBar* pages = window.pictures()->left()->pages();
    ASSERT_EQ(pages->count(), 3);
    QTest::mouseClick(pages, Qt::LeftButton, Qt::NoModifier, pages->tabRect(1).center());
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("breakdown"));
    QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier);
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("breakdown"));
    QTest::keyClick(&window, Qt::Key_6, Qt::ControlModifier);
    EXPECT_EQ(window.session()->task(), Task::papers);
    QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("breakdown"));
}

/// From the run to a core and back, by keys alone.
TEST_F(TasksTest, ScalesAreGoneThroughByKeys) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    const auto scale = [&] { return window.breadcrumb()->crumbs(); };
    EXPECT_EQ(scale(), QStringList({QStringLiteral("Training run"), QStringLiteral("Block")}));
    const auto in = [&] { QTest::keyClick(&window, Qt::Key_Return, Qt::ControlModifier); };
    const auto out = [&] { QTest::keyClick(&window, Qt::Key_Backspace, Qt::ControlModifier); };
    in();
    EXPECT_EQ(scale().size(), 3) << "its first GEMM";
    in();
    EXPECT_EQ(scale().size(), 4);
    EXPECT_EQ(scale().last(), QStringLiteral("chip 0,0 core"));
    out();
    EXPECT_EQ(scale().size(), 3);
    out();
    EXPECT_EQ(scale().size(), 2);
    out();
    EXPECT_EQ(window.session()->task(), Task::training);
    EXPECT_EQ(scale(), QStringList({QStringLiteral("Training run")}));
    in();
    EXPECT_EQ(window.session()->task(), Task::block);
}

TEST_F(TasksTest, KeysOfAllViewsAreInTheHelp) {
    const QString help = keysText(*window.menuBar(), window.views());
    for (const View* view : window.views()) {
        for (const KeyHelp& key : view->keys()) {
            EXPECT_TRUE(help.contains(key.act.toHtmlEscaped())) << key.act.toStdString();
        }
    }
}

} // namespace
} // namespace meshslice::ui
