#include "ui/planner/pipeline_text.h"

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
    run.set_end(Time(40'000));
    return run;
}

std::shared_ptr<const PipelineRun> shared(PipelineRun run) {
    return std::make_shared<const PipelineRun>(std::move(run));
}

/// The pipeline as it is looked at first.
RunWindow windowOf(PipelineRun run) {
    PlanTimeline timeline;
    timeline.run = shared(std::move(run));
    timeline.shape = {2, 1, 1};
    timeline.capacity = 400;
    return pipelineWindow(timeline, timeline.run);
}

std::vector<Role> rolesOf(const std::vector<RunSlice>& slices) {
    std::vector<Role> roles;
    for (const RunSlice& slice : slices) {
        roles.push_back(slice.role);
    }
    return roles;
}

/// What a stage computes and what it waits for stand in one row.
TEST(PipelineRows, EachStretchOfTimeHasItsBar) {
    const RunWindow window = windowOf(twoStages());
    ASSERT_EQ(window.rowCount(), 2u);
    const auto slices = slicesOf(window, 0, window.whole(), 500);
    EXPECT_EQ(rolesOf(slices), (std::vector{Role::compute, Role::waits, Role::exposed, Role::backward}));
    ASSERT_EQ(slices.size(), 4u);
    EXPECT_EQ(slices[1].start, Time(10'000));
    EXPECT_EQ(slices[2].end, Time(20'000));
    EXPECT_EQ(slices[3].item, 1u);
}

/// 1000 forward passes of 1 ns and backward passes of 3 ns over 100 pixels: ten of each in a pixel.
TEST(PipelineRows, NarrowOnesAreMergedAndNoTimeIsLost) {
    PipelineRun run(1);
    for (int k = 0; k < 1000; ++k) {
        run.add(0, PipelineRow::compute, pass(PipelineActivity::forward, k * 4'000, k * 4'000 + 1'000, k));
        run.add(0, PipelineRow::compute,
                pass(PipelineActivity::backward, k * 4'000 + 1'000, k * 4'000 + 4'000, k));
    }
    run.set_end(Time(4'000'000));
    const RunWindow window = windowOf(run);
    for (const int width : {100, 37, 250, 799}) {
        Time forward, backward;
        const auto slices = slicesOf(window, 0, window.whole(), 4'000'000.0 / width);
        for (const RunSlice& slice : slices) {
            (slice.role == Role::compute ? forward : backward) += slice.busy;
        }
        EXPECT_EQ(forward, Time(1'000'000)) << width;
        EXPECT_EQ(backward, Time(3'000'000)) << width;
        EXPECT_LE(slices.size(), 6u * static_cast<std::size_t>(width)) << width;
    }
    EXPECT_EQ(slicesOf(window, 0, window.whole(), 0).size(), 2'000u) << "each by itself";
}

TEST(PipelineRows, MemoryIsALineOfSteps) {
    const TimeScale scale{{Time(0), Time(40'000)}, 0, 40};
    const PipelineRun two = twoStages();
    const std::size_t counter = *find_lane(two, "stage 1", "memory held");
    const std::vector<QPointF> expected = {{0, 100}, {10, 100}, {10, 300}, {40, 300}};
    EXPECT_EQ(counterLine(two, counter, scale), expected);
    EXPECT_EQ(counterAt(two, counter, Time(9'999)), 100);
    EXPECT_EQ(counterAt(two, counter, Time(10'000)), 300);
    EXPECT_EQ(fullestStage(two), 0u);
    PipelineRun run(1); // up and down within a pixel
    run.hold(0, Time(0), Bytes(5));
    run.hold(0, Time(10'000), Bytes(50));
    run.hold(0, Time(10'100), Bytes(1));
    run.hold(0, Time(10'200), Bytes(7));
    run.set_end(Time(40'000));
    const std::vector<QPointF> spike = {{0, 5}, {10, 5}, {10, 1}, {10, 50}, {10, 7}, {40, 7}};
    EXPECT_EQ(counterLine(run, *find_lane(run, "stage 1", "memory held"), scale), spike);
}

TEST(PipelinePicture, RowsHaveRoomHoweverManyStagesThereAre) {
    for (const std::size_t stages : {1u, 8u, 64u, 128u}) {
        PipelineRun run(stages);
        run.set_end(Time(1'000));
        const RunWindow window = windowOf(run);
        const RunLayout layout = layoutRun({700, leastRunHeight(window)}, window);
        EXPECT_GE(layout.row, 3) << stages;
        EXPECT_EQ(layout.seen().size(), stages);
        EXPECT_GE(layout.held.top(), layout.blocks[0].rows.bottom()) << stages;
        EXPECT_GE(layout.held.height(), 80) << stages;
        EXPECT_LE(layout.held.bottom(), leastRunHeight(window)) << stages;
        EXPECT_EQ(layout.rowAt(layout.rowOf(stages - 1).center()), stages - 1);
        EXPECT_EQ(layout.rowAt(layout.rowOf(stages - 1).bottomLeft() + QPoint(0, 1)), std::nullopt);
    }
}

/// Of 40 ns stage 1 waits 10 and stage 2 22 for another stage, and stage 1 2 for a transfer: means of 40% and
/// 2.5%.
TEST(PipelinePicture, SaysWhatItFound) {
    PipelineRun run(2);
    run.add(0, PipelineRow::waits, pass(PipelineActivity::bubble, 0, 10'000));
    run.add(0, PipelineRow::waits, pass(PipelineActivity::exposed_send, 10'000, 12'000));
    run.add(1, PipelineRow::waits, pass(PipelineActivity::bubble, 0, 22'000));
    run.set_end(Time(40'000));
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
    alone.set_end(Time(1'000));
    timeline.run = std::make_shared<const PipelineRun>(alone);
    EXPECT_TRUE(pipelineFinding(timeline).contains(QStringLiteral("one stage, which waits for no other;")));
}

TEST(PipelinePicture, SaysWhatIsUnderThePointer) {
    const RunWindow window = windowOf(twoStages());
    const RunLayout layout = layoutRun({496, 400}, window);
    ASSERT_EQ(layout.dataWidth(), 400);
    const auto at = [&](std::size_t stage, int x) {
        return runLinesAt(window, layout, {layout.left + x, layout.rowOf(stage).center().y()})
            .join(QLatin1Char('|'));
    };
    EXPECT_TRUE(at(0, 50).startsWith(QStringLiteral("stage 1: forward|micro-batch 1 of 1|")))
        << at(0, 50).toStdString();
    EXPECT_TRUE(at(0, 150).startsWith(QStringLiteral("stage 1: waits for another stage")))
        << at(0, 150).toStdString();
    EXPECT_TRUE(at(0, 190).contains(QStringLiteral("transfer between stages")));
    EXPECT_TRUE(at(1, 150).startsWith(QStringLiteral("stage 2: backward"))) << at(1, 150).toStdString();
    EXPECT_TRUE(runLinesAt(window, layout, {5, 5}).isEmpty());
    EXPECT_TRUE(runLinesAt(window, layout, layout.held.center())
                    .value(0)
                    .contains(QStringLiteral("stage 1 holds 300")));
    for (const Theme theme : {Theme::light, Theme::dark}) {
        QImage image(496, 400, QImage::Format_RGB32);
        QPainter painter(&image);
        paintRun(painter, image.size(), window, theme);
        painter.end();
        const QPoint forward(layout.left + 50, layout.rowOf(0).center().y());
        // The number of the micro-batch stands in the middle.
        EXPECT_EQ(image.pixelColor(forward + QPoint(20, 0)), color(Role::compute, theme));
        EXPECT_EQ(image.pixelColor(forward + QPoint(200, 0)), tint(Role::compute, theme, 0.4));
    }
}

} // namespace
} // namespace meshslice::ui
