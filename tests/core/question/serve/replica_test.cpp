#include "core/evidence/inference/inference_rows.h"
#include "core/machine/catalogue.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/replica/replica.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

ServingAsked serving(const char* model, const char* machine, Efficiency efficiency) {
    const Result<ServedModel> served = served_model(model_preset(model).value());
    EXPECT_TRUE(served.has_value()) << served.error().sentence;
    ServingAsked asked{served.value(), machine_preset(machine).value(), "tensorrt-llm", efficiency};
    asked.batch = 1;
    asked.input = 1024;
    asked.output = 2;
    return asked;
}

TEST(Replica, DecodesAsFastAsItReadsItsWeightsAndItsCache) {
    // A block of LLaMA 3 8B: 4096 x 6144 for Q, K and V, 4096 x 4096, three matrices of 4096 x 14336; 32 of
    // them, two bytes each; a head of 4096 x 128256. A token keeps 2 x 8 x 128 numbers a block, and the
    // middle of two tokens after 1024 is at 1025.
    const double block = 4096.0 * 6144 + 4096.0 * 4096 + 3 * 4096.0 * 14336;
    const double bytes = 2 * (32 * block + 4096.0 * 128256 + 32 * 2 * 8 * 128 * 1025.0);
    const Replica one = replica_of(serving("llama-3-8b", "tpu-v5e", Efficiency::ideal), 1).value();
    EXPECT_NEAR(step_seconds(one, ServedPhase::decode, middle_context(one)), bytes / 8.1e11,
                1e-3 * bytes / 8.1e11);
    EXPECT_EQ(bound_of(step_costs(one, ServedPhase::decode, 1025)), ServedBound::memory);
}

TEST(Replica, PrefillsAsFastAsItMultiplies) {
    // 2 FLOP for each weight of a block and token, 4 x 4096 for each pair of tokens, of which a token sees
    // half; the head takes the last token alone.
    const double block = 4096.0 * 6144 + 4096.0 * 4096 + 3 * 4096.0 * 14336;
    const double flop = 32 * (2 * 1024 * block + 4 * 4096.0 * 1024 * 1024 / 2);
    const Replica one = replica_of(serving("llama-3-8b", "tpu-v5e", Efficiency::ideal), 1).value();
    const double head = 2 * 4096.0 * 128256 / 8.1e11; // is read
    EXPECT_NEAR(step_seconds(one, ServedPhase::prefill, 0), flop / 1.97e14 + head, 1e-3 * flop / 1.97e14);
    const ServedOperations costs = step_costs(one, ServedPhase::prefill, 0);
    EXPECT_NEAR(costs[0].flop, 32 * 2 * 1024 * block, 1e-9 * costs[0].flop);
    EXPECT_EQ(bound_of(costs), ServedBound::compute);
}

TEST(Replica, IsTheLawOfTheEvidence) {
    for (const auto& [model, machine, known] :
         {std::tuple("llama-3-70b", "h100", "llama3-70b"), std::tuple("deepseek-v3", "h200", "deepseek-v3"),
          std::tuple("mixtral-8x7b", "h100", "mixtral-8x7b")}) {
        SCOPED_TRACE(model);
        ServingAsked asked = serving(model, machine, Efficiency::measured);
        asked.batch = 16;
        asked.output = 256;
        const Replica one = replica_of(asked, 8).value();
        ASSERT_EQ(one.model.measured, inference_facts().model(known));
        ASSERT_NE(one.chip.measured, nullptr);
        InferenceAsked law;
        law.model = one.model.measured;
        law.chip = one.chip.measured;
        law.tensor = 8;
        law.batch = 16;
        law.input = 1024;
        law.output = 256;
        const double next = decode_step(law, 1152, one.chip.values).total();
        EXPECT_NEAR(step_seconds(one, ServedPhase::decode, 1152), next, 1e-6 * next);
        const double first = prefill_step(law, one.chip.values).total();
        EXPECT_NEAR(step_seconds(one, ServedPhase::prefill, 0), first, 1e-6 * first);
        const double memory = inference_memory(law, one.chip.values);
        EXPECT_NEAR(served_memory(one).total(), memory, 2e-3 * memory); // parameters are rounded there
    }
}

