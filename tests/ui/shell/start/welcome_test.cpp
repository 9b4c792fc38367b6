// The welcome next to the real window.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/dialogs/welcome_dialog.h"
#include "ui/document/document.h"
#include "ui/lessons/lesson_course.h"
#include "ui/session/session.h"
#include "ui/settings/lesson_progress.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start/also_open.h"
#include "ui/shell/start/lessons.h"
#include "ui/shell/start/welcome.h"
#include "ui/shell/start/welcome_pictures.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <set>

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
    ASSERT_EQ(window.welcome()->dialog()->cards().size(), 8U);
    QAbstractButton* card = window.welcome()->dialog()->cards()[5]; // after three whole runs
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
    WelcomeDialog dialog(recent, &window);
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
    WelcomeDialog dialog({}, &window);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QApplication::processEvents();
    EXPECT_EQ(dialog.findChild<QScrollArea*>()->verticalScrollBar()->maximum(), 0);
    for (const QAbstractButton* card : dialog.cards()) {
        EXPECT_GE(card->height(), card->heightForWidth(card->width())) << card->text().toStdString();
    }
}

/// To a new user, once, and never where there is something to work on.
TEST_F(WelcomeTest, IsShownAtTheFirstStart) {
    {
        MainWindow window(Memory::keep);
        window.show();
        window.welcome()->openAtStart(true);
        EXPECT_EQ(window.welcome()->dialog(), nullptr)
            << "what is said of a file that cannot be read is seen";
        window.welcome()->openAtStart();
        ASSERT_NE(window.welcome()->dialog(), nullptr);
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

/// Each question has a picture that the engine made, and opens where it is answered, the keyboard where one
/// begins.
TEST_F(WelcomeTest, AsksWhatOneComesWith) {
    MainWindow window(Memory::forget);
    window.resize(1280, 800);
    window.show();
    window.activateWindow();
    const std::vector<std::pair<const char*, const char*>> leads = {
        {"", "Model"}, {"plan", ""}, {"timeline", "Mesh rows"}, {"serving", ""}, {"lab", ""}};
    for (std::size_t k = 0; k < leads.size(); ++k) {
        window.welcome()->open();
        WelcomeDialog* const dialog = window.welcome()->dialog();
        ASSERT_EQ(dialog->questions().size(), leads.size());
        QAbstractButton* const card = dialog->questions()[k];
        EXPECT_TRUE(card->text().endsWith(QLatin1Char('?')) || k == 4) << card->text().toStdString();
        EXPECT_FALSE(card->accessibleDescription().isEmpty());
        // Where the words end, nothing is painted before the engine has answered.
        ASSERT_TRUE(QTest::qWaitFor([&] { return window.welcome()->pictures()->isReady(); }, patience_ms));
        const QImage painted = card->grab().toImage().convertToFormat(QImage::Format_RGB32);
        std::set<QRgb> colors;
        for (int y = painted.height() / 2; y < painted.height(); ++y) {
            for (int x = 0; x < painted.width(); ++x) {
                colors.insert(painted.pixel(x, y));
            }
        }
        EXPECT_GT(colors.size(), 3u) << "a picture: " << card->text().toStdString();
        QTest::mouseClick(card, Qt::LeftButton);
        forget();
        window.activateWindow();
        QApplication::processEvents();
        if (*leads[k].first != '\0') {
            EXPECT_EQ(window.pictures()->currentView()->id(), QString::fromLatin1(leads[k].first));
        }
        EXPECT_EQ(window.session()->task(),
                  (std::array{Task::block, Task::training, Task::block, Task::serving, Task::lab}[k]));
        if (*leads[k].second != '\0') {
            ASSERT_NE(QApplication::focusWidget(), nullptr);
            EXPECT_EQ(QApplication::focusWidget()->accessibleName(), QString::fromLatin1(leads[k].second));
        }
    }
    EXPECT_EQ(window.lessons()->course()->lesson()->id, "notation") << "Teach me sharding";
    window.lessons()->course()->leave();
}

/// Who has changed nothing sees a run as people train, Llama 3 70B on 256 chips; who has keeps what is open.
TEST_F(WelcomeTest, BeginsAQuestionWithWhatItIsAbout) {
    MainWindow window(Memory::forget);
    const auto ask = [&](std::size_t question) {
        window.welcome()->open();
        QTest::mouseClick(window.welcome()->dialog()->questions()[question], Qt::LeftButton);
        forget();
    };
    ask(1);
    EXPECT_EQ(window.document()->scenario().model.name, "llama-3-70b");
    EXPECT_EQ(window.document()->scenario().planning.chips, 256);
    EXPECT_EQ(window.session()->task(), Task::training);
    ask(2);
    EXPECT_EQ(window.document()->project().variants, Project().variants) << "why a block is slow";
    window.document()->restore(project_of(smallScenario()), {});
    const Project own = window.document()->project();
    ask(1);
    EXPECT_EQ(window.document()->project().variants, own.variants);
    window.document()->undoStack()->setClean();
}

/// How far one is in the lessons stands with them.
TEST_F(WelcomeTest, TicksTheLessonsThatAreDone) {
    rememberProgress(QStringLiteral("notation"), {0, true, true});
    rememberProgress(QStringLiteral("four-cases"), {2, true, false});
    MainWindow window(Memory::keep);
    window.resize(1280, 800);
    window.show();
    window.welcome()->open();
    const auto& lessons = window.welcome()->dialog()->lessons();
    EXPECT_TRUE(lessons[2]->text().startsWith(QStringLiteral("✓"))) << lessons[2]->text().toStdString();
    EXPECT_TRUE(lessons[3]->text().contains(QStringLiteral("step 3 of 6")))
        << lessons[3]->text().toStdString();
    EXPECT_FALSE(lessons[4]->text().contains(QStringLiteral("(")));
}

/// A second window on one file says so, and the first does not.
TEST_F(WelcomeTest, SaysThatAFileIsAlsoOpenElsewhere) {
    const QTemporaryDir folder;
    MainWindow one(Memory::forget);
    MainWindow other(Memory::forget);
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    const AlsoOpen first(&one, folder.filePath(QStringLiteral("open")));
    const AlsoOpen second(&other, folder.filePath(QStringLiteral("open")));
    ASSERT_TRUE(one.document()->save(path));
    EXPECT_FALSE(first.isElsewhere());
    ASSERT_TRUE(other.document()->open(path));
    EXPECT_TRUE(second.isElsewhere());
    const QLabel* const note = second.note();
    EXPECT_TRUE(note->text().contains(QStringLiteral("Also open in another window")));
    EXPECT_FALSE(note->isHidden());
    EXPECT_FALSE(first.isElsewhere());
    EXPECT_TRUE(first.note()->isHidden());
    // When the first turns to another file, the second may have it.
    ASSERT_TRUE(one.document()->save(folder.filePath(QStringLiteral("two.json"))));
    ASSERT_TRUE(other.document()->save(folder.filePath(QStringLiteral("three.json"))));
    ASSERT_TRUE(other.document()->open(path));
    EXPECT_FALSE(second.isElsewhere());
}

TEST_F(WelcomeTest, OffersWhatTheUserHas) {
    QWidget window;
    window.resize(1280, 800);
    auto* welcome =
        new WelcomeDialog({QStringLiteral("/a/one.json"), QStringLiteral("/b/two.json")}, &window);
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
