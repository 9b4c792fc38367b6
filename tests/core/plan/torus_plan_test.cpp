#include "core/machine/catalogue.h"
#include "core/plan/evaluate/hidden_communication.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/search/plan_search.h"
#include "core/plan/torus_placement.h"
#include "core/step/training_step.h"
#include "tests/core/plan/published.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace meshslice::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

TrainingRun llama(std::int64_t batch, std::int64_t sequence = 8192) {
    return training_run(*model_preset("llama-3-70b"), sequence, batch).value();
}
PlanModel on_v5p(const TrainingRun& run) {
    return PlanModel::of(run, *machine_preset("tpu-v5p"), ModelRules::exact).value();
}
Plan plan_by(const char* id, std::int64_t columns, std::int64_t rows, std::int64_t data = 1,
             std::int64_t pipeline = 1) {
    Plan plan = plan_of(TensorStrategy::one_d, {data, pipeline, columns, rows}, 1, 1, {});
    if (std::string_view(id) != "1d") {
        plan.strategy = TensorStrategy::of_algorithm;
        plan.algorithm = *algorithm(id);
    }
    return plan;
}
std::string axes_text(const TorusAxes& axes) {
    Plan plan;
    plan.axes = axes;
    return placement_text(plan);
}

/// All that 12 numbers say, and how many of them differ by more than the axes' names.
TEST(TorusPlacement, EveryWayIsThereOnce) {
    const Machine v5p = *machine_preset("tpu-v5p");
    const Plan plan = plan_by("meshslice", 4, 2, 4, 2);
    std::set<std::string> by_hand;
    std::set<TorusAxes> classes;
    for (const std::int64_t d0 : {1, 2, 4}) {
        for (std::int64_t d1 = 1; d0 * d1 <= 4; d1 *= 2) {
            for (std::size_t first = 0; first < 3; ++first) {
                for (std::size_t second = 0; second < 3; ++second) {
                    for (std::size_t stages = 0; stages < 3 && first != second; ++stages) {
                        TorusAxes axes{};
                        axes[0].data = d0;
                        axes[1].data = d1;
                        axes[2].data = 4 / d0 / d1;
                        axes[first].tensor1 = 4;
                        axes[second].tensor2 = 2;
                        axes[stages].pipeline = 2;
                        std::ranges::sort(axes);
                        classes.insert(axes);
                    }
                }
            }
        }
    }
    const std::vector<TorusAxes> found = torus_placements(plan, v5p);
    EXPECT_EQ(found.size(), classes.size());
    for (TorusAxes axes : found) {
        Plan placed = plan;
        placed.axes = axes;
        EXPECT_TRUE(check_torus(placed, v5p)) << axes_text(axes);
        std::ranges::sort(axes);
        EXPECT_EQ(classes.erase(axes), 1u) << axes_text(axes);
    }
}

/// TPU v5e: 16 x 16 at most. v5p: rings where an axis is a multiple of 4 of a torus of whole cubes.
TEST(TorusPlacement, IsOfTheChipsPod) {
    EXPECT_THAT(torus_placements(plan_by("meshslice", 32, 2), *machine_preset("tpu-v5e")),
                testing::IsEmpty());
    EXPECT_EQ(torus_placements(plan_by("meshslice", 16, 2), *machine_preset("tpu-v5e")).size(), 1u);
    const Pod pod = machine_preset("tpu-v5p")->pod;
    Plan plan = plan_by("meshslice", 4, 4, 4);
    plan.axes = {Placement{4, 1, 1, 1}, Placement{1, 4, 1, 1}, Placement{1, 1, 4, 1}};
    EXPECT_EQ(grid_rings(plan, pod), (GridRings{true, true}));
    EXPECT_TRUE(data_group_on_torus(plan, pod).along[2].ring);
    EXPECT_FALSE(data_passes_tensor_links(plan));
    // 4 x 16: the columns share their axis with data-parallel chips, which pass them.
    plan.axes = {Placement{4, 1, 4, 1}, Placement{1, 4, 1, 1}, Placement{}};
    EXPECT_EQ(grid_rings(plan, pod), (GridRings{false, true}));
    EXPECT_EQ(data_group_on_torus(plan, pod).along[0], (AlongAxis{4, 4, true}));
    EXPECT_TRUE(data_passes_tensor_links(plan));
    EXPECT_EQ(placement_text(plan), "tp1 4, dp 4 x tp2 4");
    plan.data = 1; // 16 chips are not a cube
    plan.axes = {Placement{4, 1, 1, 1}, Placement{1, 4, 1, 1}, Placement{}};
    EXPECT_EQ(grid_rings(plan, pod), (GridRings{false, false}));
    plan.axes[1].tensor2 = 2;
    EXPECT_THAT(check_torus(plan, *machine_preset("tpu-v5p")).error().sentence, HasSubstr("do not hold"));
}

