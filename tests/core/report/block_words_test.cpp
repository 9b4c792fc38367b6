#include "core/base/text.h"
#include "core/report/json/step_json.h"
#include "core/report/words/block_words.h"
#include "core/report/words/headline.h"
#include "core/scenario/fields.h"
#include "tests/core/support/json_of.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TrainingStep estimated(const Scenario& scenario) {
    return training_step(scenario, scenario.plan.algorithm, Depth::estimate).value();
}

Scenario one_gemm() {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    return scenario;
}

/// The unit is said once where both have it.
TEST(BlockWords, RoomNamesTheUnitOnce) {
    EXPECT_EQ(room_text(Bytes(24'100'000'000), Bytes(32'000'000'000)), "24.1 of 32.0\u2009GB");
    EXPECT_EQ(room_text(Bytes(212'000'000), Bytes(32'000'000'000)), "212\u2009MB of 32.0\u2009GB");
    EXPECT_EQ(room_text(Bytes(0), Bytes(1)), "0 of 1\u2009B");
}

/// 96 blocks of GPT-3 of 0.05 s are 4.80 s; 10 000 blocks of a day are more than picoseconds count.
TEST(BlockWords, TheModelIsAllItsBlocks) {
    TrainingStep step = estimated(default_scenario());
    EXPECT_EQ(step.blocks, 96);
    step.time = seconds(0.05);
    step.utilization = 0.66;
    EXPECT_EQ(all_blocks_words(step), "All 96 blocks: 4.80\u2009s, 66% of peak.");
    step.blocks = 1;
    EXPECT_EQ(all_blocks_words(step), "The model's one block: 50.0\u2009ms, 66% of peak.");
    step.blocks = 10'000;
    step.time = seconds(86'400);
    EXPECT_EQ(model_time_text(step), "864000000\u2009s");
}

TEST(BlockWords, SayWhatIsLeftOut) {
    Scenario scenario = default_scenario();
    TrainingStep step = estimated(scenario);
    EXPECT_THAT(left_out_words(step), HasSubstr("attention's own GEMMs (scores and values), embeddings"));
    EXPECT_THAT(left_out_words(step), Not(HasSubstr("experts")));
    EXPECT_THAT(memory_scope_words(step), HasSubstr("Counted for all 96 blocks and the embeddings: "));
    scenario.model.vocabulary = 0;
    EXPECT_THAT(memory_scope_words(estimated(scenario)),
                HasSubstr("because the model's vocabulary is not known"));
    step.gemms.front().gemm.copies = 8;
    EXPECT_THAT(left_out_words(step), HasSubstr("the dispatch of tokens to experts, "));
}

/// Nothing of blocks and models is said of a GEMM on its own.
TEST(BlockWords, AGemmIsNoBlock) {
    const TrainingStep step = estimated(one_gemm());
    EXPECT_THAT(all_blocks_words(step), IsEmpty());
    EXPECT_THAT(left_out_words(step), IsEmpty());
    EXPECT_THAT(memory_scope_words(step), IsEmpty());
    EXPECT_THAT(headline(step), Not(HasSubstr("block")));
    EXPECT_THAT(memory_parts_text(step), testing::StartsWith("A, B and C "));
    const auto json = json_of(step_values(step));
    EXPECT_FALSE(json.contains("layers"));
    EXPECT_FALSE(json.contains("model_time_s"));
    EXPECT_FALSE(json.contains("block_memory_bytes"));
    EXPECT_TRUE(json["fits"]);
    EXPECT_EQ(json["memory_bytes"]["total"], step.memory.bytes().value());
}

/// One block is called one block; what does not fit is said before the time.
TEST(Headline, SaysWhatTheTimeIsOfAndWhetherItFits) {
    Scenario scenario = default_scenario();
    scenario.batch = 32;
    const TrainingStep fitting = estimated(scenario);
    ASSERT_TRUE(fitting.fits());
    const std::string time = text(fitting.time);
    EXPECT_THAT(headline(fitting), HasSubstr(": one block " + time + " (sequence 2048), "));
    EXPECT_THAT(headline(fitting), HasSubstr(" of peak; " + fit_words(fitting) + "; "));
    EXPECT_THAT(fit_words(fitting), testing::EndsWith(" of 32.0\u2009GB"));
    scenario.hardware.hbm.value = Bytes(20'000'000'000);
    const TrainingStep misfit = estimated(scenario);
    EXPECT_THAT(fit_words(misfit), testing::MatchesRegex("does not fit: .* of 20.0.*GB per chip"));
    EXPECT_THAT(headline(misfit),
                HasSubstr(": " + fit_words(misfit) + "; one block " + time + " (sequence 2048), "));
}

TEST(StepJson, GivesTheModelNextToTheBlock) {
    const TrainingStep step = estimated(default_scenario());
    const auto json = json_of(step_values(step));
    EXPECT_EQ(json["layers"], 96);
    EXPECT_DOUBLE_EQ(json["model_time_s"].get<double>(), 96 * json["time_s"].get<double>());
    std::int64_t sum = 0;
    for (const char* part :
         {"weights", "embeddings", "gradients", "optimizer", "activations", "buffers", "logits", "reserve"}) {
        sum += json["memory_bytes"][part].get<std::int64_t>();
    }
    EXPECT_EQ(json["memory_bytes"]["total"], sum);
    EXPECT_EQ(json["memory_bytes"]["weights"],
              96 * json["block_memory_bytes"]["weights"].get<std::int64_t>());
    EXPECT_EQ(json["fits"], sum <= json["hbm_bytes"].get<std::int64_t>());
}

/// Where the line above names the hardware with its edits, the headline does not say them again.
TEST(Headline, SaysEditsOnce) {
    Scenario scenario = default_scenario();
    ASSERT_TRUE(scenario_field("links").set(scenario, Factor{0.5}));
    const auto step = estimated_step(scenario, scenario.plan.algorithm);
    ASSERT_TRUE(step);
    EXPECT_THAT(headline(*step), HasSubstr(", link bandwidth x 0.5: "));
    EXPECT_THAT(headline(*step, SaidEdits::nearby), Not(HasSubstr("link bandwidth")));
}

/// Leaving memory out is a choice that the headline names, and the JSON next to it; every other chip model
/// counts it.
TEST(Headline, NamesAMemoryThatIsLeftOut) {
    Scenario scenario = default_scenario();
    for (const ChipModel chip : all_chip_models) {
        scenario.assume.schedule.chip = chip;
        const auto step = training_step(scenario, scenario.plan.algorithm, Depth::estimate);
        ASSERT_TRUE(step);
        const bool counted = chip != ChipModel::constant_rate;
        EXPECT_EQ(headline(*step).find(", memory not counted: ") == std::string::npos, counted) << name(chip);
        EXPECT_EQ(json_of(step_values(*step))["memory_counted"], counted) << name(chip);
    }
}

} // namespace
} // namespace meshslice
