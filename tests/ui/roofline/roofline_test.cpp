#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/roofline/roofline_view.h"

#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// A memory roof of 1 TB/s under a peak of 100 TFLOP/s: the ridge is at 100 FLOP/B.
Roofline memoryRoofline() {
    Roofline roofline;
    roofline.title = "One chip";
    roofline.intensity_name = "FLOP per byte";
    roofline.roofs = {{"HBM", 0, 1e12}, {"peak", 100e12, 0}};
    roofline.points = {{"meshslice", "FF1 forward", 300, 24e12, 100e12, 0.25, "peak"}};
    return roofline;
}

TEST(RooflineGeometry, RidgeIsPeakOverBandwidth) {
    const std::vector<Ridge> ridges = ridgesOf(memoryRoofline());
    ASSERT_EQ(ridges.size(), 1u);
    EXPECT_DOUBLE_EQ(ridges[0].intensity, 100);
    EXPECT_DOUBLE_EQ(ridges[0].flop_per_s, 100e12);
    EXPECT_TRUE(ridgesOf({}).empty());
}

TEST(RooflineGeometry, AxesHoldAllAndNoZero) {
    Roofline roofline = memoryRoofline();
    roofline.points.push_back({"meshslice", "nothing", 0, 0, 0, 0, ""});
    PixelAxis x;
    PixelAxis y;
    spanAxes(roofline, x, y);
    EXPECT_TRUE(x.logarithmic && y.logarithmic);
    EXPECT_GT(x.low, 0);
    EXPECT_LT(x.low, 100);
    EXPECT_GT(x.high, 300);
    EXPECT_GT(y.low, 0);
    EXPECT_LT(y.low, 24e12);
    EXPECT_GT(y.high, 100e12);
    spanAxes({}, x, y);
    EXPECT_GT(x.high, x.low);
}

TEST(RooflineGeometry, AreaOfADotIsItsShareOfTime) {
    EXPECT_DOUBLE_EQ(dotRadius(0.25) / dotRadius(0.0625), 2.0);
    EXPECT_DOUBLE_EQ(dotRadius(0), 4);  // still to be seen
    EXPECT_DOUBLE_EQ(dotRadius(1), 16); // and not in the way
}

TEST(RooflineGeometry, PanelsStandSideBySideWhereThereIsRoom) {
    const auto wide = panelAreas({0, 0, 1000, 400}, 2);
    EXPECT_EQ(wide[0].top(), wide[1].top());
    EXPECT_GT(wide[1].left(), wide[0].right());
    const auto tall = panelAreas({0, 0, 400, 700}, 2);
    EXPECT_EQ(tall[0].left(), tall[1].left());
    EXPECT_GT(tall[1].top(), tall[0].bottom());
}

TEST(RooflineGeometry, DotsLieWhereTheirNumbersSay) {
    const RooflinePanel panel = layoutPanel(*handMadeResults(), memoryRoofline(), {0, 0, 600, 400});
    ASSERT_EQ(panel.dots.size(), 1u);
    EXPECT_EQ(panel.dots[0].at, panel.pixel(300, 24e12));
    EXPECT_TRUE(panel.plot.contains(panel.dots[0].at));
    EXPECT_EQ(dotAt(panel, panel.dots[0].at + QPointF(3, 3)), 0u);
    EXPECT_EQ(dotAt(panel, panel.plot.bottomRight()), std::nullopt);
    ASSERT_EQ(panel.labels.size(), 1u);
    EXPECT_EQ(panel.labels[0].lines, QStringList{QStringLiteral("FF1 forward")});
}

/// The twelve products of GPT-3 on 32x8 chips, MeshSlice beside Collective.
Results gpt3() {
    Results results;
    results.scenario = default_scenario();
    for (const char* id : {"meshslice", "collective"}) {
        results.steps.push_back(*training_step(results.scenario, id, Depth::estimate));
    }
    return results;
}

RooflinePicture pictured(const Results& results, const QSize& size) {
    return makeRooflines(results, chip_roofline(results.steps, results.scenario),
                         link_roofline(results.steps, results.scenario), size);
}

