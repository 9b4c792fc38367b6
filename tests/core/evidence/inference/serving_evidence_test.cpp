#include "core/evidence/inference/inference_evidence.h"
#include "core/evidence/inference/inference_fit.h"
#include "core/evidence/inference/served_runs.h"
#include "core/evidence/inference/serving_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

constexpr const char* serving_columns =
    "id,trust,hardware,num_devices,model,precision,mode,input_len,output_len,concurrency,tp,attention_dp,"
    "moe_tp,moe_ep,prefill_workers,prefill_tp,decode_workers,decode_tp,decode_attention_dp,decode_moe_ep,"
    "ttft_ms,tpot_ms,out_tok_per_s_per_device,engine,version,lengths\n";

std::vector<InferenceRow> serving_rows(const std::string& lines) {
    const auto rows = read_serving_rows(serving_columns + lines, "mine.csv");
    EXPECT_TRUE(rows) << (rows ? "" : rows.error().sentence);
    return rows.value_or(std::vector<InferenceRow>());
}

TEST(ServingRows, AreInBaseUnits) {
    const auto rows = serving_rows(
        "S1,B,H200-SXM-141G,8,deepseek-v3,fp8,agg,1024,512,64,1,8,1,8,,,,,,,200,20,300,SGLang,0.5.9,vary\n"
        "S2,B,B200,24,deepseek-v3,fp4,disagg,8192,1024,100,,,,,2,4,1,1,16,16,2000,15,80,vLLM,1,\n"
        "S3,C,B200,8,llama3-70b,bf16,agg,100,10,4,8,,,,,,,,,,20,5,80,vLLM,1,\n");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].reason, "");
    EXPECT_EQ(rows[0].load, "aggregated");
    EXPECT_DOUBLE_EQ(rows[0].asked.data, 8);
    EXPECT_DOUBLE_EQ(rows[0].asked.expert_groups, 8);
    EXPECT_DOUBLE_EQ(rows[0].clients, 64);
    EXPECT_DOUBLE_EQ(rows[0].setup.shortest, 0.8);
    EXPECT_THAT(rows[0].measured, testing::ElementsAre(0.2, 0.02, 0, 2400, 0));
    EXPECT_EQ(rows[1].reason, "");
    EXPECT_EQ(rows[1].load, "disaggregated");
    EXPECT_DOUBLE_EQ(rows[1].prefill_servers, 2);
    EXPECT_DOUBLE_EQ(rows[1].prefill.tensor, 4);
    EXPECT_DOUBLE_EQ(rows[1].asked.data, 16);
    // Experts in four bits with their scales, the rest in eight.
    EXPECT_DOUBLE_EQ(rows[1].asked.weight_bytes, 0.5625);
    EXPECT_DOUBLE_EQ(rows[1].asked.other_weight_bytes, 1);
    EXPECT_DOUBLE_EQ(rows[2].asked.tensor, 8);
    EXPECT_EQ(rows[2].reason, ""); // of trust C, and predicted all the same
}

TEST(ServingRows, SayWhyTheyCannotBePredicted) {
    const auto rows = serving_rows("a,B,abacus,8,llama3-70b,fp8,agg,9,9,4,8,,,,,,,,,,1,1,1,vLLM,1,\n"
                                   "b,B,B200,8,oracle,fp8,agg,9,9,4,8,,,,,,,,,,1,1,1,vLLM,1,\n"
                                   "c,B,B200,8,deepseek-v3,fp8,disagg,9,9,4,,,,,,,,,,,1,1,1,vLLM,1,\n"
                                   "d,B,B200,8,llama3-70b,fp8,agg,9,9,,8,,,,,,,,,,1,1,1,vLLM,1,\n");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_THAT(rows[0].reason, HasSubstr("abacus"));
    EXPECT_THAT(rows[1].reason, HasSubstr("oracle"));
    EXPECT_THAT(rows[2].reason, HasSubstr("how many servers"));
    EXPECT_THAT(rows[3].reason, HasSubstr("how many requests"));
}

