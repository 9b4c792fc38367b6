// The window on a projector: F11 in the real window, with and without a lesson.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_course.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/pictures/projector.h"
#include "ui/shell/start/lessons.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QDockWidget>
#include <QFontInfo>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class ProjectorTest : public ::testing::Test {
  protected:
    ProjectorTest() {
        window.resize(1280, 720);
        (void)window.document()->edit(smallScenario(), "mesh");
        window.document()->undoStack()->clear();
        window.show();
        window.activateWindow();
        const Session& session = *window.session();
        EXPECT_TRUE(QTest::qWaitFor([&] { return session.current() != nullptr && !session.isExplaining(); },
                                    patience_ms));
        settle();
    }
    static void settle() {
        for (int k = 0; k < 8; ++k) {
            QApplication::processEvents();
        }
    }
    void press(Qt::Key key) {
        QWidget* const focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : &window, key);
        settle();
    }
    Projector& projector() { return *window.findChild<Projector*>(); }
    LessonCourse& course() { return *window.lessons()->course(); }
    View* named(const char* id) {
        for (View* view : window.views()) {
            if (view->id() == QLatin1String(id)) {
                return view;
            }
        }
        return nullptr;
    }
    /// What is seen of the window, and how large.
    std::vector<QRect> sights() {
        std::vector<QRect> all;
        for (QWidget* one :
             std::initializer_list<QWidget*>{window.scenarioDock(), window.detailsDock(), window.headline(),
                                             window.statusBar(), window.menuBar(), window.pictures()}) {
            all.push_back(one->visibleRegion().isEmpty() ? QRect() : one->geometry()); // not behind a tab
        }
        return all;
    }

    const OwnSettings settings{QStringLiteral("projector")};
    MainWindow window{Memory::forget};
};

/// 14 points are 4.94 mm, 1/51.4 of 254 mm: of 1280 pixels 24.9, and of letters of 12 pixels 207%.
TEST(ProjectorText, HasTheProportionsOfASlide) {
    EXPECT_EQ(Projector::percentFor({1280, 720}, 12), 205);
    EXPECT_EQ(Projector::percentFor({1920, 1080}, 12), 310);
    EXPECT_EQ(Projector::percentFor({1280, 400}, 12), 115) << "a low one: by its height";
    EXPECT_EQ(Projector::percentFor({320, 200}, 12), 100) << "never smaller than usual";
}

/// One picture and nothing else, as large as the window; and all is back as it was.
TEST_F(ProjectorTest, ShowsOnePictureAndComesBack) {
    window.pictures()->show(named("torus"));
    settle();
    const auto before = sights();
    const int text = window.appearance()->fontPercent();
    press(Qt::Key_F11);
    ASSERT_TRUE(projector().isOn());
    EXPECT_TRUE(window.isFullScreen());
    EXPECT_FALSE(window.scenarioDock()->isVisible());
    EXPECT_FALSE(window.detailsDock()->isVisible());
    EXPECT_FALSE(window.headline()->isVisible());
    EXPECT_FALSE(window.statusBar()->isVisible());
    EXPECT_EQ(window.menuBar()->height(), 0);
    for (const QTabBar* bar : window.pictures()->findChildren<QTabBar*>()) {
        EXPECT_TRUE(!bar->isVisible() || named("torus")->isAncestorOf(bar));
    }
    const View* const torus = window.pictures()->currentView();
    EXPECT_GE(torus->width(), window.width() - 4);
    EXPECT_GE(torus->height(), window.height() - 4);
    // The letters of a slide, on the screen that there is: of tests one of 800 x 800.
    const double letter =
        100.0 * QFontInfo(QApplication::font()).pixelSize() / window.appearance()->fontPercent();
    EXPECT_GE(window.appearance()->fontPercent(),
              std::min(150, Projector::percentFor(window.size(), letter) - 5));
    press(Qt::Key_Escape);
    EXPECT_FALSE(projector().isOn());
    EXPECT_FALSE(window.isFullScreen());
    EXPECT_EQ(window.appearance()->fontPercent(), text);
    window.resize(1280, 720);
    settle();
    EXPECT_EQ(sights(), before);
    EXPECT_TRUE(std::ranges::any_of(window.pictures()->findChildren<QTabBar*>(),
                                    [](const QTabBar* bar) { return bar->isVisible(); }));
    press(Qt::Key_F11);
    EXPECT_TRUE(projector().isOn());
    press(Qt::Key_F11);
    EXPECT_FALSE(projector().isOn());
}

/// Every view fills the screen, and the keys of the views go on working.
TEST_F(ProjectorTest, ShowsEveryView) {
    projector().setOn(true);
    for (View* view : window.views()) {
        window.pictures()->show(view);
        settle();
        EXPECT_TRUE(view->isVisible()) << view->id().toStdString();
        EXPECT_GE(view->width(), window.width() - 20) << view->id().toStdString();
        EXPECT_FALSE(window.headline()->isVisible()) << view->id().toStdString();
    }
    projector().setOn(false);
}

