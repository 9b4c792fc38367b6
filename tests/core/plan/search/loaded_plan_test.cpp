#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/plan/evaluate/scenario_memory.h"
#include "core/plan/search/loaded_plan.h"
#include "core/report/plan/plan_charts.h"
#include "core/report/words/block_words.h"
#include "core/step/training_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

/// GPT-3 175B, batch 1024 of 2048 tokens.
Scenario planned_on(const char* cluster, std::int64_t chips, const char* strategy) {
    Scenario scenario = default_scenario();
    scenario.batch = 1024;
    scenario.hardware = *machine_preset(cluster);
    scenario.planning.chips = chips;
    scenario.plan.split.strategy = strategy;
    return scenario;
}

std::string why_not(const Scenario& scenario) {
    const auto read = read_chosen_plan(*loaded_plan(scenario));
    return read ? "it suits" : read.error().sentence;
}

TEST(LoadedPlan, IsReadAsTheSearchRankedIt) {
    for (const auto& [cluster, chips] : {std::pair("a100-nvs4", 512), std::pair("tpu-v5p", 64)}) {
        const Scenario scenario = planned_on(cluster, chips, "all");
        const auto found = answer(*plan_question(scenario), 8);
        ASSERT_TRUE(found) << found.error().sentence;
        ASSERT_EQ(found->search.ranked.size(), 8u);
        for (const RankedPlan& one : found->search.ranked) {
            Scenario loaded = scenario;
            loaded.plan.loaded = one.plan;
            const auto read = read_chosen_plan(*loaded_plan(loaded));
            ASSERT_TRUE(read) << read.error().sentence;
            EXPECT_EQ(*read, one) << text(one.plan);
        }
    }
    EXPECT_FALSE(loaded_plan(default_scenario()));
}

/// dp 8 x pp 16 x tp 4 are 512 chips, in domains of four.
TEST(LoadedPlan, SaysWhatItDoesNotSuit) {
    Scenario scenario = planned_on("a100-nvs4", 512, "1d");
    Plan plan;
    plan.data = 8;
    plan.pipeline = 16;
    plan.tensor1 = plan.placement.tensor1 = 4;
    scenario.plan.loaded = plan;
    EXPECT_EQ(why_not(scenario), "it suits");
    Scenario other = scenario;
    other.planning.chips = 256;
    EXPECT_EQ(why_not(other), "It is for 512 chips, and the scenario has 256.");
    other = scenario;
    other.batch = 1020; // is 8 x 127.5
    EXPECT_THAT(why_not(other), HasSubstr("1020 samples of the batch do not divide by 8"));
    other = scenario;
    other.hardware = *machine_preset("tpu-v5p");
    EXPECT_EQ(why_not(other), "It names no axes of a torus, and tpu-v5p is one.");
    other = planned_on("a100-nvs4", 776, "1d"); // 8 x 97
    other.plan.loaded = plan;
    other.plan.loaded->pipeline = 1;
    other.plan.loaded->tensor1 = 97;
    other.plan.loaded->placement.tensor1 = 1;
    EXPECT_THAT(why_not(other), HasSubstr("96 heads leave nothing for each of 97"));
}

/// Its GEMMs have the slice counts and times that the plan was read with.
TEST(LoadedPlan, AGroupOnATorusIsAScenario) {
    const Scenario scenario = planned_on("tpu-v5p", 64, "all");
    PlanQuestion of_meshslice = *plan_question(scenario);
    of_meshslice.split.strategy = "meshslice";
    const auto found = answer(of_meshslice, 200);
    ASSERT_TRUE(found);
    const auto meshed = std::ranges::find_if(found->search.ranked, [](const RankedPlan& one) {
        return one.plan.tensor1 > 1 && one.plan.tensor2 > 1;
    });
    ASSERT_NE(meshed, found->search.ranked.end());
    const Plan& plan = meshed->plan;
    Scenario busy = scenario;
    busy.plan.slices = 2;
    busy.plan.block = 4;
    busy.assume.faults.jitter = Time(500);
    busy.plan.loaded = plan;
    const auto group = tensor_group_scenario(busy, plan);
    ASSERT_TRUE(group) << group.error().sentence;
    EXPECT_EQ(group->mesh[0], plan.tensor2);
    EXPECT_EQ(group->mesh[1], plan.tensor1);
    EXPECT_EQ(group->batch, plan.micro_batch);
    EXPECT_EQ(group->plan.algorithm, "meshslice");
    EXPECT_EQ(group->hardware.title, "TPU v5p");
    EXPECT_EQ(group->plan.loaded, plan);
    EXPECT_EQ(group->planning.batch, 1024);
    EXPECT_EQ(*asked_plans(*group),
              (AskedPlans{*plan_question(*group), ChosenPlan{*plan_question(*group), plan}}));
    const auto model = plan_model(*plan_question(scenario));
    ASSERT_TRUE(model);
    const auto tuned = model->tuned(plan);
    const auto step = estimated_step(*group, group->plan.algorithm);
    ASSERT_TRUE(tuned && step) << (step ? "" : step.error().sentence);
    ASSERT_EQ(step->gemms.size(), 3 * tuned->size());
    for (std::size_t k = 0; k < step->gemms.size(); ++k) {
        const TunedGemm& its = (*tuned)[k / 3].gemms[k % 3];
        EXPECT_EQ(step->gemms[k].options.slices, its.options.slices) << step->gemms[k].title();
        EXPECT_EQ(step->gemms[k].estimate.total, its.estimate.total) << step->gemms[k].title();
    }
    const auto again = read_scenario(write_scenario(*group), "group");
    ASSERT_TRUE(again) << again.error().sentence;
    EXPECT_EQ(*again, *group);
}

