// A study's chart by hand: where values stand, what is written beside them, and that nothing lies on
// anything.

#include "core/report/study_chart.h"
#include "core/report/study_look.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Ten pixels a letter, so that widths are counted by hand.
double ten_a_letter(std::string_view text, const Letters& /*letters*/) {
    return 10.0 * static_cast<double>(text.size());
}

StudyResult of(Panel panel) {
    StudyResult result;
    result.panels = {std::move(panel)};
    return result;
}

Panel stacked() {
    return {"B",
            "who",
            {"x", "y"},
            "ratio",
            PanelUnit::ratio,
            true,
            {{"launch", {1.0, std::nullopt}, {}},
             {"sync", {2.0, std::nullopt}, {}},
             {"transfer", {1.0, std::nullopt}, {}}}};
}

/// Shares go up to 100%: half of it is half-way up the plot, all of it at its top.
TEST(StudyChart, PlacesSharesByHand) {
    const StudyChart chart = layout_study(
        of({"A", "chips", {"16", "32"}, "share", PanelUnit::share, false, {{"one", {0.5, 1.0}, {}}}}), 1000,
        400, dejavu_width);
    const StudyPlot& plot = chart.plots.at(0);
    EXPECT_NEAR(plot.marks[0].area.center().y, plot.plot.center().y, 1e-9);
    EXPECT_NEAR(plot.marks[1].area.center().y, plot.plot.top, 1e-9);
    // Two columns: their middles at a quarter and three quarters of the width.
    EXPECT_NEAR(plot.marks[0].area.center().x, plot.plot.left + plot.plot.width / 4, 1e-9);
    EXPECT_NEAR(plot.marks[1].area.center().x, plot.plot.left + plot.plot.width * 3 / 4, 1e-9);
}

/// A sum of 4 needs room for its number above, 12% of it: with steps of 1 the axis ends at 5, so a bar of 1
/// is a fifth of the plot high, one of 2 two fifths; they stand on each other and on zero.
TEST(StudyChart, StacksBarsByHand) {
    const StudyPlot plot = layout_study(of(stacked()), 1000, 400, dejavu_width).plots.at(0);
    EXPECT_DOUBLE_EQ(plot.y.high, 5);
    ASSERT_THAT(plot.marks, SizeIs(3));
    EXPECT_NEAR(plot.marks[0].area.height, plot.plot.height / 5, 1);
    EXPECT_NEAR(plot.marks[1].area.height, plot.plot.height * 2 / 5, 1);
    EXPECT_NEAR(plot.marks[0].area.bottom(), plot.plot.bottom(), 0.5);
    EXPECT_EQ(plot.marks[0].area.top, plot.marks[1].area.bottom());
    EXPECT_EQ(plot.marks[1].area.top, plot.marks[2].area.bottom());
    // Nothing runs at "y", and all three series are named beside the bar.
    EXPECT_THAT(plot.empty, ElementsAre(1));
    EXPECT_THAT(plot.names, SizeIs(3));
    EXPECT_DOUBLE_EQ(stack_sum(stacked(), 0), 4);
}

/// A bar of 2 is as high in both panels, though only the second one has 8.
TEST(StudyChart, GivesPanelsOneScale) {
    StudyResult result;
    result.panels = {{"A", "who", {"x"}, "time", PanelUnit::seconds, true, {{"one", {2.0}, {}}}},
                     {"B", "who", {"x", "y"}, "time", PanelUnit::seconds, true, {{"one", {2.0, 8.0}, {}}}}};
    const StudyChart chart = layout_study(result, 1000, 400, dejavu_width);
    EXPECT_EQ(chart.plots[0].y.high, 10); // steps of 2, 12% above 8
    EXPECT_EQ(chart.plots[1].y.high, 10);
    EXPECT_EQ(chart.plots[0].marks[0].area.height, chart.plots[1].marks[0].area.height);
}

