// A step, the tuner and a plan count the same for the same run.

#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/plan/evaluate/scenario_memory.h"
#include "core/search/autotune.h"
#include "core/step/training_step.h"
#include "core/work/training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

constexpr std::int64_t sequences = 4;

/// The whole model on a mesh of 2 x 2, as MeshSlice spreads it.
Plan plan_on_four_chips() {
    Plan plan;
    plan.strategy = TensorStrategy::of_algorithm;
    plan.algorithm = *algorithm("meshslice");
    plan.tensor1 = plan.tensor2 = 2;
    plan.micro_batch = sequences;
    plan.zero = 0;
    plan.placement = {2, 2, 1, 1};
    plan.axes[0].tensor1 = 2;
    plan.axes[1].tensor2 = 2;
    return plan;
}

TrainingRun run_of(const Transformer& model) {
    TrainingRun run = training_run(model, 0, sequences).value();
    run.ends = model.vocabulary > 0;
    return run;
}

Scenario scenario_of(const TrainingRun& run, const Machine& machine) {
    Scenario scenario = default_scenario();
    scenario.model = run.model;
    scenario.hardware = machine;
    scenario.sequence = run.sequence;
    scenario.batch = run.batch;
    scenario.mesh = {2, 2};
    scenario.wraps = {false, false, false};
    return scenario;
}

std::int64_t whole(double count) {
    return static_cast<std::int64_t>(count);
}

/// FLOP of the tasks, of all chips' GEMMs in the step, and of the plan's; bytes of memory by part.
TEST(OneAccount, StepTunerAndPlanAgreeOnEveryModel) {
    const Machine machine = *machine_preset("tpu-v5p");
    for (const Transformer& model : model_presets()) {
        TrainingRun run = run_of(model);
        if (run.ends) {
            count_as_asked(scenario_of(run, machine), run);
        }
        const Plan plan = plan_on_four_chips();
        const PlanModel planner = PlanModel::of(run, machine, ModelRules::exact).value();
        const Result<void> sound = planner.check(plan);
        if (!is_uniform(model)) {
            EXPECT_THAT(sound.error().sentence, testing::HasSubstr("run blocks that are alike"))
                << model.name;
            continue;
        }
        ASSERT_TRUE(sound) << model.name << ": " << sound.error().sentence;
        const PlanReading reading = planner.reading(plan, planner.layer(plan));

        const Scenario scenario = scenario_of(run, machine);
        const Result<TrainingStep> step = estimated_step(scenario, "meshslice");
        ASSERT_TRUE(step) << model.name << ": " << step.error().sentence;
        const Result<Tuning> tuning =
            autotune(scenario, {.algorithms = {"meshslice"}, .mesh = std::vector<std::int32_t>{2, 2}});
        ASSERT_TRUE(tuning) << model.name << ": " << tuning.error().sentence;
        const TrainingStep& tuned = tuning->ranked.front().step;

        EXPECT_EQ(step->memory, reading.memory) << model.name;
        EXPECT_EQ(tuned.memory, reading.memory) << model.name;
        EXPECT_EQ(step->fits(), reading.fits) << model.name;

        const std::vector<Task> tasks = block_tasks(run, sequences).front().tasks;
        std::int64_t by_tasks = 0, by_plan = 0;
        double kept = 0, weights = 0;
        for (const Task& task : tasks) {
            by_tasks += task.kind == TaskKind::gemm ? whole(task.amounts().matrix_flop) : 0;
            const bool gemm = task.kind == TaskKind::gemm;
            kept += gemm ? task.amounts().kept : 0;
            weights += gemm ? task.amounts().weights : 0;
        }
        const std::vector<TunedLayer> layers = planner.tuned(plan).value();
        for (const TunedLayer& one : layers) {
            by_plan += 3 * flop({one.layer.tokens, one.layer.out, one.layer.in}).value() * one.layer.copies;
        }
        EXPECT_EQ(step->flop.value(), by_tasks) << model.name;
        EXPECT_EQ(tuned.flop.value(), by_tasks) << model.name;
        EXPECT_EQ(by_plan, by_tasks) << model.name;

        // A chip's shards of the inputs and the weights of the GEMMs are those of their programs.
        double inputs = 0, shards = 0;
        for (const GemmResult& result : step->gemms) {
            if (result.gemm.pass == Pass::forward) {
                const auto copies = static_cast<double>(result.gemm.copies);
                inputs += copies * static_cast<double>(result.memory.left.value());
                shards += copies * static_cast<double>(result.memory.right.value());
            }
        }
        EXPECT_EQ(inputs, kept / 4) << model.name;
        EXPECT_EQ(shards, weights / 4) << model.name;
    }
}

/// On one chip a GEMM reads and writes what its tasks say.
TEST(OneAccount, OneChipMovesTheBytesOfTheTasks) {
    for (const Transformer& model : model_presets()) {
        if (!is_uniform(model)) {
            continue; // several kinds of blocks, one of which stands for all
        }
        const TrainingRun run = run_of(model);
        Scenario scenario = scenario_of(run, *machine_preset("tpu-v5p"));
        scenario.mesh = {1, 1};
        const Result<TrainingStep> step = training_step(scenario, "collective", Depth::estimate);
        ASSERT_TRUE(step) << model.name << ": " << step.error().sentence;
        std::int64_t moved = 0, multiplied = 0;
        for (const GemmResult& result : step->gemms) {
            moved += (result.count->hbm_per_chip * result.gemm.copies).value();
            multiplied += (result.count->flop_per_chip * result.gemm.copies).value();
        }
        const std::vector<Task> tasks = block_tasks(run, sequences).front().tasks;
        std::int64_t bytes = 0, by_tasks = 0;
        for (const Task& task : tasks) {
            if (task.kind == TaskKind::gemm && task.pass != Pass::update) {
                bytes += whole(task.amounts().bytes);
                by_tasks += whole(task.amounts().matrix_flop);
            }
        }
        EXPECT_EQ(moved, bytes) << model.name;
        EXPECT_EQ(multiplied, by_tasks) << model.name;
    }
}

/// Memory alone depends on the account: with room for all of it, other chips of the same speed take the same
/// slices and the same time.
TEST(OneAccount, WithUnlimitedMemoryNothingElseChanges) {
    Scenario scenario = default_scenario();
    scenario.hardware.hbm.value = Bytes(std::int64_t{1} << 50);
    const TrainingStep roomy = estimated_step(scenario, "meshslice").value();
    EXPECT_TRUE(roomy.fits());
    // As it was before the account was one (S = 3 to 6, 61.7 ms).
    EXPECT_EQ(roomy.gemms.front().options.slices, 3);
    EXPECT_NEAR(in_seconds(roomy.time), 61.7e-3, 0.05e-3);
    scenario.hardware.hbm.value = Bytes(32'000'000'000);
    const TrainingStep tight = estimated_step(scenario, "meshslice").value();
    EXPECT_FALSE(tight.fits()) << "57 GB";
    EXPECT_EQ(tight.time, roomy.time) << "no slice count would make it fit";
    EXPECT_EQ(tight.memory, roomy.memory);
}

} // namespace
} // namespace meshslice::test
