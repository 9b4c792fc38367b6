#include "core/evidence/inference/inference_evidence.h"
#include "core/evidence/inference/inference_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;
using Constant = InferenceConstant;

/// One layer of two values, and a chip that multiplies 1000 FLOP/s and reads 100 bytes/s.
InferenceModel small_model() {
    InferenceModel model;
    model.name = "small";
    model.layers = 1;
    model.hidden = 2;
    model.heads = 1;
    model.kv_heads = 1;
    model.head_size = 2;
    model.width = 4;
    model.matrices = 2;
    model.vocabulary = 8;
    model.parameters = 64;
    return model;
}
InferenceChip small_chip() {
    InferenceChip chip;
    chip.name = "small";
    chip.peak_16 = 1000;
    chip.memory_rate = 100;
    chip.memory = 1e9;
    chip.link_rate = 50;
    return chip;
}

double& value(InferenceValues& values, Constant constant) {
    return values[static_cast<std::size_t>(constant)];
}

/// Both bounds add up, everything is as on the data sheet, and nothing waits.
InferenceValues plain_values() {
    InferenceValues values{};
    values.fill(0);
    for (const Constant one : {Constant::gemm, Constant::memory, Constant::cache, Constant::exchange_rate,
                               Constant::engine_host, Constant::engine_prefill, Constant::bound_power,
                               Constant::low_precision, Constant::prefill_attention, Constant::beyond_pairs,
                               Constant::large_message, Constant::expert_read, Constant::dequantize}) {
        value(values, one) = 1;
    }
    return values;
}

TEST(InferenceStep, IsItsProductsItsCacheAndItsHead) {
    const InferenceModel model = small_model();
    const InferenceChip chip = small_chip();
    InferenceAsked asked{&model, &chip};
    const InferenceStep step = decode_step(asked, 10, plain_values());
    // Weights: 2x6, 2x2, 2x4, 4x2 = 32, of two bytes, 2 FLOP each; rows read 2 + 2 + 2 + 4 values and write
    // 6 + 2 + 4 + 2.
    EXPECT_DOUBLE_EQ(step.gemm, 64.0 / 1000 + (64 + 20 + 28) / 100.0);
    // Keys and values of ten tokens: 2 x 2 values of two bytes.
    EXPECT_DOUBLE_EQ(step.attention, 80 / 100.0);
    // 2x8 weights; the row, and 12 bytes a logit.
    EXPECT_DOUBLE_EQ(step.head, 32.0 / 1000 + (32 + 4 + 96) / 100.0);
    EXPECT_DOUBLE_EQ(step.exchange, 0);
    EXPECT_DOUBLE_EQ(step.overhead, 0);
}

TEST(InferenceStep, SumsTwiceALayerOverTheChipsOfAReplica) {
    const InferenceModel model = small_model();
    const InferenceChip chip = small_chip();
    InferenceAsked asked{&model, &chip};
    asked.tensor = 4;
    asked.batch = 3;
    InferenceValues values = plain_values();
    value(values, Constant::exchange_latency) = 0.25;
    // 3 rows of 2 values of two bytes: 12 bytes, of which a ring moves 2 x 3/4.
    EXPECT_DOUBLE_EQ(decode_step(asked, 1, values).exchange, 2 * (0.25 + 18 / 50.0));
    // The first kernels read the messages of the three others whole.
    asked.first_kernels = true;
    EXPECT_DOUBLE_EQ(decode_step(asked, 1, values).exchange, 2 * (0.25 + 36 / 50.0));
}

TEST(InferenceStep, ReadsTheExpertsThatATokenTakes) {
    InferenceModel model = small_model();
    model.width = 0;
    model.experts = 4;
    model.chosen = 1;
    model.expert_width = 4;
    const InferenceChip chip = small_chip();
    InferenceAsked asked{&model, &chip};
    asked.batch = 2;
    const double with = decode_step(asked, 1, plain_values()).gemm;
    model.experts = 0;
    const double without = decode_step(asked, 1, plain_values()).gemm;
    // An expert has 2 x 2 x 4 weights. Two tokens miss each of four with (3/4)^2: 1.75 are read.
    EXPECT_NEAR(with - without, 2 * 2 * 16 / 1000.0 + 1.75 * 16 * 2 / 100, 1e-12);
}

