// What bounds a GEMM against its batch, and what a collective achieves against its size, as charts.

#include "core/machine/catalogue.h"
#include "core/report/chart/cost_charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice {
namespace {

using testing::HasSubstr;

const Machine& v5e() {
    static const Machine hardware = machine_preset("tpu-v5e").value();
    return hardware;
}
RooflineOnChip asked(double rows) {
    return {{rows, 8192, 32768}, v5e(), DataType::bf16, {{"HBM", v5e().hbm_bandwidth.value.value()}}};
}
const ChartSeries& series_of(const Chart& chart, const std::string& begin) {
    const auto& all = chart.panels.at(0).series;
    return *std::ranges::find_if(all, [&](const ChartSeries& one) { return one.name.starts_with(begin); });
}

/// By hand, TPU v5e: 1.97e14 FLOP/s over 8.1e11 B/s is a ridge of 243. A row of 8192 + 32768 numbers of 2
/// bytes takes B 2 D F / (2 B (D + F) + 2 D F) FLOP per byte, which is 243 at B = 253.
TEST(BatchChart, BendsAtTheCriticalBatch) {
    const Chart chart = batch_chart(asked(64));
    EXPECT_THAT(chart.title, HasSubstr("bound by HBM, "));
    EXPECT_THAT(chart.title, HasSubstr("compute bounds from 253 tokens on"));
    const ChartSeries& hbm = series_of(chart, "HBM");
    for (const ChartPoint& point : hbm.points) {
        const double flop = 2 * point.x * 8192 * 32768;
        const double bytes = 2 * (point.x * (8192 + 32768) + 8192.0 * 32768);
        EXPECT_NEAR(point.y / std::min(1.97e14, flop / bytes * 8.1e11), 1, 1e-9) << point.x;
    }
    EXPECT_NEAR(hbm.points.back().x, 253, 1);
    EXPECT_NEAR(hbm.points.back().y, 1.97e14, 1e9);
    EXPECT_TRUE(std::ranges::any_of(hbm.points, [](const ChartPoint& one) { return one.x == 64; }));
    const ChartSeries& critical = series_of(chart, "critical batch");
    EXPECT_NEAR(critical.points.at(0).x, hbm.points.back().x, 1e-6);
    EXPECT_THAT(batch_chart(asked(512)).title, HasSubstr("bound by compute, "));
    EXPECT_THAT(batch_chart(asked(253)).title, HasSubstr(": just bound by compute; "));
}

/// No batch makes up for weights that every row has of its own: 2 D F FLOP for 2 D F bytes, and a little
/// more.
TEST(BatchChart, OfWeightsOfEachRowNeverBends) {
    RooflineOnChip own = asked(64);
    own.gemm.weights_of_each_row = true;
    const Chart chart = batch_chart(own);
    EXPECT_THAT(chart.title, HasSubstr("HBM bounds every batch"));
    EXPECT_EQ(level_table(own).rows.size(), asked(1).levels(1).size());
    for (const ChartPoint& point : series_of(chart, "HBM").points) {
        EXPECT_LT(point.y, 8.1e11);
    }
}

CollectiveCosts gather(const std::vector<UsedAxis>& axes) {
    return {Collective::all_gather, v5e(), axes};
}

/// The book's question 3.3 on a closed ring of 16: 34 MB over 9e10 B/s are 378 us, and below 8 us x 9e10 B/s
/// = 720 kB the eight hops count.
TEST(AchievedChart, IsTheBooksFormulaAndItsLimit) {
    const NamedMesh mesh{{{'X', 16}}};
    const auto axes = used_axes(mesh, mesh, v5e(), {});
    ASSERT_TRUE(axes) << axes.error().sentence;
    const Chart chart = achieved_chart(gather(*axes), 34e6);
    EXPECT_THAT(chart.title, testing::AllOf(HasSubstr(" along X=16 on "), HasSubstr("bound by bandwidth")));
    EXPECT_THAT(chart.notes.at(0), HasSubstr("latency bounds below 720"));
    // 16/15 of it at most, less the launch: said where it is so, and not of a line, which has no such bytes.
    EXPECT_GT(series_of(chart, "with launches").points.back().y, 9e10);
    EXPECT_LT(series_of(chart, "with launches").points.back().y, 9e10 * 16 / 15);
    EXPECT_THAT(chart.notes, testing::Contains(HasSubstr("Large arrays end above")));
    const auto line = used_axes(mesh, mesh, v5e(), {false, false});
    EXPECT_THAT(achieved_chart(gather(*line), 34e6).notes,
                testing::Not(testing::Contains(HasSubstr("end above"))));
    for (const ChartPoint& point : series_of(chart, "the scaling book's formula").points) {
        EXPECT_NEAR(point.y / std::min(9e10, point.x / 8e-6), 1, 1e-9) << point.x;
    }
    EXPECT_THAT(achieved_chart(gather(*axes), 1e5).title, HasSubstr("bound by latency"));
    EXPECT_EQ(size_table(gather(*axes)).rows.size(), 22U);
}

/// An axis of 4 chips is an open line on TPU v5e: three hops, and one link at its end. One way along it is
/// refused where it is asked.
TEST(AchievedChart, SaysWhyAnAxisIsOpen) {
    const NamedMesh mesh{{{'X', 4}}};
    const AxesTaken one_way{std::nullopt, true};
    const auto axes = used_axes(mesh, mesh, v5e(), one_way);
    ASSERT_TRUE(axes);
    EXPECT_THAT(achieved_chart(gather(*axes), 34e6).notes.back(),
                testing::AllOf(HasSubstr("an open line of 4 chips"), HasSubstr("a multiple of 16 chips")));
    const auto wrong = objection(Collective::all_gather, *axes, one_way);
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->kind, AxesObjection::Kind::open_line);
    EXPECT_EQ(wrong->axis.name, 'X');
    EXPECT_EQ(objection(Collective::send_receive, *axes, one_way)->kind,
              AxesObjection::Kind::one_way_already);
    const auto closed = used_axes(mesh, mesh, v5e(), {true, true});
    EXPECT_FALSE(objection(Collective::all_gather, *closed, {true, true}));
    EXPECT_FALSE(used_axes(NamedMesh{{{'Y', 4}}}, mesh, v5e(), {}));
    EXPECT_FALSE(used_axes(NamedMesh{{{'X', 1}}}, NamedMesh{{{'X', 1}}}, v5e(), {}));
}

} // namespace
} // namespace meshslice
