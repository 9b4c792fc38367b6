#include "core/figure/heat_map.h"
#include "core/report/chart/svg/heat_svg.h"
#include "core/report/chart/svg/palette.h"

#include <gmock/gmock.h>

#include <string>

namespace meshslice {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Two by two: one runs well, one less so, one does not fit, one does not run.
HeatMap four_cells() {
    HeatMap map;
    map.title = "Best at 8";
    map.x = "batch";
    map.y = "mesh";
    map.columns = {"4", "8"};
    map.rows = {"2x2", "4x4"};
    map.measure = "FLOP utilization";
    map.cells = {{0.25, false, "", 0},
                 {0.75, false, "", 1},
                 {0.9, true, "does not fit", 2},
                 {std::nullopt, false, "4 does not divide by 3.", 3}};
    map.best = 1;
    return map;
}

/// What does not fit has no colour, so it does not count.
TEST(HeatMap, ColoursWhatFits) {
    const HeatMap map = four_cells();
    const auto range = heat_range(map);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->low, 0.25);
    EXPECT_EQ(range->high, 0.75);
    EXPECT_DOUBLE_EQ(heat_strength(*range, 0.25), 0.06);
    EXPECT_DOUBLE_EQ(heat_strength(*range, 0.75), 1.0);
    EXPECT_DOUBLE_EQ(heat_strength({0.5, 0.5}, 0.5), 1.0) << "all are the best";
    HeatMap none = map;
    none.cells = {map.cells[2], map.cells[3]};
    EXPECT_FALSE(heat_range(none));
}

/// Blue for less and vermilion for more, the stronger the farther from zero; the sign says it too.
TEST(HeatMap, TellsMoreFromLess) {
    HeatMap map = four_cells();
    map.around_zero = true;
    map.measure = "time of B against A";
    map.cells[0].value = -0.25;
    map.cells[1].value = 0.5;
    const auto range = heat_range(map);
    ASSERT_TRUE(range);
    EXPECT_EQ(heat_tint(map, *range, 0.5), (HeatTint{Role::exposed, 1.0}));
    EXPECT_EQ(heat_tint(map, *range, -0.5), (HeatTint{Role::compute, 1.0}));
    EXPECT_EQ(heat_tint(map, *range, 0), (HeatTint{Role::compute, 0.06}));
    EXPECT_EQ(heat_tint(map, {0, 0}, 0), (HeatTint{Role::compute, 0.06})) << "alike everywhere";
    EXPECT_DOUBLE_EQ(heat_tint(map, *range, -0.25).strength, 0.06 + 0.94 / 2);
    EXPECT_EQ(heat_number(map, map.cells[0]), "\u221225%");
    EXPECT_EQ(heat_number(map, map.cells[1]), "+50%");
    EXPECT_EQ(heat_number(map, {0.0}), "0%");
    EXPECT_EQ(heat_number(map, {-0.0001}), "0%");
    EXPECT_EQ(heat_number(map, {2.2}), "\u00d7\u20093.2");
    EXPECT_THAT(heat_text(map, 0), HasSubstr("\ntime of B against A: \u221225%"));
    map.cells[0].value = 0.25;
    EXPECT_EQ(heat_range(map)->low, 0) << "the scale has zero";
    EXPECT_THAT(heat_svg(map, ""), HasSubstr("fill=\"#d55e00\"><title>batch 8, mesh 2x2"));
}

TEST(HeatMap, SaysWhatACellIs) {
    const HeatMap map = four_cells();
    EXPECT_EQ(heat_text(map, 1), "batch 8, mesh 2x2\nFLOP utilization: 75.0%\nthe best of those that fit");
    EXPECT_FALSE(is_best(map, 0));
    HeatMap tied = map;
    tied.cells[0].value = 0.7501;
    EXPECT_TRUE(is_best(tied, 0)) << "both are printed as 75%";
    EXPECT_TRUE(is_best(tied, 1));
    EXPECT_EQ(heat_text(map, 2), "batch 4, mesh 4x4\nFLOP utilization: 90.0%\ndoes not fit");
    EXPECT_EQ(heat_text(map, 3), "batch 8, mesh 4x4\ndoes not run\n4 does not divide by 3.");
    EXPECT_EQ(heat_number(map, map.cells[0]), "25%");
    EXPECT_EQ(heat_number(map, map.cells[0], false), "25");
    EXPECT_EQ(heat_key(map), "Numbers: FLOP utilization. Corner: best. Hatched: does not fit into a chip's "
                             "memory. Crossed: does not run.");
    HeatMap good = map;
    good.cells.resize(2);
    good.rows.resize(1);
    EXPECT_EQ(heat_key(good), "Numbers: FLOP utilization. Corner: best.");
}

/// A darker blue for more, so that it can be distinguished in grey and by all eyes; the number in each.
TEST(HeatMap, IsWrittenAsSvg) {
    const std::string svg = heat_svg(four_cells(), "of <tests>");
    EXPECT_THAT(svg, AllOf(HasSubstr("<title>Best at 8</title>"), HasSubstr("of &lt;tests&gt;"),
                           HasSubstr("fill=\"#0072b2\"><title>batch 8, mesh 2x2"), HasSubstr(">75%</text>"),
                           HasSubstr("class=\"hatch\""), HasSubstr("Crossed: does not run.")));
    EXPECT_EQ(svg, heat_svg(four_cells(), "of <tests>"));
    HeatMap good = four_cells();
    good.cells.resize(2);
    good.rows.resize(1);
    EXPECT_THAT(heat_svg(good, ""), Not(HasSubstr("class=\"hatch\"")));
}

TEST(HeatMap, IsReadOnEveryColour) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        EXPECT_EQ(reads_black_on(tinted(Role::compute, theme, 0.06)), theme == Theme::light);
    }
    EXPECT_FALSE(reads_black_on(rgb(Role::compute, Theme::light)));
    EXPECT_TRUE(reads_black_on(rgb(Role::compute, Theme::dark)));
}

} // namespace
} // namespace meshslice
