#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/charts/chart_view.h"
#include "ui/document/document.h"
#include "ui/look/picture_scale.h"
#include "ui/products/products_view.h"
#include "ui/session/session.h"
#include "ui/session/subject.h"
#include "ui/settings/appearance.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStyle>
#include <QStyleOptionFrame>
#include <QTableView>
#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace meshslice::ui {
namespace {

/// The smallest window with letters half as large again.
class SmallWindowTest : public ::testing::Test {
  protected:
    SmallWindowTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.appearance()->setFontPercent(150);
        window.resize(960, 600);
        window.show();
        EXPECT_TRUE(QTest::qWaitFor([this] { return window.session()->current() != nullptr; }, patience_ms));
        QApplication::processEvents();
    }
    ~SmallWindowTest() override { window.appearance()->setFontPercent(100); }

    template <class Kind>
    Kind* view(const char* id) {
        auto* found = window.findChild<Kind*>(QLatin1String(id));
        window.pictures()->show(found);
        QApplication::processEvents();
        return found;
    }
    static QScrollArea* frameOf(const QWidget* view) {
        return qobject_cast<QScrollArea*>(view->parentWidget()->parentWidget());
    }

    MainWindow window{Memory::forget};
};

/// Charts are never squeezed below what their letters need: they scroll, downwards only.
TEST_F(SmallWindowTest, ChartsScrollBeforeTheirWordsMeet) {
    for (const char* id : {"roofline", "breakdown"}) {
        auto* chart = view<ChartView>(id);
        ASSERT_NE(chart, nullptr);
        const QScrollArea* frame = frameOf(chart);
        ASSERT_NE(frame, nullptr);
        EXPECT_GT(frame->verticalScrollBar()->maximum(), 0) << id;
        EXPECT_EQ(frame->horizontalScrollBar()->maximum(), 0) << id;
        EXPECT_GE(chart->height() + 1,
                  pictureScale() * leastHeight(*chart->surface()->chart(), chart->width() / pictureScale()))
            << id;
    }
    window.appearance()->setFontPercent(100);
    window.resize(1600, 1000);
    auto* chart = view<ChartView>("breakdown");
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return frameOf(chart)->verticalScrollBar()->maximum() == 0; }, patience_ms));
    EXPECT_EQ(chart->height(), frameOf(chart)->viewport()->height());
}

/// A low window gives the picture the line that the form says, too; the tooltip has it still.
TEST_F(SmallWindowTest, TheHeadlineFoldsInALowWindow) {
    auto* headline = window.findChild<HeadlineBar*>();
    window.resize(1280, 50 * window.fontMetrics().height());
    QApplication::processEvents();
    const int high = headline->height();
    window.resize(1280, 28 * window.fontMetrics().height());
    EXPECT_TRUE(QTest::qWaitFor([&] { return headline->height() < high; }, patience_ms))
        << headline->height() << " in a window of " << window.height();
    EXPECT_EQ(headline->about(), subject(window.document()->scenario()));
    window.resize(1280, 50 * window.fontMetrics().height());
    EXPECT_TRUE(QTest::qWaitFor([&] { return headline->height() == high; }, patience_ms));
}

/// Two variants in the lowest window with large letters: rows of both are seen before strip and legend are.
TEST_F(SmallWindowTest, TheTimelineKeepsRows) {
    ASSERT_TRUE(window.document()->duplicate(0));
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            const ResultsPtr now = window.session()->current();
            return now && now->steps.size() == 2;
        },
        patience_ms));
    auto* timeline = view<TimelineView>("timeline");
    std::set<std::string> rows;
    for (int y = 0; y < timeline->height(); ++y) {
        const QStringList lines = timeline->linesAt({20, static_cast<int>(y / pictureScale())});
        if (lines.value(1).startsWith(QStringLiteral("Click"))) {
            rows.insert(std::to_string(y < timeline->height() / 2) + lines[0].toStdString());
        }
    }
    EXPECT_GE(rows.size(), 4u) << "of each variant";
}

/// With larger letters columns are as wide as they need.
TEST_F(SmallWindowTest, TablesFollowTheLetters) {
    window.appearance()->setFontPercent(100);
    auto* products = view<ProductsView>("products");
    auto* table = products->findChild<QTableView*>();
    const int before = table->columnWidth(1);
    window.appearance()->setFontPercent(150);
    EXPECT_TRUE(QTest::qWaitFor([&] { return table->columnWidth(1) > before * 1.3; }, patience_ms))
        << table->columnWidth(1) << " after " << before;
}

