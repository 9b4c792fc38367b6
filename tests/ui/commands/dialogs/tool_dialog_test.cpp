// The tools of the window, each on the scenario that is shown.

#include "core/search/dataflow_search.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/dialogs/tool_dialog.h"
#include "ui/controls/table_model.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTest>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

class ToolDialogTest : public ::testing::Test {
  protected:
    ToolDialogTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.resize(1280, 800);
        window.show();
        EXPECT_TRUE(QTest::qWaitFor([this] { return window.session()->current() != nullptr; }, patience_ms));
    }
    /// Calls the action and waits for its answer.
    ToolDialog* answer(const char* entry) {
        for (QAction* action : window.findChildren<QAction*>()) {
            if (action->text() == QString::fromUtf8(entry)) {
                action->trigger();
            }
        }
        const auto dialogs = window.findChildren<ToolDialog*>();
        EXPECT_EQ(dialogs.size(), 1);
        EXPECT_TRUE(QTest::qWaitFor([&] { return !dialogs.front()->isBusy(); }, patience_ms));
        return dialogs.front();
    }

    MainWindow window{Memory::forget};
};

/// Four layers of three passes each, of the algorithm and the one compared with it: 24 GEMMs, all exact.
TEST_F(ToolDialogTest, VerifiesEveryGemm) {
    ToolDialog* dialog = answer("&Verify on real matrices…");
    const TableModel* rows = dialog->rows();
    EXPECT_EQ(rows->rowCount(), 24);
    for (int row = 0; row < rows->rowCount(); ++row) {
        EXPECT_EQ(rows->index(row, 5).data().toString(), QStringLiteral("right")) << row;
        EXPECT_EQ(rows->index(row, 6).data(TableModel::sort_role).toDouble(), 0.0);
    }
    const std::string said = dialog->finding()->text().toStdString();
    EXPECT_THAT(said, HasSubstr("All 24 GEMMs give the exact result"));
    EXPECT_THAT(said, HasSubstr("small matrices that are cut alike"));
}

TEST_F(ToolDialogTest, FindsTheBestDataflow) {
    ToolDialog* dialog = answer("Find the best &dataflow…");
    EXPECT_EQ(dialog->rows()->rowCount(), 4) << "QKV, Output, FF1, FF2";
    EXPECT_THAT(dialog->finding()->text().toStdString(), HasSubstr("The largest matrix of each layer stays"));
    EXPECT_FALSE(dialog->cancelButton()->isVisible());
}

/// With Y stationary, which is slower, the button takes the fastest that a scenario can ask for; undo brings
/// Y back.
TEST_F(ToolDialogTest, TakesTheBestDataflow) {
    Scenario next = window.document()->scenario();
    const auto search = search_dataflows(next);
    ASSERT_TRUE(search) << search.error().sentence;
    ASSERT_LT(search->shared.front().time, search->shared.back().time);
    next.plan.stationary = search->shared.back().stationary;
    ASSERT_TRUE(window.document()->edit(next, "stationary"));
    window.document()->endEdit();
    ToolDialog* dialog = answer("Find the best &dataflow…");
    ASSERT_EQ(dialog->offers().size(), 1u);
    QPushButton* button = dialog->offers().front().first;
    EXPECT_FALSE(button->toolTip().isEmpty());
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(window.document()->scenario().plan.stationary, search->shared.front().stationary);
    EXPECT_FALSE(button->isEnabled()) << "it has been taken";
    window.document()->undoStack()->undo();
    EXPECT_EQ(window.document()->scenario().plan.stationary, search->shared.back().stationary);
    EXPECT_TRUE(button->isEnabled()) << "it can be taken again";
    // Another batch than the one that was searched: nothing is taken.
    next.batch /= 2;
    ASSERT_TRUE(window.document()->edit(next, "batch"));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(window.document()->scenario(), next);
    EXPECT_EQ(dialog->remark()->text(), QStringLiteral("The scenario has changed since; search again."));
    EXPECT_TRUE(dialog->remark()->isVisible());
    window.document()->undoStack()->undo();
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(window.document()->scenario().plan.stationary, search->shared.front().stationary);
    EXPECT_FALSE(dialog->remark()->isVisible());
}

