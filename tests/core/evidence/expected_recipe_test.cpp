// A plan in numbers of few bits is expected to take what the account of measured runs predicts of its row.

#include "core/evidence/expected_plan.h"
#include "core/evidence/measured_scenario.h"
#include "core/evidence/training/training_amounts.h"
#include "core/evidence/training/training_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// Whether the machine that the row is loaded on has the numbers of its chip's data sheet.
bool same_numbers(const Machine& machine, const TrainingChip& chip) {
    const auto same = [](double a, double b) { return std::abs(a / b - 1) < 1e-9; };
    return same(machine.peak_rate(DataType::bf16).value(), chip.bf16) &&
           same(machine.hbm_bandwidth.value.value(), chip.hbm_rate);
}

/// That is expected to run a plan.
TrainingStack stack_of_plans(const TrainingRow& row) {
    return row.chip->torus()                          ? TrainingStack::xla
           : row.sharded_stack() && row.pipeline == 1 ? TrainingStack::fsdp
                                                      : TrainingStack::megatron;
}

Plan plan_of(const DecidedTraining& decided, const SplitAsked& split) {
    const TrainingRow& row = decided.row;
    Plan plan;
    plan.strategy = row.context > 1 ? TensorStrategy::two_d : TensorStrategy::one_d;
    plan.data = std::llround(row.data);
    plan.pipeline = std::llround(row.pipeline);
    plan.tensor1 = std::llround(row.tensor);
    plan.tensor2 = std::llround(row.context);
    plan.experts = std::llround(row.expert);
    plan.context = row.context > 1 ? row.context_by : ContextExchange::gather;
    plan.shard = split.shard.value_or(0);
    plan.micro_batch = std::llround(row.micro_batch);
    plan.schedule = parse_pipeline_schedule(split.schedule).value();
    plan.zero = std::stoi(split.zero);
    plan.recompute = decided.again == TrainedAgain::all         ? Recompute::full
                     : decided.again == TrainedAgain::attention ? Recompute::attention
                                                                : Recompute::none;
    return plan;
}

/// Of rows whose plan leaves nothing out that the account of measured runs has. Whether both ends are one
/// matrix is taken from the number of parameters, which may be off: a thousandth of a step.
TEST(ExpectedRecipe, IsWhatEvidenceSaysOfTheSameRow) {
    int compared = 0, dense = 0;
    for (const TrainingRow& row : measured_training()) {
        const Result<Scenario> scenario = measured_scenario(row, default_scenario());
        const DecidedTraining its = decided(row);
        const bool partly = its.again == TrainedAgain::vectors || its.again == TrainedAgain::feed_forward;
        if (row.bits == 16 || !scenario || partly || its.experts_cut != 1 || row.newer_experts ||
            !same_numbers(scenario->hardware, *row.chip) ||
            scenario->model.vocabulary != std::llround(row.vocabulary) || row.stack != stack_of_plans(row)) {
            continue;
        }
        SCOPED_TRACE(row.id);
        const PlanQuestion question = plan_question(*scenario).value();
        EXPECT_NE(question.recipe, NumberRecipe::bf16);
        const ExpectedStep expected = expected_step(question, plan_of(its, scenario->plan.split));
        ASSERT_TRUE(expected.known()) << expected.reason;
        DecidedTraining gathers = its; // rows do not say in what, and are taken to gather in bf16
        gathers.row.gathered = gathered_bytes(question.recipe);
        const double predicted = predicted_step(gathers, fitted_training()).total;
        EXPECT_NEAR(expected.seconds, predicted, 1e-3 * predicted);
        ++compared;
        dense += row.experts > 0 ? 0 : 1;
    }
    EXPECT_GE(compared, 20);
    EXPECT_GE(dense, 10);
}

/// DeepSeek-V3 as it was trained: 19.9 s, one mean step of the whole run.
TEST(ExpectedRecipe, DeepSeekLoadsAsItWasTrained) {
    const TrainingRow* row = measured_run("T1049");
    ASSERT_NE(row, nullptr);
    const Result<Scenario> scenario = measured_scenario(*row, default_scenario());
    ASSERT_TRUE(scenario) << scenario.error().sentence;
    EXPECT_EQ(scenario->planning.recipe, NumberRecipe::fp8_blocks);
    EXPECT_EQ(scenario->planning.exchange.dispatch, DataType::fp8);
    EXPECT_EQ(scenario->plan.split.schedule, "dualpipe");
    EXPECT_NEAR(scenario->planning.measured_step.value_or(0), 19.9066, 0.01);
}

} // namespace
} // namespace meshslice