/// The lines of a panel that a label must not lie on.
std::vector<QLineF> linesOf(const RooflinePanel& panel) {
    std::vector<QLineF> lines;
    for (const RoofLine& roof : panel.roofs) {
        lines.push_back(roof.line);
    }
    for (const Ridge& ridge : panel.ridges) {
        const QPointF top = panel.pixel(ridge.intensity, ridge.flop_per_s);
        lines.emplace_back(top, QPointF(top.x(), panel.plot.bottom()));
    }
    for (const RooflineDot& ours : panel.dots) {
        for (const RooflineDot& other : panel.dots) {
            if (ours.step == 0 && other.step == 1 && ours.gemm == other.gemm) {
                lines.emplace_back(ours.at, other.at);
            }
        }
    }
    return lines;
}

/// Whether a point of the line, looked at every half pixel, lies within.
bool crosses(const QLineF& line, const QRectF& place) {
    const int points = static_cast<int>(2 * line.length());
    for (int k = 0; k <= points; ++k) {
        if (place.contains(line.pointAt(points == 0 ? 0 : double(k) / points))) {
            return true;
        }
    }
    return false;
}

/// At every size, by names or by numbers: no label on a dot, on a line or on another label.
TEST(RooflineLabels, LieOnNothing) {
    const Results results = gpt3();
    for (const QSize size : {QSize(420, 800), QSize(760, 500), QSize(1280, 800), QSize(1920, 1080)}) {
        const RooflinePicture picture = pictured(results, size);
        for (const RooflinePanel& panel : picture.panels) {
            EXPECT_EQ(panel.dots.size(), 24u);
            EXPECT_FALSE(panel.labels.empty());
            for (std::size_t k = 0; k < panel.labels.size(); ++k) {
                const QRectF& place = panel.labels[k].place;
                const std::string which = panel.labels[k].lines.join(QLatin1Char(' ')).toStdString();
                EXPECT_TRUE(panel.plot.contains(place)) << which;
                for (const RooflineDot& dot : panel.dots) {
                    const QRectF mark(dot.at.x() - dot.radius, dot.at.y() - dot.radius, 2 * dot.radius,
                                      2 * dot.radius);
                    EXPECT_FALSE(mark.intersects(place)) << which << " at " << size.width();
                }
                for (const QLineF& line : linesOf(panel)) {
                    EXPECT_FALSE(crosses(line, place)) << which << " at " << size.width();
                }
                for (std::size_t other = 0; other < k; ++other) {
                    EXPECT_FALSE(panel.labels[other].place.intersects(place)) << which;
                }
            }
        }
    }
}

/// Where not all names have room, both panels have numbers, and one list below them says what of: twelve
/// products, the three of a layer one below the other.
TEST(RooflineLabels, AreNumbersWhereNamesHaveNoRoom) {
    const RooflinePicture picture = pictured(gpt3(), {1280, 800});
    ASSERT_EQ(picture.names.size(), 12u);
    EXPECT_EQ(picture.names[0].words, QStringLiteral("1  QKV forward"));
    EXPECT_EQ(picture.names[11].words, QStringLiteral("12  FF2 backward weight"));
    EXPECT_EQ(picture.names[1].place.left(), picture.names[0].place.left());
    EXPECT_GT(picture.names[3].place.left(), picture.names[0].place.left());
    EXPECT_EQ(picture.names[3].place.top(), picture.names[0].place.top());
    for (const RooflinePanel& panel : picture.panels) {
        EXPECT_TRUE(panel.allLabelled);
        EXPECT_LE(panel.area.bottom(), picture.names[0].place.top());
        // Every product is numbered once: 1 to 12 add up to 78.
        std::size_t sum = 0;
        for (const RooflineLabel& label : panel.labels) {
            for (const QString& part : label.lines.first().split(QStringLiteral(", "))) {
                const QStringList ends = part.split(QChar(0x2013));
                for (std::size_t k = ends.first().toUInt(); k <= ends.last().toUInt(); ++k) {
                    sum += k;
                }
            }
        }
        EXPECT_EQ(sum, 78u);
    }
}