/// Two variants: one table, and a button for each that can be faster.
TEST_F(ToolDialogTest, TakesTheBestDataflowOfBothVariants) {
    const auto search = search_dataflows(window.document()->scenario());
    Scenario next = window.document()->scenario();
    next.plan.stationary = search->shared.back().stationary;
    ASSERT_TRUE(window.document()->edit(next, "stationary"));
    window.document()->endEdit();
    ASSERT_TRUE(window.document()->duplicate(0));
    ToolDialog* dialog = answer("Find the best &dataflow…");
    EXPECT_EQ(dialog->rows()->rowCount(), 8);
    ASSERT_EQ(dialog->offers().size(), 2u);
    EXPECT_TRUE(dialog->offers()[1].first->text().contains(
        QString::fromStdString(window.document()->project().variants[0].name)));
    const int steps = window.document()->undoStack()->count();
    QTest::mouseClick(dialog->offers()[1].first, Qt::LeftButton);
    EXPECT_EQ(window.document()->undoStack()->count(), steps + 1);
    EXPECT_EQ(window.document()->project().current, 1u);
    ASSERT_NE(window.document()->reference(), nullptr) << "B is still compared with A";
    EXPECT_FALSE(dialog->offers()[1].first->isEnabled());
    EXPECT_TRUE(dialog->offers()[0].first->isEnabled());
    EXPECT_EQ(window.document()->project().variants[0].scenario.plan.stationary,
              search->shared.front().stationary);
    EXPECT_EQ(window.document()->project().variants[1].scenario.plan.stationary,
              search->shared.back().stationary);
    window.document()->undoStack()->undo();
    EXPECT_EQ(window.document()->project().variants[0].scenario, next);
    EXPECT_EQ(window.document()->project().current, 1u);
}

/// What was compared with what stands below the table.
TEST_F(ToolDialogTest, TheVerificationSaysWhatWasCompared) {
    ToolDialog* dialog = answer("&Verify on real matrices…");
    const auto labels = dialog->findChildren<QLabel*>();
    EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("each element of the result"));
    }));
    const std::string column =
        dialog->rows()->headerData(6, Qt::Horizontal, Qt::DisplayRole).toString().toStdString();
    EXPECT_THAT(column, HasSubstr("difference"));
    EXPECT_EQ(dialog->rows()->index(1, 1).data().toString(), QStringLiteral("QKV backward data"));
}

/// One GEMM by itself has no layers to choose for: a sentence says so.
TEST_F(ToolDialogTest, SaysWhyThereIsNoAnswer) {
    Scenario next = window.document()->scenario();
    next.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    ASSERT_TRUE(window.document()->edit(next, "task"));
    ToolDialog* dialog = answer("Find the best &dataflow…");
    EXPECT_GT(dialog->finding()->text().size(), 20);
    EXPECT_NE(dialog->finding()->text(), QStringLiteral("Computing…"));
    EXPECT_EQ(dialog->rows()->rowCount(), 0);
}

TEST_F(ToolDialogTest, IsCancelled) {
    std::atomic<bool> stopped = false;
    auto* dialog = new ToolDialog(
        QStringLiteral("Long"), QStringLiteral("of nothing"),
        [&](const RunControl& control) -> Result<ToolPage> {
            while (!control.stop.stop_requested()) {
                std::this_thread::yield();
            }
            stopped = true;
            return cancelled();
        },
        &window);
    dialog->show();
    EXPECT_TRUE(dialog->isBusy());
    QTest::mouseClick(dialog->cancelButton(), Qt::LeftButton);
    EXPECT_FALSE(dialog->isBusy());
    EXPECT_EQ(dialog->finding()->text(), QStringLiteral("Cancelled."));
    EXPECT_TRUE(QTest::qWaitFor([&] { return stopped.load(); }, patience_ms));
}

} // namespace
} // namespace meshslice::ui
