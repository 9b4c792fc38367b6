#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/breakdown/breakdown_view.h"
#include "ui/view/finding.h"

#include <QAbstractButton>
#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice::ui {
namespace {

TEST(Finding, SaysOnlyWhatTheNumbersSay) {
    // Exposed: 100 us against 200 us.
    EXPECT_EQ(comparisonFinding(*handMadeResults(true)),
              QStringLiteral("The core waits 50% of the time with MeshSlice, 67% with Collective"));
    EXPECT_TRUE(comparisonFinding(*handMadeResults()).isEmpty());
}

class BreakdownViewTest : public ::testing::Test {
  protected:
    BreakdownViewTest() {
        view.resize(1000, 500);
        view.setPalette(widgetPalette(Theme::light));
        view.follow();
    }
    const PanelLayout& panel(std::size_t k) { return view.surface()->layout().panels.at(k); }
    QPoint row(std::size_t k) { return (panel(1).rows.at(k).area.topLeft() + QPointF(4, 4)).toPoint(); }

    HandMadeSession session{handMadeResults(true)};
    Selection& selection = *session.selection();
    BreakdownView view{&session};
};

/// Above the whole step of both algorithms, below their two GEMMs each, every panel with an axis of its own:
/// to 300 us, the slower step, and to 150 us.
TEST_F(BreakdownViewTest, TheWholeStepHasAnAxisOfItsOwn) {
    ASSERT_EQ(view.surface()->layout().panels.size(), 2u);
    EXPECT_EQ(panel(0).rows.size(), 2u);
    EXPECT_EQ(panel(1).rows.size(), 4u);
    EXPECT_DOUBLE_EQ(panel(0).x.high, 300e-6);
    EXPECT_DOUBLE_EQ(panel(1).x.high, 150e-6);
    EXPECT_DOUBLE_EQ(panel(1).x.low, 0);
}

TEST_F(BreakdownViewTest, ExplainsARow) {
    const std::string said = view.surface()
                                 ->linesAt(row(0))
                                 .join(QStringLiteral(" | "))
                                 .replace(QChar(0x2009), QLatin1Char(' '))
                                 .toStdString();
    EXPECT_NE(said.find("FF1 forward, MeshSlice: 100 µs"), std::string::npos) << said;
    EXPECT_NE(said.find("multiply: 48.0 µs, 48% of the time"), std::string::npos) << said;
    EXPECT_NE(said.find("launch 10.0 µs + synchronization 5.00 µs + transfer 26.2 µs = 41.2 µs"),
              std::string::npos)
        << said;
}

TEST_F(BreakdownViewTest, AClickSelectsTheGemm) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, row(3));
    EXPECT_EQ(selection.selected(), (Selected{1, 1, {}, {}}));
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("FF1 backward data")));
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_EQ(selection.selected(), (Selected{1, 0, {}, {}}));
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(selection.selected(), std::nullopt);
}

/// 48 us multiplying, 2 us launching, 50 us waiting: where they meet, Qt Charts has painted them.
TEST_F(BreakdownViewTest, PaintsBarsFromZero) {
    const QImage image = view.grab().toImage();
    const double y = panel(1).marks.front().area.center().y();
    const auto at = [&](double microseconds, int more) {
        return image.pixelColor(static_cast<int>(panel(1).x.pixel(microseconds * 1e-6)) + more,
                                static_cast<int>(y));
    };
    EXPECT_EQ(at(0, 2), color(Role::compute, Theme::light));
    EXPECT_EQ(at(48, -2), color(Role::compute, Theme::light));
    EXPECT_EQ(at(48, 3), color(Role::launch, Theme::light));
    // All of the bar's height, although two stacks share the panel.
    const QRectF bar = panel(1).marks.front().area;
    EXPECT_EQ(image.pixelColor(static_cast<int>(bar.center().x()), static_cast<int>(bar.top()) + 2),
              color(Role::compute, Theme::light));
    EXPECT_EQ(image.pixelColor(static_cast<int>(bar.center().x()), static_cast<int>(bar.bottom()) - 2),
              color(Role::compute, Theme::light));
}

