// `meshslice model`: what a model is made of.

#include "tests/cli/support/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Llama 3 8B by hand: 32 blocks of 4096 x (4096 + 2 x 1024) + 4096 x 4096 + 3 x 4096 x 14336, two matrices
/// of 128256 x 4096, 8 key-value heads of 128.
TEST(CliModel, TakesAModelApart) {
    const double block = 4096.0 * 6144 + 4096.0 * 4096 + 3 * 4096.0 * 14336;
    const double table = 128256.0 * 4096;
    const nlohmann::json sheet = meshslice_json({"model", "llama-3-8b"});
    const double norms = (2 * 32 + 1) * 4096;
    EXPECT_EQ(sheet.at("parameters"), 32 * block + 2 * table + norms);
    EXPECT_EQ(sheet.at("parameters"), sheet.at("published_parameters"));
    EXPECT_EQ(sheet.at("active_parameters"), 32 * block + table + norms)
        << "a row of the embedding is looked up";
    EXPECT_EQ(sheet.at("active_parameters_with_embedding"), sheet.at("parameters"));
    EXPECT_EQ(sheet.at("layer_parameters"), 32 * block);
    EXPECT_EQ(sheet.at("published_parameters"), 8'030'261'248);
    EXPECT_EQ(sheet.at("weight_bytes").at("bf16"), 2 * (32 * block + 2 * table + norms));
    EXPECT_EQ(sheet.at("weight_bytes").at("int4"), (32 * block + 2 * table + norms) / 2);
    EXPECT_EQ(sheet.at("kv_bytes_per_token"), 2 * 32 * 8 * 128 * 2);
    EXPECT_EQ(sheet.at("sequence"), 8192);
    EXPECT_EQ(meshslice_json({"model", "llama-3-8b", "--cache-type", "int8"}).at("kv_bytes_per_token"),
              2 * 32 * 8 * 128);
    // Attention of one token that sees itself alone: a sum of 128 products for its score, and 128 products,
    // in each of 32 heads. The rest is 2 FLOP a weight.
    const nlohmann::json one = meshslice_json({"model", "llama-3-8b", "--sequence", "1"});
    EXPECT_DOUBLE_EQ(one.at("forward_flop_per_token"),
                     2 * (32 * block + table) + 32 * 32.0 * (2 * 128 - 1 + 128));
    EXPECT_GT(sheet.at("attention_share_of_flop"), one.at("attention_share_of_flop"));
    EXPECT_THAT(printed({"model", "llama-3-8b"}), HasSubstr("published: 8.030 G, +0.000%"));
}

/// 8 of 128 experts work on a token.
TEST(CliModel, CountsTheExpertsThatWork) {
    const TemporaryFolder folder;
    const std::string file = folder.file("experts.json", R"({"model_type": "qwen3_moe", "hidden_size": 2048,
        "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128,
        "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8, "vocab_size": 151936})");
    const double attention = 48 * (2048.0 * (32 + 8) * 128 + 4096.0 * 2048);
    const double expert = 48 * 3 * 2048.0 * 768;
    const double table = 151936.0 * 2048;
    const nlohmann::json sheet = meshslice_json({"model", file});
    // Two norms and a router a block, and a norm at the end.
    const double others = 48 * (2 * 2048 + 128 * 2048.0) + 2048;
    EXPECT_EQ(sheet.at("parameters"), attention + 128 * expert + 2 * table + others);
    EXPECT_EQ(sheet.at("active_parameters"), attention + 8 * expert + table + others);
    EXPECT_TRUE(sheet.at("published_parameters").is_null());
}

/// Gemma 3 27B: 52 of 62 blocks look back 1024 tokens; 16 key-value heads of 128, of 2 bytes each.
TEST(CliModel, HasALineForEachKindOfBlock) {
    const nlohmann::json sheet = meshslice_json({"model", "gemma-3-27b", "--sequence", "8192"});
    ASSERT_EQ(sheet.at("kinds").size(), 2u);
    EXPECT_EQ(sheet.at("kinds")[0].at("blocks"), 52);
    EXPECT_EQ(sheet.at("kinds")[1].at("blocks"), 10);
    const double a_token = 2 * 16 * 128 * 2.0;
    EXPECT_EQ(sheet.at("kv_bytes_per_token"), 62 * a_token);
    EXPECT_EQ(sheet.at("kv_bytes_per_sequence"), (52 * 1024 + 10 * 8192) * a_token);
    EXPECT_EQ(sheet.at("state_bytes_per_sequence"), 0);
    const std::string words = printed({"model", "gemma-3-27b"});
    EXPECT_THAT(words, HasSubstr("attention 32/16 x 128 in a window of 1024, feed-forward 21504"));
    EXPECT_THAT(words, HasSubstr("an encoder of 27 blocks"));
    const nlohmann::json hybrid = meshslice_json({"model", "qwen3-next-80b-a3b"});
    EXPECT_EQ(hybrid.at("kv_bytes_per_token"), 12 * 2 * 2 * 256 * 2.0);
    EXPECT_EQ(hybrid.at("state_bytes_per_sequence"),
              36 * 2.0 * (32 * 128 * 128 + 3 * (2 * 16 * 128 + 32 * 128)));
}

/// One block stands for all in an estimate, and a plan counts all: both say so.
TEST(CliModel, AnswersSayWhichKindOfBlockTheyAreAbout) {
    EXPECT_THAT(printed({"estimate", "--model", "deepseek-v3", "--machine", "tpu-v5p", "--mesh", "4x4",
                         "--batch", "64", "--sequence", "4096"}),
                HasSubstr("DeepSeek V3 has 2 kinds of blocks. This is the one that most of its blocks with "
                          "attention are, 58 of 61: latent attention 128 x 192 from 512, 8 of 256 experts"));
    const std::string plan =
        printed({"plan", "--model", "deepseek-v3", "--cluster", "h100-nvs8", "--chips", "256", "--batch",
                 "256", "--sequence", "4096", "--dp", "8", "--pp", "4", "--tp", "8x1"});
    EXPECT_THAT(plan, HasSubstr("Its blocks are of 2 kinds: a layer is their mean"));
    EXPECT_THAT(plan, HasSubstr("blocks that predict further tokens"));
}

/// A file of Hugging Face has the longest context, which is then what is trained with unless it is said.
TEST(CliModel, SaysWhichSequenceAModelsFileGave) {
    const TemporaryFolder folder;
    const std::string file =
        folder.file("config.json", file_content(source_file("tests/core/model/fixtures/llama-3-70b.json")));
    const std::vector<std::string> plan = {"plan",    "--model", file,      "--machine", "h100-nvs8",
                                           "--chips", "64",      "--batch", "64",        "--dp",
                                           "4",       "--pp",    "2",       "--tp",      "8x1"};
    EXPECT_THAT(printed(plan), HasSubstr("\nA sequence has 8192 tokens, the most that " + file +
                                         " says; --sequence sets another number.\n"));
    EXPECT_THAT(printed(and_flags(plan, {"--sequence", "4096"})), Not(HasSubstr("A sequence has")));
    std::vector<std::string> report = plan;
    report.erase(report.begin());
    report.insert(report.begin(), {"report", "-", "--of", "plan"});
    EXPECT_THAT(printed(report), HasSubstr("- A sequence has 8192 tokens"));
    EXPECT_THAT(printed({"serve", "--model", file, "--machine", "h100-nvs8", "--tp", "8"}),
                HasSubstr("A request has 1024 and 256 tokens; --input and --output set others"));
}

/// So it is said of one block, and of what "scale" goes through.
TEST(CliModel, SaysWhichSequenceAModelsFileGaveAStep) {
    const TemporaryFolder folder;
    const std::string file =
        folder.file("config.json", file_content(source_file("tests/core/model/fixtures/llama-3-70b.json")));
    const std::string said = "\nA sequence has 8192 tokens, the most that " + file + " says; ";
    const std::vector<std::string> scale = {"scale",   "--model", file,     "--machine",  "h100-nvs8",
                                            "--chips", "8",       "--from", "8",          "--to",
                                            "8",       "--batch", "8",      "--strategy", "1d"};
    EXPECT_THAT(printed(scale), HasSubstr(said));
    const std::vector<std::string> step = {"estimate", "--model", file,      "--machine", "tpu-v5e",
                                           "--mesh",   "4x4",     "--batch", "16"};
    EXPECT_THAT(printed(step), HasSubstr(said));
    EXPECT_THAT(printed(and_flags(step, {"--sequence", "4096"})), Not(HasSubstr("A sequence has")));
}

TEST(CliModel, SaysWhatIsNotThere) {
    EXPECT_THAT(meshslice_command({"model", "llama"}).err, HasSubstr("did you mean llama-"));
    EXPECT_EQ(meshslice_command({"model"}).exit_code, 2);
}

} // namespace
} // namespace meshslice::test
