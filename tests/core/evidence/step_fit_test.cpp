#include "core/evidence/step_fit.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/chosen_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Llama 3 8B on 16 H100, two stages and two copies of four chips.
struct FittedCase {
    PlanQuestion question;
    Plan plan;

    FittedCase() {
        Scenario scenario = default_scenario();
        scenario.model = *model_preset("llama-3-8b");
        scenario.batch = 64;
        scenario.sequence = 8192;
        scenario.hardware = *machine_preset("h100-nvs8");
        scenario.planning.chips = 16;
        question = *plan_question(scenario);
        plan.data = 2;
        plan.pipeline = 2;
        plan.tensor1 = 4;
        plan.placement = {4, 1, 2, 1};
    }
    [[nodiscard]] PredictedParts parts_on(const Machine& machine) const {
        PlanQuestion on = question;
        on.machine = machine;
        const Result<PlanModel> model = plan_model(on);
        return predicted_parts(*model, {plan, model->reading(plan, model->layer(plan))});
    }
};

/// A step that a profiler would have recorded of these parts.
ProfiledStep measured_as(const PredictedParts& parts, bool predicted = false) {
    ProfiledStep step;
    auto trace = std::make_shared<DeviceTrace>();
    trace->predicted = predicted;
    step.trace = trace;
    step.steps = 1;
    step.whole.seconds = parts.seconds;
    step.whole.idle_s = parts.idle;
    const auto set = [&](DeviceWork work, double seconds) {
        step.whole.parts_s[static_cast<std::size_t>(work)] = seconds;
    };
    set(DeviceWork::multiply, parts.multiply);
    set(DeviceWork::attention, parts.attention);
    set(DeviceWork::other, parts.other);
    set(DeviceWork::communication, parts.exposed);
    step.whole.communication_s = parts.exposed;
    return step;
}

/// What a machine of known constants would take is measured: the fit finds these constants again.
TEST(StepFit, FindsTheConstantsOfTheMachine) {
    const FittedCase of;
    Machine truth = of.question.machine;
    truth.effective_fraction.value = 0.55;
    truth.attention_fraction.value = 0.3;
    truth.hbm_bandwidth.value = Bandwidth(2.4e12);
    for (Level& level : truth.network.levels) {
        level.efficiency.value = 0.45;
    }
    const ProfiledStep measured = measured_as(of.parts_on(truth));
    const Result<StepFit> fit = fit_to_step(measured, of.question, of.plan, "own.json");
    ASSERT_TRUE(fit) << fit.error().sentence;
    const Machine& found = fit->machine;
    EXPECT_NEAR(found.effective_fraction.value, 0.55, 0.01);
    EXPECT_NEAR(found.attention_fraction.value, 0.3, 0.01);
    EXPECT_NEAR(found.hbm_bandwidth.value.value(), 2.4e12, 0.05e12);
    EXPECT_NEAR(found.network.levels[0].efficiency.value, 0.45, 0.01);
    EXPECT_LT(StepFit::error(measured, fit->before), -0.2) << "the preset's 80% is too fast";
    EXPECT_NEAR(StepFit::error(measured, fit->after), 0, 2e-3);
    EXPECT_EQ(fit->constants.size(), 5U) << "one of each kind of work, two of the network";
    EXPECT_THAT(found.attention_fraction.source, HasSubstr("Fitted to own.json, to its time of attention"));
    EXPECT_TRUE(checked(found));
}

/// A step that is shorter than any allowed constant makes it: what is left is said.
TEST(StepFit, StopsAtWhatAMachineCanDo) {
    const FittedCase of;
    PredictedParts parts = of.parts_on(of.question.machine);
    parts.multiply /= 10;
    parts.attention = 0;
    const Result<StepFit> fit = fit_to_step(measured_as(parts), of.question, of.plan, "own.json");
    ASSERT_TRUE(fit) << fit.error().sentence;
    EXPECT_DOUBLE_EQ(fit->machine.effective_fraction.value, 1);
    EXPECT_TRUE(fit->constants.front().at_limit);
    EXPECT_THAT(fit->left, Contains(HasSubstr("attention: 0")));
}

TEST(StepFit, RefusesAPrediction) {
    const FittedCase of;
    const ProfiledStep step = measured_as(of.parts_on(of.question.machine), true);
    EXPECT_THAT(fit_to_step(step, of.question, of.plan, "own.json").error().sentence,
                HasSubstr("a fit needs a measurement"));
}

/// How many steps a file without marks holds is not known.
TEST(StepFit, RefusesAFileWithoutSteps) {
    const FittedCase of;
    ProfiledStep step = measured_as(of.parts_on(of.question.machine));
    step.steps = 0;
    const Result<StepFit> fit = fit_to_step(step, of.question, of.plan, "own.json");
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().sentence, "own.json has no marks of steps; a fit needs the time of one step.");
}

} // namespace
} // namespace meshslice