/// The GEMMs of a block by themselves, on the same mesh: what `meshslice tune` says of them. 8 x 8 are rings,
/// 4 x 4 lines, on which Cannon does not run and Wang has nothing to take apart.
TEST(TorusPlan, GemmsTakeWhatTheEngineEstimates) {
    struct Row {
        const char* algorithm;
        std::int32_t side;
    };
    for (const auto& [id, side] :
         {Row{"meshslice", 4}, Row{"collective", 4}, Row{"summa", 4}, Row{"meshslice", 8},
          Row{"collective", 8}, Row{"wang", 8}, Row{"summa", 8}, Row{"cannon", 8}}) {
        SCOPED_TRACE(id);
        const PlanModel model = on_v5p(llama(8));
        Plan plan = plan_by(id, side, side);
        plan.micro_batch = 8;
        const Result<RankedPlan> placed = fastest_plan(model, plan, {false, true});
        ASSERT_TRUE(placed) << placed.error().sentence;
        plan = placed->plan;
        EXPECT_EQ(placement_text(plan), fmt::format("tp1 {0} x tp2 {0}", side));
        Scenario scenario = default_scenario();
        scenario.model = *model_preset("llama-3-70b");
        scenario.hardware = *machine_preset("tpu-v5p");
        scenario.mesh = {side, side};
        scenario.batch = 8;
        scenario.sequence = 8192;
        scenario.plan.slices.reset();
        const TrainingStep step = estimated_step(scenario, id).value();
        Time sum;
        const std::vector<TunedLayer> tuned = model.tuned(plan).value();
        for (const TunedLayer& layer : tuned) {
            for (const TunedGemm& gemm : layer.gemms) {
                sum += gemm.estimate.total * layer.layer.copies;
            }
        }
        EXPECT_EQ(sum, step.estimated) << id;
        // And the layer's time is theirs and that of the operations that are not GEMMs.
        const LayerCost layer = model.layer(plan);
        double others = 0;
        for (const ChipTask& operation : model.block(plan).operations) {
            if (operation.layer < 0) {
                others += model.pass(plan, operation, operation.forward).time() +
                          model.pass(plan, operation, operation.backward).time();
            }
        }
        EXPECT_NEAR(layer.forward.time() + layer.backward.time(), in_seconds(sum) + others, 1e-12) << id;
    }
}

/// 1D on 4 of 64 chips, forward: two all-gathers and two reduce-scatters of b x l x hidden, 2 bytes each.
TEST(TorusPlan, OneDimensionGathersAlongItsAxis) {
    const PlanModel model = on_v5p(llama(16));
    const RankedPlan found = fastest_plan(model, plan_by("1d", 4, 1, 16), {false, true}).value();
    ASSERT_TRUE(grid_rings(found.plan, model.hardware().pod).tensor1);
    const double ring = 5e-6 + 3 * (1e-6 + 2.0 * 8192 * 8192 / 4 / 180e9);
    EXPECT_NEAR(model.layer(found.plan).forward.tensor, 4 * ring, 1e-12);
    // 80 layers of weights, a quarter of each, over 16 chips: hidden except one layer's both ways.
    const double layer = model.layer(found.plan).weights;
    EXPECT_NEAR(layer, 2 * ((8192.0 * (10'240 + 8192 + 3 * 28'672)) / 4 + 4 * 8192), 1);
    const double data = model.network().seconds(Collective::all_gather, layer, model.data_group(found.plan));
    EXPECT_NEAR(found.reading.time.data, 2 * data, 1e-9);
}

/// Rows of whole samples need no keys and values of others.
TEST(TorusPlan, AttentionGathersOnlyWhereSamplesAreSplit) {
    const PlanModel model = on_v5p(llama(4));
    const auto collectives = [&](std::int64_t micro_batch) {
        Plan plan = plan_by("meshslice", 4, 4);
        plan.micro_batch = micro_batch;
        const ChipTasks block = model.block(plan);
        return std::ranges::find(block.operations, std::string_view("attention"), &ChipTask::name)
            ->forward.exchanges.size();
    };
    EXPECT_EQ(collectives(4), 0u);
    EXPECT_EQ(collectives(2), 1u);
}

