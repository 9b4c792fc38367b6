// A chart value in, Qt Charts' series and axes out.

#include "ui/charts/chart_adapter.h"
#include "ui/charts/chart_picture.h"

#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QImage>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QPainter>
#include <QScatterSeries>
#include <QStackedBarSeries>
#include <QValueAxis>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;

constexpr QSize size{800, 500};

template <class Kind>
std::vector<Kind*> seriesOf(const QChart& chart) {
    std::vector<Kind*> found;
    for (QAbstractSeries* one : chart.series()) {
        if (auto* kind = qobject_cast<Kind*>(one)) {
            found.push_back(kind);
        }
    }
    return found;
}

struct Made {
    explicit Made(const Chart& chart, const std::set<std::string>& hidden = {})
        : layout(layoutChart(chart, size, hidden)), qt(makeChart(layout, 0, Theme::light)) {}
    ChartLayout layout;
    std::unique_ptr<QChart> qt;
};

Chart scaling() {
    ChartPanel panel{"GPT-3", {"chips"}, {"FLOP utilization", ChartUnit::share}};
    panel.x.categories = {"16", "32", "64", "128"};
    panel.series = {{"MeshSlice", SeriesKind::line, {0.8, 0.7, 0.6, 0.5}},
                    {"Cannon", SeriesKind::line, {0.4, std::nullopt, 0.3, 0.2}}};
    panel.series[0].emphasized = true;
    panel.series[0].role = Role::compute;
    return {"MeshSlice is ahead", {panel}};
}

TEST(ChartAdapter, DrawsLinesOnlyBetweenNeighbours) {
    const Made made(scaling());
    const auto lines = seriesOf<QLineSeries>(*made.qt);
    ASSERT_EQ(lines.size(), 2u) << "Cannon has one line, from 64 to 128 chips";
    EXPECT_EQ(lines[0]->points().size(), 4);
    EXPECT_EQ(lines[1]->points().size(), 2);
    const auto marks = seriesOf<QScatterSeries>(*made.qt);
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[1]->name(), QStringLiteral("MeshSlice")) << "the emphasized one in front";
    EXPECT_EQ(marks[1]->brush().color(), color(Role::compute, Theme::light));
    // The third category stands at 2, with 60%.
    EXPECT_NEAR(marks[1]->points()[2].x(), 2, 1e-6);
    EXPECT_NEAR(marks[1]->points()[2].y(), 0.6, 1e-6);
}

/// What Qt draws and what is painted and clicked around it are at the same place.
TEST(ChartAdapter, StandsWhereTheLayoutSays) {
    const Made made(scaling());
    const PanelLayout& panel = made.layout.panels[0];
    auto* series = seriesOf<QScatterSeries>(*made.qt)[1];
    for (int k = 0; k < 4; ++k) {
        const QPointF qt = made.qt->mapToPosition(series->points()[k], series) + panel.area.topLeft();
        const QPointF ours = panel.marks[static_cast<std::size_t>(k)].area.center();
        EXPECT_NEAR(qt.x(), ours.x(), 0.6);
        EXPECT_NEAR(qt.y(), ours.y(), 0.6);
    }
}

TEST(ChartAdapter, PublishedValuesAreHollow) {
    Chart chart = scaling();
    ChartSeries published{"Cannon", SeriesKind::points, {0.45, std::nullopt, std::nullopt, std::nullopt}};
    published.hollow = true;
    chart.panels[0].series.push_back(published);
    const Made made(chart);
    const auto marks = seriesOf<QScatterSeries>(*made.qt);
    ASSERT_EQ(marks.size(), 3u);
    EXPECT_EQ(marks[1]->brush().style(), Qt::NoBrush);
    EXPECT_EQ(marks[0]->markerShape(), marks[1]->markerShape()) << "the shape of ours of the same name";
    EXPECT_NE(marks[0]->markerShape(), marks[2]->markerShape());
}

