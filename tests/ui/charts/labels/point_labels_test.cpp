#include "core/report/chart/step_charts.h"
#include "tests/ui/support/hand_made_results.h"
#include "ui/charts/chart_layout.h"
#include "ui/charts/labels/point_labels.h"
#include "ui/look/lettering.h"

#include <QPolygonF>
#include <QTransform>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// The twelve GEMMs of GPT-3 on 32x8 chips, MeshSlice next to Collective: 24 marks in each panel.
Chart gpt3() {
    const Scenario scenario = default_scenario();
    std::vector<TrainingStep> steps;
    for (const char* id : {"meshslice", "collective"}) {
        steps.push_back(training_step(scenario, id, Depth::estimate).value());
    }
    return roofline_chart(steps, scenario, "MeshSlice hides 90% of its communication");
}

/// A window of 960 x 600 less its panels, two of the usual sizes, a narrow one and a very small one.
const QSize small_view(620, 440);
const std::vector<QSize> sizes = {small_view, {1280, 800}, {1920, 1080}, {420, 800}, {300, 200}};

std::string said(const ChartWords& one, const QSize& size) {
    return one.words.toStdString() + " at " + std::to_string(size.width()) + "x" +
           std::to_string(size.height());
}

/// Only labels of points stand over their background.
std::vector<ChartWords> labelsOf(const PanelLayout& panel) {
    std::vector<ChartWords> labels;
    std::ranges::copy_if(panel.words, std::back_inserter(labels), &ChartWords::on_ground);
    return labels;
}

/// Where the words themselves are in their area, a little less so that neighbours may touch.
QPolygonF inkOf(const ChartWords& one) {
    const double width = std::min(one.area.width(), textWidth(lettering(one.size, one.bold), one.words));
    const double room = one.area.width() - width;
    const double left = (one.side & Qt::AlignRight) ? room : (one.side & Qt::AlignHCenter) ? room / 2 : 0.0;
    const QRectF ink(one.area.left() + left, one.area.top(), width, one.area.height());
    const QPointF middle = one.area.center();
    const QTransform turned = QTransform::fromTranslate(-middle.x(), -middle.y()) *
                              QTransform().rotate(one.turn) *
                              QTransform::fromTranslate(middle.x(), middle.y());
    return turned.map(QPolygonF(ink.adjusted(0.1, 0.1, -0.1, -0.1)));
}

/// Whether a point of the line, looked at every half pixel, lies within.
bool crosses(const QLineF& line, const QRectF& place) {
    const int points = static_cast<int>(2 * line.length());
    for (int k = 0; k <= points; ++k) {
        if (place.contains(line.pointAt(points == 0 ? 0 : static_cast<double>(k) / points))) {
            return true;
        }
    }
    return false;
}

/// The labels' numbers: "1–3, 7" are 1, 2, 3 and 7.
std::vector<std::size_t> numbersOf(const PanelLayout& panel) {
    std::vector<std::size_t> numbers;
    for (const ChartWords& label : labelsOf(panel)) {
        for (const QString& part : label.words.split(QStringLiteral(", "))) {
            const QStringList ends = part.split(QChar(0x2013));
            for (std::size_t k = ends.first().toUInt(); k <= ends.last().toUInt(); ++k) {
                numbers.push_back(k);
            }
        }
    }
    std::ranges::sort(numbers);
    return numbers;
}

/// The list below the panels: its words that begin with a number.
std::vector<ChartWords> listOf(const ChartLayout& layout) {
    std::vector<ChartWords> list;
    std::ranges::copy_if(layout.words, std::back_inserter(list), [](const ChartWords& one) {
        return one.words.section(QStringLiteral("  "), 0, 0).toUInt() > 0;
    });
    return list;
}