/// The sums at the ends of bars stand on no bar, whatever the height that is left for a row.
TEST_F(BreakdownViewTest, SumsStandOnNoBar) {
    for (const int height : {240, 300, 360, 420, 500, 700, 800, 1000}) {
        view.resize(900, height);
        for (std::size_t p = 0; p < 2; ++p) {
            for (const ChartWords& one : panel(p).words) {
                // The letters themselves, and a little air: ascenders and figures are three quarters of the
                // font's height.
                const double half = static_cast<int>(one.size) * 0.5;
                const double width = std::min(textWidth(lettering(one.size), one.words), one.area.width());
                const QRectF ink(one.area.left(), one.area.center().y() - half, width, 2 * half);
                for (const ChartMark& mark : panel(p).marks) {
                    EXPECT_FALSE(one.side & Qt::AlignLeft && one.turn == 0 && mark.area.intersects(ink))
                        << one.words.toStdString() << " at " << height;
                }
            }
        }
    }
}

TEST_F(BreakdownViewTest, TheLegendIsolates) {
    const auto& legend = view.surface()->layout().legend;
    const auto sync = std::ranges::find(legend, "synchronization", &LegendEntry::name);
    ASSERT_NE(sync, legend.end());
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, sync->sign.center().toPoint());
    EXPECT_EQ(panel(1).marks.size(), 4u) << "one bar per GEMM and algorithm";
    EXPECT_EQ(selection.selected(), std::nullopt);
}

/// Of the twelve GEMMs of a block the three that wait longest are seen, the worst on top; the button shows
/// the others, and is pressed by the keyboard, too.
TEST(BreakdownOfABlock, ShowsTheWorstThreeUntilAllAreAskedFor) {
    auto results = std::make_shared<Results>();
    results->scenario = smallScenario();
    results->steps.push_back(training_step(results->scenario, "collective", Depth::estimate).value());
    HandMadeSession session{results};
    BreakdownView view(&session);
    view.resize(900, 700);
    view.follow();
    const auto rows = [&] { return view.surface()->layout().panels.at(1).rows.size(); };
    EXPECT_EQ(rows(), 3u);
    std::vector<double> waits; // of the rows, from top to bottom
    for (const ChartSeries& one : view.surface()->chart()->panels.at(1).series) {
        if (one.role == Role::exposed) {
            for (const auto& value : one.values) {
                waits.push_back(value.value_or(0));
            }
        }
    }
    ASSERT_EQ(waits.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(waits, std::ranges::greater()));
    Time most;
    for (const GemmResult& gemm : results->steps.front().gemms) {
        most = std::max(most, gemm.usage.exposed);
    }
    EXPECT_NEAR(waits.front(), in_seconds(most), 1e-12);
    ASSERT_FALSE(view.moreButton()->isHidden());
    EXPECT_EQ(view.moreButton()->text(), QStringLiteral("Show all 12 GEMMs"));
    QTest::keyClick(view.moreButton(), Qt::Key_Space);
    EXPECT_EQ(rows(), 12u);
    QTest::mouseClick(view.moreButton(), Qt::LeftButton);
    EXPECT_EQ(rows(), 3u);
}

TEST_F(BreakdownViewTest, PaintsAtEverySizeAndInEveryState) {
    for (const QSize size : {QSize(1, 1), QSize(200, 120), QSize(420, 800), QSize(2400, 1200)}) {
        view.resize(size);
        EXPECT_FALSE(view.grab().isNull());
    }
    session.fail(QStringLiteral("No."));
    EXPECT_FALSE(view.grab().isNull());
    session.show(nullptr);
    EXPECT_FALSE(view.sentence().isEmpty());
    EXPECT_FALSE(view.grab().isNull());
}

} // namespace
} // namespace meshslice::ui
