#include "core/evidence/expected_plan.h"
#include "core/machine/catalogue.h"
#include "core/plan/search/advice/context_exchanges.h"
#include "core/plan/search/chosen_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice {
namespace {

using testing::HasSubstr;

PlanQuestion on_8_chips(double pcie) {
    PlanQuestion question;
    question.model = *model_preset("llama-3-8b");
    question.sequence = 8192;
    question.batch = 32;
    question.machine = *machine_preset("h100-nvs8");
    question.machine.pcie.value = Bandwidth(pcie);
    question.chips = 8;
    question.ends = question.optimizer_step = true;
    question.split.strategy = "1d";
    question.split.offload = 50;
    return question;
}

Plan sharded(std::int64_t offload) {
    Plan plan;
    plan.data = plan.placement.data = 8;
    plan.zero = 3;
    plan.offload = offload;
    return plan;
}

/// Half of what 32 layers keep is in the host's memory; of one layer's twice is on its way.
TEST(Offload, HalfOfTheActivationsWaitInTheHostsMemory) {
    const PlanModel model = plan_model(on_8_chips(640e9)).value();
    const LayerCost all = model.layer(sharded(0)), half = model.layer(sharded(50));
    EXPECT_DOUBLE_EQ(half.offloaded, all.kept / 2);
    EXPECT_DOUBLE_EQ(half.kept, all.kept / 2);
    EXPECT_DOUBLE_EQ(half.buffer - all.buffer, 2 * half.offloaded);
    const PlanReading before = model.reading(sharded(0), all), after = model.reading(sharded(50), half);
    EXPECT_DOUBLE_EQ(after.memory.activations, before.memory.activations / 2);
    EXPECT_DOUBLE_EQ(after.host_memory, before.memory.activations / 2);
    EXPECT_EQ(before.host_memory, 0);
}

/// At 640 GB/s the copies are shorter than a layer's passes, which hide them; at 1 GB/s each takes its time
/// but that of the pass, for all micro-batches and layers.
TEST(Offload, ComputingHidesTheCopiesAsFarAsItLasts) {
    const PlanModel fast = plan_model(on_8_chips(640e9)).value();
    const double without = fast.reading(sharded(0), fast.layer(sharded(0))).time.total;
    const LayerCost quick = fast.layer(sharded(50));
    ASSERT_LT(quick.offloaded / 640e9, fast.layer(sharded(0)).forward.time());
    EXPECT_EQ(fast.reading(sharded(50), quick).time.host, 0);
    EXPECT_NEAR(fast.reading(sharded(50), quick).time.total, without, 1e-9);
    EXPECT_THAT(offload_words(fast, sharded(50)), HasSubstr("Computing hides both ways."));

    const PlanModel slow = plan_model(on_8_chips(1e9)).value();
    const LayerCost plain = slow.layer(sharded(0));
    const PlanReading reading = slow.reading(sharded(50), slow.layer(sharded(50)));
    const double copy = plain.kept / 2 / 1e9;
    EXPECT_NEAR(reading.time.host, 32 * 4 * (2 * copy - plain.forward.time() - plain.backward.time()), 1e-6)
        << "32 layers of 4 micro-batches";
    EXPECT_GT(reading.time.total, without);
    EXPECT_THAT(offload_words(slow, sharded(50)), HasSubstr("hides all but"));
}

/// A search has it of all its plans, each read as by itself; nothing is expected of them, as no measured run
/// does so.
TEST(Offload, IsOfAllPlansOfASearch) {
    const PlanQuestion question = on_8_chips(20e9);
    const PlanAnswer found = answer(question, 10).value();
    const PlanModel model = plan_model(question).value();
    for (const RankedPlan& one : found.search.ranked) {
        EXPECT_EQ(one.plan.offload, 50);
        EXPECT_EQ(one.reading, model.reading(one.plan, model.layer(one.plan)));
    }
    EXPECT_FALSE(ranked_by(question));
    EXPECT_THAT(expected_step(question, found.best().plan).reason, HasSubstr("host's memory"));
}

TEST(Offload, NeedsAWayToTheHost) {
    const PlanQuestion question = on_8_chips(0);
    EXPECT_THAT(answer(question, 1).error().sentence, HasSubstr("and its host is not known"));
    EXPECT_THAT(plan_model(question).value().check(sharded(50)).error().sentence,
                HasSubstr("cannot be offloaded"));
    EXPECT_TRUE(plan_model(question).value().check(sharded(0)));
}

} // namespace
} // namespace meshslice
