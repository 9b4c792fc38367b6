#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/dialogs/views_dialog.h"
#include "ui/commands/export_commands.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/view/view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class ViewsDialogTest : public ::testing::Test {
  protected:
    ViewsDialogTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
        EXPECT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
        QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        dialog = window.exports()->viewsDialog();
    }
    void click(const char* text) {
        for (auto* button : dialog->findChildren<QAbstractButton*>()) {
            if (button->text().remove(QLatin1Char('&')) == QString::fromUtf8(text)) {
                QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(8, button->height() / 2));
                return;
            }
        }
        ADD_FAILURE() << "there is no " << text;
    }

    MainWindow window{Memory::forget};
    ViewsDialog* dialog = nullptr;
};

TEST_F(ViewsDialogTest, BeginsWithAllThatHaveSomethingToShow) {
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(static_cast<std::size_t>(dialog->list()->count()), window.views().size());
    for (const View* view : dialog->chosen()) {
        EXPECT_FALSE(view->isUnused());
    }
    EXPECT_GT(dialog->chosen().size(), 8u);
    EXPECT_EQ(dialog->endings().size(), 4);
    EXPECT_TRUE(dialog->saveButton()->isEnabled());
    click("None");
    EXPECT_TRUE(dialog->chosen().empty());
    EXPECT_FALSE(dialog->saveButton()->isEnabled()) << "there is nothing to write";
    click("All");
    EXPECT_EQ(dialog->chosen().size(), window.views().size());
    for (auto* control : dialog->findChildren<QAbstractButton*>()) {
        EXPECT_TRUE(!control->toolTip().isEmpty() || control->text().contains(QStringLiteral("Cancel")));
    }
}

/// Two views as SVG alone: two files.
TEST_F(ViewsDialogTest, WritesTheChosenOnes) {
    ASSERT_NE(dialog, nullptr);
    const QTemporaryDir folder;
    click("None");
    QTest::keyClick(dialog->list(), Qt::Key_Space); // the first
    dialog->list()->setCurrentRow(3);
    QTest::keyClick(dialog->list(), Qt::Key_Space);
    for (const char* format : {"PNG", "PDF", "CSV"}) {
        click(format);
    }
    EXPECT_EQ(dialog->endings(), QStringList(QStringLiteral("svg")));
    QTimer::singleShot(0, &window, [&] {
        auto* folders = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(folders, nullptr);
        folders->setDirectory(folder.path());
        folders->selectFile(folder.path());
        QMetaObject::invokeMethod(folders, "accept");
    });
    click("Folder…");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.exports()->isBusy(); }, patience_ms));
    const QStringList files = QDir(folder.path()).entryList(QDir::Files);
    const QString first = window.views()[0]->id() + QStringLiteral(".svg");
    const QString fourth = window.views()[3]->id() + QStringLiteral(".svg");
    EXPECT_EQ(files.size(), 2);
    EXPECT_TRUE(files.contains(first) && files.contains(fourth))
        << files.join(QLatin1Char(' ')).toStdString();
}

} // namespace
} // namespace meshslice::ui
