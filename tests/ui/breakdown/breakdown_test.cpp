#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/breakdown/breakdown_view.h"
#include "ui/view/finding.h"

#include <QTest>
#include <gmock/gmock.h>

namespace meshslice::ui {
namespace {

using ::testing::ElementsAre;
using Kind = BreakdownPart::Kind;

BreakdownRow handMadeRow() {
    return breakdown(handMadeResults()->steps).front();
}

TEST(BreakdownGeometry, TheTimeBarAddsUpToTheTime) {
    // 100 us: 48 multiplying, 50 exposed, so 2 launching multiplications.
    EXPECT_THAT(timeParts(handMadeRow()),
                ElementsAre(BreakdownPart{Kind::compute, Time(0), microseconds(48)},
                            BreakdownPart{Kind::coreLaunch, microseconds(48), microseconds(50)},
                            BreakdownPart{Kind::exposed, microseconds(50), microseconds(100)}));
}

TEST(BreakdownGeometry, CommunicationIsLaidEndToEnd) {
    EXPECT_THAT(communicationParts(handMadeRow()),
                ElementsAre(BreakdownPart{Kind::launch, Time(0), microseconds(10)},
                            BreakdownPart{Kind::sync, microseconds(10), microseconds(15)},
                            BreakdownPart{Kind::transfer, microseconds(15), Time(41'200'000)}));
    EXPECT_TRUE(communicationParts({}).empty());
}

TEST(BreakdownGeometry, TheWholeStepHasAnAxisOfItsOwn) {
    const auto rows = breakdown(handMadeResults(true)->steps);
    const std::vector<QString> names{QStringLiteral("MeshSlice"), QStringLiteral("Collective")};
    const BreakdownLayout layout = layoutBreakdown(rows, 2, names, {0, 0, 1000, 500});
    ASSERT_EQ(layout.panels.size(), 2u);
    EXPECT_EQ(layout.panels[0].groups.size(), 1u);
    EXPECT_EQ(layout.panels[1].groups.size(), 2u);
    EXPECT_DOUBLE_EQ(layout.panels[0].x.high, 300e6); // the slower step, in picoseconds
    EXPECT_DOUBLE_EQ(layout.panels[1].x.high, 150e6);
    EXPECT_DOUBLE_EQ(layout.panels[0].x.low, 0); // bars start at zero
    EXPECT_EQ(layout.panels[1].groups[1].gemm, 1u);
    EXPECT_LE(layout.panels[1].plot.bottom(), 500);
    double y = 0;
    for (const BreakdownPanel& panel : layout.panels) {
        for (const BreakdownGroup& group : panel.groups) {
            for (const BreakdownLine& line : group.lines) {
                EXPECT_GE(line.time.top(), y);
                EXPECT_GE(line.communication.top(), line.time.bottom());
                y = line.communication.bottom();
            }
        }
    }
}

TEST(Finding, SaysOnlyWhatTheNumbersSay) {
    // Exposed: 100 us against 200 us.
    EXPECT_EQ(comparisonFinding(*handMadeResults(true)),
              QStringLiteral("With MeshSlice the core waits 50% less than with Collective"));
    EXPECT_TRUE(comparisonFinding(*handMadeResults()).isEmpty());
    Results turned = *handMadeResults(true);
    std::swap(turned.steps[0], turned.steps[1]);
    EXPECT_EQ(comparisonFinding(turned),
              QStringLiteral("Collective exposes 2 times the communication of MeshSlice here"));
    turned.steps[1] = turned.steps[0];
    EXPECT_TRUE(comparisonFinding(turned).isEmpty());
    EXPECT_EQ(breakdownFinding(turned), QStringLiteral("Where does the time of each product go?"));
}

class BreakdownViewTest : public ::testing::Test {
  protected:
    BreakdownViewTest() {
        view.resize(1000, 500);
        view.setPalette(widgetPalette(Theme::light));
        view.follow();
    }
    const BreakdownLine& line(std::size_t panel, std::size_t group, std::size_t step) const {
        return view.barLayout().panels[panel].groups[group].lines[step];
    }

    HandMadeSession session{handMadeResults(true)};
    Selection& selection = *session.selection();
    BreakdownView view{&session};
};

TEST_F(BreakdownViewTest, ExplainsABar) {
    const std::string said = view.linesAt(line(1, 0, 0).area.center().toPoint())
                                 .join(QStringLiteral(" | "))
                                 .replace(QChar(0x2009), QLatin1Char(' '))
                                 .toStdString();
    EXPECT_NE(said.find("FF1 forward, MeshSlice: 100 µs"), std::string::npos) << said;
    EXPECT_NE(said.find("multiply: 48.0 µs, 48% of the time"), std::string::npos) << said;
    EXPECT_NE(said.find("launch 10.0 µs + synchronisation 5.00 µs + transfer 26.2 µs = 41.2 µs"),
              std::string::npos)
        << said;
}

TEST_F(BreakdownViewTest, AClickSelectsTheProduct) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, line(1, 1, 1).area.center().toPoint());
    EXPECT_EQ(selection.selected(), (Selected{1, 1, {}, {}}));
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("FF1 backward data")));
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_EQ(selection.selected(), (Selected{1, 0, {}, {}}));
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(selection.selected(), std::nullopt);
}

TEST_F(BreakdownViewTest, PaintsBarsFromZero) {
    const QImage image = view.grab().toImage();
    const BreakdownPanel& panel = view.barLayout().panels[1];
    const int y = static_cast<int>(line(1, 0, 0).time.center().y());
    EXPECT_EQ(image.pixelColor(static_cast<int>(panel.plot.left()) + 2, y),
              color(Role::compute, Theme::light));
    const int end = static_cast<int>(panel.x.pixel(48e6));
    EXPECT_EQ(image.pixelColor(end - 2, y), color(Role::compute, Theme::light));
    EXPECT_EQ(image.pixelColor(end + 3, y), color(Role::launch, Theme::light));
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
