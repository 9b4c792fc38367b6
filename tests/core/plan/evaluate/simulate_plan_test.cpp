#include "core/machine/catalogue.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "tests/core/plan/published.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice::test {
namespace {

constexpr double rounding = 1e-8; // times are whole picoseconds
constexpr PipelineSchedule one_f_one_b = {PipelineKind::one_f_one_b, 1};
constexpr PipelineSchedule gpipe = {PipelineKind::gpipe, 1};
constexpr PipelineSchedule interleaved = {PipelineKind::interleaved, 2};

PlanModel gpt3_on(const char* chips, std::int64_t batch) {
    return PlanModel::of(run_of("gpt3-1t", batch), *machine_preset(chips), ModelRules::exact).value();
}

/// Simulates plans of every pipeline that fits into `batch`, alone and with four chips of each layer; hands
/// over the plan, its estimate and what was simulated. Returns how many there were.
template <class Visit>
int for_each_plan(Visit visit) {
    int plans = 0;
    for (const char* chips : {"b200-nvs8", "a100-nvs4"}) {
        for (const std::int64_t batch : {4, 16, 64}) {
            const PlanModel model = gpt3_on(chips, batch);
            for (const std::int64_t pipeline : {1, 2, 4, 8, 16}) {
                for (const std::int64_t near : {1, 2, 4}) {
                    for (const PipelineSchedule& schedule : {one_f_one_b, gpipe, interleaved}) {
                        for (const std::int64_t data : {1, 4}) {
                            Plan plan;
                            plan.data = data;
                            plan.pipeline = pipeline;
                            plan.placement.pipeline = near;
                            plan.schedule = schedule;
                            if (check_plan(model.run(), plan, model.units(), ModelRules::exact)) {
                                plans += visit(model, plan);
                            }
                        }
                    }
                }
            }
        }
    }
    return plans;
}

/// The step of the closed form and of the simulation, in this order, and that both hold the same.
std::pair<double, double> both(const PlanModel& model, const Plan& plan) {
    const PlanReading reading = model.reading(plan, model.layer(plan));
    const Result<PipelineRun> run = simulate_plan(model, plan);
    EXPECT_TRUE(run) << (run ? "" : run.error().sentence);
    if (!run) {
        return {reading.time.total, 0};
    }
    const SimulatedTime simulated = simulated_time(*run);
    EXPECT_NEAR(simulated.memory, reading.memory.total(), rounding * reading.memory.total());
    EXPECT_NEAR(simulated.passes + simulated.data + simulated.pipeline + simulated.bubble, simulated.total,
                rounding * simulated.total);
    return {reading.time.total, simulated.total};
}

/// 1F1B with transfers that are all alike, GPipe and interleaved with any; where each stage gathers and
/// reduces apart from its passes, or hides it behind the layers before and after, as the first and last
/// stages do.
TEST(SimulatePlan, TakesAsLongAsTheClosedFormWhereNothingContends) {
    const int plans = for_each_plan([](const PlanModel& model, Plan plan) {
        const bool mixed = plan.placement.pipeline > 1 && plan.placement.pipeline < plan.pipeline;
        const bool hides = plan.schedule.kind != PipelineKind::interleaved;
        if ((mixed && plan.schedule.kind == PipelineKind::one_f_one_b)) {
            return 0;
        }
        for (const int zero : {0, 1}) {
            for (const bool overlap : {false, true}) {
                if (overlap && !hides && plan.data > 1) {
                    continue;
                }
                plan.zero = zero;
                plan.data_overlap = overlap;
                const auto [estimated, simulated] = both(model, plan);
                EXPECT_NEAR(simulated, estimated, rounding * estimated)
                    << text(plan) << ", " << text(plan.schedule) << ", ZeRO " << zero;
            }
        }
        return 1;
    });
    EXPECT_GT(plans, 100);
}

/// Where some transfers leave their domain and some do not, the closed form of 1F1B takes the slowest stretch
/// for the whole: within a thousandth.
TEST(SimulatePlan, IsCloseToTheClosedFormWhereTransfersDiffer) {
    double least = 0, most = 0;
    const int plans = for_each_plan([&](const PlanModel& model, const Plan& plan) {
        if (plan.data > 1 || plan.schedule != one_f_one_b || plan.placement.pipeline == 1 ||
            plan.placement.pipeline == plan.pipeline) {
            return 0;
        }
        const auto [estimated, simulated] = both(model, plan);
        EXPECT_NEAR(simulated, estimated, 1e-3 * estimated) << text(plan);
        const double transfers = model.reading(plan, model.layer(plan)).time.pipeline;
        least = std::min(least, (simulated - estimated) / transfers);
        most = std::max(most, (simulated - estimated) / transfers);
        return 1;
    });
    EXPECT_GT(plans, 10);
    std::printf("Simulation against closed form, transfers that differ: %+.1f%% to %+.1f%% of the transfers' "
                "time\n",
                100 * least, 100 * most);
    EXPECT_GT(least, -0.45); // as plan-rules.md says
    EXPECT_LT(most, 0.45);
}

/// The last stage of 1F1B is slower by the output head, and the closed form takes it that all wait for it as
/// long as it takes.
TEST(SimulatePlan, IsCloseToTheClosedFormWhereTheLastStageHasTheHead) {
    TrainingRun run = run_of("llama-3-70b", 32);
    run.ends = true;
    const PlanModel model = PlanModel::of(run, *machine_preset("h100-nvs8"), ModelRules::exact).value();
    double least = 0, most = 0;
    for (const std::int64_t pipeline : {1, 2, 4, 8, 16}) {
        for (const PipelineSchedule& schedule : {one_f_one_b, gpipe, interleaved}) {
            Plan plan;
            plan.pipeline = pipeline;
            plan.schedule = schedule;
            if (check_plan(run, plan, model.units(), ModelRules::exact)) {
                const auto [estimated, simulated] = both(model, plan);
                least = std::min(least, simulated / estimated - 1);
                most = std::max(most, simulated / estimated - 1);
            }
        }
    }
    std::printf("Simulation against closed form, with the ends: %+.2f%% to %+.2f%%\n", 100 * least,
                100 * most);
    EXPECT_GT(least, -0.2);
    EXPECT_LT(most, 0.2);
}

/// Every stage keeps as much as the first one of 1F1B, and waits as long as the gradients of weights leave
/// it.
TEST(SimulatePlan, ZeroBubbleIsCloseToItsClosedForm) {
    const TrainingRun run = run_of("llama-3-70b", 32);
    const PlanModel model = PlanModel::of(run, *machine_preset("h100-nvs8"), ModelRules::exact).value();
    int plans = 0;
    for (const std::int64_t pipeline : {2, 4, 8, 16}) {
        for (const std::int64_t micro_batch : {1, 4, 8}) { // 32, 8 and 4 of them
            Plan plan;
            plan.pipeline = pipeline;
            plan.micro_batch = micro_batch;
            plan.schedule = {PipelineKind::zero_bubble, 1};
            ASSERT_TRUE(check_plan(run, plan, model.units(), ModelRules::exact)) << text(plan);
            const auto [estimated, simulated] = both(model, plan);
            EXPECT_NEAR(simulated, estimated, 0.02 * estimated) << text(plan);
            plan.schedule = one_f_one_b;
            EXPECT_LT(simulated, both(model, plan).second) << text(plan);
            ++plans;
        }
    }
    EXPECT_EQ(plans, 12);
}

/// What every micro-batch waits for slows the whole pipeline down. ZeRO 2 and 3, where much is exposed.
TEST(SimulatePlan, IsCloseToTheClosedFormWhereEachMicroBatchExchanges) {
    double least = 0, most = 0, apart = 0;
    const int plans = for_each_plan([&](const PlanModel& model, Plan plan) {
        if (plan.data == 1) {
            return 0;
        }
        for (const int zero : {2, 3}) {
            for (const bool overlap : {false, true}) {
                if (!overlap && plan.schedule == interleaved) {
                    continue; // which nobody runs
                }
                plan.zero = zero;
                plan.data_overlap = overlap;
                const auto [estimated, simulated] = both(model, plan);
                const double off = simulated / estimated - 1;
                if (overlap) {
                    least = std::min(least, off);
                    most = std::max(most, off);
                } else {
                    apart = std::max(apart, std::abs(off));
                }
                EXPECT_LE(std::abs(off), overlap ? 0.17 : 2e-3)
                    << text(plan) << ", " << text(plan.schedule) << ", ZeRO " << zero;
            }
        }
        return 1;
    });
    EXPECT_GT(plans, 20);
    std::printf("Simulation against closed form, ZeRO 2 and 3: %+.2f%% to %+.2f%% where data-parallel "
                "communication overlaps, within %.2f%% where it does not\n",
                100 * least, 100 * most, 100 * apart);
}

/// Interleaved: while one chunk's weights are gathered, the others compute.
TEST(SimulatePlan, HidesGathersBehindOtherChunks) {
    double worst = 0;
    const int plans = for_each_plan([&](const PlanModel& model, Plan plan) {
        if (plan.data == 1 || plan.schedule != interleaved) {
            return 0;
        }
        for (const int zero : {0, 1}) {
            plan.zero = zero;
            const auto [estimated, simulated] = both(model, plan);
            EXPECT_NEAR(simulated, estimated, 1e-2 * estimated) << text(plan);
            worst = std::max(worst, std::abs(simulated / estimated - 1));
        }
        return 1;
    });
    std::printf("Simulation against closed form, chunks that gather once: within %.3f%%\n", 100 * worst);
    EXPECT_GT(plans, 10);
}

/// What of data-parallel communication nothing hides, by hand. Forward 1 s a layer, backward 2 s.
TEST(SimulatePlan, ExposedCommunicationIsWorkedByHand) {
    const PlanModel model = gpt3_on("b200-nvs8", 64);
    LayerCost layer;
    layer.forward.compute = 1;
    layer.backward.compute = 2;
    PlanTransfers moved;
    moved.gather = moved.gather_trained = 3;
    moved.scatter = 1;
    Plan plan;
    plan.data = 8;
    plan.pipeline = 2;
    // 4 layers, gathered in 12 s. 1F1B computes the first three in the meantime: 12 - 3, and a scatter.
    EXPECT_DOUBLE_EQ(model.data_time(plan, layer, moved, 4, 4).total, 9 + 1);
    // Two chunks of 2: until the last layer of the second one there are 2 layers x 2 micro-batches of the
    // first chunk and 1 of its own to compute: 12 - 5.
    plan.schedule = interleaved;
    EXPECT_DOUBLE_EQ(model.data_time(plan, layer, moved, 4, 4).total, 7 + 1);
    // ZeRO 3, 2 layers, 1 s each way, one micro-batch. Gathered at 1 and 2, forward from 1 to 3, gathered
    // again at 3 and 4, backward from 3 to 7, scattered at 8; of which 6 s are passes.
    plan.schedule = {};
    plan.pipeline = 1;
    plan.zero = 3;
    moved.gather = moved.scatter = 1;
    EXPECT_DOUBLE_EQ(model.data_time(plan, layer, moved, 2, 1).total, 2);
    // Another round has 2 gathers and a scatter of each layer in its 6 s: just enough.
    EXPECT_DOUBLE_EQ(model.data_time(plan, layer, moved, 2, 2).total, 2);
    // With gathers of 2 s the network is busy for 10 s of each round of 6.
    moved.gather = 2;
    EXPECT_DOUBLE_EQ(
        model.data_time(plan, layer, moved, 2, 3).total - model.data_time(plan, layer, moved, 2, 2).total, 4);
}

/// A chunk computes for 4 ms, and its two transfers take 2.4 ms each: without them the step would be 57% too
/// short.
TEST(SimulatePlan, ABusyLinkIsNotHidden) {
    Machine slow = *machine_preset("h100-nvs8");
    slow.network.levels.back().bandwidth.value = Bandwidth(2e9);
    const PlanModel on =
        PlanModel::of(training_run(*model_preset("llama-3-8b"), 0, 32).value(), slow, ModelRules::exact)
            .value();
    Plan many = plan_of(TensorStrategy::one_d, {1, 4, 8, 1}, 1, 1, {8, 1, 1, 1});
    many.schedule = {PipelineKind::interleaved, 8};
    const auto [estimated, simulated] = both(on, many);
    EXPECT_NEAR(simulated, estimated, 0.03 * simulated);
    EXPECT_GT(on.reading(many, on.layer(many)).time.pipeline, 0.3 * simulated);
}

/// Four stages, two in each domain: 0 and 1, 2 and 3.
TEST(SimulatePlan, SendsFarBetweenDomains) {
    const PlanModel model = gpt3_on("b200-nvs8", 16);
    Plan plan;
    plan.pipeline = 4;
    plan.placement.pipeline = 2;
    const LayerCost layer = model.layer(plan);
    const Time near = seconds(model.network().seconds_to_one(layer.sent, 0));
    const Time far = seconds(model.network().seconds_to_one(layer.sent, 1));
    ASSERT_LT(near, far);
    const PipelineWork work = pipeline_work(model, plan, layer);
    ASSERT_EQ(work.stages.size(), 4u);
    const std::vector<Time> forward = {near, far, near, far};  // to 1, 2, 3, 0
    const std::vector<Time> backward = {far, near, far, near}; // to 3, 0, 1, 2
    for (std::size_t s = 0; s < 4; ++s) {
        EXPECT_EQ(work.stages[s].send_forward, forward[s]) << s;
        EXPECT_EQ(work.stages[s].send_backward, backward[s]) << s;
    }
    EXPECT_EQ(work.stages[0].chunks[0].layers, 32); // of 128
}

/// Llama-3-70B has a vocabulary: the last stage takes longer, and each stage updates its parameters.
TEST(SimulatePlan, CountsEndsAndTheOptimizersStep) {
    TrainingRun run = run_of("llama-3-70b", 16);
    Plan plan;
    plan.pipeline = 4;
    const auto simulated = [&] {
        const PlanModel model = PlanModel::of(run, *machine_preset("h100-nvs8"), ModelRules::exact).value();
        return std::pair(*simulate_plan(model, plan), model.reading(plan, model.layer(plan)));
    };
    const auto [without, plain] = simulated();
    run.ends = run.optimizer_step = true;
    const auto [with, counted] = simulated();
    const auto passes = [](const PipelineRun& one, std::size_t stage) {
        return in_seconds(one.total(stage, PipelineActivity::forward) +
                          one.total(stage, PipelineActivity::backward));
    };
    EXPECT_EQ(passes(with, 0), passes(without, 0));
    EXPECT_NEAR(passes(with, 3), passes(without, 3) + counted.time.ends, 1e-9);
    EXPECT_NEAR(in_seconds(with.total(0, PipelineActivity::update)), counted.time.optimizer, 1e-11);
    EXPECT_EQ(with.total(0, PipelineActivity::update), with.total(3, PipelineActivity::update));
}

/// 48 micro-batches in groups of 32.
TEST(SimulatePlan, IsRefusedWhereTheOrderCannotBe) {
    const PlanModel model = gpt3_on("b200-nvs8", 48);
    Plan plan;
    plan.pipeline = 32;
    plan.schedule = interleaved;
    const Result<PipelineRun> run = simulate_plan(model, plan);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().sentence,
              "Interleaved stages take micro-batches in groups of 32, one per stage: 48 do not "
              "divide by 32; 32 and 64 do.");
}

} // namespace
} // namespace meshslice::test