TEST(Replica, WindowsBoundTheCache) {
    // Half of the 36 blocks of gpt-oss see 128 tokens; each token keeps 2 x 8 x 64 numbers a block.
    const ServedModel model = served_model(model_preset("gpt-oss-120b").value()).value();
    EXPECT_DOUBLE_EQ(model.cached_numbers(8192, 1), 18 * 1024.0 * (128 + 8192));
    EXPECT_DOUBLE_EQ(model.cached_numbers(8192, 8), 18 * 128.0 * (128 + 8192));
    EXPECT_DOUBLE_EQ(model.cached_numbers(8192, 16), 18 * 128.0 * (128 + 8192)); // heads are repeated
}

TEST(Replica, HeadsLimitTheSplit) {
    const ServedModel model = served_model(model_preset("llama-3-70b").value()).value();
    EXPECT_EQ(split_objection(model, 16), "");
    EXPECT_EQ(split_objection(model, 3), "64 query heads cannot be split over 3 chips.");
    EXPECT_FALSE(replica_of(serving("llama-3-70b", "h100", Efficiency::measured), 3));
}

TEST(Replica, CountsTheRequestsThatFit) {
    // 16 GB less 8,030,261,248 bytes of weights, over 4096 tokens of 65,536 bytes: 29.7.
    ServingAsked asked = serving("llama-3-8b", "tpu-v5e", Efficiency::ideal);
    asked.weight_bytes = asked.cache_bytes = 1;
    asked.input = 4000;
    asked.output = 96;
    Replica one = replica_of(asked, 1).value();
    EXPECT_EQ(most_batch(one), 29);
    one.batch = 29;
    EXPECT_TRUE(fits(one));
    one.batch = 30;
    EXPECT_FALSE(fits(one));
    one.weight_bytes = 2;
    EXPECT_EQ(most_batch(one), 0);
}

TEST(Replica, ProductsTurnToArithmeticAtTheRidge) {
    // 197 TFLOP/s over 810 GB/s are 243 FLOP a byte: 243 tokens for weights of two bytes, half of that for
    // those of one; more as tokens are bytes too.
    ServingAsked asked = serving("llama-3-70b", "tpu-v5e", Efficiency::ideal);
    const double whole = critical_batch(replica_of(asked, 1).value());
    EXPECT_GT(whole, 243);
    EXPECT_LT(whole, 1.1 * 243);
    asked.weight_bytes = 1;
    const double half = critical_batch(replica_of(asked, 1).value());
    EXPECT_GT(half, 121);
    EXPECT_LT(half, 1.1 * 122);
}

TEST(Replica, SplitsCostLinks) {
    // Two sums of 2 x 8192 bytes a block and token; a ring of 8 chips moves 7/4 of them.
    ServingAsked asked = serving("llama-3-70b", "tpu-v5e", Efficiency::ideal);
    asked.batch = 64;
    const ServedOperations costs = step_costs(replica_of(asked, 8).value(), ServedPhase::decode, 1025);
    EXPECT_NEAR(costs[4].bytes, 80 * 2 * 2 * 8192 * 64 * 1.75, 1);
    EXPECT_EQ(costs[4].bound, ServedBound::link);
    // Of 16 chips 30/16, at the rate of the 4 x 4 that they form.
    const Replica wide = replica_of(asked, 16).value();
    const ServedOperations more = step_costs(wide, ServedPhase::decode, 1025);
    EXPECT_NEAR(more[4].bytes, 80 * 2 * 2 * 8192 * 64 * 1.875, 1);
    EXPECT_NEAR(more[4].seconds, more[4].bytes / all_reduce_rate(asked.machine, 16).value(), 1e-9);
    EXPECT_EQ(step_costs(replica_of(asked, 1).value(), ServedPhase::decode, 1025)[4].seconds, 0);
}

