#include "core/run/listed_run.h"
#include "ui/look/lettering.h"
#include "ui/timeline/run_hit.h"
#include "ui/timeline/run_picture.h"

#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// Runs of so many lanes each, over 100 ns; none where there are 0.
RunWindow windowOf(const std::vector<std::size_t>& lanes) {
    RunWindow window;
    for (const std::size_t count : lanes) {
        if (count == 0) {
            window.runs.push_back(
                {.run = nullptr, .name = {QStringLiteral("none")}, .objection = QStringLiteral("no")});
            continue;
        }
        auto run = std::make_shared<ListedRun>("run", RunReading::measured);
        for (std::size_t lane = 0; lane < count; ++lane) {
            Lane made;
            made.place = "chip";
            made.name = "lane";
            made.number = static_cast<int>(lane);
            const std::size_t number = run->add_lane(made);
            run->add(number, {Time(0), Time(100'000), Role::compute, {"bar", "x", {}}, {}});
        }
        ShownRun shown = shownRun(run, false);
        shown.name = {QStringLiteral("a run")};
        shown.spans = {{{Time(0), Time(100'000)}, {QStringLiteral("all")}, {QStringLiteral("all of it")}}};
        window.runs.push_back(std::move(shown));
    }
    window.words.finding = QStringLiteral("Found");
    window.words.run = [](std::size_t run) { return QStringList{QString::number(run)}; };
    window.range = {Time(0), Time(100'000)};
    window.about = QStringLiteral("about");
    return window;
}

TEST(RunLayout, OneRunWithRoomToSpare) {
    // Title 12 + 20, the line about it 20 and the axis 24; the legend 24 below: the body is from 76 to 475.
    const RunLayout layout = layoutRun({800, 500}, windowOf({3, 0}));
    EXPECT_EQ(layout.ruler.top(), 52);
    EXPECT_EQ(layout.body, QRect(0, 76, 800, 400));
    EXPECT_EQ(layout.row, 30) << "as high as rows get";
    ASSERT_EQ(layout.blocks.size(), 2u);
    EXPECT_EQ(layout.blocks[0].spans, QRect(layout.left, 80, layout.dataWidth(), 16));
    EXPECT_EQ(layout.rowOf(0), QRect(layout.left, 96, layout.dataWidth(), 30));
    EXPECT_EQ(layout.rowOf(2).top(), 156);
    EXPECT_EQ(layout.blocks[0].area, QRect(0, 80, 800, 106));
    EXPECT_EQ(layout.blocks[1].area.height(), 22);
    EXPECT_EQ(layout.hidden, 0);
    EXPECT_EQ(layout.seen().size(), 3u);
}

/// Where the end is out of the picture an arrow stands before it, in bold: 6 pixels after the data, 8 before
/// the edge.
TEST(RunLayout, TheMarginHasRoomForAnEndOutOfThePicture) {
    RunWindow window = windowOf({3});
    window.runs.front().ends = {QStringLiteral("98.1 ms"), QStringLiteral("x")};
    const RunLayout layout = layoutRun({800, 500}, window);
    EXPECT_GE(800 - layout.right - 14,
              textWidth(lettering(Lettering::small, true), QStringLiteral("→ 98.1 ms")));
}

/// Where the second of two parts begins a line goes through the rows. It stands below the name of the whole.
TEST(RunLayout, NoLineCrossesTheNameOfAStretch) {
    RunWindow window = windowOf({3});
    const RunSpan whole = {{Time(0), Time(100'000)}, {QStringLiteral("all")}, {}, false, true};
    const RunSpan first = {{Time(0), Time(30'000)}, {QStringLiteral("a")}, {}, true, true};
    const RunSpan second = {{Time(30'000), Time(100'000)}, {QStringLiteral("b")}, {}, true, true};
    window.runs.front().spans = {whole, first, second};
    const RunLayout layout = layoutRun({800, 500}, window);
    QImage image(800, 500, QImage::Format_RGB32);
    QPainter painter(&image);
    paintRun(painter, image.size(), window, Theme::light);
    painter.end();
    const QRect spans = layout.blocks[0].spans;
    const int line = layout.scale(window).pixel(Time(30'000)) - 1;
    EXPECT_EQ(image.pixelColor(line, spans.top() + 2), color(Role::grid, Theme::light));
    EXPECT_EQ(image.pixelColor(line, spans.bottom() - 1), tint(Role::quietText, Theme::light, 0.5));
}

TEST(RunLayout, RowsShareWhatThereIs) {
    // Of 400 pixels 4 stay free above; two runs need a strip of 16 and a gap of 10 each, two objections 22
    // each: 400 - 4 - 52 - 44 = 300 for six rows would be 50 each; 30 is the most, gaps take the rest.
    const RunLayout roomy = layoutRun({800, 500}, windowOf({3, 3, 0, 0}));
    EXPECT_EQ(roomy.row, 30);
    EXPECT_EQ(roomy.blocks[1].area.top() - roomy.blocks[0].area.bottom() - 1, 28);
    EXPECT_FALSE(roomy.blocks[0].line.has_value());
    EXPECT_TRUE(roomy.blocks[1].line.has_value());
    EXPECT_TRUE(roomy.blocks[2].line.has_value());
    EXPECT_FALSE(roomy.blocks[3].line.has_value()) << "objections stand together";
    // Six runs: (400 - 4 - 6 x 26) / 18 = 13 pixels each.
    EXPECT_EQ(layoutRun({800, 500}, windowOf({3, 3, 3, 3, 3, 3})).row, 13);
}

TEST(RunLayout, AWindowScrollsRatherThanSqueezes) {
    RunWindow many = windowOf({3, 3, 3, 3, 3, 3});
    many.scrollBar = 14;
    const RunLayout layout = layoutRun({800, 400}, many);
    EXPECT_EQ(layout.row, 14);
    // 4 + 6 x (16 + 42) + 5 x 10 = 402, of which 300 are seen.
    EXPECT_EQ(layout.hidden, 102);
    EXPECT_LT(layout.seen().size(), 18u);
    many.scrolled = 100;
    EXPECT_EQ(layoutRun({800, 400}, many).blocks[0].area.top(), layout.blocks[0].area.top() - 100);
    many.scrolled = 1000;
    EXPECT_EQ(layoutRun({800, 400}, many).blocks[0].area.top(), layout.blocks[0].area.top() - 102);
    // A file cannot be scrolled: rows become as low as it takes, and the strips give way first.
    const RunLayout file = layoutRun({800, 300}, windowOf({3, 3, 3, 3, 3, 3}));
    EXPECT_EQ(file.hidden, 0);
    EXPECT_EQ(file.blocks[0].spans.height(), 0);
    EXPECT_EQ(file.row, (200 - 4 - 60) / 18);
}

TEST(RunLayout, NamesGiveWayToData) {
    const int names = layoutRun({800, 400}, windowOf({3})).names;
    const int rows = layoutRun({800, 400}, windowOf({3})).left - names;
    EXPECT_GE(rows, 84);
    const int enough = names + rows + 260 + 12; // data and a margin
    EXPECT_EQ(layoutRun({enough, 400}, windowOf({3})).left, names + rows);
    EXPECT_EQ(layoutRun({enough - 1, 400}, windowOf({3})).left, names);
    for (const QSize size : {QSize(1, 1), QSize(60, 20)}) {
        EXPECT_GE(layoutRun(size, windowOf({3, 0})).dataWidth(), 0);
    }
}

TEST(RunLayout, FindsWhatIsAtAPoint) {
    const RunWindow window = windowOf({3, 0});
    const RunLayout layout = layoutRun({800, 500}, window);
    const int middle = (layout.left + layout.right) / 2;
    EXPECT_EQ(layout.rowAt({middle, 130}), 1u); // from 126 to 155
    EXPECT_FALSE(layout.rowAt({middle, 85})) << "the names of stretches";
    EXPECT_FALSE(layout.rowAt({middle, 10}));
    EXPECT_EQ(layout.blockAt(layout.blocks[1].area.center()), 1u);
    EXPECT_FALSE(layout.blockAt({middle, 190})) << "between the two";
    const auto said = [&](const QPoint& point) {
        return runLinesAt(window, layout, point).join(QLatin1Char('|')).toStdString();
    };
    EXPECT_EQ(said({middle, 85}), "all of it");
    EXPECT_EQ(said({20, 130}), "0") << "the run as a whole";
    EXPECT_EQ(said(layout.blocks[1].area.center()), "none|no");
    EXPECT_EQ(said({middle, 130}).substr(0, 10), "lane: bar|");
}

/// Rows of a height of their own: the runs share the picture, and what does not fit is for the window to
/// leave out. From top to bottom nothing overlaps.
TEST(RunLayout, RowsOfTheirOwnHeightStandInPanes) {
    RunWindow window = windowOf({3, 3});
    window.rowHeight = 18;
    window.overview = 20;
    window.scrollBar = 14;
    window.yields = true;
    for (ShownRun& shown : window.runs) {
        shown.heading = QStringLiteral("a heading");
        shown.name.clear();
    }
    const RunLayout layout = layoutRun({1280, 800}, window);
    ASSERT_EQ(layout.blocks.size(), 2u);
    EXPECT_EQ(layout.right, 1280 - 14 - 1);
    EXPECT_EQ(layout.row, 18);
    EXPECT_EQ(layout.overview.height(), 20);
    EXPECT_GE(layout.ruler.top(), layout.overview.bottom());
    int y = layout.ruler.bottom();
    for (const RunLayout::Block& block : layout.blocks) {
        EXPECT_GT(block.heading.top(), y);
        EXPECT_GT(block.spans.top(), block.heading.bottom());
        EXPECT_GT(block.rows.top(), block.spans.bottom());
        y = block.rows.bottom();
    }
    EXPECT_GE(layout.legend.top(), y);
    EXPECT_LE(layout.legend.bottom(), 799);
    EXPECT_EQ(layout.blocks[0].rows.height(), layout.blocks[1].rows.height());
    EXPECT_EQ(layout.rowsThatFit(0), static_cast<std::size_t>(layout.blocks[0].rows.height() / 18));
    EXPECT_EQ(layout.rowAt(layout.rowOf(4).center()), 4u);
    EXPECT_FALSE(layout.rowAt({layout.left + 5, layout.rowOf(5).bottom() + 5})) << "below the last row";
    // In a low picture the strip goes, and then the legend.
    const RunLayout low = layoutRun({1280, 260}, window);
    EXPECT_EQ(low.overview.height(), 0);
    EXPECT_TRUE(low.legendless);
    for (const QSize size : {QSize(0, 0), QSize(1, 1), QSize(40, 30), QSize(2000, 10)}) {
        const RunLayout none = layoutRun(size, window);
        EXPECT_GE(none.dataWidth(), 0);
        EXPECT_EQ(none.rowsThatFit(1), 0u);
    }
}

} // namespace
} // namespace meshslice::ui
