#include "core/machine/catalogue.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/replica/served_run.h"
#include "core/question/serve/replica/served_step_run.h"
#include "tests/core/serve/small_serving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

std::shared_ptr<const ServingResult> two_requests_kept() {
    static const StraightStepTimes times(StraightCosts{1, 1, 0, 2, 0});
    ServingDeployment deployment = tests::servers_of(times);
    deployment.pools[0].settings.most_tokens = 5;
    deployment.pools[0].settings.most_batch = 4;
    return std::make_shared<const ServingResult>(tests::served(
        deployment, tests::replayed({tests::request_at(0, 4, 3), tests::request_at(1, 6, 2)}), 100));
}

TEST(ServedRun, PutsRequestsIntoSlotsBelowTheStepsOfTheirServer) {
    // Both are at work from 5 to 17, so that two slots are there; the second one waits from 1 to 5.
    const ServedRun run(two_requests_kept(), 0, {0, 20, true});
    ASSERT_EQ(run.lane_count(), 4U);
    EXPECT_EQ(run.lane(0).place, "server 1");
    EXPECT_EQ(run.lane(0).name, "steps");
    EXPECT_EQ(slices(run, 0).size(), 4U);
    EXPECT_EQ(run.lane(1).name, "slot 1");
    const std::vector<RunSlice> first = slices(run, 1);
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0].end, seconds(5));
    EXPECT_EQ(first[1].start, seconds(5));
    EXPECT_EQ(first[1].end, seconds(17));
    EXPECT_EQ(run.label(1, 1).name, "request 1: decode");
    EXPECT_EQ(slices(run, 2).front().start, seconds(5));
    EXPECT_EQ(run.lane(3).name, "queue 1");
    EXPECT_EQ(slices(run, 3).front().role, Role::waits);
    EXPECT_EQ(run.end(), seconds(20));
}

TEST(ServedRun, ShowsWhatLiesInAStretchOfTime) {
    const ServedRun run(two_requests_kept(), 0, {6, 8, false});
    ASSERT_EQ(run.lane_count(), 3U); // nothing waits then
    ASSERT_EQ(slices(run, 1).size(), 1U);
    EXPECT_EQ(slices(run, 1).front().start, seconds(6));
    EXPECT_EQ(slices(run, 1).front().end, seconds(8));
    EXPECT_THAT(run.title(), HasSubstr("from 6.00"));
}

ReplicaPtr on_machine(const char* machine, std::int64_t tensor) {
    ServingAsked asked{served_model(model_preset("llama-3-8b").value()).value(),
                       machine_preset(machine).value(), "tensorrt-llm"};
    asked.batch = 8;
    return std::make_shared<const ReplicaOnMachine>(
        ReplicaOnMachine{replica_of(asked, tensor).value(), asked.machine});
}

TEST(ServedStepRun, AddsUpToTheStepAndOpensDownToLinks) {
    for (const char* machine : {"h100-nvs8", "tpu-v5e"}) {
        SCOPED_TRACE(machine);
        const ReplicaPtr replica = on_machine(machine, 4);
        const StepBatch batch = phase_batch(replica->one, ServedPhase::decode, 1100);
        const RunPtr run = served_step_run(replica, batch, "a step");
        const double whole = step_seconds(replica->one, batch);
        EXPECT_NEAR(in_seconds(run->end()), whole, 1e-6 * whole);
        // 32 layers, each with two all-reduces, after attention and after the feed-forward network.
        EXPECT_EQ(slices(*run, 0).size(), 32U);
        ASSERT_EQ(slices(*run, 2).size(), 64U);
        const std::optional<RunKey> inside = run->inside(2, 0);
        ASSERT_TRUE(inside.has_value());
        const Result<RunPtr> links = inside->make({});
        ASSERT_TRUE(links.has_value()) << links.error().sentence;
        EXPECT_GT((*links)->lane_count(), 3U);
        EXPECT_GT((*links)->end(), Time(0));
    }
    const ReplicaPtr alone = on_machine("h100-nvs8", 1);
    const RunPtr run = served_step_run(alone, phase_batch(alone->one, ServedPhase::decode, 1100), "a step");
    EXPECT_TRUE(slices(*run, 2).empty()); // a chip alone exchanges nothing
}

/// Two output tokens are one decode step; 256 are 255 steps, of which the first eight stand alone: then 8,
/// 16, 32, 64, and the 127 that are left.
TEST(ServedBatchRun, GoesFromThePromptsToTheLastTokens) {
    const ReplicaPtr known = on_machine("h100-nvs8", 4);
    ReplicaOnMachine made = *known;
    made.one.input = 1024;
    made.one.output = 256;
    const ReplicaPtr replica = std::make_shared<const ReplicaOnMachine>(made);
    const RunPtr run = served_batch_run(replica, 8, 0, "a batch");
    const std::vector<RunSlice> steps = slices(*run, 1);
    ASSERT_EQ(steps.size(), 1U + 8 + 5);
    EXPECT_EQ(run->label(1, steps.back().item).name, "decode, steps 129 to 255");
    const ServedTimes times = served_times(made.one);
    EXPECT_NEAR(in_seconds(run->end()), times.e2e - request_start(made.one), 0.01 * times.e2e);
    EXPECT_NEAR(in_seconds(steps.front().end), times.ttft - request_start(made.one), 1e-6 * times.ttft);
    for (const RunSlice& step : {steps[0], steps[1], steps.back()}) {
        const std::optional<RunKey> inside = run->inside(1, step.item);
        ASSERT_TRUE(inside.has_value());
        const Result<RunPtr> opened = inside->make({});
        ASSERT_TRUE(opened.has_value());
        EXPECT_EQ(slices(**opened, 0).size(), 32U) << "layers";
    }
    EXPECT_EQ(run->label(4, slices(*run, 4).front().item).name, "prefill, 8192 tokens: attention");
    EXPECT_EQ(slices(*run, 4).size(), steps.size());
    // The cache of a prompt goes to another server in between.
    const RunPtr moved = served_batch_run(replica, 1, 0.5, "a batch");
    EXPECT_EQ(slices(*moved, 0).size(), 3U);
    EXPECT_EQ(slices(*moved, 0)[1].end - slices(*moved, 0)[1].start, seconds(0.5));
}

} // namespace
} // namespace meshslice
