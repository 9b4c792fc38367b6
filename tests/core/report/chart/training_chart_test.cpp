#include "core/base/text/text_table.h"
#include "core/evidence/training/training_amounts.h"
#include "core/report/chart/svg/chart_svg.h"
#include "core/report/chart/training_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice {
namespace {

using testing::HasSubstr;

TrainingRow run_of(const char* id, double experts, double measured) {
    TrainingRow row;
    row.id = row.group = id;
    row.model = "a model";
    row.hardware = experts > 0 ? "B" : "A";
    row.framework = "software";
    row.source = std::string("source of ") + id;
    row.chips = 64;
    row.data = 16;
    row.tensor = 4;
    row.batch = 128;
    row.sequence = 2048;
    row.experts = experts;
    row.quantity = TrainingQuantity::step_time;
    row.measured = measured;
    return row;
}
PredictedTraining predicted_as(const TrainingRow& row, double predicted) {
    PredictedTraining one;
    one.training.row = row;
    one.predicted = predicted;
    return one;
}

/// Eleven runs, predicted 0, 1, ... 10% too long: half within 5%, and from the second to the tenth eight of
/// ten, 1% to 9%.
std::vector<PredictedTraining> eleven() {
    std::vector<PredictedTraining> rows;
    for (int k = 0; k <= 10; ++k) {
        const double measured = std::pow(2, k);
        rows.push_back(predicted_as(run_of(std::to_string(k).c_str(), k % 2 == 0 ? 0 : 8, measured),
                                    measured * (1 + 0.01 * k)));
    }
    return rows;
}

const ChartSeries* series_named(const Chart& chart, const char* name) {
    const auto& all = chart.panels.at(0).series;
    const auto found = std::ranges::find(all, name, &ChartSeries::name);
    return found == all.end() ? nullptr : &*found;
}

TEST(TrainingChart, SaysHowFarPredictionsAreOff) {
    const Chart chart = training_chart(eleven());
    EXPECT_EQ(plain_spaces(chart.title),
              "Half of 11 measured steps are predicted within 5.0%, eight of ten between 1.0% more and 9.0% "
              "more");
    const ChartPanel& panel = chart.panels.at(0);
    EXPECT_TRUE(panel.x.logarithmic && panel.y.logarithmic);
    EXPECT_EQ(panel.x.low, panel.y.low) << "the diagonal goes from corner to corner";
    EXPECT_EQ(panel.x.high, panel.y.high);
    ASSERT_NE(series_named(chart, "dense models"), nullptr);
    EXPECT_EQ(series_named(chart, "dense models")->points.size(), 6U);
    EXPECT_EQ(series_named(chart, "models with experts")->points.size(), 5U);
    EXPECT_EQ(series_named(chart, "nearest to the plan"), nullptr);
    const ChartPoint& last = series_named(chart, "dense models")->points.back();
    EXPECT_EQ(last.item, 10);
    EXPECT_DOUBLE_EQ(last.x, 1024);
    EXPECT_DOUBLE_EQ(last.y, 1126.4);
    EXPECT_THAT(last.detail, HasSubstr("a model on 64 A (software)"));
    EXPECT_THAT(last.detail, HasSubstr("tp 4 x dp 16; batch 128 x 2048 tokens"));
    EXPECT_THAT(last.detail, HasSubstr("source of 10"));
}

/// The diagonal and the lines of the band are within the axes, and as far from it as the title says.
TEST(TrainingChart, DrawsTheBandWithinTheAxes) {
    const ChartPanel panel = training_chart(eleven()).panels.at(0);
    const std::array<double, 3> factors = {1, 1.01, 1.09};
    for (std::size_t k = 0; k < factors.size(); ++k) {
        const ChartSeries& line = panel.series.at(k);
        EXPECT_EQ(line.kind, SeriesKind::rule);
        ASSERT_EQ(line.points.size(), 2U);
        for (const ChartPoint& end : line.points) {
            EXPECT_NEAR(end.y / end.x, factors[k], 1e-9);
            EXPECT_TRUE(end.x >= *panel.x.low && end.x <= *panel.x.high);
            EXPECT_TRUE(end.y >= *panel.y.low && end.y <= *panel.y.high);
        }
    }
    EXPECT_THAT(chart_svg(training_chart(eleven()), "runs"), HasSubstr("source of 10"));
}

TEST(TrainingChart, FiltersAndMarks) {
    const std::vector<PredictedTraining> rows = eleven();
    EXPECT_EQ(hardware_of(rows), (std::vector<std::pair<std::string, std::size_t>>{{"A", 6}, {"B", 5}}));
    const TrainingShown shown{"B", "", {"7", "3"}};
    EXPECT_EQ(shown_runs(rows, shown), (std::vector<std::size_t>{7, 3, 1, 5, 9}));
    const Chart chart = training_chart(rows, shown);
    EXPECT_EQ(plain_spaces(chart.title), "5 measured steps, all predicted within 9.0%");
    EXPECT_EQ(series_named(chart, "dense models"), nullptr);
    ASSERT_NE(series_named(chart, "nearest to the plan"), nullptr);
    EXPECT_EQ(series_named(chart, "nearest to the plan")->points.size(), 2U);
    EXPECT_EQ(series_named(chart, "models with experts")->points.size(), 3U);
    const Table table = training_chart_table(rows, shown);
    ASSERT_EQ(table.rows.size(), 5U);
    EXPECT_EQ(std::get<std::string>(table.rows[0][7]), "yes");
    EXPECT_EQ(std::get<std::string>(table.rows[2][7]), "");
    EXPECT_TRUE(training_chart(rows, {"B", "dense", {}}).panels.empty());
}

/// What the program ships: only rows that are predicted, and none by constants that have seen it.
TEST(TrainingChart, ShowsTheShippedRuns) {
    const std::vector<PredictedTraining>& rows = left_out_training();
    ASSERT_GT(rows.size(), 100U);
    for (const PredictedTraining& one : rows) {
        EXPECT_TRUE(one.scored() && !one.row().doubtful) << one.row().id;
        EXPECT_NEAR(std::log1p(step_error(one)), fitted_training().left_out.at(one.row().id), 1e-9)
            << one.row().id;
    }
    const Chart chart = training_chart(rows);
    EXPECT_EQ(shown_runs(rows, {}).size(), rows.size());
    EXPECT_THAT(chart.title, HasSubstr("eight of ten between "));
}

} // namespace
} // namespace meshslice