/// A chip of a group holds what its plan says: a stage's layers, and what ZeRO leaves of their state. All
/// layers of GPT-3 175B on four chips would be 350 GB of weights by themselves.
TEST(LoadedPlan, AGroupHoldsWhatItsPlanSays) {
    for (const char* strategy : {"meshslice", "1d"}) {
        const Scenario scenario = planned_on("tpu-v5p", 512, strategy);
        const auto found = answer(*plan_question(scenario), 60);
        ASSERT_TRUE(found) << found.error().sentence;
        int groups = 0;
        for (const RankedPlan& one : found->search.ranked) {
            const auto group = tensor_group_scenario(scenario, one.plan);
            if (!group || groups == 8) {
                continue;
            }
            ++groups;
            const auto step = estimated_step(*group, group->plan.algorithm);
            ASSERT_TRUE(step) << step.error().sentence;
            EXPECT_EQ(step->memory, one.reading.memory) << text(one.plan);
            EXPECT_EQ(step->fits(), one.reading.fits);
            EXPECT_THAT(fit_words(*step), EndsWith(" in its plan"));
            EXPECT_THAT(memory_scope_words(*step), HasSubstr("Counted as in its plan of 512 chips: the "));
        }
        EXPECT_EQ(groups, 8) << strategy;
    }
}

/// On another mesh the plan cannot be run, so all layers are on these chips; with another micro-batch it can.
TEST(LoadedPlan, AnEditedGroupHoldsWhatItHas) {
    const Scenario scenario = planned_on("tpu-v5p", 512, "meshslice");
    const auto found = answer(*plan_question(scenario), 60);
    ASSERT_TRUE(found);
    const auto at = std::ranges::find_if(found->search.ranked, [](const RankedPlan& one) {
        return one.plan.tensor1 > 1 && one.plan.schedule.kind == PipelineKind::one_f_one_b &&
               one.reading.micro_batches % 2 == 0;
    });
    ASSERT_NE(at, found->search.ranked.end());
    Scenario group = *tensor_group_scenario(scenario, at->plan);
    group.batch = 2 * at->plan.micro_batch;
    const auto twice = group_of_plan(group);
    ASSERT_TRUE(twice);
    EXPECT_EQ(twice->plan.micro_batch, group.batch);
    group.mesh = {1, 7}; // 96 heads
    EXPECT_FALSE(group_of_plan(group));
    group.mesh = {static_cast<std::int32_t>(at->plan.tensor2),
                  static_cast<std::int32_t>(2 * at->plan.tensor1)}; // twice the chips that the plan is for
    EXPECT_FALSE(group_of_plan(group));
    group.mesh = {static_cast<std::int32_t>(at->plan.tensor2), static_cast<std::int32_t>(at->plan.tensor1)};
    group.planning.batch.reset();
    EXPECT_FALSE(group_of_plan(group)) << "a scenario with a plan is not a group of it";
}