/// At every size, by names or by numbers.
TEST(PointLabels, LieOnNothing) {
    const Chart chart = gpt3();
    for (const QSize& size : sizes) {
        const ChartLayout layout = layoutChart(chart, size);
        ASSERT_THAT(layout.panels, SizeIs(2));
        for (const PanelLayout& panel : layout.panels) {
            EXPECT_THAT(panel.marks, SizeIs(24));
            std::vector<ChartWords> others = panel.words;
            others.insert(others.end(), layout.words.begin(), layout.words.end());
            for (const ChartWords& label : labelsOf(panel)) {
                EXPECT_TRUE(panel.plot.contains(label.area)) << said(label, size);
                EXPECT_TRUE(QRectF({0, 0}, size).contains(label.area)) << said(label, size);
                for (const ChartMark& mark : panel.marks) {
                    EXPECT_FALSE(mark.area.intersects(label.area)) << said(label, size);
                }
                for (const ChartRun& run : panel.runs) {
                    for (std::size_t k = 1; k < run.points.size(); ++k) {
                        EXPECT_FALSE(crosses({run.points[k - 1], run.points[k]}, label.area))
                            << said(label, size);
                    }
                }
                for (const ChartWords& other : others) {
                    const bool itself = other.area == label.area && other.words == label.words;
                    EXPECT_TRUE(itself || !inkOf(other).intersects(inkOf(label)))
                        << said(label, size) << " on " << other.words.toStdString();
                }
            }
        }
    }
}

/// Nothing of the picture lies outside it.
TEST(PointLabels, StayInThePicture) {
    const Chart chart = gpt3();
    for (const QSize& size : sizes) {
        const ChartLayout layout = layoutChart(chart, size);
        const QRectF picture({0, 0}, size);
        std::vector<ChartWords> all = layout.words;
        for (const PanelLayout& panel : layout.panels) {
            all.insert(all.end(), panel.words.begin(), panel.words.end());
            for (const ChartMark& mark : panel.marks) {
                EXPECT_TRUE(picture.contains(mark.area)) << size.width();
            }
        }
        for (const ChartWords& one : all) {
            EXPECT_TRUE(picture.contains(inkOf(one).boundingRect())) << said(one, size);
        }
    }
}

/// Where not all names have room, both panels have numbers, and one list below them says what of: the three
/// GEMMs of a layer one below the other.
TEST(PointLabels, AreNumbersWhereNamesHaveNoRoom) {
    const ChartLayout layout = layoutChart(gpt3(), {960, 600});
    const std::vector<ChartWords> list = listOf(layout);
    ASSERT_THAT(list, SizeIs(12));
    EXPECT_EQ(list[0].words, QStringLiteral("1  QKV forward"));
    EXPECT_EQ(list[11].words, QStringLiteral("12  FF2 backward weight"));
    EXPECT_EQ(list[1].area.left(), list[0].area.left());
    EXPECT_GT(list[3].area.left(), list[0].area.left());
    EXPECT_EQ(list[3].area.top(), list[0].area.top());
    for (const PanelLayout& panel : layout.panels) {
        EXPECT_LE(panel.area.bottom(), list[0].area.top());
    }
}

/// Where there is a list, both panels have each of its numbers once, and no name. In 300 x 200 there is room
/// for neither.
TEST(PointLabels, EveryNumberHasItsName) {
    const Chart chart = gpt3();
    std::vector<std::size_t> lists; // by size
    for (const QSize& size : sizes) {
        lists.push_back(listOf(layoutChart(chart, size)).size());
        EXPECT_TRUE(lists.back() == 0 || lists.back() == 12) << size.width();
    }
    EXPECT_EQ(lists[0], 12u);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const ChartLayout layout = layoutChart(chart, sizes[k]);
        ASSERT_THAT(listOf(layout), SizeIs(lists[k])) << sizes[k].width();
        for (const PanelLayout& panel : layout.panels) {
            EXPECT_EQ(labelsOf(panel).empty(), sizes[k] == QSize(300, 200)) << sizes[k].width();
            for (const ChartWords& label : labelsOf(panel)) {
                EXPECT_EQ(label.words.front().isDigit(), lists[k] > 0) << said(label, sizes[k]);
            }
            if (lists[k] > 0) {
                EXPECT_THAT(numbersOf(panel), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
            }
        }
    }
}

/// Two GEMMs apart from each other have room for their names; there is nothing to list.
TEST(PointLabels, AreNamesWhereTheyHaveRoom) {
    const ResultsPtr results = handMadeResults();
    const ChartLayout layout =
        layoutChart(roofline_chart(results->steps, results->scenario, {}), {1000, 500});
    EXPECT_THAT(listOf(layout), IsEmpty());
    for (const PanelLayout& panel : layout.panels) {
        const std::vector<ChartWords> labels = labelsOf(panel);
        ASSERT_THAT(labels, Not(IsEmpty()));
        for (const ChartWords& label : labels) {
            EXPECT_TRUE(label.words.startsWith(QStringLiteral("FF1 "))) << said(label, layout.size);
        }
    }
}

} // namespace
} // namespace meshslice::ui