TEST(InferenceStep, SharesExpertsBetweenGroupsOfChips) {
    InferenceModel model = small_model();
    model.width = 0;
    model.experts = 4;
    model.chosen = 1;
    model.expert_width = 4;
    const InferenceChip chip = small_chip();
    InferenceAsked asked{&model, &chip};
    asked.batch = 2;
    asked.tensor = 2;
    asked.expert_tensor = 1;
    asked.expert_groups = 2;
    const double with = decode_step(asked, 1, plain_values()).gemm;
    model.experts = 0;
    const double without = decode_step(asked, 1, plain_values()).gemm;
    // A chip has two whole experts of 2 x 2 x 4 weights. One of two tokens comes to it, and of each expert
    // two tokens miss it with (3/4)^2: 0.875 are read.
    EXPECT_NEAR(with - without, 2 * 16 / 1000.0 + 0.875 * 16 * 2 / 100, 1e-12);
}

TEST(InferenceStep, KeepsAPromptInItsGroup) {
    const InferenceModel model = small_model();
    const InferenceChip chip = small_chip();
    InferenceAsked alone{&model, &chip}, groups{&model, &chip};
    groups.data = 2;
    const StepBatch one{4, 10, 1, 1, 0, 0}, two{8, 20, 2, 2, 0, 0};
    const InferenceValues values = plain_values();
    // One prompt of four tokens has one group at work, and two have both.
    EXPECT_DOUBLE_EQ(mixed_step(groups, one, values).gemm, mixed_step(alone, one, values).gemm);
    EXPECT_DOUBLE_EQ(mixed_step(groups, two, values).gemm, mixed_step(alone, one, values).gemm);
    EXPECT_DOUBLE_EQ(mixed_step(groups, two, values).attention, mixed_step(alone, one, values).attention);
}

TEST(InferenceStep, HidesLaunchesOfPromptsWithoutAGraph) {
    const InferenceModel model = small_model();
    const InferenceChip chip = small_chip();
    InferenceAsked asked{&model, &chip};
    InferenceValues values = plain_values();
    value(values, Constant::layer) = 1;
    value(values, Constant::prefill_layer) = 100;
    value(values, Constant::engine_prefill) = 2;
    const StepBatch few{500, 1000, 1, 1, 12, 12}, many{501, 1000, 1, 1, 12, 12};
    for (const StepBatch& batch : {few, many}) {
        EXPECT_TRUE(launches_one_by_one(asked, batch));
        EXPECT_DOUBLE_EQ(mixed_step(asked, batch, values).overhead, 2 * 100 * model.layers);
    }
    const double work = mixed_step(asked, many, values).gemm;
    asked.launches_ahead = true;
    // 512 tokens are a graph, launched as a decode step is; more are launched while the chips work, and what
    // these do is as fast in another engine.
    EXPECT_DOUBLE_EQ(mixed_step(asked, few, values).overhead, model.layers);
    InferenceStep in_order = step_in_order(asked, many, values);
    EXPECT_LT(in_order.gemm, work);
    EXPECT_DOUBLE_EQ(in_order.overhead, 2 * 100 * model.layers);
    const double others = in_order.total() - in_order.overhead;
    EXPECT_NEAR(mixed_step(asked, many, values).total(), std::hypot(others, in_order.overhead), 1e-9);
}

TEST(InferenceStep, MultipliesWeightsOfFewerBitsInSixteen) {
    InferenceModel model = small_model();
    const InferenceChip chip = small_chip();
    InferenceAsked asked{&model, &chip};
    asked.batch = 1e6;
    InferenceValues values = plain_values();
    const double plain = decode_step(asked, 1, values).gemm;
    value(values, Constant::dequantize) = 0.5;
    EXPECT_DOUBLE_EQ(decode_step(asked, 1, values).gemm, plain);
    asked.weight_bytes = 0.5;
    const double slower = decode_step(asked, 1, values).gemm;
    value(values, Constant::dequantize) = 1;
    // Half of the rate: 64 FLOP of each request take 0.064 s more.
    EXPECT_NEAR(slower - decode_step(asked, 1, values).gemm, 0.064e6, 1e-3);
}