/// Where MeshSlice is compared with a plan that is 1D, its chips hold its buffers, and not the input that 1D
/// gathers whole.
TEST(LoadedPlan, AnAlgorithmNextToAGroupOf1DHoldsItsOwnBuffers) {
    const Scenario scenario = planned_on("tpu-v5p", 512, "1d");
    const auto found = answer(*plan_question(scenario), 60);
    ASSERT_TRUE(found);
    const auto at = std::ranges::find_if(found->search.ranked, [](const RankedPlan& one) {
        return one.plan.tensor1 >= 4 && one.plan.recompute != Recompute::full;
    });
    ASSERT_NE(at, found->search.ranked.end());
    const Scenario group = *tensor_group_scenario(scenario, at->plan);
    const auto own = estimated_step(group, "1d-tp"), other = estimated_step(group, "meshslice");
    ASSERT_TRUE(own && other) << (other ? "" : other.error().sentence);
    EXPECT_EQ(own->memory.weights, other->memory.weights);
    EXPECT_EQ(own->memory.activations, other->memory.activations);
    Bytes largest;
    for (const GemmResult& result : other->gemms) {
        largest = std::max(largest, result.memory.buffers);
    }
    EXPECT_GT(largest, Bytes(0));
    // Both keep what is computed again in the backward pass, if anything is, and gather ZeRO 3's weights.
    const auto model = plan_model(*plan_question(scenario));
    const double gathered = model->block(at->plan).gathered;
    EXPECT_GT(gathered, 0);
    EXPECT_EQ(own->memory.buffers - other->memory.buffers, gathered - static_cast<double>(largest.value()));
}

TEST(LoadedPlan, AGroupOf1DIsARing) {
    const Scenario scenario = planned_on("tpu-v5p", 64, "1d");
    const auto found = answer(*plan_question(scenario), 20);
    ASSERT_TRUE(found);
    const auto ring = std::ranges::find_if(found->search.ranked,
                                           [](const RankedPlan& one) { return one.plan.tensor1 > 1; });
    ASSERT_NE(ring, found->search.ranked.end());
    const auto group = tensor_group_scenario(scenario, ring->plan);
    ASSERT_TRUE(group) << group.error().sentence;
    EXPECT_EQ(group->mesh, (std::vector<std::int32_t>{1, static_cast<std::int32_t>(ring->plan.tensor1)}));
    const auto step = estimated_step(*group, group->plan.algorithm);
    EXPECT_TRUE(step) << step.error().sentence;
}

TEST(LoadedPlan, OtherGroupsSayWhyTheyAreNoScenario) {
    Plan plan;
    plan.tensor1 = 4;
    EXPECT_THAT(why_no_tensor_group(*machine_preset("b200-nvs8"), plan), HasSubstr("run no programs"));
    EXPECT_EQ(why_no_tensor_group(*machine_preset("tpu-v5p"), plan), "");
    plan.tensor1 = 1;
    EXPECT_THAT(why_no_tensor_group(*machine_preset("tpu-v5p"), plan), HasSubstr("is one chip"));
    EXPECT_FALSE(tensor_group_scenario(planned_on("b200-nvs8", 4, "all"), plan));
}

/// 3 of what the best takes 2 of is 50% slower.
TEST(LoadedPlan, IsComparedWithTheBest) {
    const Scenario scenario = planned_on("a100-nvs4", 512, "1d");
    auto found = answer(*plan_question(scenario), 3);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->place_of_loaded(), std::nullopt);
    const std::size_t before = found->plans().size();
    found->loaded = found->best();
    EXPECT_THAT(loaded_finding(*found), HasSubstr("a step, the best found."));
    EXPECT_EQ(found->place_of_loaded(), 0u);
    EXPECT_EQ(found->plans().size(), before);
    found->loaded->plan.micro_batch = 64; // not ranked
    found->loaded->reading.time.total = 1.5 * found->best().reading.time.total;
    EXPECT_THAT(loaded_finding(*found), HasSubstr("50% slower than the best found."));
    EXPECT_EQ(found->place_of_loaded(), 3u);
    EXPECT_EQ(found->plans().size(), before + 1);
    const Chart bars = plan_bars(*found);
    ASSERT_EQ(bars.panels[0].y.categories.size(), 4u);
    EXPECT_THAT(bars.panels[0].y.remarks[3], HasSubstr("(pinned)"));
    EXPECT_EQ(bars.panels[0].y.items[3], 3);
    found->loaded->reading.time.total = 0.8 * found->best().reading.time.total;
    EXPECT_THAT(loaded_finding(*found), HasSubstr("20% faster than the best found."));
    found->loaded->reading.fits = false;
    EXPECT_THAT(loaded_finding(*found), HasSubstr("It does not fit: "));
}

} // namespace
} // namespace meshslice
