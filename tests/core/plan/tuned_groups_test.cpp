#include "core/base/concurrently.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/plan_search.h"
#include "core/plan/tuned_groups.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace meshslice::test {
namespace {

PlanModel model_on(const char* on, const char* of, std::int64_t batch, std::shared_ptr<TunedGroups> groups) {
    return PlanModel::of(training_run(*model_preset(of), 2048, batch).value(), *machine_preset(on),
                         ModelRules::exact, std::move(groups))
        .value();
}

PlanSearch search(const PlanModel& model, std::int64_t chips) {
    PlanSpace space;
    space.chips = chips;
    EXPECT_TRUE(set_strategies(space, "all", true));
    space.choices = plan_choices({}).value();
    return search_plans(model, space, 20).value();
}

void expect_same(const PlanSearch& one, const PlanSearch& other) {
    EXPECT_EQ(one.candidates, other.candidates);
    EXPECT_EQ(one.feasible, other.feasible);
    EXPECT_EQ(one.ranked, other.ranked);
    EXPECT_EQ(one.frontier, other.frontier);
    EXPECT_EQ(one.smallest, other.smallest);
}

/// A group of 4 columns and so many rows, each side along an axis of its own.
Plan group(const char* id, std::int64_t rows, std::int64_t micro_batch) {
    Plan plan;
    plan.strategy = TensorStrategy::of_algorithm;
    plan.algorithm = *algorithm(id);
    plan.tensor1 = 4;
    plan.tensor2 = rows;
    plan.micro_batch = micro_batch;
    plan.axes = {Placement{4, 1, 1, 1}, Placement{1, rows, 1, 1}, Placement{}};
    return plan;
}

std::vector<std::array<TunedGemm, 3>> gemms_of(const std::vector<TunedLayer>& layers) {
    std::vector<std::array<TunedGemm, 3>> all;
    for (const TunedLayer& layer : layers) {
        all.push_back(layer.gemms);
    }
    return all;
}

/// QKV, Output, FF1 and FF2, three GEMMs each, no two of one shape and dataflow: 12 of every group that is
/// new, by micro-batch, by chip, by algorithm.
TEST(TunedGroups, TuneEachGroupOnce) {
    const auto groups = std::make_shared<TunedGroups>();
    const PlanModel v5p = model_on("tpu-v5p", "gpt3-175b", 16, groups);
    const auto first = gemms_of(v5p.tuned(group("meshslice", 4, 1)).value());
    EXPECT_EQ(groups->tunings(), 12);
    EXPECT_EQ(gemms_of(v5p.tuned(group("meshslice", 4, 1)).value()), first);
    EXPECT_EQ(groups->tunings(), 12);
    const auto second = gemms_of(v5p.tuned(group("meshslice", 4, 2)).value());
    EXPECT_NE(second, first);
    EXPECT_EQ(groups->tunings(), 24);
    const PlanModel v4 = model_on("tpu-v4", "gpt3-175b", 16, groups);
    const auto third = gemms_of(v4.tuned(group("meshslice", 4, 1)).value());
    EXPECT_NE(third, first);
    EXPECT_EQ(groups->tunings(), 36);
    EXPECT_NE(gemms_of(v4.tuned(group("collective", 4, 1)).value()), third);
    EXPECT_EQ(groups->tunings(), 48);
    // Another batch and hardware that is equal: all of it is there.
    const PlanModel again = model_on("tpu-v5p", "gpt3-175b", 64, groups);
    EXPECT_EQ(gemms_of(again.tuned(group("meshslice", 4, 1)).value()), first);
    EXPECT_EQ(gemms_of(again.tuned(group("meshslice", 4, 2)).value()), second);
    EXPECT_EQ(groups->tunings(), 48);
    EXPECT_EQ(groups->size(), 48u);
}

/// The same mesh as part of a larger torus, whose axes are rings, is another one.
TEST(TunedGroups, TellRingsFromLines) {
    const auto groups = std::make_shared<TunedGroups>();
    const PlanModel model = model_on("tpu-v5p", "gpt3-175b", 16, groups);
    Plan plan = group("meshslice", 4, 1);
    const auto lines = gemms_of(model.tuned(plan).value());
    plan.data = 4; // 4 x 4 x 4 chips are a cube of rings
    plan.axes[2] = Placement{1, 1, 4, 1};
    EXPECT_NE(gemms_of(model.tuned(plan).value()), lines);
    EXPECT_EQ(groups->tunings(), 24);
}

/// Machine with one number edited is another one; where nothing is remembered of the first, it may have
/// gone.
TEST(TunedGroups, TellHardwareByEveryNumber) {
    TunedGroups groups;
    const Machine v5p = *machine_preset("tpu-v5p");
    Machine slower = v5p;
    slower.hbm_bandwidth.value = Bandwidth(slower.hbm_bandwidth.value.value() / 2);
    const auto one = groups.known(v5p);
    EXPECT_EQ(groups.known(v5p), one);
    const auto other = groups.known(slower);
    EXPECT_NE(other, one);
    EXPECT_EQ(*other, slower);
    EXPECT_EQ(*groups.known(v5p), v5p);
}

/// Cannon needs a square, 4 x 2 is none.
TEST(TunedGroups, RememberRefusals) {
    const auto groups = std::make_shared<TunedGroups>();
    const PlanModel model = model_on("tpu-v5p", "gpt3-175b", 16, groups);
    const auto first = model.tuned(group("cannon", 2, 1));
    ASSERT_FALSE(first);
    EXPECT_FALSE(first.error().sentence.empty());
    const std::int64_t tunings = groups->tunings();
    EXPECT_GE(tunings, 1);
    const auto again = model.tuned(group("cannon", 2, 1));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error(), first.error());
    EXPECT_EQ(groups->tunings(), tunings);
}

