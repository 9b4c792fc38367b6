#include "core/plan/pipeline/simulate_pipeline.h"
#include "core/report/chart/pipeline_charts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace meshslice {
namespace {

constexpr PipelineOrder all_orders[] = {PipelineOrder::one_forward_one_backward, PipelineOrder::gpipe,
                                        PipelineOrder::interleaved, PipelineOrder::zero_bubble};

/// Without transfers stages wait as long as the formula says, whatever the sizes.
TEST(PipelineCharts, WithoutTransfersStagesWaitAsTheFormulaSays) {
    for (const PipelineOrder order : all_orders) {
        for (const std::int32_t stages : {1, 2, 4, 7}) {
            for (const double backward : {0.4e-3, 2e-3, 3e-3}) {
                for (const std::int32_t micro_batches : {1, 2, stages, 4 * stages}) {
                    SketchedPipeline its;
                    its.order = order;
                    its.stages = stages;
                    its.micro_batches = micro_batches;
                    its.backward_s = backward;
                    const auto run = ordered_pipeline(its, {});
                    ASSERT_TRUE(run) << name(order);
                    if (!run->refusal.empty()) {
                        EXPECT_EQ(order, PipelineOrder::interleaved);
                        EXPECT_NE(micro_batches % stages, 0);
                        continue;
                    }
                    EXPECT_NEAR(run->step_s, its.busy_s() + its.closed_form_bubble_s(), 1e-9)
                        << name(order) << ' ' << stages << ' ' << micro_batches << ' ' << backward;
                    EXPECT_NEAR(run->computes + run->bubble + run->exposed, 1, 1e-9);
                }
            }
        }
    }
}

/// The bars of every stage fill the step, one after the other.
TEST(PipelineCharts, BarsFillTheStep) {
    for (const PipelineOrder order : all_orders) {
        SketchedPipeline its;
        its.order = order;
        its.send_s = 0.4e-3;
        its.sums_s = 5e-3;
        const auto run = simulate_pipeline(its.work());
        ASSERT_TRUE(run);
        const Chart chart = pipeline_chart(its, *run, "");
        ASSERT_EQ(chart.panels.size(), 1U);
        for (std::size_t stage = 0; stage < 4; ++stage) {
            EXPECT_NEAR(*stack_sum(chart.panels.front(), stage), in_seconds(run->time()), 1e-9)
                << name(order);
        }
    }
}

/// What the naive pipeline is: with one micro-batch stages work one at a time.
TEST(PipelineCharts, OneMicroBatchIsOneStageAtATime) {
    SketchedPipeline its;
    its.micro_batches = 1;
    const auto run = ordered_pipeline(its, {});
    ASSERT_TRUE(run);
    EXPECT_NEAR(run->computes, 1.0 / its.stages, 1e-12);
    its.order = PipelineOrder::interleaved;
    const auto refused = ordered_pipeline(its, {});
    ASSERT_TRUE(refused);
    EXPECT_FALSE(refused->refusal.empty());
}

/// Every pass has the number of its micro-batch in its bar: each stage does each of the 8 forward and
/// backward.
TEST(PipelineCharts, BarsAreNumberedByMicroBatch) {
    SketchedPipeline its;
    const auto run = simulate_pipeline(its.work());
    ASSERT_TRUE(run);
    const Chart chart = pipeline_chart(its, *run, "");
    for (std::size_t stage = 0; stage < 4; ++stage) {
        std::vector<std::string> numbers;
        for (const ChartSeries& one : chart.panels.front().series) {
            if (!one.labels[stage].empty()) {
                numbers.push_back(one.labels[stage]);
            }
        }
        std::ranges::sort(numbers);
        EXPECT_EQ(numbers, (std::vector<std::string>{"1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6",
                                                     "6", "7", "7", "8", "8"}));
    }
}

/// Without transfers GPipe and 1F1B wait equally long (chapter 5): their lines are one.
TEST(PipelineCharts, OrdersThatComputeAlikeShareALine) {
    const auto chart = pipeline_batch_chart(SketchedPipeline(), {});
    ASSERT_TRUE(chart);
    const std::vector<ChartSeries>& lines = chart->panels.front().series;
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines.front().name, "1F1B and GPipe");
    EXPECT_TRUE(lines.front().emphasized);
}

TEST(PipelineCharts, TooManyPassesAreNotDrawn) {
    SketchedPipeline its;
    its.micro_batches = 400;
    const auto run = simulate_pipeline(its.work());
    ASSERT_TRUE(run);
    EXPECT_TRUE(pipeline_chart(its, *run, "").panels.empty());
}

} // namespace
} // namespace meshslice