/// Two products apart from each other have room for their names; there is nothing to list.
TEST(RooflineLabels, AreNamesWhereTheyHaveRoom) {
    const RooflinePicture picture = pictured(*handMadeResults(), {1000, 500});
    EXPECT_TRUE(picture.names.empty());
    ASSERT_FALSE(picture.panels[0].labels.empty());
    EXPECT_TRUE(picture.panels[0].labels[0].lines.first().contains(QStringLiteral("forward")));
}

class RooflineViewTest : public ::testing::Test {
  protected:
    RooflineViewTest() {
        view.resize(1000, 500);
        view.setPalette(widgetPalette(Theme::light));
        view.follow();
    }
    QPoint dot(std::size_t panel, std::size_t step, std::size_t gemm) const {
        for (const RooflineDot& one : view.panels()[panel].dots) {
            if (one.step == step && one.gemm == gemm) {
                return one.at.toPoint();
            }
        }
        ADD_FAILURE() << "no such dot";
        return {};
    }

    HandMadeSession session{handMadeResults(true)};
    Selection& selection = *session.selection();
    RooflineView view{&session};
};

TEST_F(RooflineViewTest, HasADotForEveryProductInBothPanels) {
    ASSERT_EQ(view.panels().size(), 2u);
    EXPECT_EQ(view.panels()[0].dots.size(), 4u);
    EXPECT_EQ(view.panels()[1].dots.size(), 4u);
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("MeshSlice")));
}

TEST_F(RooflineViewTest, ExplainsADot) {
    // 2.4 GFLOP in 150 us are 16 TFLOP/s; of 100 that is 16%; half of its step. 2.4 GFLOP over 8 MB: 300
    // FLOP/B.
    const std::string said = view.linesAt(dot(0, 1, 0))
                                 .join(QStringLiteral(" | "))
                                 .replace(QChar(0x2009), QLatin1Char(' '))
                                 .toStdString();
    EXPECT_NE(said.find("Collective"), std::string::npos) << said;
    EXPECT_NE(said.find("intensity: 300 FLOP per byte"), std::string::npos) << said;
    EXPECT_NE(said.find("achieved: 16.0 TFLOP/s"), std::string::npos) << said;
    EXPECT_NE(said.find("16% of its roof; 50% of the step's time"), std::string::npos) << said;
    EXPECT_TRUE(view.linesAt({1, 1}).isEmpty());
}

TEST_F(RooflineViewTest, AClickSelectsTheProduct) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, dot(1, 1, 0));
    ASSERT_TRUE(selection.selected().has_value());
    EXPECT_EQ(selection.selected()->step, 1u);
    EXPECT_EQ(selection.selected()->row, std::nullopt);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {3, 3});
    EXPECT_EQ(selection.selected(), std::nullopt);
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(selection.selected(), (Selected{0, 0, {}, {}}));
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_EQ(selection.selected(), (Selected{0, 1, {}, {}}));
}

TEST_F(RooflineViewTest, PaintsAtEverySizeAndInEveryState) {
    for (const QSize size : {QSize(1, 1), QSize(200, 120), QSize(420, 800), QSize(2400, 1200)}) {
        view.resize(size);
        EXPECT_FALSE(view.grab().isNull());
    }
    session.fail(QStringLiteral("No."));
    EXPECT_EQ(view.sentence(), QStringLiteral("No."));
    EXPECT_FALSE(view.grab().isNull());
    session.show(nullptr);
    EXPECT_FALSE(view.sentence().isEmpty());
    EXPECT_FALSE(view.grab().isNull());
    EXPECT_TRUE(view.table().rows.empty());
}

TEST_F(RooflineViewTest, TheTableHasBothPanels) {
    EXPECT_EQ(view.table().rows.size(), 8u);
}

} // namespace
} // namespace meshslice::ui
