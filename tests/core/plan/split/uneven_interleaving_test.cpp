#include "core/evidence/expected_plan.h"
#include "core/machine/catalogue.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/plan_choices.h"
#include "core/plan/search/chosen_plan.h"
#include "core/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace meshslice {
namespace {

using testing::HasSubstr;

TrainingRun llama_405b(bool ends) {
    TrainingRun run = *training_run(*model_preset("llama-3-405b"), 8192, 2048);
    run.ends = ends;
    run.uneven_stages = true;
    return run;
}

/// 126 layers, embedding and output head are 128 places: 16 stages have 8 each, 4 have 32, and 5 do not
/// divide them.
TEST(UnevenInterleaving, GivesTheEndsThePlaceOfALayerEach) {
    const TrainingRun run = llama_405b(true);
    EXPECT_EQ(interleaved_layers(run, 16), 8);
    EXPECT_EQ(interleaved_layers(run, 14), 9); // as many in each
    EXPECT_EQ(interleaved_layers(run, 4), 32);
    EXPECT_EQ(interleaved_layers(run, 5), 0);
    EXPECT_EQ(interleaved_layers(run, 2), 63); // 126 / 2
    EXPECT_EQ(interleaved_layers(llama_405b(false), 16), 0) << "no ends that count";
    TrainingRun even = run;
    even.uneven_stages = false;
    EXPECT_EQ(interleaved_layers(even, 16), 0);
    Plan plan;
    plan.pipeline = 16;
    plan.data = 128;
    plan.tensor1 = 8;
    EXPECT_EQ(stage_layers(run, plan, 0), 7);
    EXPECT_EQ(stage_layers(run, plan, 1), 8);
    EXPECT_EQ(stage_layers(run, plan, 14), 8);
    EXPECT_EQ(stage_layers(run, plan, 15), 7);
    EXPECT_EQ(most_stage_layers(run, plan), 8);
}

PlanQuestion published(bool ends) {
    Scenario scenario = default_scenario();
    scenario.model = *model_preset("llama-3-405b");
    scenario.hardware = *machine_preset("h100");
    scenario.sequence = 8192;
    scenario.batch = 2048;
    scenario.planning.chips = 16'384;
    scenario.planning.ends = ends;
    return *plan_question(scenario);
}

Plan plan_of_405b(std::int64_t chunks) {
    Plan plan; // tp 8, pp 16, dp 128, as in table 4
    plan.tensor1 = plan.placement.tensor1 = 8;
    plan.pipeline = 16;
    plan.data = 128;
    plan.schedule = {chunks > 1 ? PipelineKind::interleaved : PipelineKind::one_f_one_b, chunks};
    return plan;
}

/// A bubble of 15 of 16 x 8 passes instead of 15 of 16: the step is shorter by nearly half.
TEST(UnevenInterleaving, ShortensTheBubbleOfLlama405B) {
    const PlanModel model = plan_model(published(true)).value();
    const auto read = [&](std::int64_t chunks) {
        const Plan plan = plan_of_405b(chunks);
        EXPECT_TRUE(model.check(plan)) << model.check(plan).error().sentence;
        return model.reading(plan, model.layer(plan)).time;
    };
    const PlanTime plain = read(1), interleaved = read(8);
    EXPECT_NEAR(interleaved.bubble, plain.bubble / 8, 0.02 * plain.bubble);
    EXPECT_EQ(interleaved.compute, plain.compute);
    EXPECT_LT(interleaved.total, 0.7 * plain.total);
    const PlanModel without = plan_model(published(false)).value();
    const Result<void> refused = without.check(plan_of_405b(8));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("or one less in the first and the last, and 126"));
}

/// Each pass of each chunk, one after the other: what the closed form adds up.
TEST(UnevenInterleaving, IsSimulatedAsTheClosedFormHasIt) {
    const PlanModel model = plan_model(published(true)).value();
    for (const std::int64_t chunks : {2, 8}) {
        const Plan plan = plan_of_405b(chunks);
        const PipelineWork work = pipeline_work(model, plan, model.layer(plan));
        std::int64_t layers = 0;
        for (const PipelineStage& stage : work.stages) {
            for (const PipelineChunk& chunk : stage.chunks) {
                layers += chunk.layers;
            }
        }
        EXPECT_EQ(layers, chunks == 8 ? 128 : 126); // a chunk of one layer stands for an end alone
        const auto run = simulate_plan(model, plan);
        ASSERT_TRUE(run) << run.error().sentence;
        const double closed = model.reading(plan, model.layer(plan)).time.total;
        EXPECT_NEAR(in_seconds(run->time()), closed, 0.05 * closed) << chunks;
    }
}

/// A search finds it by itself.
TEST(UnevenInterleaving, IsAmongTheSchedulesOfASearch) {
    const std::vector<PipelineSchedule> all =
        schedules_of({{{PipelineKind::one_f_one_b, 1}}, true, {}, {}}, llama_405b(true), plan_of_405b(1));
    EXPECT_THAT(all, testing::ElementsAre(PipelineSchedule{PipelineKind::one_f_one_b, 1},
                                          PipelineSchedule{PipelineKind::interleaved, 2},
                                          PipelineSchedule{PipelineKind::interleaved, 4},
                                          PipelineSchedule{PipelineKind::interleaved, 8}));
}

} // namespace
} // namespace meshslice
