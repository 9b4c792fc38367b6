#include "core/report/chart/step_charts.h"
#include "ui/charts/chart_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <map>

namespace meshslice::ui {
namespace {

const TrainingStep& step(const char* algorithm) {
    static std::map<std::string, TrainingStep> known;
    if (!known.contains(algorithm)) {
        known.emplace(algorithm, *training_step(default_scenario(), algorithm, Depth::estimate));
    }
    return known.at(algorithm);
}

std::vector<TrainingStep> both() {
    return {step("meshslice"), step("collective")};
}

ChartLayout atLeastHeight(const Chart& chart, int width) {
    return layoutChart(chart, {width, static_cast<int>(std::ceil(leastHeight(chart, width)))});
}

/// Twelve GEMMs of two algorithms, in a picture as narrow as large letters leave it: no name on another.
TEST(ChartHeight, RowsHaveRoomForTheirNames) {
    const Chart chart = breakdown_chart(both(), "With MeshSlice the core waits less");
    for (const int width : {400, 700, 970}) {
        const ChartLayout layout = atLeastHeight(chart, width);
        for (const PanelLayout& panel : layout.panels) {
            for (std::size_t k = 0; k < panel.rows.size(); ++k) {
                EXPECT_GE(panel.rows[k].area.height(), 13) << width;
                EXPECT_TRUE(k == 0 || panel.rows[k].area.top() >= panel.rows[k - 1].area.bottom() - 0.5);
            }
        }
    }
}

/// A figure of one column of a paper: 85 mm wide, with letters of 8 and of 6 points, in the pixels that
/// pictures are laid out in. The bars have a third of its width, and where single rows
/// have no names the GEMMs' are whole.
TEST(ChartHeight, NarrowFiguresLeaveAThirdToTheBars) {
    const Chart chart = breakdown_chart(both(), "With MeshSlice the core waits less");
    for (const QSize& size : {QSize(331, 330), QSize(331, 900)}) {
        const ChartLayout layout = layoutChart(chart, size);
        for (const PanelLayout& panel : layout.panels) {
            EXPECT_GE(panel.plot.width(), panel.area.width() * 0.32) << size.width() << 'x' << size.height();
            const bool low = !panel.rows.empty() && panel.rows.front().area.height() < 9;
            for (const ChartWords& one : panel.words) {
                const bool name = low && one.words.contains(QStringLiteral("backward"));
                EXPECT_TRUE(!name || textWidth(lettering(one.size, one.bold), one.words) <= one.area.width())
                    << one.words.toStdString();
            }
        }
    }
}

/// With letters of 6 points, or in a window of 960 x 600 with large ones, every name of an algorithm, of a
/// GEMM and of its pass is whole, the two next to each other with a gap, and a third is the bars'.
TEST(ChartHeight, NamesInNarrowPicturesAreWhole) {
    const Chart chart = breakdown_chart(both(), "With MeshSlice the core waits less");
    for (const int width : {365, 385, 441, 480}) {
        const ChartLayout layout = atLeastHeight(chart, width);
        int names = 0;
        for (const PanelLayout& panel : layout.panels) {
            EXPECT_GE(panel.plot.width(), panel.area.width() * 0.32) << width;
            QString passes;
            for (const ChartWords& one : panel.words) {
                const bool algorithm = one.words == QStringLiteral("MeshSlice");
                const bool group = one.area.left() == panel.area.left() && !algorithm;
                names += algorithm ? 1 : 0;
                passes += group ? one.words + QLatin1Char(' ') : QString();
                EXPECT_TRUE(!(algorithm || group) ||
                            textWidth(lettering(one.size, one.bold), one.words) <= one.area.width() + 0.5)
                    << one.words.toStdString() << " in " << width;
            }
            if (panel.rows.size() > 2) {
                EXPECT_TRUE(passes.contains(QStringLiteral("QKV backward data QKV backward weight ")))
                    << passes.toStdString() << width;
            }
        }
        EXPECT_GT(names, 10) << width;
    }
}

/// Of a picture as high as it has to be the title is whole, however long its finding.
TEST(ChartHeight, TitlesAreWholeWhereThereIsRoom) {
    const std::string finding =
        "GPT-3 175B on 1024 chips of NVIDIA B200, domains of 8: 266 ms a step, 41% of "
        "peak, with 2D: dp 16 x pp 8 x tp 2x4, micro-batch 1, 12 chunks interleaved; "
        "57.0 GB of 192 GB per chip; the largest part is compute, 71% of the time.";
    const Chart chart = breakdown_chart({step("meshslice")}, finding);
    for (const int width : {300, 385, 600}) {
        QString title;
        for (const ChartWords& one : atLeastHeight(chart, width).words) {
            if (one.size == Lettering::title) {
                title += QString(title.isEmpty() ? 0 : 1, QLatin1Char(' ')) + one.words;
            }
        }
        EXPECT_EQ(title.toStdString(), finding) << width;
    }
}

/// The bars of plans in a window of 1280 x 800, half of which is not theirs: the longest names are whole.
TEST(ChartHeight, NamesOfPlansAreWholeWhereThereIsRoom) {
    ChartPanel panel;
    panel.x = {"time of a step", ChartUnit::seconds};
    panel.y.categories = {"MeshSlice: dp 16 x pp 16 x tp 16x16", "Collective: dp 2 x pp 8 x tp 4x4"};
    ChartSeries series{"compute", SeriesKind::stack};
    series.values = {20.0, 21.0};
    panel.series = {series};
    const ChartLayout layout = layoutChart({"Plans", {panel}}, {557, 300});
    int names = 0;
    for (const ChartWords& one : layout.panels[0].words) {
        if (one.words.contains(QStringLiteral("dp "))) {
            ++names;
            EXPECT_LE(textWidth(lettering(one.size, one.bold), one.words), one.area.width())
                << one.words.toStdString();
        }
    }
    EXPECT_EQ(names, 2);
    EXPECT_GE(layout.panels[0].plot.width(), 0.39 * layout.panels[0].area.width());
}

/// Narrow: one roofline below the other; wide: next to each other. All of it stays inside, and so does the
/// name of every axis.
TEST(ChartHeight, PanelsGoBelowEachOtherWhereTheyAreNarrow) {
    const Chart chart = roofline_chart(both(), default_scenario(), {});
    for (const int width : {400, 970}) {
        const ChartLayout layout = atLeastHeight(chart, width);
        ASSERT_EQ(layout.panels.size(), 2u);
        const bool below = layout.panels[1].area.top() >= layout.panels[0].area.bottom() - 0.5;
        EXPECT_EQ(below, width == 400);
        for (const PanelLayout& panel : layout.panels) {
            EXPECT_LE(panel.area.bottom(), layout.size.height());
            for (const ChartWords& one : panel.words) {
                const bool axis_name = one.turn == -90;
                EXPECT_TRUE(!axis_name ||
                            textWidth(lettering(one.size, one.bold), one.words) <= one.area.width())
                    << one.words.toStdString();
            }
        }
    }
}

/// Six panels in a picture of 1280 x 800: below each other each would have 120 pixels; two next to each other
/// have 240. The same in 1280 x 1600 are high enough as they are.
TEST(ChartHeight, ManyPanelsMakeAGridWhereTheyWouldBeLow) {
    Chart chart{"Six of them", {}};
    for (int k = 0; k < 6; ++k) {
        ChartPanel panel{"panel", {"chips"}, {"days"}};
        panel.x.categories = {"16", "32"};
        ChartSeries line;
        line.name = "domains of 8";
        line.kind = SeriesKind::line;
        line.values = {1.0, 2.0};
        panel.series.push_back(line);
        chart.panels.push_back(panel);
    }
    const ChartLayout low = layoutChart(chart, {1280, 800});
    EXPECT_DOUBLE_EQ(low.panels[0].area.top(), low.panels[1].area.top());
    EXPECT_LE(low.panels[0].area.right(), low.panels[1].area.left());
    EXPECT_LE(low.panels[0].area.bottom(), low.panels[2].area.top());
    EXPECT_DOUBLE_EQ(low.panels[0].area.left(), low.panels[2].area.left());
    for (const PanelLayout& panel : low.panels) {
        EXPECT_GE(panel.area.height(), 220);
        EXPECT_GE(panel.area.width(), 600);
    }
    const ChartLayout high = layoutChart(chart, {1280, 1600});
    EXPECT_LE(high.panels[0].area.bottom(), high.panels[1].area.top());
}

/// Four series of the same values over eight categories, in two panels: in the room of the smallest usual
/// window one below the other, in a file side by side. No mark hides another.
TEST(ChartHeight, MarksOfManySeriesStandNextToEachOther) {
    Chart chart{"T3-MCA is 1.32x as fast", {}};
    for (const char* model : {"Mega-GPT-2", "Turing-NLG 17B"}) {
        ChartPanel panel{model, {"sub-layer"}, {"speed-up", ChartUnit::ratio}};
        panel.x.categories = {"8 OP", "8 IP", "8 FC-2", "8 FC-1", "16 OP", "16 IP", "16 FC-2", "16 FC-1"};
        for (const char* name : {"T3", "T3-MCA", "ideal overlap", "ideal, near-memory reduction"}) {
            panel.series.push_back({name});
            panel.series.back().values.assign(8, 1.2);
        }
        panel.series[1].emphasized = true;
        chart.panels.push_back(panel);
    }
    const auto hide = [](const ChartLayout& layout) {
        int hiding = 0;
        for (const PanelLayout& panel : layout.panels) {
            EXPECT_EQ(panel.marks.size(), 32u);
            for (std::size_t a = 0; a < panel.marks.size(); ++a) {
                for (std::size_t b = a + 1; b < panel.marks.size(); ++b) {
                    hiding += panel.marks[a]
                                  .area.adjusted(1, 1, -1, -1)
                                  .intersects(panel.marks[b].area.adjusted(1, 1, -1, -1));
                }
            }
        }
        return hiding;
    };
    const ChartLayout window = atLeastHeight(chart, 700);
    EXPECT_EQ(window.panels[0].area.left(), window.panels[1].area.left());
    EXPECT_EQ(hide(window), 0);
    const ChartLayout file = layoutChart(chart, {1280, 800});
    EXPECT_EQ(file.panels[0].area.top(), file.panels[1].area.top());
    EXPECT_EQ(hide(file), 0);
    // Of 400 pixels the names would take 250: they stand below the panels.
    const ChartLayout narrow = layoutChart(chart, {400, 700});
    EXPECT_TRUE(narrow.names_below);
    EXPECT_EQ(hide(narrow), 0);
}

/// What is said after a sum is said in every row, or in none: in a figure in which the longest bar leaves no
/// room for it the shortest, which has room, is silent too.
TEST(ChartHeight, RemarksStandInEveryRowOrInNone) {
    ChartPanel panel;
    panel.x = {"time of a step", ChartUnit::seconds};
    panel.y.categories = {"A", "B", "C"};
    panel.y.remarks = {", micro-batch 1", "", ", micro-batch 2, 2 chunks interleaved"};
    ChartSeries series{"compute", SeriesKind::stack};
    series.values = {2.0, 3.0, 20.0};
    panel.series = {series};
    const auto remarks = [&](int width) {
        int count = 0;
        const ChartLayout layout = layoutChart({"Plans", {panel}}, {width, 300});
        for (const ChartWords& one : layout.panels[0].words) {
            if (one.words.contains(QStringLiteral("micro-batch"))) {
                ++count;
                EXPECT_LE(textWidth(lettering(one.size, one.bold), one.words), one.area.width())
                    << one.words.toStdString();
            }
        }
        return count;
    };
    EXPECT_EQ(remarks(500), 0);
    panel.y.remarks[2] = ", micro-batch 2";
    EXPECT_EQ(remarks(900), 2);
}

} // namespace
} // namespace meshslice::ui