TEST(ServingRows, OfALogKnowEachOther) {
    const auto rows = read_serving_rows("run,hardware,num_devices,model,request,arrival_ms,input_tokens,"
                                        "output_tokens,ttft_ms,tpot_ms,e2e_ms\n"
                                        "r,RTX-PRO-6000,1,llama3-8b,b,500,100,20,50,10,240\n"
                                        "r,RTX-PRO-6000,1,llama3-8b,a,0,300,40,70,30,1240\n",
                                        "log.csv");
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ((*rows)[0].id, "r/b");
    EXPECT_EQ((*rows)[0].place, 1u); // the later one
    EXPECT_EQ((*rows)[0].log, (*rows)[1].log);
    EXPECT_DOUBLE_EQ((*rows)[0].log->requests[1].arrival, 0.5);
    const auto means = means_of_logs(*rows);
    ASSERT_EQ(means.size(), 1u);
    EXPECT_DOUBLE_EQ(means[0].asked.input, 200);
    EXPECT_DOUBLE_EQ(means[0].clients, 2);
    EXPECT_THAT(means[0].measured,
                testing::ElementsAre(testing::DoubleNear(std::sqrt(0.05 * 0.07), 1e-12), 0.02, 0, 0, 0));
}

const InferenceSummary* serving_summary(const std::vector<InferenceSummary>& all, InferenceQuantity quantity,
                                        const std::string& by, const std::string& name) {
    for (const InferenceSummary& one : all) {
        if (one.quantity == quantity && one.by == by && one.name == name) {
            return &one;
        }
    }
    return nullptr;
}

TEST(ServingEvidence, KeepsItsPromises) {
    const FittedInference& fitted = fitted_serving();
    EXPECT_TRUE(fitted.serves());
    const auto sums = inference_summaries(left_out_inference(fitted, measured_serving(), fitted.left_out));
    const auto* tpot = serving_summary(sums, InferenceQuantity::tpot, "", "");
    const auto* ttft = serving_summary(sums, InferenceQuantity::ttft, "", "");
    const auto* apart = serving_summary(sums, InferenceQuantity::tpot, "load", "disaggregated");
    ASSERT_TRUE(tpot != nullptr && ttft != nullptr && apart != nullptr);
    EXPECT_LE(tpot->mean, 0.14);
    EXPECT_LE(tpot->median, 0.10);
    EXPECT_LE(ttft->median, 0.30);
    EXPECT_LE(apart->median, 0.15);
    for (const auto* one : {tpot, ttft}) {
        EXPECT_EQ(one->coverage(), 1);
        EXPECT_GE(one->inside_band, 0.7);
        EXPECT_LE(one->inside_band, 0.9);
    }
}

TEST(ServingEvidence, ReplaysLogs) {
    const auto& rows = measured_serving();
    const auto sums = inference_summaries(predicted_inference(fitted_serving(), rows, rows));
    const auto mean = [&](InferenceQuantity quantity) {
        const auto* one = serving_summary(sums, quantity, "load", "replay");
        return one == nullptr ? NAN : one->mean;
    };
    EXPECT_LE(mean(InferenceQuantity::tpot), 0.06);
    EXPECT_LE(mean(InferenceQuantity::ttft), 0.20);
    EXPECT_LE(mean(InferenceQuantity::e2e), 0.07);
}

TEST(ServingEvidence, SaysAPointWithItsNearest) {
    const auto rows = serving_rows(
        "S1,B,B200,8,deepseek-v3,fp8,agg,1024,1024,8,8,,8,1,,,,,,,190,12,80,SGLang,0.5.9,vary\n");
    const auto predicted = predicted_inference(fitted_serving(), measured_serving(), rows);
    ASSERT_EQ(predicted.size(), 3u); // TTFT, TPOT, throughput
    for (const PredictedInference& one : predicted) {
        EXPECT_GT(one.predicted, 0);
        EXPECT_LT(one.low, one.high);
        EXPECT_FALSE(one.nearest.empty());
    }
}

} // namespace
} // namespace meshslice
