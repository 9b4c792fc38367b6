#include "core/report/chart/chart_scale.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;

/// Each letter is 10 pixels wide.
double by_letters(std::string_view words) {
    return 10.0 * static_cast<double>(words.size());
}

std::vector<std::string> labels(const std::vector<double>& values, const PixelAxis& scale) {
    ChartAxis axis{"batch"};
    for (const double value : values) {
        axis.names.emplace_back(value, std::to_string(static_cast<int>(value)));
    }
    std::vector<std::string> shown;
    for (const Tick& tick : named_ticks(axis, scale, by_letters)) {
        EXPECT_EQ(std::to_string(static_cast<int>(tick.value)), tick.label);
        shown.push_back(tick.label);
    }
    return shown;
}

/// 8 to 512, doubled: 60 pixels from one to the next, each at most 30 wide.
TEST(NamedTicks, StandAtTheValues) {
    const PixelAxis wide{8, 512, 0, 360, true};
    EXPECT_THAT(labels({8, 16, 32, 64, 128, 256, 512}, wide),
                ElementsAre("8", "16", "32", "64", "128", "256", "512"));
}

/// In 120 pixels they stand 20 apart: every other one has room.
TEST(NamedTicks, AreThinnedEvenly) {
    const PixelAxis narrow{8, 512, 0, 120, true};
    EXPECT_THAT(labels({8, 16, 32, 64, 128, 256, 512}, narrow), ElementsAre("8", "32", "128", "512"));
    std::vector<double> many;
    for (int k = 1; k <= 64; ++k) {
        many.push_back(k);
    }
    const std::vector<std::string> shown = labels(many, {1, 64, 0, 630, false}); // 10 apart, 20 wide
    EXPECT_EQ(shown[1], "4") << "26 pixels are three steps";
    EXPECT_EQ(shown.size(), 22u);
}

/// Pixels of a vertical axis fall where its values rise.
TEST(NamedTicks, StandOnAVerticalAxisToo) {
    EXPECT_THAT(labels({0, 1, 2, 3}, {0, 3, 300, 0, false}), ElementsAre("0", "1", "2", "3"));
    EXPECT_THAT(labels({0, 1, 2, 3}, {0, 3, 36, 0, false}), ElementsAre("0", "2"));
}

/// Doubled values on a linear axis crowd at its lower end: what touches the one before is left out.
TEST(NamedTicks, LeaveOutWhatTouchesTheOneBefore) {
    const PixelAxis linear{0, 512, 0, 512, false};
    EXPECT_THAT(labels({8, 16, 32, 64, 128, 256, 512}, linear),
                ElementsAre("8", "32", "64", "128", "256", "512"));
    EXPECT_THAT(labels({}, linear), ElementsAre());
    EXPECT_THAT(labels({7}, linear), ElementsAre("7"));
}

/// A name may break between its words, so the longest of them counts. Bars keep all of their names.
TEST(CategoryStride, IsOneWhereWordsFit) {
    ChartPanel panel;
    panel.x.categories = {"by estimate", "simulated"};
    panel.series = {{"time", SeriesKind::line}};
    EXPECT_EQ(category_stride(panel, 90, by_letters), 1u);
    EXPECT_EQ(category_stride(panel, 40, by_letters), 3u) << "simulated is 90 wide";
    panel.series[0].kind = SeriesKind::stack;
    EXPECT_EQ(category_stride(panel, 40, by_letters), 1u);
}

} // namespace
} // namespace meshslice