TEST(InferenceStep, KeepsWeightsCacheAndWhatPrefillTakes) {
    const InferenceModel model = small_model();
    const InferenceChip chip = small_chip();
    InferenceAsked asked{&model, &chip};
    asked.batch = 3;
    asked.input = 5;
    asked.output = 2;
    InferenceValues values = plain_values();
    value(values, Constant::runtime) = 1000;
    value(values, Constant::activation) = 10;
    // 64 parameters and the embedding's 16 among them twice, two bytes each; 3 x 7 tokens of four values; 15
    // tokens of ten bytes for each of two values.
    EXPECT_DOUBLE_EQ(inference_memory(asked, values), 128 + 168 + 1000 + 300);
}

constexpr const char* inference_columns =
    "id,trust,hardware,num_devices,model,weights,kv_cache,tp,load,batch,input_len,output_len,phase,ttft_ms,"
    "tpot_ms,e2e_ms,out_tok_per_s,mem_gb_per_device,engine,version\n";

std::vector<InferenceRow> inference_rows(const std::string& lines) {
    const auto rows = read_inference_rows(inference_columns + lines, "mine.csv");
    EXPECT_TRUE(rows) << (rows ? "" : rows.error().sentence);
    return rows.value_or(std::vector<InferenceRow>());
}

TEST(InferenceRows, AreInBaseUnits) {
    const auto rows =
        inference_rows("R1,A,H100-SXM-80G,8,Llama2-70B,FP8,FP8,4,static,16,128,256,prefill+decode,12.5,"
                       "8,2052.5,1995,40,TensorRT-LLM,0.9.0\n"
                       ",B,L40S-48G,2,llama2-7b,INT4,,,,1,5,200,decode,,4.5,,222,,gpt-fast,2024\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].reason, "");
    EXPECT_EQ(rows[0].asked.model->name, "llama2-70b");
    EXPECT_DOUBLE_EQ(rows[0].replicas, 2);
    EXPECT_EQ(rows[0].asked.bits, 8);
    EXPECT_TRUE(rows[0].asked.first_kernels);
    EXPECT_THAT(rows[0].measured, testing::ElementsAre(0.0125, 0.008, 2.0525, 1995, 40e9));
    // Integers are weights alone, and what is not said is as usual: a split over all chips, a cache of 8
    // bits.
    EXPECT_EQ(rows[1].id, "mine.csv:3");
    EXPECT_EQ(rows[1].asked.bits, 16);
    EXPECT_DOUBLE_EQ(rows[1].asked.tensor, 2);
    EXPECT_DOUBLE_EQ(rows[1].asked.cache_bytes, 1);
    EXPECT_EQ(rows[1].reason, "");
}

TEST(InferenceRows, SayWhyTheyCannotBePredicted) {
    const auto rows = inference_rows("a,C,H100-SXM-80G,1,llama2-7b,,,1,static,1,8,8,,1,1,,,,,\n"
                                     "b,A,abacus,1,llama2-7b,,,1,static,1,8,8,,1,1,,,,,\n"
                                     "c,A,H100-SXM-80G,1,oracle,,,1,static,1,8,8,,1,1,,,,,\n"
                                     "d,A,H100-SXM-80G,1,llama2-7b,,,1,trace,1,8,8,,1,1,,,,,\n"
                                     "e,A,H100-SXM-80G,1,llama2-7b,,,1,static,,8,8,,1,1,,,,,\n");
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_THAT(rows[0].reason, HasSubstr("trust"));
    EXPECT_THAT(rows[1].reason, HasSubstr("abacus"));
    EXPECT_THAT(rows[2].reason, HasSubstr("oracle"));
    EXPECT_THAT(rows[3].reason, HasSubstr("trace"));
    EXPECT_THAT(rows[4].reason, HasSubstr("how many requests"));
    const auto refused = read_inference_rows("a,b\n1,2\n", "mine.csv");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("hardware"));
}

TEST(FittedInference, HasAConstantForEveryChipAndAnErrorForEveryRow) {
    const FittedInference& fitted = fitted_inference();
    ASSERT_FALSE(fitted.chips.empty());
    for (const InferenceRow& row : measured_inference()) {
        for (std::size_t q = 0; q < inference_quantities; ++q) {
            if (row.reason.empty() && row.load == "static" && row.phase == InferencePhase::both &&
                row.measured[q] > 0) {
                EXPECT_TRUE(fitted.left_out.contains(key_of(row, static_cast<InferenceQuantity>(q))))
                    << row.id;
            }
        }
    }
    // A chip without rows is as the one that it is like.
    const InferenceFacts& facts = inference_facts();
    EXPECT_EQ(fitted.values(*facts.chip("H800-SXM"), ""), fitted.values(*facts.chip("H100-SXM-80G"), ""));
}

