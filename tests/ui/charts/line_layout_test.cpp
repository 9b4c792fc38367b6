#include "ui/charts/chart_layout.h"

#include <gtest/gtest.h>

#include <string>

namespace meshslice::ui {
namespace {

/// Values 1 to `count` of a batch, by value.
Chart line_of(int count) {
    ChartPanel panel{{}, {"batch"}, {"time", ChartUnit::seconds}};
    ChartSeries line{"MeshSlice", SeriesKind::line};
    line.emphasized = true;
    for (int k = 1; k <= count; ++k) {
        panel.x.names.emplace_back(k, std::to_string(k));
        line.points.push_back({static_cast<double>(k), 1e-3 * k, {}, {}, 0, k});
    }
    panel.x.low = 0;
    panel.x.high = count + 1;
    panel.series = {line};
    return {"title", {panel}};
}

/// Three quarters of the way stand at three quarters of the axis; the name is right of the last mark.
TEST(LineLayout, PlacesMarksByValue) {
    const ChartLayout layout = layoutChart(line_of(3), {500, 400});
    const PanelLayout& panel = layout.panels.front();
    ASSERT_EQ(panel.marks.size(), 3u);
    EXPECT_NEAR(panel.marks[2].area.center().x(), panel.plot.left() + 0.75 * panel.plot.width(), 0.5);
    ASSERT_EQ(layout.legend.size(), 1u);
    EXPECT_GE(layout.legend[0].area.left(), panel.plot.right());
    EXPECT_NEAR(layout.legend[0].area.center().y(), panel.marks[2].area.center().y(), 8);
    EXPECT_LE(layout.legend[0].area.right(), 500);
}

TEST(LineLayout, LeavesAGap) {
    Chart chart = line_of(5);
    EXPECT_EQ(layoutChart(chart, {500, 400}).panels.front().runs.size(), 1u);
    chart.panels[0].series[0].points.erase(chart.panels[0].series[0].points.begin() + 2);
    chart.panels[0].series[0].points[2].apart = true;
    const ChartLayout layout = layoutChart(chart, {500, 400});
    ASSERT_EQ(layout.panels.front().runs.size(), 2u) << "1 and 2, 4 and 5";
    EXPECT_EQ(layout.panels.front().runs[0].points.size(), 2u);
    EXPECT_EQ(layout.panels.front().runs[1].points.size(), 2u);
}

/// Many values: labels do not touch, and marks are small enough to be distinguished.
TEST(LineLayout, HasRoomForManyValues) {
    const ChartLayout layout = layoutChart(line_of(200), {500, 400});
    const PanelLayout& panel = layout.panels.front();
    EXPECT_EQ(panel.marks.size(), 200u);
    EXPECT_LE(panel.marks.front().area.width(), 4.0);
    EXPECT_GE(layoutChart(line_of(5), {500, 400}).panels.front().marks.front().area.width(), 9.0);
    double free = 0;
    int labels = 0;
    for (const ChartWords& one : panel.words) {
        if (one.turn == 0 && one.area.top() > panel.plot.bottom() &&
            one.area.top() < panel.plot.bottom() + 10) {
            const double half = textWidth(lettering(Lettering::small), one.words) / 2;
            EXPECT_GE(one.area.center().x() - half, free) << one.words.toStdString();
            free = one.area.center().x() + half;
            ++labels;
        }
    }
    EXPECT_GE(labels, 4);
}

} // namespace
} // namespace meshslice::ui