/// A lesson as a card of three lines; the arrows and a presenter's keys go through it.
TEST_F(ProjectorTest, GoesThroughALessonWithArrowKeys) {
    window.lessons()->begin(lesson("slicing"));
    settle();
    ASSERT_TRUE(window.lessons()->dock()->isVisible());
    projector().setOn(true);
    settle();
    LessonCard* const card = projector().card();
    ASSERT_NE(card, nullptr);
    EXPECT_FALSE(window.lessons()->dock()->isVisible()) << "the card takes its place";
    const int line = card->fontMetrics().lineSpacing();
    EXPECT_LE(card->height(), 5 * line) << "three lines, and their margins";
    EXPECT_GE(window.pictures()->currentView()->height(), window.height() * 7 / 10);
    EXPECT_TRUE(card->title()->text().contains(words(course().current().title.text())));
    EXPECT_EQ(card->place()->text(), QStringLiteral("1 of 6"));
    // The second asks first, and shows the first until it has its answer.
    press(Qt::Key_Right);
    EXPECT_EQ(course().step(), 1u);
    ASSERT_TRUE(course().awaitsPrediction());
    EXPECT_EQ(window.document()->scenario().plan.slices, 1);
    EXPECT_TRUE(card->choices().front()->isVisible());
    press(Qt::Key_1); // "faster"
    ASSERT_TRUE(QTest::qWaitFor([&] { return !course().awaitsPrediction(); }, patience_ms));
    settle();
    EXPECT_EQ(window.document()->scenario().plan.slices, 4);
    EXPECT_TRUE(card->text()->text().startsWith(QStringLiteral("Right")))
        << card->text()->text().toStdString();
    EXPECT_FALSE(card->choices().front()->isVisible());
    press(Qt::Key_PageDown);
    EXPECT_EQ(course().step(), 2u);
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("lab"));
    EXPECT_FALSE(window.headline()->isVisible()) << "the form stays away";
    press(Qt::Key_PageUp);
    press(Qt::Key_Left);
    EXPECT_EQ(course().step(), 0u);
    // Without an answer, the arrow says it.
    press(Qt::Key_Right);
    EXPECT_FALSE(course().awaitsPrediction()) << "it was made";
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    ASSERT_TRUE(course().awaitsPrediction()) << "S = 64";
    press(Qt::Key_Right);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !course().awaitsPrediction(); }, patience_ms));
    EXPECT_EQ(course().step(), 3u);
    press(Qt::Key_Escape);
    EXPECT_TRUE(course().isOpen()) << "the lesson goes on in the window";
    EXPECT_TRUE(window.lessons()->dock()->isVisible());
    EXPECT_EQ(projector().card(), nullptr);
}

/// What is longer than two lines ends with dots, and *more* shows all of it.
TEST_F(ProjectorTest, ShortensTheTextToWhatFits) {
    window.lessons()->begin(lesson("collectives"));
    projector().setOn(true);
    settle();
    LessonCard* const card = projector().card();
    ASSERT_NE(card, nullptr);
    EXPECT_TRUE(card->text()->text().endsWith(QStringLiteral("…")));
    ASSERT_TRUE(card->more()->isVisible());
    const int low = card->height();
    QTest::mouseClick(card->more(), Qt::LeftButton);
    settle();
    EXPECT_GT(card->height(), low);
    EXPECT_LE(card->height(), window.height() / 2);
    EXPECT_FALSE(card->text()->text().endsWith(QStringLiteral("…")));
    QTest::mouseClick(card->more(), Qt::LeftButton);
    settle();
    EXPECT_EQ(card->height(), low);
    projector().setOn(false);
}

/// A lesson that begins or ends on the projector; what comes back is as before it.
TEST_F(ProjectorTest, LessonsBeginAndEndOnIt) {
    const auto before = sights();
    projector().setOn(true);
    window.lessons()->begin(lesson("notation"));
    settle();
    ASSERT_NE(projector().card(), nullptr);
    EXPECT_FALSE(window.scenarioDock()->isVisible());
    course().leave();
    settle();
    EXPECT_EQ(projector().card(), nullptr);
    projector().setOn(false);
    window.resize(1280, 720);
    settle();
    EXPECT_EQ(sights(), before);
    EXPECT_FALSE(window.lessons()->dock()->isVisible());
}

/// The settings that a window keeps when it is closed from the projector are those from before.
TEST_F(ProjectorTest, ClosingLeavesItFirst) {
    const int text = window.appearance()->fontPercent();
    projector().setOn(true);
    window.close();
    EXPECT_FALSE(projector().isOn());
    EXPECT_EQ(window.appearance()->fontPercent(), text);
}

} // namespace
} // namespace meshslice::ui
