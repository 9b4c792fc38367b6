// Each layout of the real window, from the smallest screen to a large one.

#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QDockWidget>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class LayoutsTest : public ::testing::TestWithParam<std::pair<int, int>> {
  protected:
    LayoutsTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.resize(size);
        window.show();
        QApplication::setActiveWindow(&window);
        EXPECT_TRUE(QTest::qWaitFor([&] { return !window.session()->isComputing(); }, patience_ms));
    }
    ~LayoutsTest() override { window.appearance()->setFontPercent(100); }
    void take(WindowLayout layout) {
        window.layouts()->take(layout);
        settle();
    }
    void settle() {
        for (int k = 0; k < 5; ++k) {
            QApplication::sendPostedEvents();
            QApplication::processEvents();
        }
        EXPECT_EQ(window.size(), size) << "a layout fits the window, not the window the layout";
    }
    QStringList seen() {
        QStringList ids;
        for (const View* view : window.views()) {
            if (view->isVisible()) {
                ids << view->id();
            }
        }
        return ids;
    }
    bool isWide() const { return size.width() > 1200; }

    const QSize size{GetParam().first, GetParam().second};
    MainWindow window{Memory::forget};
};

TEST_P(LayoutsTest, ExploreIsWhatTheWindowOpensWith) {
    const int picture = window.pictures()->width();
    take(WindowLayout::teach);
    take(WindowLayout::explore);
    EXPECT_TRUE(window.scenarioDock()->isVisible());
    EXPECT_FALSE(window.detailsDock()->isHidden());
    EXPECT_FALSE(window.pictures()->isSideBySide());
    EXPECT_NEAR(window.pictures()->width(), picture, 24);
    EXPECT_EQ(seen(), QStringList{QStringLiteral("torus")}) << "what is looked at stays";
    window.layouts()->reset();
    settle();
    EXPECT_EQ(seen(), QStringList{QStringLiteral("summary")});
}

TEST_P(LayoutsTest, CompareHasTwoPictures) {
    take(WindowLayout::compare);
    EXPECT_EQ(seen(), (QStringList{QStringLiteral("timeline"), QStringLiteral("breakdown")}));
    EXPECT_TRUE(window.detailsDock()->isHidden());
    EXPECT_EQ(window.scenarioDock()->isVisible(), isWide()) << "where there is room for all";
    const QStringList before = seen();
    take(WindowLayout::compare);
    EXPECT_EQ(seen(), before);
}

TEST_P(LayoutsTest, TeachHasLargeLettersAndGivesThemBack) {
    window.appearance()->setFontPercent(110);
    take(WindowLayout::teach);
    EXPECT_EQ(window.appearance()->fontPercent(), 160);
    EXPECT_TRUE(seen().contains(QStringLiteral("torus")));
    EXPECT_EQ(seen().contains(QStringLiteral("timeline")), isWide());
    EXPECT_TRUE(window.scenarioDock()->isHidden());
    EXPECT_TRUE(window.detailsDock()->isHidden());
    take(WindowLayout::teach);
    take(WindowLayout::tune);
    EXPECT_EQ(window.appearance()->fontPercent(), 110);
}

TEST_P(LayoutsTest, TuneHasTheTunerAndTheDetails) {
    take(WindowLayout::tune);
    EXPECT_EQ(seen(), QStringList{QStringLiteral("tuner")});
    EXPECT_TRUE(window.detailsDock()->isVisible());
    EXPECT_FALSE(window.detailsDock()->visibleRegion().isEmpty()) << "in front of its tab";
}

INSTANTIATE_TEST_SUITE_P(Screens, LayoutsTest,
                         ::testing::Values(std::pair(960, 600), std::pair(1280, 800), std::pair(2560, 1440)),
                         [](const auto& size) {
                             return std::to_string(size.param.first) + "x" +
                                    std::to_string(size.param.second);
                         });

} // namespace
} // namespace meshslice::ui
