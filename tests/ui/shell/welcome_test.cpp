// The welcome next to the real window.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/welcome_dialog.h"
#include "ui/document/document.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/welcome.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class WelcomeTest : public ::testing::Test {
  protected:
    static void forget() { QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); }

    const OwnSettings settings{QStringLiteral("welcome")};
};

/// Five pairs that make one point each; a click opens one, and the welcome is out of the way.
TEST_F(WelcomeTest, OpensAnExample) {
    MainWindow window(Memory::forget);
    window.resize(960, 600);
    window.show();
    EXPECT_EQ(window.welcome()->dialog(), nullptr) << "unless asked for";
    window.welcome()->open();
    ASSERT_NE(window.welcome()->dialog(), nullptr);
    EXPECT_LE(window.welcome()->dialog()->width(), 960);
    EXPECT_LE(window.welcome()->dialog()->height(), 600);
    ASSERT_EQ(window.welcome()->dialog()->cards().size(), 5U);
    QAbstractButton* card = window.welcome()->dialog()->cards()[2];
    EXPECT_FALSE(card->text().isEmpty());
    EXPECT_FALSE(card->accessibleDescription().isEmpty());
    EXPECT_GE(card->height(), card->heightForWidth(card->width()));
    QTest::mouseClick(card, Qt::LeftButton);
    EXPECT_EQ(window.document()->project().variants.size(), 2U);
    EXPECT_TRUE(
        card->text().contains(QString::fromStdString(window.document()->project().variants.front().name)));
    forget();
    EXPECT_EQ(window.welcome()->dialog(), nullptr);
}

/// On a small laptop everything is seen at once.
TEST_F(WelcomeTest, NeedsNoScrollBarAt1280x800) {
    MainWindow window(Memory::forget);
    window.resize(1280, 800);
    window.show();
    const QStringList recent = {QStringLiteral("/a/1"), QStringLiteral("/a/2"), QStringLiteral("/a/3"),
                                QStringLiteral("/a/4"), QStringLiteral("/a/5")};
    WelcomeDialog dialog(recent, true, &window);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QApplication::processEvents();
    EXPECT_EQ(dialog.findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0);
    EXPECT_EQ(dialog.recent().size(), 5u);
}

/// Nor does what is new, in the smallest window; no card is cut.
TEST_F(WelcomeTest, NeedsNoScrollBarAt960x600WhereNothingIsRecent) {
    MainWindow window(Memory::forget);
    window.resize(960, 600);
    window.show();
    WelcomeDialog dialog({}, true, &window);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QApplication::processEvents();
    EXPECT_EQ(dialog.findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0);
    for (const QAbstractButton* card : dialog.cards()) {
        EXPECT_GE(card->height(), card->heightForWidth(card->width())) << card->text().toStdString();
    }
}

/// Until somebody says no, and never where there is something to work on.
TEST_F(WelcomeTest, IsShownAtTheStartAsLongAsItIsWanted) {
    {
        MainWindow window(Memory::keep);
        window.show();
        window.welcome()->openAtStart(true);
        EXPECT_EQ(window.welcome()->dialog(), nullptr)
            << "what is said of a file that cannot be read is seen";
        window.welcome()->openAtStart();
        ASSERT_NE(window.welcome()->dialog(), nullptr);
        EXPECT_TRUE(window.welcome()->dialog()->atStart()->isChecked());
        QTest::mouseClick(window.welcome()->dialog()->atStart(), Qt::LeftButton, {}, QPoint(8, 8));
        EXPECT_FALSE(restoredWelcome());
    }
    MainWindow window(Memory::keep);
    window.show();
    window.welcome()->openAtStart();
    EXPECT_EQ(window.welcome()->dialog(), nullptr);
    rememberWelcome(true);
    window.document()->restore(project_of(smallScenario()), {});
    window.welcome()->openAtStart();
    EXPECT_EQ(window.welcome()->dialog(), nullptr) << "recovered work comes first";
    window.document()->undoStack()->setClean();
}

TEST_F(WelcomeTest, OffersWhatTheUserHas) {
    QWidget window;
    window.resize(1280, 800);
    auto* welcome =
        new WelcomeDialog({QStringLiteral("/a/one.json"), QStringLiteral("/b/two.json")}, false, &window);
    ASSERT_EQ(welcome->recent().size(), 2U);
    EXPECT_EQ(welcome->recent()[1]->text(), QStringLiteral("two.json"));
    const QSignalSpy file(welcome, &WelcomeDialog::fileAsked);
    const QSignalSpy model(welcome, &WelcomeDialog::modelAsked);
    welcome->show();
    welcome->modelButton()->click();
    EXPECT_EQ(model.count(), 1);
    EXPECT_FALSE(welcome->isVisible());
    welcome->recent()[1]->click();
    ASSERT_EQ(file.count(), 1);
    EXPECT_EQ(file[0][0].toString(), QStringLiteral("/b/two.json"));
}

} // namespace
} // namespace meshslice::ui
