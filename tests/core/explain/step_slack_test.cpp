#include "core/explain/step_slack.h"
#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>

#include <stop_token>

namespace meshslice {
namespace {

Scenario four_chips() {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.mesh = {2, 2};
    scenario.plan.algorithm = "collective";
    scenario.gemm = SingleGemm{{4000, 6000, 8000}, Dataflow::OS};
    return scenario;
}

StepRun run_of(const TrainingStep& step, const Scenario& scenario) {
    return StepRun(std::make_shared<const TrainingStep>(step), step_conditions(scenario));
}

/// Collective gathers, then multiplies once, to the end of the run: that could not have taken longer.
TEST(StepSlack, TheLastMultiplicationHasNone) {
    const Scenario scenario = four_chips();
    const auto step = training_step(scenario, "collective", Depth::simulate);
    ASSERT_TRUE(step) << step.error().sentence;
    const auto slack = step_slack(run_of(*step, scenario));
    ASSERT_TRUE(slack) << slack.error().sentence;
    ASSERT_EQ(slack->gemms.size(), 1u);
    const auto& core = slack->gemms[0]->rows[0];
    ASSERT_FALSE(core.empty());
    EXPECT_EQ(core.back(), Time(0));
}

TEST(StepSlack, IsNotLookedForWhereThereIsNoRecordOrItIsStopped) {
    const Scenario scenario = four_chips();
    const auto estimated = training_step(scenario, "collective", Depth::estimate);
    const auto none = step_slack(run_of(*estimated, scenario));
    ASSERT_TRUE(none);
    EXPECT_EQ(none->gemms[0], nullptr);
    std::stop_source stop;
    stop.request_stop();
    const auto step = training_step(scenario, "collective", Depth::simulate);
    EXPECT_FALSE(step_slack(run_of(*step, scenario), stop.get_token()));
}

/// A staged GEMM leaves two intervals a stage, not one that could be followed.
TEST(StepSlack, IsNotKnownForGpusYet) {
    Scenario scenario = four_chips();
    scenario.hardware = *machine_preset("t3-paper");
    scenario.mesh = {4};
    for (const char* const id : {"t3", "tp-ar"}) {
        const auto step = training_step(scenario, id, Depth::simulate);
        ASSERT_TRUE(step) << step.error().sentence;
        const auto slack = step_slack(run_of(*step, scenario));
        ASSERT_FALSE(slack);
        EXPECT_EQ(slack.error().sentence, "What waits for what is not known for GPUs yet.");
    }
}

} // namespace
} // namespace meshslice