const InferenceSummary* summary(const std::vector<InferenceSummary>& all, InferenceQuantity quantity,
                                const std::string& by, const std::string& name) {
    for (const InferenceSummary& one : all) {
        if (one.quantity == quantity && one.by == by && one.name == name) {
            return &one;
        }
    }
    return nullptr;
}

TEST(InferenceEvidence, KeepsItsPromises) {
    const FittedInference& fitted = fitted_inference();
    const auto rows = left_out_inference(fitted, measured_inference(), fitted.left_out);
    const auto sums = inference_summaries(rows);
    const auto* first = summary(sums, InferenceQuantity::ttft, "trust", "a");
    const auto* next = summary(sums, InferenceQuantity::tpot, "trust", "a");
    const auto* memory = summary(sums, InferenceQuantity::memory, "trust", "a");
    ASSERT_TRUE(first != nullptr && next != nullptr && memory != nullptr);
    EXPECT_LE(first->mean, 0.09);
    EXPECT_LE(first->median, 0.06);
    EXPECT_LE(next->mean, 0.08);
    EXPECT_LE(next->median, 0.05);
    EXPECT_LE(memory->mean, 0.06);
    for (const auto* one : {first, next, memory}) {
        EXPECT_EQ(one->coverage(), 1);
        EXPECT_GE(one->inside_band, 0.75);
    }
    // A counter of memory shows the same for many rows: more of them than eight of ten lie inside.
    EXPECT_LE(first->inside_band, 0.85);
    EXPECT_LE(next->inside_band, 0.85);
}

TEST(InferenceEvidence, SaysAllOfARowWithoutResults) {
    const auto rows = inference_rows("a,,H100-SXM-80G,1,llama2-7b,FP8,FP8,1,static,1,128,128,,,,,,,,\n");
    const auto predicted = predicted_inference(fitted_inference(), measured_inference(), rows);
    ASSERT_EQ(predicted.size(), inference_quantities);
    for (const PredictedInference& one : predicted) {
        EXPECT_GT(one.predicted, 0);
        EXPECT_LT(one.low, one.high);
        EXPECT_FALSE(one.scored());
        EXPECT_FALSE(one.nearest.empty());
    }
}

TEST(InferenceFit, FindsTheConstantsThatMadeTheRows) {
    const InferenceFacts& facts = inference_facts();
    const InferenceChip& chip = *facts.chip("H100-SXM-80G");
    InferenceValues truth = fitted_inference().values(chip, "TensorRT-LLM 0.9");
    value(truth, Constant::memory) = 0.6;
    value(truth, Constant::gemm) = 0.5;
    std::vector<InferenceRow> rows;
    for (const char* model : {"llama2-7b", "llama2-70b"}) {
        for (const double batch : {1.0, 8.0, 64.0, 512.0}) {
            for (const double tensor : {1.0, 2.0, 8.0}) {
                InferenceRow row;
                row.id = row.group = std::string(model) + std::to_string(batch) + std::to_string(tensor);
                row.engine = "TensorRT-LLM 0.9";
                row.load = "static";
                row.asked.model = facts.model(model);
                row.asked.chip = &chip;
                row.asked.batch = batch;
                row.asked.tensor = tensor;
                row.asked.input = 256;
                row.asked.output = 128;
                row.asked.first_kernels = true;
                row.measured = predicted_results(row, truth);
                rows.push_back(row);
            }
        }
    }
    const auto fitted = fit_inference_constants(rows, {});
    ASSERT_TRUE(fitted);
    const InferenceValues values = fitted->values(chip, "TensorRT-LLM 0.9");
    for (const InferenceRow& row : rows) {
        const InferenceResults results = predicted_results(row, values);
        for (std::size_t q = 0; q < inference_quantities; ++q) {
            EXPECT_NEAR(std::log(results[q] / row.measured[q]), 0, 0.05) << row.id;
        }
    }
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = fit_inference_constants(rows, {stop.get_token()});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice
