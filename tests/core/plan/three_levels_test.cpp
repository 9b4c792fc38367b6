// Plans on a network of three levels: the search against every placement read by itself.

#include "core/machine/catalogue.h"
#include "core/plan/search/plan_search.h"
#include "tests/core/plan/plan_spaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace meshslice::test {
namespace {

using testing::ElementsAre;

/// 4 layers of 8 heads of 128.
TrainingRun small_run() {
    Transformer model = *model_preset("gpt3-175b");
    model.layers = 4;
    model.heads = model.kv_heads = 8;
    model.head_size = 128;
    model.hidden = 1024;
    model.feed_forward = 4096;
    return training_run(model, 1024, 8).value();
}

/// Plans of so many chips with any split and micro-batch, all choices as published.
std::vector<Plan> all_splits(const TrainingRun& run, TensorStrategy strategy, std::int64_t chips) {
    std::vector<Plan> all;
    Plan plan;
    plan.strategy = strategy;
    for (const std::int64_t tensor1 : divisors(chips)) {
        for (const std::int64_t tensor2 : divisors(strategy == TensorStrategy::one_d ? 1 : chips / tensor1)) {
            for (const std::int64_t pipeline : divisors(chips / tensor1 / tensor2)) {
                for (const std::int64_t micro_batch : divisors(run.batch)) {
                    plan.tensor1 = tensor1;
                    plan.tensor2 = tensor2;
                    plan.pipeline = pipeline;
                    plan.data = chips / tensor1 / tensor2 / pipeline;
                    plan.micro_batch = micro_batch;
                    all.push_back(plan);
                }
            }
        }
    }
    return all;
}

std::vector<Placement> all_placements(const Plan& plan, std::int64_t unit) {
    std::vector<Placement> all;
    for (const std::int64_t t1 : divisors(plan.tensor1)) {
        for (const std::int64_t t2 : divisors(plan.tensor2)) {
            for (const std::int64_t td : divisors(plan.data)) {
                for (const std::int64_t tp : divisors(plan.pipeline)) {
                    if (t1 * t2 * td * tp <= unit) {
                        all.push_back({t1, t2, td, tp});
                    }
                }
            }
        }
    }
    return all;
}

/// Two dies in a package, two packages behind a switch, and a network around them.
Machine of_three_levels() {
    Machine machine = *machine_preset("b200-nvs2");
    std::vector<Level>& levels = machine.network.levels;
    levels.insert(levels.begin(), levels.front());
    levels[0].bandwidth.value = Bandwidth(2e12);
    levels[0].latency.value = seconds(1e-6);
    return machine;
}

/// Every way to let groups of a plan stand in packages and switches that check_plan() takes.
TEST(ThreeLevels, TheSearchFindsTheFastestPlacement) {
    const Machine on = of_three_levels();
    const TrainingRun run = small_run();
    for (const TensorStrategy strategy : {TensorStrategy::one_d, TensorStrategy::two_d}) {
        const PlanModel model = PlanModel::of(run, on, ModelRules::exact).value();
        ASSERT_THAT(model.units(), ElementsAre(2, 4));
        const PlanSpace space = space_of(8, {strategy});
        const PlanSearch found = search_plans(model, space, 8).value();
        std::int64_t feasible = 0;
        double fastest = 1e300;
        for (Plan plan : all_splits(run, strategy, 8)) {
            for (const Placement& package : all_placements(plan, 2)) {
                for (const Placement& server : all_placements(plan, 4)) {
                    plan.placement = package;
                    plan.around[0] = server;
                    if (check_plan(run, plan, model.units(), ModelRules::exact)) {
                        const PlanReading reading = model.reading(plan, model.layer(plan));
                        feasible += reading.fits ? 1 : 0;
                        fastest = reading.fits ? std::min(fastest, reading.time.total) : fastest;
                    }
                }
            }
        }
        EXPECT_EQ(found.feasible, feasible);
        EXPECT_EQ(found.frontier.front().reading.time.total, fastest);
        EXPECT_LE(found.ranked.front().reading.time.total, 1.01 * fastest);
        for (const RankedPlan& one : found.ranked) {
            EXPECT_EQ(one.reading, evaluate(run, on, one.plan, ModelRules::exact).value()) << text(one.plan);
        }
    }
}

} // namespace
} // namespace meshslice::test
