// The tools of the window, each on the scenario that is shown.

#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/tool_dialog.h"
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
    EXPECT_THAT(said, HasSubstr("All 24 GEMMs are right"));
    EXPECT_THAT(said, HasSubstr("small matrices that are cut alike"));
}

TEST_F(ToolDialogTest, FindsTheBestDataflow) {
    ToolDialog* dialog = answer("Find the best &dataflow…");
    EXPECT_EQ(dialog->rows()->rowCount(), 4) << "QKV, Output, FF1, FF2";
    EXPECT_THAT(dialog->finding()->text().toStdString(), HasSubstr("The largest matrix of each layer stays"));
    EXPECT_FALSE(dialog->cancelButton()->isVisible());
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