TEST(Replica, EveryPresetDecodesOrSaysWhyNot) {
    for (const Transformer& model : model_presets()) {
        SCOPED_TRACE(model.name);
        const Result<ServedModel> served = served_model(model);
        if (!served) {
            EXPECT_THAT(served.error().sentence, HasSubstr(model.title));
            continue;
        }
        ServingAsked asked{*served, machine_preset("h200").value(), "vllm", Efficiency::measured};
        asked.batch = 4;
        const Result<Replica> one = chosen_replica(asked);
        ASSERT_TRUE(one) << one.error().sentence;
        const ServedTimes times = served_times(*one);
        EXPECT_GT(times.ttft, 0);
        EXPECT_LT(times.ttft, 10);
        EXPECT_GT(times.tpot, 0);
        EXPECT_LT(times.tpot, 1);
    }
}

TEST(Replica, EveryMachineServesOrSaysWhyNot) {
    const ServedModel model = served_model(model_preset("llama-3-8b").value()).value();
    for (const Machine& machine : machine_presets()) {
        SCOPED_TRACE(machine.name);
        ServingAsked asked{model, machine, "vllm", Efficiency::measured};
        const Result<Replica> one = chosen_replica(asked);
        if (!one) {
            EXPECT_THAT(one.error().sentence, testing::EndsWith("."));
            continue;
        }
        EXPECT_GT(served_times(*one).tpot, 0);
        EXPECT_LT(served_times(*one).tpot, 1);
        EXPECT_NE(one->chip.constants, "");
    }
}

TEST(Frontier, MarksWhatNothingBeats) {
    ServingAsked asked = serving("llama-3-8b", "h100", Efficiency::measured);
    asked.output = 256;
    const std::vector<ServingPoint> points = serving_frontier(asked, {}).value();
    ASSERT_FALSE(points.empty());
    for (const ServingPoint& one : points) {
        const bool beaten = std::ranges::any_of(points, [&](const ServingPoint& other) {
            return other.fits && other.times.per_user > one.times.per_user &&
                   other.times.per_chip > one.times.per_chip;
        });
        EXPECT_FALSE(one.best && (beaten || !one.fits)) << one.tensor << ' ' << one.batch;
    }
}

TEST(Frontier, GoalsAreLimits) {
    const std::vector<ServingLimit> limits = parse_goal("ttft_p95<500ms,tpot<30ms").value();
    ASSERT_EQ(limits.size(), 2U);
    EXPECT_EQ(limits[0].quantity, "ttft");
    EXPECT_DOUBLE_EQ(limits[0].value, 0.5);
    EXPECT_DOUBLE_EQ(limits[1].value, 0.03);
    EXPECT_TRUE(limits[1].met({.tpot = 0.02}));
    EXPECT_FALSE(limits[1].met({.tpot = 0.04}));
    for (const char* wrong : {"", "ttft", "ttft>1s", "size<3", "tpot<-1s", "tpot<30ms,"}) {
        EXPECT_FALSE(parse_goal(wrong)) << wrong;
    }
}

TEST(Frontier, AdvisesTheFewestChips) {
    // Of two chips a replica both batches meet the goal, and the second gives a chip more.
    const auto point = [](std::int64_t tensor, std::int64_t batch, double tpot, double per_chip) {
        ServingPoint made;
        made.tensor = tensor;
        made.batch = batch;
        made.times.tpot = tpot;
        made.times.per_chip = per_chip;
        return made;
    };
    const std::vector<ServingPoint> points = {point(1, 1, 0.04, 30), point(2, 1, 0.02, 25),
                                              point(2, 8, 0.03, 130), point(4, 8, 0.02, 100)};
    const ServingAdvice advice = serving_advice(points, parse_goal("tpot<30ms").value());
    ASSERT_EQ(advice.meeting.size(), 2U);
    EXPECT_EQ(advice.meeting[0].tensor, 2);
    EXPECT_EQ(advice.meeting[0].batch, 8);
    EXPECT_EQ(advice.meeting[1].tensor, 4);
    const ServingAdvice none = serving_advice(points, parse_goal("tpot<10ms").value());
    EXPECT_TRUE(none.meeting.empty());
    EXPECT_EQ(none.nearest.tensor, 2);
    EXPECT_EQ(none.missed, "tpot");
}

} // namespace
} // namespace meshslice
