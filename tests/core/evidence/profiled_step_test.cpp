#include "core/evidence/profiled_step.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/chosen_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// One device, one step of 100 µs: 10 µs of nothing, a GEMM of 40 µs, attention of 20 µs, then 25 µs of
/// communication.
std::shared_ptr<const DeviceTrace> one_step() {
    DeviceTrace trace;
    trace.kernels = {{"gemm", DeviceWork::multiply, 0, 0},
                     {"flash", DeviceWork::attention, 0, 0},
                     {"nccl", DeviceWork::communication, 0, 0}};
    const auto at = [](double us) { return seconds(us * 1e-6); };
    trace.lanes = {{"0", "stream 7", {{at(10), at(50), 0}, {at(50), at(70), 1}, {at(70), at(95), 2}}}};
    trace.steps = {{"step 1", at(0), at(100)}};
    trace.end = at(100);
    return std::make_shared<const DeviceTrace>(trace);
}

TEST(ProfiledStep, HasItsParts) {
    const Result<ProfiledStep> step = profiled_step(one_step(), 1, "a.json", "--step");
    ASSERT_TRUE(step) << step.error().sentence;
    PredictedParts plan;
    plan.seconds = 80e-6;
    plan.multiply = 50e-6;
    plan.exposed = 30e-6;
    const std::vector<ComparedPart> parts = compared_parts(*step, plan);
    ASSERT_EQ(parts.size(), 6U);
    const double expected[][2] = {{100, 80}, {40, 50}, {20, 0}, {0, 0}, {25, 30}, {15, 0}};
    for (std::size_t k = 0; k < parts.size(); ++k) {
        EXPECT_NEAR(parts[k].measured, expected[k][0] * 1e-6, 1e-12) << parts[k].name;
        EXPECT_NEAR(parts[k].predicted, expected[k][1] * 1e-6, 1e-12) << parts[k].name;
    }
}

/// From the first GEMM on the axis is 10 µs shorter.
TEST(ProfiledStep, BeginsWhereItIsAsked) {
    const Result<ProfiledStep> step = profiled_step(one_step(), std::nullopt, "a.json", "--step");
    ASSERT_TRUE(step) << step.error().sentence;
    EXPECT_EQ(step->steps, 1U);
    EXPECT_EQ(slices(*step->run(StepBegin::step, "a"), 0).front().start, seconds(10e-6));
    EXPECT_EQ(slices(*step->run(StepBegin::first_gemm, "a"), 0).front().start, Time(0));
    EXPECT_EQ(slices(*step->run(StepBegin::first_gemm, "a"), 0).size(), 3U);
    EXPECT_THAT(profiled_step(one_step(), 2, "a.json", "--step").error().sentence,
                HasSubstr("--step is 2; expected 1 to 1"));
}

/// Whatever is computed again, the parts of a plan are together its step.
TEST(PredictedParts, AreTogetherTheStep) {
    for (const Recompute again : {Recompute::none, Recompute::attention, Recompute::full}) {
        Scenario scenario = default_scenario();
        scenario.model = *model_preset("llama-3-8b");
        scenario.batch = 64;
        scenario.sequence = 8192;
        scenario.hardware = *machine_preset("h100-nvs8");
        scenario.planning.chips = 16;
        const Result<PlanModel> model = plan_model(*plan_question(scenario));
        ASSERT_TRUE(model) << model.error().sentence;
        Plan plan;
        plan.data = 2;
        plan.pipeline = 2;
        plan.tensor1 = 4;
        plan.placement = {4, 1, 2, 1};
        plan.recompute = again;
        const RankedPlan ranked{plan, model->reading(plan, model->layer(plan))};
        const PredictedParts parts = predicted_parts(*model, ranked);
        EXPECT_NEAR(parts.kernels() + parts.exposed + parts.idle, parts.seconds, 1e-9 * parts.seconds);
        EXPECT_GT(parts.multiply, parts.attention) << "8192 tokens of a model 4096 wide";
        EXPECT_GT(parts.attention, 0);
        EXPECT_GT(parts.other, 0);
        EXPECT_GT(parts.idle, 0) << "two stages have a bubble";
    }
}

} // namespace
} // namespace meshslice