/// Room for 20: the 12 of a second group take the place of the first 12, and what is found is the same.
TEST(TunedGroups, ForgetAllWhenTheyAreFull) {
    const auto groups = std::make_shared<TunedGroups>(20);
    const PlanModel model = model_on("tpu-v5p", "gpt3-175b", 16, groups);
    const auto first = gemms_of(model.tuned(group("meshslice", 4, 1)).value());
    EXPECT_EQ(groups->size(), 12u);
    const auto second = gemms_of(model.tuned(group("meshslice", 4, 2)).value());
    EXPECT_EQ(groups->size(), 12u);
    EXPECT_EQ(gemms_of(model.tuned(group("meshslice", 4, 2)).value()), second);
    EXPECT_EQ(groups->tunings(), 24);
    EXPECT_EQ(gemms_of(model.tuned(group("meshslice", 4, 1)).value()), first);
    EXPECT_EQ(groups->tunings(), 36);
}

/// After searches on other chips, of another batch and of another number of chips, and a second time.
TEST(TunedGroups, SearchesAnswerTheSameWithThem) {
    const auto groups = std::make_shared<TunedGroups>();
    for (const char* on : {"tpu-v5p", "tpu-v5e", "tpu-v4"}) {
        SCOPED_TRACE(on);
        const PlanSearch alone = search(model_on(on, "llama-3-8b", 16, {}), 16);
        EXPECT_GT(alone.candidates, 0);
        static_cast<void>(search(model_on(on, "llama-3-8b", 8, groups), 16));
        static_cast<void>(search(model_on(on, "llama-3-8b", 16, groups), 8));
        const PlanModel model = model_on(on, "llama-3-8b", 16, groups);
        expect_same(search(model, 16), alone);
        const std::int64_t tunings = groups->tunings();
        expect_same(search(model, 16), alone);
        EXPECT_EQ(groups->tunings(), tunings);
    }
    const auto too_small = std::make_shared<TunedGroups>(30); // forgets again and again
    expect_same(search(model_on("tpu-v5p", "llama-3-8b", 16, too_small), 16),
                search(model_on("tpu-v5p", "llama-3-8b", 16, {}), 16));
    EXPECT_LE(too_small->size(), 30u);
}

/// Micro-batches of 16 samples have 1, 2, 4, 8 or 16; those of 8 the first four; of 32, 32 too. And none is
/// tuned twice in a search: all that were tuned are remembered.
TEST(TunedGroups, AnotherBatchOfTheSameMicroBatchesTunesNothing) {
    const auto groups = std::make_shared<TunedGroups>();
    static_cast<void>(search(model_on("tpu-v5p", "llama-3-8b", 16, groups), 16));
    const std::int64_t of_16 = groups->tunings();
    EXPECT_GT(of_16, 0);
    EXPECT_EQ(static_cast<std::size_t>(of_16), groups->size());
    static_cast<void>(search(model_on("tpu-v5p", "llama-3-8b", 8, groups), 16));
    EXPECT_EQ(groups->tunings(), of_16);
    static_cast<void>(search(model_on("tpu-v5p", "llama-3-8b", 32, groups), 16));
    EXPECT_GT(groups->tunings(), of_16);
}

/// Tuning, on all cores, is most of a search: it can be stopped before any of it, and says how far it is.
TEST(TunedGroups, SearchesCanBeStoppedAndSayHowFarTheyAre) {
    const auto groups = std::make_shared<TunedGroups>();
    const PlanModel model = model_on("tpu-v5p", "llama-3-8b", 16, groups);
    PlanSpace space;
    space.chips = 16;
    ASSERT_TRUE(set_strategies(space, "all", true));
    std::stop_source stop;
    stop.request_stop();
    std::atomic<double> progress = 0;
    RunControl control{stop.get_token(), &progress};
    EXPECT_FALSE(search_plans(model, space, 5, control));
    EXPECT_EQ(groups->tunings(), 0);
    EXPECT_EQ(progress, 0);
    control.stop = {};
    progress = 0;
    EXPECT_TRUE(search_plans(model, space, 5, control));
    EXPECT_NEAR(progress, 1, 1e-9);
}

/// Four searches at once, two of them of the same plans: each as it is alone.
TEST(TunedGroups, AreThereForSeveralThreads) {
    const std::vector<std::int64_t> batches = {8, 16, 8, 4};
    std::vector<PlanSearch> alone, together(batches.size());
    for (const std::int64_t batch : batches) {
        alone.push_back(search(model_on("tpu-v5p", "llama-3-8b", batch, {}), 8));
    }
    const auto groups = std::make_shared<TunedGroups>(200); // which some forget while others read
    EXPECT_TRUE(for_each_concurrently(batches.size(), 4, [&](std::size_t k) {
        together[k] = search(model_on("tpu-v5p", "llama-3-8b", batches[k], groups), 8);
        return true;
    }));
    for (std::size_t k = 0; k < batches.size(); ++k) {
        SCOPED_TRACE(batches[k]);
        expect_same(together[k], alone[k]);
    }
    EXPECT_LE(groups->size(), 200u);
}

} // namespace
} // namespace meshslice::test
