#include "core/machine/catalogue.h"
#include "core/question/catalogue/study/studies.h"
#include "core/report/chart/chart_scale.h"
#include "core/report/chart/svg/chart_svg.h"
#include "tests/support/own_results.h"

#include <gmock/gmock.h>

#include <regex>
#include <string>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

/// The numbers behind an attribute.
std::vector<double> numbers(const std::string& svg, const std::string& attribute) {
    std::vector<double> found;
    const std::regex pattern(" " + attribute + "=\"(-?[0-9.]+)\"");
    for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at) {
        found.push_back(std::stod((*at)[1]));
    }
    return found;
}

Chart chart_of(ChartPanel panel) {
    return {"A finding", {std::move(panel)}, {"A note."}};
}

TEST(ChartSvg, EscapesWhatXmlCannotHold) {
    EXPECT_EQ(xml_text("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    EXPECT_EQ(xml_text("tab\there"), "tab\there");
    EXPECT_EQ(xml_text(std::string("a\x01z")), "a\ufffdz");
    EXPECT_EQ(xml_text("\xc3\xa9\xff"), "\u00e9\ufffd");
    EXPECT_EQ(xml_text("\xed\xa0\x80"), "\ufffd\ufffd\ufffd") << "half of a surrogate pair";
}

/// Two series of three categories, one missing: five marks with their values, one line between neighbours of
/// the first and none where the second is interrupted.
TEST(ChartSvg, HasAMarkForEachValueAndJoinsNeighbours) {
    ChartPanel panel{"GPT-3", {"chips"}, {"FLOP utilization", ChartUnit::share}};
    panel.x.categories = {"16", "32", "64"};
    panel.series = {{"Wang", SeriesKind::line, {0.5, 0.4, 0.3}},
                    {"Cannon", SeriesKind::line, {0.2, std::nullopt, 0.1}}};
    const std::string svg = chart_svg(chart_of(panel), "About & more");
    EXPECT_EQ(count(svg, "<title>Wang\nchips"), 3u);
    EXPECT_EQ(count(svg, "<title>Cannon\nchips"), 2u);
    EXPECT_THAT(svg, HasSubstr("<desc>About &amp; more</desc>"));
    EXPECT_THAT(svg, HasSubstr("<title>A finding</title>"));
    EXPECT_THAT(svg, HasSubstr(">A note.</text>"));
    EXPECT_THAT(svg, HasSubstr("FLOP utilization (%)"));
    const std::string grid = "stroke=\"#e6e6e6\"";
    EXPECT_EQ(count(svg, "<line") - count(svg, grid) - 1, 2u) << "except the grid and the hatch";
    EXPECT_EQ(svg, chart_svg(chart_of(panel), "About & more"));
}

/// Where the one word of a legend begins, in pixels from the left.
double legend_at(const std::string& svg, const std::string& word) {
    std::smatch found;
    const std::regex pattern("<text x=\"([0-9.]+)\"[^>]*>" + word + "</text>");
    return std::regex_search(svg, found, pattern) ? std::stod(found[1]) : 0;
}

/// On a screen of 1000 pixels the legend stands right of the plot, in the last 150; on a phone it stands
/// below, at the left.
TEST(ChartSvg, HasItsLegendBelowOnAPhone) {
    ChartPanel panel{"", {"chips"}, {"FLOP utilization", ChartUnit::share}};
    panel.x.categories = {"16", "32"};
    panel.series = {{"Wang", SeriesKind::line, {0.5, 0.4}}};
    EXPECT_EQ(narrow_width(chart_of(panel)), 360);
    EXPECT_GT(legend_at(chart_svg(chart_of(panel), "", 1000), "Wang"), 850);
    const double below = legend_at(chart_svg(chart_of(panel), "", 360), "Wang");
    EXPECT_GT(below, 0);
    EXPECT_LT(below, 100);
}

/// Where a line of text that ends with a word stands, in pixels from the top.
double height_at(const std::string& svg, const std::string& word) {
    std::smatch found;
    const std::regex pattern("<text x=\"[0-9.]+\" y=\"([0-9.]+)\"[^>]*>[^<]*" + word + "</text>");
    return std::regex_search(svg, found, pattern) ? std::stod(found[1]) : 0;
}

/// Words at the ends of bars take room from the plot, not from the legend below it: what follows stands at
/// least a letter's height below the legend's last line.
TEST(ChartSvg, EndsItsLegendBeforeTheNotes) {
    ChartPanel panel{"", {"time", ChartUnit::seconds}, {"plan"}};
    panel.y.categories = {"a"};
    panel.y.remarks = {", of which nearly all is spent on the links"};
    panel.series = {{"a name of a part with many words to the very endmost", SeriesKind::stack, {1.0}}};
    const double width = narrow_width(chart_of(panel));
    ASSERT_LT(width, 600) << "of a picture whose legend stands below";
    const std::string svg = chart_svg(chart_of(panel), "", width);
    const double legend = height_at(svg, "endmost");
    EXPECT_GT(legend, 0);
    EXPECT_GT(height_at(svg, "A note."), legend + 11);
}

/// Names of bars that take most of a phone's width make the picture wider, so that bars can still be
/// compared.
TEST(ChartSvg, IsWiderThanAPhoneWhereNamesNeedIt) {
    ChartPanel panel{"", {"time", ChartUnit::seconds}, {"plan"}};
    panel.y.categories = {"a name that is as long as a plan is, with every axis and its chips"};
    panel.series = {{"compute", SeriesKind::stack, {1.0}}};
    EXPECT_GT(narrow_width(chart_of(panel)), 450);
}

TEST(ChartSvg, SaysHollowIsPublished) {
    ChartPanel panel{"", {"model"}, {"FLOP utilization", ChartUnit::share}};
    panel.x.categories = {"GPT-3"};
    panel.series = {{"Wang", SeriesKind::points, {0.5}}};
    EXPECT_THAT(chart_svg(chart_of(panel), ""), Not(HasSubstr("Hollow")));
    ChartSeries published{"Wang", SeriesKind::points, {0.6}};
    published.hollow = true;
    published.source = "MeshSlice, ISCA 2025";
    panel.series.push_back(published);
    const std::string svg = chart_svg(chart_of(panel), "");
    EXPECT_THAT(svg, HasSubstr("Hollow: published in MeshSlice, ISCA 2025."));
    EXPECT_EQ(count(svg, "fill=\"none\""), 1u);
}

/// Values beyond the axis are not drawn beyond the plot: their marks are left out, their bars end with it.
TEST(ChartSvg, DrawsNothingOutsideOfTheAxes) {
    ChartPanel panel{"",
                     {"x", ChartUnit::none, false, {}, {}, "", {}, {}, {}, {}, 0.0, 10.0},
                     {"y", ChartUnit::none, false, {}, {}, "", {}, {}, {}, {}, 0.0, 10.0}};
    panel.series = {{"inside", SeriesKind::points, {}, {{5, 5}}},
                    {"outside", SeriesKind::points, {}, {{50, 500}}}};
    const std::string svg = chart_svg(chart_of(panel), "");
    EXPECT_EQ(count(svg, "<title>inside\n"), 1u);
    EXPECT_EQ(count(svg, "<title>outside\n"), 0u);
    ChartPanel bars{"", {"model"}, {"time", ChartUnit::seconds}};
    bars.x.categories = {"a"};
    bars.y.high = 1;
    bars.series = {{"long", SeriesKind::stack, {5.0}}};
    for (const double height : numbers(chart_svg(chart_of(bars), ""), "height")) {
        EXPECT_LT(height, 700);
    }
}

TEST(ChartSvg, EveryStudyHasOneOfItsSize) {
    for (const Study& one : studies()) {
        const std::string svg = chart_svg(chart(test::own_result(one)), one.question);
        const double width = numbers(svg, "width").front();
        const double height = numbers(svg, "height").front();
        EXPECT_EQ(width, 1000) << one.id;
        EXPECT_EQ(count(svg, "<text"), count(svg, "</text>")) << one.id;
        for (const double x : numbers(svg, "x")) {
            EXPECT_TRUE(x >= 0 && x <= width) << one.id << ": " << x;
        }
        for (const double y : numbers(svg, "y")) {
            EXPECT_TRUE(y >= 0 && y <= height) << one.id << ": " << y;
        }
    }
}

/// Bars of two groups of two: three steps each, and one between the groups.
TEST(ChartScale, GroupsStandApart) {
    ChartAxis axis{"GEMM"};
    axis.categories = {"a", "b", "a", "b"};
    EXPECT_THAT(category_places(axis).at, ElementsAre(0, 1, 2, 3));
    axis.groups = {"QKV", "QKV", "FF1", "FF1"};
    const CategoryPlaces places = category_places(axis);
    EXPECT_THAT(places.at, ElementsAre(1, 4, 8, 11));
    EXPECT_EQ(places.steps, 14);
}

/// Panels that count the same have the same height, with room above the highest mark; shares go to 100%.
TEST(ChartScale, PanelsCanBeCompared) {
    const auto panel = [](double most, ChartUnit unit) {
        ChartPanel one{"", {"model"}, {"time", unit}};
        one.x.categories = {"a"};
        one.series = {{"s", SeriesKind::points, {most}}};
        return one;
    };
    const Chart times{"", {panel(0.004, ChartUnit::seconds), panel(0.0099, ChartUnit::seconds)}};
    EXPECT_DOUBLE_EQ(scaled(times, times.panels[0], false, 100, 0).high, 0.012);
    const Chart shares{"", {panel(0.3, ChartUnit::share)}};
    EXPECT_DOUBLE_EQ(scaled(shares, shares.panels[0], false, 100, 0).high, 1);
}

} // namespace
} // namespace meshslice
