// `meshslice model`: what a model is made of.

#include "tests/cli/meshslice_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

/// Llama 3 8B by hand: 32 blocks of 4096 x (4096 + 2 x 1024) + 4096 x 4096 + 3 x 4096 x 14336, two matrices
/// of 128256 x 4096, 8 key-value heads of 128.
TEST(CliModel, TakesAModelApart) {
    const double block = 4096.0 * 6144 + 4096.0 * 4096 + 3 * 4096.0 * 14336;
    const double table = 128256.0 * 4096;
    const nlohmann::json sheet = meshslice_json({"model", "llama-3-8b"});
    EXPECT_EQ(sheet.at("parameters"), 32 * block + 2 * table);
    EXPECT_EQ(sheet.at("active_parameters"), 32 * block + table) << "a row of the embedding is looked up";
    EXPECT_EQ(sheet.at("layer_parameters"), 32 * block);
    EXPECT_EQ(sheet.at("published_parameters"), 8'030'261'248);
    EXPECT_EQ(sheet.at("weight_bytes").at("bf16"), 2 * (32 * block + 2 * table));
    EXPECT_EQ(sheet.at("weight_bytes").at("int4"), (32 * block + 2 * table) / 2);
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
    EXPECT_THAT(printed({"model", "llama-3-8b"}), HasSubstr("published: 8.030 G, -0.003%"));
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
    EXPECT_EQ(sheet.at("parameters"), attention + 128 * expert + 2 * table);
    EXPECT_EQ(sheet.at("active_parameters"), attention + 8 * expert + table);
    EXPECT_TRUE(sheet.at("published_parameters").is_null());
}

TEST(CliModel, SaysWhatIsNotThere) {
    EXPECT_THAT(meshslice_command({"model", "llama"}).err, HasSubstr("did you mean llama-"));
    EXPECT_EQ(meshslice_command({"model"}).exit_code, 2);
}

} // namespace
} // namespace meshslice::test
