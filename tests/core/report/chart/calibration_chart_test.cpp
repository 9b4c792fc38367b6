#include "core/machine/catalogue.h"
#include "core/report/chart/calibration_chart.h"
#include "core/report/chart/svg/chart_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using ::testing::HasSubstr;

/// GEMMs of 2, 4 and 8 TFLOP in 10, 21 and 40 ms: 5, 5.25 and 5 ms a TFLOP, so no line meets all three. The
/// chart shows how far the fitted one is from each.
TEST(CalibrationChart, ShowsEveryDeviation) {
    Measurements measured;
    measured.gemms_from = "gemms.csv";
    measured.gemms = {{2, {10'000, 10'000, 10'000}, 0.010},
                      {3, {20'000, 10'000, 10'000}, 0.021},
                      {4, {20'000, 20'000, 10'000}, 0.040}};
    const auto fit = calibrate(measured, *machine_preset("tpu-v4"));
    ASSERT_TRUE(fit) << fit.error().sentence;
    const Chart chart = calibration_chart(*fit);
    ASSERT_EQ(chart.panels.size(), 1u);
    const ChartPanel& panel = chart.panels[0];
    ASSERT_EQ(panel.series.size(), 2u);
    EXPECT_EQ(panel.series[0].kind, SeriesKind::rule);
    ASSERT_EQ(panel.series[1].points.size(), 3u);
    double most = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const ChartPoint& point = panel.series[1].points[k];
        EXPECT_DOUBLE_EQ(point.x, measured.gemms[k].seconds);
        EXPECT_NEAR(point.y, fit->gemms->quality.fitted[k] / measured.gemms[k].seconds - 1, 1e-12);
        most = std::max(most, std::abs(point.y));
    }
    EXPECT_NEAR(most, fit->gemms->quality.largest_deviation, 1e-12);
    EXPECT_GT(*panel.y.high, most);
    EXPECT_DOUBLE_EQ(*panel.y.low, -*panel.y.high);
    EXPECT_THAT(chart.title, HasSubstr("3 GEMMs are met within "));
    EXPECT_THAT(chart_svg(chart, chart.title), HasSubstr("line 3 of the file"));
}

/// A kind that has no launch of its own is drawn like the others.
TEST(CalibrationChart, ShowsAllReduces) {
    Measurements measured;
    measured.collectives_from = "log.txt";
    measured.collectives = {{2, Collective::all_reduce, 4, 1e6, 50e-6},
                            {3, Collective::all_reduce, 4, 1e7, 300e-6},
                            {4, Collective::all_reduce, 4, 1e8, 2800e-6}};
    const auto fit = calibrate(measured, *machine_preset("tpu-v4"));
    ASSERT_TRUE(fit) << fit.error().sentence;
    const Chart chart = calibration_chart(*fit);
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_EQ(chart.panels[0].series.back().points.size(), 3u);
}

} // namespace
} // namespace meshslice
