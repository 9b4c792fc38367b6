#include "core/explain/why.h"
#include "core/machine/catalogue.h"
#include "core/report/words/why_words.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/roofline/roofline_view.h"

#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <utility>

namespace meshslice::ui {
namespace {

class RooflineViewTest : public ::testing::Test {
  protected:
    RooflineViewTest() {
        view.resize(1000, 600);
        view.setPalette(widgetPalette(Theme::light));
        view.follow();
    }
    const ChartLayout& layout() { return view.surface()->layout(); }
    const ChartMark& mark(std::size_t panel, std::size_t k) { return layout().panels.at(panel).marks.at(k); }

    HandMadeSession session{handMadeResults(true)};
    Selection& selection = *session.selection();
    RooflineView view{&session};
};

/// Two GEMMs of two algorithms under each of the two roofs; peak 100 TFLOP/s and HBM 1 TB/s meet at
/// 100 FLOP/B.
TEST_F(RooflineViewTest, HasAMarkPerGemmAndAlgorithm) {
    ASSERT_EQ(layout().panels.size(), 2u);
    EXPECT_EQ(layout().panels[0].marks.size(), 4u);
    const auto& series = layout().chart.panels[0].series;
    EXPECT_TRUE(
        std::ranges::any_of(series, [](const ChartSeries& one) { return one.name == "ridge: 100 FLOP/B"; }));
    for (const PanelLayout& panel : layout().panels) {
        EXPECT_TRUE(panel.x.logarithmic && panel.y.logarithmic);
        for (const ChartRun& run : panel.runs) {
            for (const QPointF& point : run.points) {
                EXPECT_TRUE(panel.plot.adjusted(-0.1, -0.1, 0.1, 0.1).contains(point))
                    << "roofs end with the axes";
            }
        }
        for (const ChartWords& one : panel.words) {
            EXPECT_TRUE(QRectF(0, 0, 1000, 600).contains(one.area.center())) << one.words.toStdString();
        }
    }
}

TEST_F(RooflineViewTest, AClickSelectsAndExplains) {
    const QPoint at = mark(0, 0).area.center().toPoint();
    const QString said = view.surface()->linesAt(at).join(QStringLiteral(" | "));
    EXPECT_TRUE(said.contains(QStringLiteral("FF1"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("of its roof"))) << said.toStdString();
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at);
    ASSERT_TRUE(selection.selected());
    EXPECT_EQ(selection.selected()->step, 0u);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(selection.selected(), std::nullopt);
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(selection.selected(), (Selected{0, 0, {}, {}}));
}

/// A step that its links do not bound says how many of its GEMMs are; the picture's title has the same count.
TEST(RooflineTitle, CountsWhatTheReasonCounts) {
    const std::regex in_reason("([0-9]+) of 12 GEMMs (is|are) bound by links");
    const std::regex in_title("([0-9]+) of 12 GEMMs of .* (is|are) bound by links");
    int compared = 0;
    using Mesh = std::vector<std::int32_t>;
    for (const Mesh& mesh : {Mesh{32, 8}, Mesh{16, 16}}) {
        Scenario scenario = default_scenario();
        scenario.hardware = machine_preset("tpu-v5p").value();
        scenario.mesh = mesh;
        auto step = training_step(scenario, scenario.plan.algorithm, Depth::simulate);
        ASSERT_TRUE(step) << step.error().sentence;
        const auto reason = why(*step, scenario);
        ASSERT_TRUE(reason) << reason.error().sentence;
        const std::string sentence = why_sentence(*step, *reason);
        Results results;
        results.steps.push_back(std::move(*step));
        const std::string title = rooflineFinding(results).toStdString();
        std::smatch said;
        std::smatch counted; // of the links, unless another part bounds more of them
        if (std::regex_search(sentence, said, in_reason) && std::regex_search(title, counted, in_title)) {
            EXPECT_EQ(said[1], counted[1]) << title << '\n' << sentence;
            ++compared;
        }
    }
    EXPECT_GT(compared, 0) << "of a step that compute bounds";
}

TEST_F(RooflineViewTest, TheLegendIsolates) {
    ASSERT_EQ(layout().legend.size(), 2u) << "one entry per algorithm; roofs have their names along them";
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, layout().legend[1].sign.center().toPoint());
    EXPECT_EQ(layout().panels[0].marks.size(), 2u);
}

TEST_F(RooflineViewTest, ASelectionMadeElsewhereIsMarked) {
    const QImage before = view.grab().toImage();
    selection.select(Selected{1, 1, {}, {}});
    EXPECT_NE(view.grab().toImage(), before);
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("FF1 backward data")));
}

TEST_F(RooflineViewTest, PaintsAtEverySizeAndInEveryState) {
    for (const QSize size : {QSize(1, 1), QSize(200, 120), QSize(420, 800), QSize(2400, 1200)}) {
        view.resize(size);
        EXPECT_FALSE(view.grab().isNull());
    }
    session.fail(QStringLiteral("No."));
    EXPECT_FALSE(view.grab().isNull());
    session.show(nullptr);
    EXPECT_FALSE(view.grab().isNull());
}

} // namespace
} // namespace meshslice::ui
