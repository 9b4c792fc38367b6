#include "ui/planner/pipeline_picture.h"

#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>

#include <memory>

namespace meshslice::ui {
namespace {

PipelineInterval pass(PipelineActivity activity, std::int64_t start, std::int64_t end, int micro_batch = -1) {
    return {Time(start), Time(end), micro_batch, 0, 0, activity};
}

/// Two stages over 40 ns: the second waits for the first, and the first for it.
PipelineRun twoStages() {
    PipelineRun run(2);
    run.add(0, PipelineRow::compute, pass(PipelineActivity::forward, 0, 10'000, 0));
    run.add(0, PipelineRow::waits, pass(PipelineActivity::bubble, 10'000, 18'000));
    run.add(0, PipelineRow::waits, pass(PipelineActivity::exposed_send, 18'000, 20'000));
    run.add(0, PipelineRow::compute, pass(PipelineActivity::backward, 20'000, 40'000, 0));
    run.add(1, PipelineRow::waits, pass(PipelineActivity::bubble, 0, 10'000));
    run.add(1, PipelineRow::compute, pass(PipelineActivity::forward, 10'000, 14'000, 0));
    run.add(1, PipelineRow::compute, pass(PipelineActivity::backward, 14'000, 20'000, 0));
    run.add(1, PipelineRow::waits, pass(PipelineActivity::bubble, 20'000, 40'000));
    run.hold(0, Time(0), Bytes(100));
    run.hold(0, Time(10'000), Bytes(300));
    run.hold(0, Time(40'000), Bytes(100));
    run.hold(1, Time(0), Bytes(100));
    run.end(Time(40'000));
    return run;
}

TEST(PipelineBars, EachStretchOfTimeHasItsPixels) {
    const TimeScale scale{{Time(0), Time(40'000)}, 100, 80};
    const auto bars = pipelineBars(twoStages(), 0, scale);
    ASSERT_EQ(bars.size(), 4u);
    EXPECT_EQ(bars[0].left, 100);
    EXPECT_EQ(bars[0].right, 120);
    EXPECT_EQ(bars[0].first.activity, PipelineActivity::forward);
    EXPECT_EQ(bars[1].right, 136);
    EXPECT_EQ(look(bars[1].first.activity), PipelineLook::bubble);
    EXPECT_EQ(bars[2].right, 140);
    EXPECT_EQ(look(bars[2].first.activity), PipelineLook::exposed);
    EXPECT_EQ(bars[3].right, 180);
    EXPECT_EQ(look(bars[3].first.activity), PipelineLook::backward);
}

TEST(PipelineBars, APartOfTheStepHasOnlyWhatIsInIt) {
    const TimeScale scale{{Time(5'000), Time(15'000)}, 0, 100};
    const auto bars = pipelineBars(twoStages(), 0, scale);
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(bars[0].left, 0);
    EXPECT_EQ(bars[0].right, 50);
    EXPECT_EQ(bars[1].right, 100);
    EXPECT_EQ(bars[0].time[0], Time(5'000)) << "half of the forward pass";
}

/// 1000 forward passes of 1 ns and backward passes of 3 ns over 100 pixels: ten of each in a pixel.
TEST(PipelineBars, NarrowOnesAreMergedAndNoTimeIsLost) {
    PipelineRun run(1);
    for (int k = 0; k < 1000; ++k) {
        run.add(0, PipelineRow::compute, pass(PipelineActivity::forward, k * 4'000, k * 4'000 + 1'000, k));
        run.add(0, PipelineRow::compute,
                pass(PipelineActivity::backward, k * 4'000 + 1'000, k * 4'000 + 4'000, k));
    }
    run.end(Time(4'000'000));
    for (const int width : {100, 37, 250, 799}) {
        const TimeScale scale{{Time(0), run.time()}, 10, width};
        const auto bars = pipelineBars(run, 0, scale);
        int at = 10;
        std::array<Time, pipeline_looks> time{};
        for (const PipelineBar& bar : bars) {
            EXPECT_EQ(bar.left, at) << "neither gap nor overlap";
            EXPECT_GT(bar.right, bar.left);
            at = bar.right;
            for (std::size_t k = 0; k < pipeline_looks; ++k) {
                time[k] += bar.time[k];
            }
        }
        EXPECT_EQ(at, 10 + width);
        EXPECT_EQ(time[0], Time(1'000'000)) << width;
        EXPECT_EQ(time[1], Time(3'000'000)) << width;
    }
    // Zoomed in until a pixel is a nanosecond, each has its own.
    EXPECT_EQ(pipelineBars(run, 0, {{Time(0), Time(40'000)}, 0, 40}).size(), 20u);
}

TEST(PipelineBars, MemoryIsALineOfSteps) {
    const TimeScale scale{{Time(0), Time(40'000)}, 0, 40};
    const auto line = memoryLine(twoStages(), 0, scale);
    const std::vector<QPointF> expected = {{0, 100}, {10, 100}, {10, 300}, {40, 300}};
    EXPECT_EQ(line, expected);
    EXPECT_EQ(memoryAt(twoStages(), 0, Time(9'999)), Bytes(100));
    EXPECT_EQ(memoryAt(twoStages(), 0, Time(10'000)), Bytes(300));
    EXPECT_EQ(fullestStage(twoStages()), 0u);
    PipelineRun run(1); // up and down within a pixel
    run.hold(0, Time(0), Bytes(5));
    run.hold(0, Time(10'000), Bytes(50));
    run.hold(0, Time(10'100), Bytes(1));
    run.hold(0, Time(10'200), Bytes(7));
    run.end(Time(40'000));
    const std::vector<QPointF> spike = {{0, 5}, {10, 5}, {10, 1}, {10, 50}, {10, 7}, {40, 7}};
    EXPECT_EQ(memoryLine(run, 0, scale), spike);
}

TEST(PipelinePicture, RowsHaveRoomHoweverManyStagesThereAre) {
    for (const std::size_t stages : {1u, 8u, 64u, 128u}) {
        const PipelineLayout layout = layoutPipeline({700, leastPipelineHeight(stages)}, stages);
        EXPECT_GE(layout.row, 3) << stages;
        EXPECT_GE(layout.memory.top(), layout.rows.bottom()) << stages;
        EXPECT_GE(layout.memory.height(), 80) << stages;
        EXPECT_LE(layout.memory.bottom(), leastPipelineHeight(stages)) << stages;
        EXPECT_EQ(layout.stageAt(layout.rowOf(stages - 1).center().y()), stages - 1);
        EXPECT_EQ(layout.stageAt(layout.rows.bottom() + 1), std::nullopt);
    }
}

/// Of 40 ns stage 1 waits 10 and stage 2 22 for another stage, and stage 1 2 for a transfer: means of 40% and
/// 2.5%.
TEST(PipelinePicture, SaysWhatItFound) {
    PipelineRun run(2);
    run.add(0, PipelineRow::waits, pass(PipelineActivity::bubble, 0, 10'000));
    run.add(0, PipelineRow::waits, pass(PipelineActivity::exposed_send, 10'000, 12'000));
    run.add(1, PipelineRow::waits, pass(PipelineActivity::bubble, 0, 22'000));
    run.end(Time(40'000));
    PlanTimeline timeline;
    timeline.run = std::make_shared<const PipelineRun>(run);
    timeline.capacity = 400;
    timeline.estimated = in_seconds(Time(50'000));
    const std::string found = pipelineFinding(timeline).toStdString();
    EXPECT_NE(found.find("wait for each other for 40% of it, and for exposed communication for 2.5%;"),
              std::string::npos)
        << found;
    EXPECT_NE(found.find("The ranking estimates 50.0"), std::string::npos) << found;
    PipelineRun alone(1);
    alone.end(Time(1'000));
    timeline.run = std::make_shared<const PipelineRun>(alone);
    EXPECT_TRUE(pipelineFinding(timeline).contains(QStringLiteral("one stage, which waits for no other;")));
}

TEST(PipelinePicture, SaysWhatIsUnderThePointer) {
    PipelinePicture picture;
    picture.timeline.run = std::make_shared<const PipelineRun>(twoStages());
    picture.timeline.shape = {2, 1, 1};
    picture.timeline.capacity = 400;
    picture.range = picture.whole();
    const PipelineLayout layout = layoutPipeline({496, 400}, 2);
    ASSERT_EQ(layout.rows.width(), 400);
    const auto at = [&](std::size_t stage, int x) {
        return pipelineLinesAt(picture, layout, {layout.rows.left() + x, layout.rowOf(stage).center().y()})
            .join(QLatin1Char('|'));
    };
    EXPECT_TRUE(at(0, 50).startsWith(QStringLiteral("stage 1: forward|micro-batch 1 of 1|")))
        << at(0, 50).toStdString();
    EXPECT_TRUE(at(0, 150).startsWith(QStringLiteral("stage 1: waits for another stage")))
        << at(0, 150).toStdString();
    EXPECT_TRUE(at(0, 190).contains(QStringLiteral("transfer between stages")));
    EXPECT_TRUE(at(1, 150).startsWith(QStringLiteral("stage 2: backward"))) << at(1, 150).toStdString();
    EXPECT_TRUE(pipelineLinesAt(picture, layout, {5, 5}).isEmpty());
    EXPECT_TRUE(pipelineLinesAt(picture, layout, layout.memory.center())
                    .value(0)
                    .contains(QStringLiteral("stage 1 holds 300")));
    for (const Theme theme : {Theme::light, Theme::dark}) {
        QImage image(496, 400, QImage::Format_RGB32);
        QPainter painter(&image);
        paintPipeline(painter, image.size(), picture, theme);
        painter.end();
        const QPoint forward(layout.rows.left() + 50, layout.rowOf(0).center().y());
        // The number of the micro-batch stands in the middle.
        EXPECT_EQ(image.pixelColor(forward + QPoint(20, 0)), color(Role::compute, theme));
        EXPECT_EQ(image.pixelColor(forward + QPoint(200, 0)), tint(Role::compute, theme, 0.4));
    }
}

} // namespace
} // namespace meshslice::ui