/// At the same height two names would lie on each other; a line is 14 pixels high.
TEST(StudyChart, KeepsNamesApart) {
    const StudyPlot plot = layout_study(of({"A",
                                            "chips",
                                            {"16"},
                                            "share",
                                            PanelUnit::share,
                                            false,
                                            {{"one", {0.5}, {}}, {"two", {0.5}, {}}, {"three", {0.51}, {}}}}),
                                        800, 400, dejavu_width)
                               .plots.at(0);
    EXPECT_NEAR(plot.names[1].top - plot.names[0].top, 14, 1e-9);
    EXPECT_LT(plot.names[2].bottom(), plot.names[0].top + 1e-9); // higher value, higher up
    EXPECT_GT(plot.names[0].left, plot.plot.right());
    EXPECT_LE(plot.names[0].right(), 800);
}

/// Categories without an order have room for their series side by side, and the paper's mark right of ours.
TEST(StudyChart, SetsSeriesSideBySide) {
    const StudyPlot plot = layout_study(of({"A",
                                            "model",
                                            {"GPT-3"},
                                            "share",
                                            PanelUnit::share,
                                            false,
                                            {{"one", {0.5}, {0.5}}, {"two", {0.5}, {std::nullopt}}}}),
                                        800, 400, dejavu_width)
                               .plots.at(0);
    ASSERT_THAT(plot.marks, SizeIs(3));
    EXPECT_TRUE(plot.marks[1].published);
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            EXPECT_FALSE(plot.marks[a].area.intersects(plot.marks[b].area)) << a << " and " << b;
        }
    }
}

/// A line would say that there is something between 16 and 64.
TEST(StudyChart, InterruptsLinesWhereNothingRuns) {
    const Panel panel{"A",
                      "chips",
                      {"16", "32", "64", "128"},
                      "share",
                      PanelUnit::share,
                      false,
                      {{"Cannon", {0.5, std::nullopt, 0.4, 0.3}, {}}, {"Wang", {0.6, 0.6, 0.6, 0.6}, {}}}};
    const StudyChart chart = layout_study(of(panel), 800, 400, dejavu_width);
    std::vector<std::size_t> series;
    for (const StudyLine& line : study_lines(panel, chart.plots.at(0))) {
        series.push_back(line.series);
    }
    EXPECT_THAT(series, ElementsAre(0, 1, 1, 1));
    EXPECT_THAT(chart.note, ElementsAre("Cannon does not run on 32 chips."));
}

TEST(StudyChart, SaysWhatDoesNotRun) {
    const Panel one{"A",
                    "product",
                    {"p", "q", "r"},
                    "share",
                    PanelUnit::share,
                    false,
                    {{"Cannon", {std::nullopt, std::nullopt, 0.4}, {}}, {"Wang", {0.6, 0.6, 0.6}, {}}}};
    Panel other = one;
    other.title = "B";
    EXPECT_EQ(not_running({one}), "Cannon does not run for p and q.");
    EXPECT_EQ(not_running({one, other}), "Cannon does not run for p and q.");
    other.series[0].values = {0.1, 0.1, 0.1};
    EXPECT_EQ(not_running({one, other}), "A: Cannon does not run for p and q.");
    EXPECT_EQ(not_running({other}), "");
    EXPECT_EQ(not_running({stacked()}), "") << "that is said in the empty column itself";
}

/// 62 pixels of axis, 14 of gap, the names' "one" and 6, and 12 of margin leave (W - 124) for the columns.
/// Two panels of 488 have 4 columns of 91: enough for "eight888" (80), not for "ninechars" (90 and 3).
TEST(StudyChart, StandsSideBySideWhereTheWordsFit) {
    const auto two = [](const char* word) {
        StudyResult result;
        const Panel panel{"A",
                          "product",
                          {word, "b", "c", "d"},
                          "share",
                          PanelUnit::share,
                          false,
                          {{"one", {0.5, 0.5, 0.5, 0.5}, {}}}};
        result.panels = {panel, panel};
        return layout_study(result, 1000, 600, ten_a_letter);
    };
    const StudyChart beside = two("eight888");
    EXPECT_EQ(beside.plots[0].area.top, beside.plots[1].area.top);
    const StudyChart below = two("ninechars");
    EXPECT_EQ(below.plots[0].area.left, below.plots[1].area.left);
    EXPECT_FALSE(below.plots[0].names_categories) << "the name of both stands below the second";
}

/// Without published values no key; with them a hollow and a solid mark, below the plots and within the
/// width.
TEST(StudyChart, ExplainsHollowMarks) {
    Panel panel{"A", "model", {"GPT-3"}, "share", PanelUnit::share, false, {{"one", {0.5}, {}}}};
    EXPECT_THAT(layout_study(of(panel), 800, 400, dejavu_width).keys, IsEmpty());
    panel.series[0].published = {0.6};
    const StudyChart chart = layout_study(of(panel), 800, 400, dejavu_width);
    ASSERT_THAT(chart.keys, SizeIs(2));
    EXPECT_THAT(chart.keys[0].words, HasSubstr("MeshSlice, ISCA 2025"));
    EXPECT_GE(chart.keys[0].mark.top, chart.plots[0].area.bottom());
    EXPECT_LE(chart.keys[1].place.right(), 800);
}

TEST(StudyLook, WritesValues) {
    EXPECT_EQ(value_text(PanelUnit::share, 0.8214), "82.1%");
    EXPECT_EQ(value_text(PanelUnit::ratio, 1.7249), "1.72\u00d7");
    EXPECT_EQ(value_text(PanelUnit::ratio, 3.8), "3.80\u00d7");
    EXPECT_EQ(value_text(PanelUnit::ratio, 0.98), "0.980\u00d7");
    EXPECT_EQ(value_text(PanelUnit::ratio, 123.4), "123\u00d7");
    EXPECT_EQ(value_text(PanelUnit::ratio, 999.7), "1000\u00d7");
    EXPECT_EQ(value_text(PanelUnit::seconds, 0.0499), "49.9\u2009ms");
}

/// The half of seven shapes with corners: square 4, diamond 4, triangles 3, cross 12, dash 4; a circle none.
TEST(StudyLook, GivesEverySeriesItsOwnShape) {
    std::vector<std::size_t> corners;
    for (std::size_t k = 0; k < 8; ++k) {
        corners.push_back(mark_outline(k, {0, 0, 8, 8}).size());
    }
    EXPECT_THAT(corners, ElementsAre(0, 4, 4, 3, 3, 12, 4, 0));
    EXPECT_EQ(mark_outline(2, {0, 0, 8, 8}), (std::vector<Point>{{4, 0}, {8, 4}, {4, 8}, {0, 4}}));
}

/// From the font's own table: "i" 278, "W" 989, a thousandth of the size each; bold "W" 1103.
TEST(TextWidth, AddsUpLetters) {
    EXPECT_THAT(dejavu_width("iW", {10, false}), DoubleEq(12.67));
    EXPECT_THAT(dejavu_width("W", {10, true}), DoubleEq(11.03));
    EXPECT_THAT(dejavu_width("\u00d7", {10, false}), DoubleEq(8.38)); // one character of two bytes
}

TEST(TextWidth, BreaksBetweenWords) {
    const Letters any;
    EXPECT_THAT(wrapped("one two three", 70, any, ten_a_letter), ElementsAre("one two", "three"));
    EXPECT_THAT(wrapped("extraordinary day", 70, any, ten_a_letter), ElementsAre("extraordinary", "day"));
    EXPECT_THAT(wrapped("", 70, any, ten_a_letter), IsEmpty());
    EXPECT_THAT(wrapped_by_parts("a b; c d", 100, any, ten_a_letter), ElementsAre("a b; c d"));
    EXPECT_THAT(wrapped_by_parts("a b; c d", 60, any, ten_a_letter), ElementsAre("a b;", "c d"));
    EXPECT_EQ(fitted("abcdef", 60, any, ten_a_letter), "abcdef");
    // The ellipsis has three bytes, so 30 of the 50 pixels here.
    EXPECT_EQ(fitted("abcdef", 50, any, ten_a_letter), "ab\u2026");
    EXPECT_EQ(fitted("abcdef", 30, any, ten_a_letter), "");
}

} // namespace
} // namespace meshslice