/// Every array of twelve numbers whose products are the sizes, by check(), and nothing shared.
TEST(TorusPlan, TheSearchFindsWhatReadingEveryPlanFinds) {
    TrainingRun run = llama(4, 2048);
    run.model.layers = 4;
    const PlanModel model = on_v5p(run);
    const std::int64_t chips = 8;
    for (const char* id : {"1d", "meshslice", "wang"}) {
        double fastest = 1e300;
        std::int64_t plans = 0;
        const bool any = std::string_view(id) == "1d"; // programs are tuned for each again
        const auto read = [&](const Plan& plan) {
            const Result<PlanReading> reading = evaluate(run, model.hardware(), plan, ModelRules::exact);
            if (reading && reading->fits) {
                ++plans;
                fastest = std::min(fastest, reading->time.total);
            }
        };
        const auto read_choices = [&](Plan plan) {
            for (const std::int64_t chunks : {1, 2, 4}) {
                for (const Recompute recompute : {Recompute::none, Recompute::attention, Recompute::full}) {
                    for (plan.zero = 0; plan.zero <= 3; ++plan.zero) {
                        plan.schedule = {chunks > 1 ? PipelineKind::interleaved : PipelineKind::one_f_one_b,
                                         chunks};
                        plan.recompute = recompute;
                        read(plan);
                    }
                }
            }
        };
        for (const std::int64_t m1 : {1, 2, 4, 8}) {
            for (const std::int64_t m2 : {1, 2, 4, 8}) {
                for (const std::int64_t pipeline : {1, 2, 4, 8}) {
                    if (chips % (m1 * m2 * pipeline) != 0) {
                        continue;
                    }
                    Plan plan = plan_by(id, m1, m2, chips / (m1 * m2 * pipeline), pipeline);
                    plan.placement = {m1, m2, plan.data, pipeline};
                    for (plan.micro_batch = 1; plan.micro_batch <= 4; plan.micro_batch *= 2) {
                        for (int at = 0; at < 27; ++at) {
                            for (const std::int64_t d0 : divisors(plan.data)) {
                                for (const std::int64_t d1 : divisors(plan.data / d0)) {
                                    plan.axes = {};
                                    plan.axes[0].data = d0;
                                    plan.axes[1].data = d1;
                                    plan.axes[2].data = plan.data / d0 / d1;
                                    plan.axes[static_cast<std::size_t>(at % 3)].tensor1 = m1;
                                    plan.axes[static_cast<std::size_t>(at / 3 % 3)].tensor2 = m2;
                                    plan.axes[static_cast<std::size_t>(at / 9)].pipeline = pipeline;
                                    any ? read_choices(plan) : read(plan);
                                }
                            }
                        }
                    }
                }
            }
        }
        ASSERT_GT(plans, 100) << id;
        PlanSpace space;
        space.chips = chips;
        ASSERT_TRUE(set_strategies(space, id, true));
        space.choices = any ? plan_choices({}).value() : PlanChoices();
        const PlanSearch found = search_plans(model, space, 20).value();
        EXPECT_EQ(found.frontier.front().reading.time.total, fastest) << id;
        EXPECT_LE(found.ranked.front().reading.time.total, 1.01 * fastest) << id;
        for (const RankedPlan& one : found.ranked) {
            EXPECT_EQ(one.reading, evaluate(run, model.hardware(), one.plan, ModelRules::exact).value())
                << text(one.plan);
        }
    }
}

/// Stages along one axis, one link apart or past the chips of a group.
TEST(TorusPlan, IsSimulatedAsItIsEstimated) {
    const PlanModel model = on_v5p(llama(16));
    int plans = 0;
    for (const std::int64_t pipeline : {1, 2, 4}) {
        for (const char* id : {"1d", "meshslice"}) {
            Plan plan = plan_by(id, 2, id[0] == '1' ? 1 : 2, 1, pipeline);
            for (const TorusAxes& axes : torus_placements(plan, model.hardware())) {
                plan.axes = axes;
                plan.placement = {plan.tensor1, plan.tensor2, plan.data, plan.pipeline};
                ASSERT_TRUE(model.check(plan)) << placement_text(plan);
                const double estimated = model.reading(plan, model.layer(plan)).time.total;
                const double simulated = simulated_time(simulate_plan(model, plan).value()).total;
                EXPECT_NEAR(simulated, estimated, 1e-8 * estimated) << placement_text(plan);
                ++plans;
            }
        }
    }
    EXPECT_GE(plans, 10);
    Plan passed = plan_by("1d", 2, 1, 1, 4);
    passed.axes[0] = {2, 1, 1, 4};
    EXPECT_EQ(hops_between_stages(passed), 2);
    const LayerCost layer = model.layer(passed);
    EXPECT_NEAR(model.stage(passed, layer).transfer[0], 5e-6 + 2 * (1e-6 + layer.sent / 90e9), 1e-12);
}

