#include "core/evidence/memory_evidence.h"
#include "core/evidence/training/training_evidence.h"
#include "core/evidence/training/training_fit.h"
#include "core/evidence/training/training_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace meshslice {
namespace {

const std::string columns =
    "id,group,kind,hardware,num_devices,model,layers,d_model,heads,kv_heads,head_dim,d_ff,mlp_matrices,vocab,"
    "experts,topk,d_ff_expert,seq_len,global_batch_seqs,micro_batch_seqs,tp,pp,vp,cp,ep,fsdp,precision,"
    "recompute,step_time_s,tokens_per_s_per_device,measured,framework,trust\n";

TrainingRow row_of(const std::string& line) {
    const auto rows = read_training_rows(columns + line + "\n", "rows.csv");
    EXPECT_TRUE(rows);
    return rows && !rows->empty() ? rows->front() : TrainingRow();
}

/// Every constant 1, and nothing that software adds.
TrainingEfficiencies ideal() {
    TrainingEfficiencies reached;
    reached.chip.fill(1);
    reached.stack = {1, 0, 1, 1};
    return reached;
}

TEST(AchievedStep, IsTheSumOfItsPartsOverWhatTheyReach) {
    StepAmounts amounts;
    amounts.gemm = 2;
    amounts.vectors = 1;
    amounts.micro_batches = 3;
    amounts.sequence = 1000; // at which attention reaches half of its rate
    amounts.attention = 0.5;
    TrainingEfficiencies reached = ideal();
    reached.chip[static_cast<std::size_t>(ChipConstant::gemm)] = 0.5;
    // 2 / 0.5 + 1 + 0.5 x 2, three times.
    EXPECT_DOUBLE_EQ(step_seconds(amounts, reached).total, 18);
    amounts.doublings = 2;
    reached.stack[static_cast<std::size_t>(StackConstant::straggler)] = 0.05;
    EXPECT_DOUBLE_EQ(step_seconds(amounts, reached).total, 18 * 1.1);
}

TEST(AchievedStep, HidesGathersBehindTheMicroBatchButForTheExposedShare) {
    StepAmounts amounts;
    amounts.gemm = 4;
    amounts.gathers = 6;
    amounts.sequence = 1;
    TrainingEfficiencies reached = ideal();
    reached.stack[static_cast<std::size_t>(StackConstant::exposed)] = 0.25;
    // 2 stick out, and a quarter of the 4 behind the products is not hidden.
    EXPECT_DOUBLE_EQ(step_seconds(amounts, reached).gathers, 3);
}

TEST(AchievedStep, LongerSidesReachMore) {
    EXPECT_DOUBLE_EQ(size_share(100, 100, 300), 0.5 * 0.75);
    EXPECT_GT(size_share(100, 4096, 4096), size_share(100, 1024, 4096));
}

TEST(TrainingRows, ReadWhatIsToldAndScoreOneQuantity) {
    const TrainingRow row = row_of(
        "r1,g,pretrain,H100-SXM-80G,16,llama3-8b,32,4096,32,8,128,14336,3,128256,0,0,0,8192,32,1,2,2,4,"
        "1,,0,FP8,unknown (recipe default),10,999,tokens,NeMo,A");
    EXPECT_EQ(row.reason, "");
    EXPECT_EQ(row.data, 4); // 16 / (2 x 2)
    EXPECT_EQ(row.chunks, 4);
    EXPECT_EQ(row.micro_batches, 8); // 32 / 4
    EXPECT_EQ(row.bits, 8);
    EXPECT_EQ(row.quantity, TrainingQuantity::tokens); // the step time was not printed
    EXPECT_FALSE(row.again_told);
    // 32 x 8192 tokens on 16 chips.
    EXPECT_DOUBLE_EQ(measured_step(row), 32.0 * 8192 / 16 / 999);
}

TEST(TrainingRows, SayWhyTheyAreNotPredicted) {
    EXPECT_NE(row_of("r,g,pretrain,Abacus,8,x,32,4096,32,8,128,14336,3,32000,0,0,0,2048,8,1,1,1,,1,,0,BF16,"
                     "none,1,,step,NeMo,A")
                  .reason,
              "");
    EXPECT_NE(row_of("r,g,pretrain,H100,8,x,,,,,,,,,,,,2048,8,1,1,1,,1,,0,BF16,none,1,,step,NeMo,A").reason,
              "");
}

TEST(TrainingNetwork, ReadsWhatLinksHave) {
    EXPECT_DOUBLE_EQ(told_rate("DGXC reference: 8x400G per node", 8), 50e9);
    EXPECT_DOUBLE_EQ(told_rate("RoCE 1600 Gb/s per node", 8), 25e9);
    EXPECT_DOUBLE_EQ(told_rate("200 Gb/s per GPU, 3-level Clos", 8), 25e9);
    EXPECT_DOUBLE_EQ(told_rate("RoCE 4x100 Gb/s per node", 8), 6.25e9);
    EXPECT_EQ(told_rate("NVLink 200 GB/s each way", 8), 0);
    EXPECT_EQ(told_rate("not stated", 8), 0);
}

TEST(TrainingAmounts, CountTheProductsOfALayer) {
    // One layer, one chip: QKV 64 x 192, output 64 x 64, two matrices of 64 x 256; 2048 tokens.
    const TrainingRow row =
        row_of("r,g,pretrain,A100-SXM-80G,1,tiny,1,64,4,4,16,256,2,128,0,0,0,1024,2,2,1,1,,"
               "1,,0,BF16,none,1,,step,NeMo,A");
    const DecidedTraining training = decided(row);
    const StepAmounts amounts = amounts_of(training);
    const auto seconds = [](double in, double out) {
        return 3 * 2 * 2048.0 * in * out / 312e12 /
               (size_share(gemm_half, in, out) * 2048 / (2048 + gemm_half));
    };
    EXPECT_NEAR(amounts.gemm, seconds(64, 192) + seconds(64, 64) + seconds(64, 256) + seconds(256, 64),
                1e-12);
    EXPECT_EQ(amounts.tensor, 0);
    EXPECT_EQ(amounts.bubble, 0);
}

TEST(TrainingAmounts, RecomputeTheLeastThatFits) {
    const std::string before =
        "r,g,pretrain,A100-SXM-40G,8,mpt-7b,32,4096,32,32,128,16384,2,50368,0,0,0,2048,";
    const std::string after = ",1,1,,1,,8,BF16,unknown,1,,step,llm-foundry/FSDP,A";
    EXPECT_EQ(decided(row_of(before + "8,1" + after)).again, TrainedAgain::none);
    EXPECT_EQ(decided(row_of(before + "512,64" + after)).again, TrainedAgain::all);
}

TEST(TrainingEvidence, AllShippedRowsArePredictedWithinWhatIsPromised) {
    const std::vector<TrainingRow>& rows = measured_training();
    ASSERT_FALSE(rows.empty());
    const FittedTraining& fitted = fitted_training();
    const std::vector<PredictedTraining> all = predicted_training(fitted, rows, rows);
    for (const TrainingSummary& one : training_summaries(all)) {
        if (one.by.empty()) {
            EXPECT_EQ(one.coverage(), 1) << one.model_kind;
            EXPECT_LT(one.mean, one.model_kind == "experts" ? 0.16 : 0.12) << one.model_kind;
            EXPECT_GE(one.mean, one.floor * 0.9) << one.model_kind;
        }
    }
    for (const PredictedTraining& one : all) {
        EXPECT_LE(one.low, one.predicted);
        EXPECT_GE(one.high, one.predicted);
        for (const NearTraining& near : one.nearest) {
            EXPECT_NE(near.row->group, one.row().group); // a run does not vouch for itself
        }
    }
}

TEST(TrainingEvidence, WithoutItsConfigurationARowIsPredictedNearlyAsWell) {
    const std::vector<TrainingRow>& rows = measured_training();
    const FittedTraining& fitted = fitted_training();
    std::vector<double> errors;
    for (const TrainingRow& row : rows) {
        const auto found = fitted.left_out.find(row.id);
        errors.push_back(found == fitted.left_out.end() ? 0 : found->second);
    }
    for (const TrainingSummary& one : training_summaries(left_out_training(fitted, rows, rows, errors))) {
        if (one.by.empty() && one.model_kind == "dense") {
            EXPECT_LT(one.mean, 0.08);
            EXPECT_LT(one.median, 0.06);
            EXPECT_GT(one.inside_band, 0.75);
            EXPECT_LT(one.inside_band, 0.85);
        } else if (one.by.empty() && one.model_kind == "experts") {
            EXPECT_LT(one.mean, 0.16);
        }
    }
}

TEST(TrainingConstants, OfAChipWithoutRowsAreItsSiblings) {
    const FittedTraining& fitted = fitted_training();
    const TrainingChip* const h800 = training_facts().chip("H800-SXM");
    const TrainingChip* const h100 = training_facts().chip("H100-SXM-80G");
    ASSERT_NE(h800, nullptr);
    ASSERT_NE(h100, nullptr);
    EXPECT_EQ(fitted.of(*h800, ChipConstant::gemm), fitted.of(*h100, ChipConstant::gemm));
    const auto again = read_training_constants(measured_file("training-constants.json"), "constants");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->chips, fitted.chips);
}