/// Fields go to another line before they cut their numbers.
TEST_F(SmallWindowTest, NumbersAreReadWhole) {
    window.appearance()->setFontPercent(175);
    for (const char* id : {"plan", "lab", "sweep"}) {
        auto* shown = view<View>(id);
        ASSERT_NE(shown, nullptr) << id;
        int asked = 0;
        for (const QLineEdit* field : shown->findChildren<QLineEdit*>()) {
            const QString text = field->text().isEmpty() ? field->placeholderText() : field->text();
            if (field->isVisible() && !text.isEmpty() && text.size() <= 16) {
                QStyleOptionFrame option;
                option.initFrom(field);
                option.lineWidth = field->style()->pixelMetric(QStyle::PM_DefaultFrameWidth, &option, field);
                const QRect inside =
                    field->style()->subElementRect(QStyle::SE_LineEditContents, &option, field);
                EXPECT_GE(inside.width() - 4, field->fontMetrics().horizontalAdvance(text)) // its margins
                    << id << ": " << text.toStdString();
                EXPECT_LE(field->mapTo(shown, field->rect().bottomRight()).x(), shown->width())
                    << id << ": " << text.toStdString();
                ++asked;
            }
        }
        EXPECT_GT(asked, 0) << id;
    }
}

/// Pictures have what fields and sentences leave them of the window: no view is higher than it, also where
/// what is typed is refused, so that nothing scrolls away.
TEST_F(SmallWindowTest, ViewsAreAsHighAsTheWindow) {
    window.appearance()->setFontPercent(100);
    window.resize(1280, 800);
    const auto fits = [](const View* shown) {
        QApplication::processEvents(); // what was asked for has its place
        return QTest::qWaitFor([&] { return frameOf(shown)->verticalScrollBar()->maximum() == 0; },
                               patience_ms);
    };
    for (const char* id : {"plan", "studies", "sweep", "lab", "calibration"}) {
        auto* shown = view<View>(id);
        ASSERT_NE(shown, nullptr) << id;
        for (int page = 0; page < std::max<int>(1, static_cast<int>(shown->pages().size())); ++page) {
            shown->turnTo(page);
            EXPECT_TRUE(fits(shown)) << id << ", page " << page;
        }
    }
    auto* plan = view<View>("plan");
    const auto named = [&](const auto& all, const QString& name) {
        const auto found = std::ranges::find(all, name, &QWidget::accessibleName);
        return found == all.end() ? nullptr : *found;
    };
    auto* chips = named(plan->findChildren<QLineEdit*>(), QStringLiteral("Number of chips"));
    const auto* refusal = named(plan->findChildren<QLabel*>(), QStringLiteral("Why this is refused"));
    ASSERT_TRUE(chips != nullptr && refusal != nullptr);
    const auto place = [&] { return chips->mapTo(frameOf(plan)->viewport(), QPoint()); };
    const QPoint before = place();
    chips->setFocus();
    chips->selectAll();
    QTest::keyClicks(chips, QStringLiteral("abc"));
    QTest::keyClick(chips, Qt::Key_Return);
    EXPECT_TRUE(fits(plan)) << "with the sentence that says why";
    EXPECT_TRUE(refusal->isVisible());
    EXPECT_EQ(place(), before);
}

/// With letters half as large again the smallest window shows more of a picture than its title.
TEST_F(SmallWindowTest, PicturesKeepRoomAboveTheirTables) {
    for (const char* id : {"plan", "studies", "sweep"}) {
        auto* shown = view<View>(id);
        ASSERT_NE(shown, nullptr) << id;
        const auto stacks = shown->findChildren<QSplitter*>();
        const auto stack = std::ranges::find(stacks, Qt::Vertical, &QSplitter::orientation);
        ASSERT_NE(stack, stacks.end()) << id;
        EXPECT_GE((*stack)->widget(0)->height(), 9 * shown->fontMetrics().height()) << id;
    }
}

/// At 960 pixels the result has more lines before anything is left out; wide windows have one.
TEST_F(SmallWindowTest, TheHeadlineHasASecondLine) {
    auto* headline = window.findChild<HeadlineBar*>();
    window.appearance()->setFontPercent(100);
    EXPECT_TRUE(QTest::qWaitFor([&] { return headline->lines().size() >= 2; }, patience_ms))
        << headline->text().toStdString();
    EXPECT_EQ(headline->lines().join(QLatin1Char(' ')), headline->text()) << "nothing is left out";
    window.resize(1920, 1000);
    EXPECT_TRUE(QTest::qWaitFor([&] { return headline->lines().size() == 1; }, patience_ms));
    EXPECT_EQ(headline->lines().front(), headline->text());
}

/// What the numbers are about stands above them.
TEST_F(SmallWindowTest, TheHeadlineNamesItsScenario) {
    auto* headline = window.findChild<HeadlineBar*>();
    ASSERT_NE(headline, nullptr);
    EXPECT_EQ(headline->about(), subject(window.document()->scenario()));
}

} // namespace
} // namespace meshslice::ui