/// What is hidden and what is exposed are of the same passes as the time is, whatever is computed again.
TEST(TorusPlan, WhatIsExposedIsWhatTheStepHas) {
    const PlanModel model = on_v5p(llama(64));
    for (const char* id : {"meshslice", "collective", "wang", "summa"}) {
        for (const Recompute recompute : {Recompute::none, Recompute::attention, Recompute::full}) {
            Plan plan = plan_by(id, 4, 4, 1, 4);
            plan.recompute = recompute;
            const RankedPlan found = fastest_plan(model, plan, {false, true}).value();
            const HiddenCommunication its = hidden_tensor(model, found.plan);
            EXPECT_NEAR(its.exposed, found.reading.time.tensor, 1e-9 * its.exposed) << text(found.plan);
        }
    }
}

TEST(TorusPlan, StrategiesAreThoseThatTheClusterHas) {
    PlanSpace space;
    ASSERT_TRUE(set_strategies(space, "all", true));
    EXPECT_EQ(space.strategies, std::vector{TensorStrategy::one_d});
    EXPECT_THAT(space.algorithms, Contains(*algorithm("meshslice")));
    EXPECT_THAT(space.algorithms, Contains(*algorithm("collective")));
    EXPECT_THAT(space.algorithms, testing::Not(Contains(*algorithm("fsdp"))));
    ASSERT_TRUE(set_strategies(space, "summa", true));
    EXPECT_EQ(space.algorithms, std::vector{*algorithm("summa")});
    EXPECT_TRUE(space.strategies.empty());
    ASSERT_TRUE(set_strategies(space, "summa", false));
    EXPECT_EQ(space.strategies, std::vector{TensorStrategy::summa});
    EXPECT_TRUE(space.algorithms.empty());
    EXPECT_THAT(set_strategies(space, "2d", true).error().sentence, HasSubstr("expected 1d, cannon, "));
    EXPECT_THAT(set_strategies(space, "meshslice", false).error().sentence,
                HasSubstr("expected 1d, 2d, summa or all in fast domains"));
}

/// Columns that share a key-value head would need it twice; a pod has so many chips.
TEST(TorusPlan, WhatCannotBeIsRefused) {
    const PlanModel model = on_v5p(llama(64));
    const auto refusal = [&](const Plan& plan) {
        const auto found = fastest_plan(model, plan, {false, true});
        return found ? std::string("found") : found.error().sentence;
    };
    EXPECT_EQ(refusal(plan_by("meshslice", 8, 4)), "found");
    EXPECT_THAT(refusal(plan_by("meshslice", 16, 4)), HasSubstr("8 key-value heads do not divide by 16"));
    EXPECT_THAT(refusal(plan_by("cannon", 4, 2)), HasSubstr("not square"));
    const PlanModel alone = PlanModel::of(llama(64), *machine_preset("tpu-v4"), ModelRules::exact).value();
    EXPECT_THAT(fastest_plan(alone, plan_by("1d", 64, 1, 64, 5), {false, true}).error().sentence,
                HasSubstr("No torus of 20480 chips that a pod of TPU v4"));
    PlanSpace space;
    space.chips = 16'384;
    ASSERT_TRUE(set_strategies(space, "all", true));
    EXPECT_THAT(search_plans(alone, space, 1).error().sentence,
                HasSubstr("The largest torus of TPU v4 has 4096 chips, and 16384 were asked for."));
    const PlanModel gpu = PlanModel::of(llama(64), *machine_preset("h100-nvs8"), ModelRules::exact).value();
    EXPECT_THAT(gpu.check(plan_by("meshslice", 4, 2)).error().sentence, HasSubstr("not one of NVIDIA H100"));
    Machine unsaid = *machine_preset("tpu-v4");
    unsaid.vector_rate.value = FlopRate(0);
    const auto refused = PlanModel::of(llama(64), unsaid, ModelRules::exact);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("vector_rate_in_flop_per_s"));
}

/// Every chip that comes with the program can be planned for, and says where its rates are from.
TEST(TorusPlan, EveryTorusThatComesWithTheProgramIsPlanned) {
    for (const Machine& one : presets_that(is_plain_torus)) {
        if (one.network.torus_axes() > 0) {
            const auto model = PlanModel::of(llama(64), one, ModelRules::exact);
            EXPECT_TRUE(model) << one.name;
            EXPECT_FALSE(one.vector_rate.source.empty()) << one.name;
        }
    }
    EXPECT_THAT(machine_preset("tpu-v6e")->vector_rate.source, testing::StartsWith("Estimate"));
}

} // namespace
} // namespace meshslice::test