TEST(MemoryEvidence, WeightsOfAServedModelAreItsParameters) {
    const auto rows = read_memory_rows("kind,hardware,model,num_devices,tp,weights_gib\n"
                                       "serving,H100,qwen3-32b,2,2,30.59\n",
                                       "memory.csv");
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 1u);
    // 32.761e9 parameters of two bytes on two chips.
    EXPECT_NEAR(rows->front().predicted, 32.761e9, 1e6);
    EXPECT_EQ(rows->front().reason, "");
}

TEST(MemoryEvidence, ActivationsWithoutFusedAttentionAreThoseOfKorthikanti) {
    for (const MemoryRow& one : measured_memory()) {
        if (one.model.starts_with("korthikanti") && one.quantity == "activations") {
            EXPECT_LT(std::abs(one.error()), 0.1) << one.model;
        }
    }
}

/// Two ways to the same: by all errors in order, and by the least distance alone.
TEST(TrainingEvidence, TheNearestRunIsAsFarAsTheListOfTheNearestSays) {
    std::vector<const TrainingRow*> rows;
    for (const PredictedTraining& one : left_out_training()) {
        rows.push_back(&one.row());
    }
    const std::vector<double> distances = distances_to_nearest(fitted_training(), measured_training(), rows);
    ASSERT_EQ(distances.size(), rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_EQ(distances[k], left_out_training()[k].distance) << rows[k]->id;
    }
}

} // namespace
} // namespace meshslice