/// A published time of 8 stands at 8, around ours, and the key says what the outline is.
TEST(ChartAdapter, PublishedValuesStandAtTheirValue) {
    ChartPanel panel{"", {"batch"}, {"time"}};
    panel.x.low = panel.y.low = 0;
    panel.x.high = panel.y.high = 10;
    ChartSeries published{"published", SeriesKind::points, {}, {{8, 5}}};
    published.hollow = true;
    published.source = "A paper, 2025";
    panel.series = {{"ours", SeriesKind::line, {}, {{2, 2}, {8, 5}}}, published};
    const ChartLayout layout = layoutChart({"", {panel}}, {640, 400});
    const auto& marks = layout.panels[0].marks;
    ASSERT_EQ(marks.size(), 3u);
    EXPECT_EQ(marks[1].area.center(), marks[2].area.center());
    EXPECT_TRUE(std::ranges::any_of(layout.words, [](const auto& one) {
        return one.words.contains(QStringLiteral("published: A paper, 2025"));
    }));
}

TEST(ChartAdapter, LogarithmicAxesAreLogarithmicAndDataAreCutToThem) {
    ChartPanel panel{
        "", {"FLOP per byte", ChartUnit::flop_per_byte, true}, {"rate", ChartUnit::flop_rate, true}};
    panel.x.low = 10;
    panel.x.high = 1000;
    panel.y.low = 1e12;
    panel.y.high = 1e14;
    panel.series = {{"roof", SeriesKind::rule, {}, {{1, 1e11}, {1e5, 1e16}}},
                    {"ours", SeriesKind::points, {}, {{100, 1e13}, {1e6, 1e13}}}};
    const Made made({"", {panel}});
    auto* x = qobject_cast<QLogValueAxis*>(made.qt->axes(Qt::Horizontal).front());
    ASSERT_NE(x, nullptr);
    EXPECT_DOUBLE_EQ(x->min(), 10);
    EXPECT_DOUBLE_EQ(x->max(), 1000);
    const auto lines = seriesOf<QLineSeries>(*made.qt);
    ASSERT_EQ(lines.size(), 1u);
    // y = 1e11 x: within x 10 to 1000 and y 1e12 to 1e14 from corner to corner.
    EXPECT_NEAR(lines[0]->points().front().x() / 10, 1, 1e-6);
    EXPECT_NEAR(lines[0]->points().back().y() / 1e14, 1, 1e-6);
    EXPECT_EQ(seriesOf<QScatterSeries>(*made.qt)[0]->points().size(), 1) << "the other one is off the axis";
}

/// Twenty marks of twenty sizes and twenty arrows would be forty series, which Qt Charts takes longer to add
/// and remove than to draw. One is left, the roof, and the picture still has the marks and the arrows.
TEST(ChartAdapter, MarksOfAllSizesAndArrowsAreNoSeries) {
    ChartPanel panel{"", {"FLOP per byte"}, {"rate"}};
    panel.x.low = panel.y.low = 0;
    panel.x.high = panel.y.high = 100;
    panel.series = {{"roof", SeriesKind::rule, {}, {{0, 90}, {100, 90}}}};
    ChartSeries marks{"ours", SeriesKind::points};
    for (int k = 1; k <= 20; ++k) {
        ChartSeries arrow{"", SeriesKind::rule, {}, {{4.0 * k, 20}, {4.0 * k, 60}}};
        arrow.role = Role::compute;
        arrow.emphasized = true;
        panel.series.push_back(arrow);
        ChartPoint point{4.0 * k, 20};
        point.weight = k / 20.0;
        marks.points.push_back(point);
    }
    marks.role = Role::slicing;
    panel.series.push_back(marks);
    const Made made({"", {panel}});
    EXPECT_EQ(made.qt->series().size(), 1);
    EXPECT_EQ(made.qt->series().front()->name(), QStringLiteral("roof"));
    const PanelLayout& place = made.layout.panels[0];
    ASSERT_EQ(place.marks.size(), 20u);
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    ChartPicture(made.layout, Theme::light).paint(painter, {});
    painter.end();
    const auto near = [&](const QPointF& at, Role role) { // the arrows stand between two pixels
        int best = 1000;
        for (int dx = -1; dx <= 1; ++dx) {
            const QColor seen = image.pixelColor(at.toPoint() + QPoint(dx, 0));
            const QColor wanted = color(role, Theme::light);
            best =
                std::min(best, std::abs(seen.red() - wanted.red()) + std::abs(seen.green() - wanted.green()) +
                                   std::abs(seen.blue() - wanted.blue()));
        }
        return best;
    };
    for (const ChartMark& mark : place.marks) {
        EXPECT_LT(near(mark.area.center(), Role::slicing), 40) << mark.point.x;
        const QPointF on_arrow(mark.area.center().x(), place.y.pixel(50));
        EXPECT_LT(near(on_arrow, Role::compute), 400) << mark.point.x;
    }
    EXPECT_GT(place.marks.back().area.width(), place.marks.front().area.width());
}

