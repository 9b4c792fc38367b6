// What a chip of a training run holds besides its layers, by hand.

#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/search/plan_question.h"
#include "core/scenario/fields.h"
#include "tests/core/plan/plan_spaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

namespace meshslice::test {
namespace {

using ::testing::HasSubstr;

TrainingRun counted(const char* model, std::int64_t sequence, std::int64_t batch) {
    TrainingRun run = training_run(*model_preset(model), sequence, batch).value();
    run.ends = run.optimizer_step = true;
    run.keeps.logits = DataType::fp32;
    run.keeps.logit_gradients = DataType::bf16;
    return run;
}

PlanReading read_on(const TrainingRun& run, const char* machine, const Plan& plan) {
    return evaluate(run, *machine_preset(machine), plan, ModelRules::exact).value();
}

/// 8 samples of 8192 tokens on one chip of 8, all recomputed: 65,536 x 128,256 logits of 4 bytes, their
/// gradient of 2, and 4 bytes for each of 65,536 x 4096 inputs.
TEST(PlanMemory, LogitsAreThoseOfOneMicroBatch) {
    TrainingRun run = counted("llama-3-8b", 8192, 64);
    Plan plan;
    plan.data = 8;
    plan.placement = {1, 1, 8, 1};
    plan.zero = 3;
    plan.micro_batch = 8;
    plan.recompute = Recompute::full;
    const double logits = 65'536.0 * 128'256, inputs = 4 * 65'536.0 * 4096;
    const PlanReading all = read_on(run, "h100-nvs8", plan);
    EXPECT_NEAR(all.memory.logits, 6 * logits + inputs, 1);
    EXPECT_FALSE(all.fits); // 50 GB more than the 43 GB without them
    run.keeps.logits = DataType::bf16;
    EXPECT_NEAR(read_on(run, "h100-nvs8", plan).memory.logits, 4 * logits + inputs, 1);
    run.keeps.logit_gradients = {};
    EXPECT_NEAR(read_on(run, "h100-nvs8", plan).memory.logits, 2 * logits + inputs, 1);
    run.keeps.loss_chunks = 16;
    const PlanReading chunked = read_on(run, "h100-nvs8", plan);
    EXPECT_NEAR(chunked.memory.logits, 2 * logits / 16 + inputs, 1);
    EXPECT_TRUE(chunked.fits);
    EXPECT_GT(chunked.time.ends, all.time.ends); // 45 launches more
    run.keeps.logits = {};
    EXPECT_EQ(read_on(run, "h100-nvs8", plan).memory.logits, 0);
}

/// Megatron-LM says 18 bytes a parameter with gradients in fp32, 6 + 12 / dp where the optimizer's state is
/// shared, and 4 s b (h + v) bytes for the last norm, the head and the loss (report_theoretical_memory).
TEST(PlanMemory, IsMegatronsWhereItSpeaks) {
    std::mt19937 bits(18);
    for (int k = 0; k < 200; ++k) {
        Transformer model = *model_preset("llama-3-8b");
        model.layers = 8 << (bits() % 3);
        model.vocabulary = 32'000 + 128 * static_cast<std::int64_t>(bits() % 800);
        const std::int64_t data = 1 << (bits() % 4), tensor = 1 << (bits() % 3), micro = 1 << (bits() % 3),
                           sequence = 2048 << (bits() % 3);
        TrainingRun run = training_run(model, sequence, data * micro).value();
        run.ends = true;
        run.keeps.gradients = DataType::fp32;
        run.keeps.logits = DataType::fp32;
        Plan plan;
        plan.data = data;
        plan.tensor1 = tensor;
        plan.micro_batch = micro;
        plan.placement = {tensor, 1, 1, 1};
        const MemoryUse held = read_on(run, "b200-nvs8", plan).memory;
        const double h = 4096, v = static_cast<double>(model.vocabulary);
        const double layer = h * (h + 2 * 1024) + h * h + 3 * h * 14'336; // QKV, Output, the FFN
        const auto share = static_cast<double>(tensor);
        const double parameters = (static_cast<double>(model.layers) * layer + 2 * v * h) / share;
        // The formula has no weights of norms, of which every chip has all: a scale and a shift each.
        const double norms = static_cast<double>(model.layers) * 4 * h;
        EXPECT_NEAR(held.weights + held.embeddings + held.gradients + held.optimizer,
                    (parameters + norms) * (6 + 12 / static_cast<double>(data)), 1e-9 * parameters);
        EXPECT_NEAR(held.logits, 4 * static_cast<double>(sequence * micro) * (h + v) / share, 1);
    }
}

/// A copy of the weight in 4 bytes and two moments; the update reads the gradient, reads and writes all of
/// that, and writes the weight.
TEST(PlanMemory, OptimizersStateHasAType) {
    struct Kind {
        DataType moments, gradients;
        double state, gradient, traffic;
    };
    for (const Kind& its :
         {Kind{DataType::fp32, DataType::bf16, 12, 2, 28}, Kind{DataType::fp32, DataType::fp32, 12, 4, 30},
          Kind{DataType::bf16, DataType::bf16, 8, 2, 20}, Kind{DataType::int8, DataType::fp32, 6, 4, 18}}) {
        TrainingRun run = run_of("gpt3-175b", 8);
        run.optimizer_step = true;
        run.keeps.moments = its.moments;
        run.keeps.gradients = its.gradients;
        Plan plan;
        plan.tensor1 = 8;
        plan.placement = {8, 1, 1, 1};
        const PlanReading all = read_on(run, "b200-nvs8", plan);
        const double parameters = all.memory.weights / 2;
        EXPECT_DOUBLE_EQ(all.memory.optimizer, its.state * parameters);
        EXPECT_DOUBLE_EQ(all.memory.gradients, its.gradient * parameters);
        EXPECT_NEAR(all.time.optimizer, 20e-6 + its.traffic * parameters / 8e12, 1e-9);
    }
}

TEST(PlanMemory, AReserveIsTaken) {
    TrainingRun run = run_of("gpt3-175b", 8);
    Plan plan;
    plan.tensor1 = 8;
    plan.placement = {8, 1, 1, 1};
    const double without = read_on(run, "b200-nvs8", plan).memory.total();
    run.keeps.reserve = 3e9;
    EXPECT_NEAR(read_on(run, "b200-nvs8", plan).memory.total(), without + 3e9, 1);
}

/// What the head multiplies counts in the utilization as it does in the time: 6 FLOP for each of 65,536
/// tokens a chip, 4096 features and 128,256 words.
TEST(PlanMemory, UtilizationHasTheHeadsFlop) {
    TrainingRun run = training_run(*model_preset("llama-3-8b"), 8192, 64).value();
    Plan plan;
    plan.data = 8;
    plan.placement = {1, 1, 8, 1};
    plan.zero = 2;
    const double peak = machine_preset("h100-nvs8")->peak_rate(DataType::bf16).value();
    const PlanReading without = read_on(run, "h100-nvs8", plan);
    run.ends = true;
    const PlanReading with = read_on(run, "h100-nvs8", plan);
    const double head = 6 * 65'536.0 * 4096 * 128'256;
    EXPECT_NEAR(with.utilization * with.time.total * peak,
                without.utilization * without.time.total * peak + head, 1e-9 * head);
    EXPECT_GT(with.utilization, without.utilization - 0.01);
}

/// The fullest of all stages, each by itself, and what a simulation of the passes finds.
TEST(PlanMemory, IsThatOfTheFullestStage) {
    std::mt19937 bits(126);
    int last = 0, first = 0;
    for (int k = 0; k < 300; ++k) {
        TrainingRun run =
            counted(bits() % 2 == 0 ? "llama-3-8b" : "llama-3-70b", 2048 << (bits() % 3), 16 << (bits() % 2));
        run.keeps.reserve = static_cast<double>(bits() % 3) * 1e9;
        Plan plan;
        plan.pipeline = 2 << (bits() % 3);
        plan.data = 1 << (bits() % 2);
        plan.micro_batch = 1 << (bits() % 2);
        plan.zero = static_cast<int>(bits() % 4);
        constexpr std::array recomputes = {Recompute::none, Recompute::attention, Recompute::full};
        plan.recompute = recomputes[bits() % 3];
        plan.schedule = bits() % 2 == 0 ? PipelineSchedule{} : PipelineSchedule{PipelineKind::gpipe, 1};
        const PlanModel model = PlanModel::of(run, *machine_preset("b200-nvs8"), ModelRules::exact).value();
        if (!model.check(plan)) {
            continue;
        }
        const LayerCost layer = model.layer(plan);
        const MemoryUse all = model.memory(plan, layer);
        double most = 0;
        for (std::int64_t stage = 0; stage < plan.pipeline; ++stage) {
            most = std::max(most, stage_memory(run, plan, layer, stage).total());
        }
        EXPECT_EQ(all.total(), most) << text(plan);
        const double simulated = simulated_time(simulate_plan(model, plan).value()).memory;
        EXPECT_NEAR(simulated, most, 16) << text(plan);
        (all.logits > 0 ? last : first) += 1;
    }
    EXPECT_GT(last, 20);
    EXPECT_GT(first, 20);
}

/// Files from before the fields leave out what they left out, and say the same as ever.
TEST(PlanMemory, AnOlderFileAnswersAsItDid) {
    Scenario now = default_scenario();
    now.hardware = *machine_preset("h100-nvs8");
    now.model = *model_preset("llama-3-8b");
    now.batch = 64;
    now.sequence = 8192;
    now.planning.chips = 8;
    std::string file = write_scenario(now);
    EXPECT_TRUE(plan_question(now)->ends);
    EXPECT_EQ(plan_question(now)->keeps.reserve, 2e9);
    const std::string newest = "\"meshslice_scenario\": 3";
    ASSERT_THAT(file, HasSubstr(newest));
    file.replace(file.find(newest), newest.size(), "\"meshslice_scenario\": 2");
    const PlanQuestion then = plan_question(read_scenario(file, "old.json").value()).value();
    EXPECT_FALSE(then.ends || then.optimizer_step);
    EXPECT_EQ(then.keeps.reserve, 0);
    PlanSpace space = space_of(8, {TensorStrategy::one_d});
    space.choices = plan_choices({}).value();
    PlanQuestion asked = then;
    asked.split.strategy = "1d";
    // As published: no part of what is new.
    const PlanModel before =
        PlanModel::of(training_run(now.model, 8192, 64).value(), now.hardware, ModelRules::exact).value();
    EXPECT_EQ(answer(asked, 3)->search.ranked, search_plans(before, space, 3)->ranked);
    const PlanQuestion all = plan_question(now).value();
    EXPECT_GT(answer(all, 1)->best().reading.time.ends, 0);
    EXPECT_GT(answer(all, 1)->best().reading.time.optimizer, 0);
    // A TPU's reserve is none, and a model without a vocabulary has no ends.
    now.hardware = *machine_preset("tpu-v5p");
    now.model = *model_preset("vit-64k");
    EXPECT_EQ(plan_question(now)->keeps.reserve, 0);
    EXPECT_FALSE(plan_question(now)->ends);
    now.planning.ends = true;
    EXPECT_THAT(checked(now).error().sentence, HasSubstr("gives no vocabulary"));
}

/// 126 layers on 16 stages are 7 each and 14 more: the first and the last stage have none of these.
TEST(PlanStages, LayersThatAreLeftOverStandInTheMiddle) {
    TrainingRun run = training_run(*model_preset("llama-3-405b"), 8192, 2048).value();
    Plan plan;
    plan.pipeline = 16;
    plan.data = 64;
    plan.tensor1 = 8;
    plan.placement = {8, 1, 1, 1};
    const auto refused = evaluate(run, *machine_preset("h100-nvs8"), plan, ModelRules::exact);
    EXPECT_THAT(refused.error().sentence, HasSubstr("126 layers do not divide by 16"));
    run.uneven_stages = true;
    EXPECT_EQ(stage_layers(run, plan, 0), 7);
    EXPECT_EQ(stage_layers(run, plan, 1), 8);
    EXPECT_EQ(stage_layers(run, plan, 14), 8);
    EXPECT_EQ(stage_layers(run, plan, 15), 7);
    const PlanReading read = read_on(run, "h100-nvs8", plan);
    // 8 layers set the pace, and the FLOP are those of 126.
    const PlanModel model = PlanModel::of(run, *machine_preset("h100-nvs8"), ModelRules::exact).value();
    const LayerCost layer = model.layer(plan);
    EXPECT_DOUBLE_EQ(read.time.compute, (layer.forward.compute + layer.backward.compute) * 32 * 8);
    EXPECT_NEAR(read.utilization * read.time.total * 989e12 / (layer.model_flop * 32 * 126 / 16), 1, 1e-2);
    plan.schedule = {PipelineKind::interleaved, 2};
    EXPECT_THAT(evaluate(run, *machine_preset("h100-nvs8"), plan, ModelRules::exact).error().sentence,
                HasSubstr("as many layers in each stage"));
}

/// Drawn layers and stages: all layers are there, no two stages differ by more than one, the ends have
/// fewest, and the estimate of a step is the simulation of its passes.
TEST(PlanStages, AreAsEvenAsPossible) {
    std::mt19937 bits(405);
    double least = 1, most = 0;
    for (int k = 0; k < 200; ++k) {
        Transformer shape = *model_preset("llama-3-70b");
        shape.layers = 4 + static_cast<std::int64_t>(bits() % 40);
        TrainingRun run = training_run(shape, 4096, 64).value();
        run.uneven_stages = true;
        run.ends = bits() % 2 == 0;
        if (run.ends && bits() % 2 == 0) {
            run.keeps.logits = DataType::fp32;
        }
        Plan plan;
        plan.pipeline = 1 + static_cast<std::int64_t>(
                                bits() % static_cast<unsigned>(std::min<std::int64_t>(shape.layers, 12)));
        std::int64_t all = 0, fewest = shape.layers, fullest = 0;
        for (std::int64_t stage = 0; stage < plan.pipeline; ++stage) {
            const std::int64_t its = stage_layers(run, plan, stage);
            all += its;
            fewest = std::min(fewest, its);
            fullest = std::max(fullest, its);
        }
        EXPECT_EQ(all, shape.layers);
        EXPECT_LE(fullest - fewest, 1);
        EXPECT_EQ(fullest, most_stage_layers(run, plan));
        EXPECT_EQ(stage_layers(run, plan, plan.pipeline - 1), fewest);
        const PlanModel model = PlanModel::of(run, *machine_preset("b200-nvs8"), ModelRules::exact).value();
        ASSERT_TRUE(model.check(plan)) << model.check(plan).error().sentence;
        const LayerCost layer = model.layer(plan);
        const MemoryUse held = model.memory(plan, layer);
        double largest = 0;
        for (std::int64_t stage = 0; stage < plan.pipeline; ++stage) {
            largest = std::max(largest, stage_memory(run, plan, layer, stage).total());
        }
        EXPECT_EQ(held.total(), largest) << text(plan);
        const double off =
            in_seconds(simulate_plan(model, plan).value().time()) / model.reading(plan, layer).time.total - 1;
        least = std::min(least, off);
        most = std::max(most, off);
    }
    std::printf("uneven stages: simulation %+.2f%% to %+.2f%% of the estimate\n", 100 * least, 100 * most);
    EXPECT_GT(least, -0.13);
    EXPECT_LT(most, 0.001);
}

/// 2048 tokens of 12 chips are 171 of the fullest; 72 heads are 6 of each.
TEST(PlanGroups, NeedNotShareTokensEvenly) {
    const TrainingRun run = training_run(*model_preset("palm-t3"), 2048, 256).value();
    Plan plan;
    plan.tensor1 = 12;
    plan.data = 256;
    plan.placement = {12, 1, 1, 1};
    EXPECT_FALSE(groups_divide(run, plan));
    const ChipTasks of_fullest = share_of_fullest(run, plan, ModelRules::exact);
    const ChipTasks of_mean = share(block_tasks(run, 1).front().tasks, plan, ModelRules::exact);
    ASSERT_EQ(of_fullest.operations.size(), of_mean.operations.size());
    EXPECT_NEAR(of_fullest.sent / of_mean.sent, 171 / (2048 / 12.0), 1e-12);
    EXPECT_DOUBLE_EQ(of_fullest.even, 1); // GEMMs have all tokens, and 72 heads divide
    for (std::size_t k = 0; k < of_mean.operations.size(); ++k) {
        const PassWork &most = of_fullest.operations[k].forward, &mean = of_mean.operations[k].forward;
        EXPECT_GE(most.matrix_flop, mean.matrix_flop) << of_mean.operations[k].name;
        EXPECT_GE(most.bytes, mean.bytes) << of_mean.operations[k].name;
        EXPECT_LE(most.bytes, 1.002 * mean.bytes) << of_mean.operations[k].name;
    }
}

/// Of 40 heads on 16 chips some have 3 and others 2: the pace is that of 48 heads, and what counts as useful
/// is that of 40.
TEST(PlanGroups, TheFullestChipSetsThePace) {
    Transformer forty = *model_preset("gpt3-175b");
    forty.heads = forty.kv_heads = 40;
    forty.hidden = 40 * forty.head_size;
    Transformer more = forty; // as many features, heads and all
    more.heads = more.kv_heads = 48;
    Plan plan;
    plan.tensor1 = 16;
    plan.placement = {16, 1, 1, 1};
    const auto read = [&](const Transformer& model) {
        const TrainingRun run = training_run(model, 2048, 1).value();
        return PlanModel::of(run, *machine_preset("b200-nvs64"), ModelRules::exact).value().layer(plan);
    };
    const LayerCost uneven = read(forty), even = read(more);
    EXPECT_DOUBLE_EQ(uneven.forward.flop, even.forward.flop);
    EXPECT_DOUBLE_EQ(uneven.forward.compute, even.forward.compute);
    EXPECT_DOUBLE_EQ(uneven.weights, even.weights);
    EXPECT_LT(uneven.model_flop, even.model_flop);
    // The same as the mean chip has: a sixteenth of what all have together.
    Plan alone;
    const TrainingRun run = training_run(forty, 2048, 1).value();
    const double all =
        PlanModel::of(run, *machine_preset("b200-nvs64"), ModelRules::exact).value().layer(alone).model_flop;
    EXPECT_NEAR(uneven.model_flop, all / 16, 1e-3 * uneven.model_flop);
}

/// A search tries uneven groups only where they are named, and refuses those that leave a chip nothing.
TEST(PlanGroups, AreUnevenWhereTheyAreNamed) {
    Transformer forty = *model_preset("gpt3-175b");
    forty.heads = forty.kv_heads = 40;
    forty.hidden = 40 * forty.head_size;
    const PlanModel model =
        PlanModel::of(training_run(forty, 2048, 64).value(), *machine_preset("b200-nvs64"), ModelRules::exact)
            .value();
    PlanSpace space = space_of(64, {TensorStrategy::one_d});
    for (const TensorGrid grid : tensor_grids(model.run(), space, TensorStrategy::one_d, model.rules())) {
        EXPECT_EQ(40 % grid.tensor1, 0);
    }
    space.fixed.tensor1 = 16;
    const auto named = search_plans(model, space, 1);
    ASSERT_TRUE(named) << named.error().sentence;
    EXPECT_EQ(named->ranked.front().plan.tensor1, 16);
    EXPECT_EQ(named->ranked.front(), (RankedPlan{named->ranked.front().plan,
                                                 model.reading(named->ranked.front().plan,
                                                               model.layer(named->ranked.front().plan))}));
    space.fixed.tensor1 = 64;
    EXPECT_FALSE(search_plans(model, space, 1));
    Plan plan;
    plan.tensor1 = 64;
    plan.placement = {64, 1, 1, 1};
    EXPECT_THAT(model.check(plan).error().sentence, HasSubstr("40 heads leave nothing for each of 64"));
}

/// A batch that is named has a plan.
TEST(PlanStages, ASuggestedBatchWorks) {
    std::mt19937 bits(14);
    int named = 0;
    for (int k = 0; k < 200; ++k) {
        Transformer shape = *model_preset("gpt3-175b");
        shape.layers = 1 + static_cast<std::int64_t>(bits() % 120);
        TrainingRun run = training_run(shape, 2048, 1 + static_cast<std::int64_t>(bits() % 12)).value();
        const auto on = *machine_preset(bits() % 2 == 0 ? "b200-nvs8" : "tpu-v4");
        const std::int64_t chips = 64 * (1 + static_cast<std::int64_t>(bits() % 100));
        PlanSpace space = space_of(chips, {TensorStrategy::one_d});
        const auto found = search_plans(PlanModel::of(run, on, ModelRules::exact).value(), space, 1);
        const std::string words = found ? std::string() : found.error().sentence;
        const std::string before = "a multiple of ";
        if (words.find(before) == std::string::npos) {
            continue;
        }
        ++named;
        run.batch = std::stoll(words.substr(words.find(before) + before.size()));
        EXPECT_TRUE(search_plans(PlanModel::of(run, on, ModelRules::exact).value(), space, 1)) << words;
    }
    EXPECT_GT(named, 10);
}

} // namespace
} // namespace meshslice::test
