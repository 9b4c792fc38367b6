#include "core/machine/catalogue.h"
#include "core/plan/inside/collective_run.h"
#include "core/plan/inside/plan_run.h"
#include "core/plan/search/plan_search.h"
#include "core/plan/torus_placement.h"
#include "tests/core/plan/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

PlanModel llama_on(const char* machine, std::int64_t batch) {
    const TrainingRun run = training_run(*model_preset("llama-3-8b"), 8192, batch).value();
    return PlanModel::of(run, *machine_preset(machine), ModelRules::exact).value();
}

Plan data_parallel(std::int64_t chips, const Machine& machine) {
    Plan plan = plan_of(TensorStrategy::one_d, {chips, 1, 1, 1}, 1, 1, {});
    plan.axes = torus_placements(plan, machine).front();
    plan.placement = {1, 1, chips / plan.tori(), 1};
    return plan;
}

/// The scaling book, chapter 2: slices of up to 16x16 chips of TPU v6e, joined by the data-centre network.
TEST(JoinedTori, AsFewAsHoldThePlanShareItsDataParallelGroup) {
    const Machine v6e = *machine_preset("tpu-v6e");
    for (const std::int64_t chips : {64, 256}) {
        EXPECT_EQ(data_parallel(chips, v6e).tori(), 1) << chips;
    }
    EXPECT_EQ(placement_text(data_parallel(512, v6e)), "2 x (dp 16 x dp 16)");
    EXPECT_EQ(data_parallel(768, v6e).tori(), 3);
    EXPECT_THAT(torus_placements(plan_of(TensorStrategy::one_d, {1, 1, 512, 1}, 1, 1, {}), v6e),
                testing::IsEmpty())
        << "activations stay on a torus";
    EXPECT_THAT(torus_placements(plan_of(TensorStrategy::one_d, {8192, 1, 1, 1}, 1, 1, {}),
                                 *machine_preset("tpu-v4")),
                testing::IsEmpty())
        << "nothing is known to join its pods";
    Plan plan = data_parallel(512, v6e);
    EXPECT_TRUE(check_torus(plan, v6e));
    EXPECT_THAT(check_torus(plan, *machine_preset("tpu-v7x")).error().sentence, HasSubstr("nothing joins"));
    plan.axes[0].data = 24;
    EXPECT_FALSE(check_torus(plan, v6e));
}

/// Reduced on the torus first, so that each of its 256 chips has a 256th of the gradients to exchange with
/// its like on the other torus: half of it, at what the network reaches.
TEST(JoinedTori, ExchangeWhatOneTorusHasReduced) {
    const PlanModel model = llama_on("tpu-v6e", 1024);
    const Plan two = data_parallel(512, model.hardware());
    const Plan one = data_parallel(256, model.hardware());
    ASSERT_TRUE(model.check(two)) << model.check(two).error().sentence;
    const LayerCost layer = model.layer(two);
    const Level& network = model.hardware().network.levels.back();
    const double across =
        in_seconds(network.latency.value) + layer.weights / 256 / 2 / (12.5e9 * network.efficiency.value);
    EXPECT_NEAR(model.transfers(two, layer).gather, model.transfers(one, layer).gather + across, 1e-12);
    EXPECT_EQ(model.data_group(two).chips, 512);
    EXPECT_EQ(model.data_group(two).within.front(), 256);
}

TEST(JoinedTori, AreSearchedAndKeepTensorGroupsOnOne) {
    const PlanModel model = llama_on("tpu-v6e", 1024);
    PlanSpace space;
    space.chips = 512;
    ASSERT_TRUE(set_strategies(space, "1d", true));
    const auto found = search_plans(model, space, 50);
    ASSERT_TRUE(found) << found.error().sentence;
    ASSERT_GT(found->ranked.size(), 10u);
    for (const RankedPlan& one : found->ranked) {
        EXPECT_EQ(one.plan.tori(), 2) << placement_text(one.plan);
        EXPECT_TRUE(model.check(one.plan)) << placement_text(one.plan);
        EXPECT_EQ(model.tensor_group(one.plan, 0).within.front(), one.plan.tensor1);
    }
}

/// A collective of a group on both opens into the links of a torus and the ports to the network.
TEST(JoinedTori, ACollectiveOpensIntoBothNetworks) {
    const auto plan = std::make_shared<const PlanAndModel>(
        PlanAndModel{llama_on("tpu-v6e", 1024), data_parallel(512, *machine_preset("tpu-v6e"))});
    const CollectiveOfGroup gather{Collective::all_gather, 1e9, plan->model.data_group(plan->plan)};
    const double takes = plan->model.network().seconds(gather.what, gather.bytes, gather.group);
    const auto run = collective_key(plan, gather, takes).make({});
    ASSERT_TRUE(run) << run.error().sentence;
    EXPECT_NEAR(in_seconds((*run)->end()), takes, 1e-9);
    std::vector<std::string> names;
    for (std::size_t lane = 0; lane < 2; ++lane) {
        names.push_back((*run)->lane(lane).name);
    }
    EXPECT_THAT(names, testing::UnorderedElementsAre(HasSubstr("links of the"), HasSubstr("ports to the")));
}

} // namespace
} // namespace meshslice::test