TEST(ChartAdapter, StacksBarsUpAndSideBySide) {
    ChartPanel rows{"", {"time", ChartUnit::seconds}, {"GEMM"}};
    rows.y.categories = {"A", "B"};
    rows.y.groups = {"QKV", "QKV"};
    rows.series = {{"multiply", SeriesKind::stack, {3.0, 2.0}},
                   {"waits", SeriesKind::stack, {1.0, 2.0}},
                   {"sync", SeriesKind::stack, {0.5, 0.5}}};
    rows.series[2].thin = true;
    const Made made({"", {rows}});
    const auto bars = seriesOf<QHorizontalStackedBarSeries>(*made.qt);
    ASSERT_EQ(bars.size(), 2u);
    ASSERT_EQ(bars[0]->count(), 2);
    // Three steps per row, the first begins after one: bars at 2 and 5.
    EXPECT_EQ(bars[0]->barSets()[0]->at(2), 3);
    EXPECT_EQ(bars[0]->barSets()[0]->at(5), 2);
    EXPECT_EQ(bars[0]->barSets()[0]->at(3), 0);
    EXPECT_GT(bars[0]->barWidth(), bars[1]->barWidth());
    ChartPanel columns{"", {"algorithm"}, {"time", ChartUnit::seconds}};
    columns.x.categories = {"A"};
    columns.series = {{"launch", SeriesKind::stack, {1.0}}, {"sync", SeriesKind::stack, {1.0}}};
    const Made upright({"", {columns}}, {"launch"});
    ASSERT_EQ(seriesOf<QStackedBarSeries>(*upright.qt).size(), 1u);
    EXPECT_EQ(seriesOf<QStackedBarSeries>(*upright.qt)[0]->count(), 1) << "a hidden series is not drawn";
}

/// Rows are listed from top to bottom, whether there is a second, thin stack or not: the first, longest bar
/// is in the upper half of the picture.
TEST(ChartAdapter, RowsGoFromTopToBottom) {
    ChartPanel rows{"", {"", ChartUnit::seconds}, {"GEMM"}};
    rows.y.categories = {"A", "B"};
    rows.series = {{"multiply", SeriesKind::stack, {4.0, 1.0}}};
    rows.series[0].role = Role::compute;
    for (const bool thin : {false, true}) {
        Chart chart{"", {rows}};
        if (thin) {
            chart.panels[0].series.push_back({"sync", SeriesKind::stack, {0.5, 0.5}});
            chart.panels[0].series.back().thin = true;
        }
        QImage image(size, QImage::Format_RGB32);
        QPainter painter(&image);
        paintChart(painter, chart, size, Theme::light);
        const ChartLayout layout = layoutChart(chart, size);
        for (const ChartMark& mark : layout.panels[0].marks) {
            const Role role = layout.chart.panels[0].series[mark.series].role;
            const QPointF end(mark.area.right() - 3, mark.area.center().y());
            EXPECT_EQ(image.pixelColor(end.toPoint()), color(role, Theme::light)) << mark.point.y;
        }
    }
}

TEST(ChartAdapter, FollowsTheTheme) {
    const ChartLayout layout = layoutChart(scaling(), size);
    const std::unique_ptr<QChart> dark(makeChart(layout, 0, Theme::dark));
    EXPECT_EQ(seriesOf<QScatterSeries>(*dark)[1]->brush().color(), color(Role::compute, Theme::dark));
    EXPECT_EQ(dark->animationOptions(), QChart::NoAnimation);
}

} // namespace
} // namespace meshslice::ui
