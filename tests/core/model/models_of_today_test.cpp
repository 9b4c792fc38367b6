// Totals of published models, from the facts of their config.json (fixtures/models_of_today.json).

#include "core/base/json/json_reader.h"
#include "core/model/transformer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace meshslice {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A number as it was published, "46.7B", and half a unit of its last digit.
struct PublishedCount {
    double value = 0;
    double half_unit = 0;
};

PublishedCount published_count(std::string words) {
    double scale = 1;
    for (const auto& [letter, by] : {std::pair('M', 1e6), {'B', 1e9}, {'T', 1e12}}) {
        if (words.back() == letter) {
            scale = by;
            words.pop_back();
        }
    }
    const std::size_t point = words.find('.');
    const auto digits = point == std::string::npos ? 0.0 : static_cast<double>(words.size() - point - 1);
    return {std::stod(words) * scale, scale * std::pow(10, -digits) / 2};
}

/// Within a share of what was published, or within half a unit of its last digit.
bool agrees(double counted, const PublishedCount& with, double share) {
    return std::abs(counted - with.value) <= std::max(share * with.value, with.half_unit);
}

json models() {
    const std::string path =
        std::string(MESHSLICE_SOURCE_DIR) + "/tests/core/model/fixtures/models_of_today.json";
    return json::parse(read_text_file(path).value()).at("models");
}

Transformer kept_from(const json& config) {
    const Result<Transformer> model = read_hugging_face(config.dump(), "config.json");
    EXPECT_TRUE(model) << (model ? "" : model.error().sentence);
    return model ? *model : Transformer{};
}

TEST(ModelsOfToday, HaveTheirPublishedTotals) {
    for (const json& row : models()) {
        const std::string name = row.at("name");
        const Transformer model = kept_from(row.at("config"));
        const ModelParameters counts = parameters(model);
        // Publications differ in what they count: the row says how, where it is not everything.
        const std::string words = row.value("total_counts", "");
        double total = counts.all;
        total -= words.find("without ends") != std::string::npos ? counts.embeddings : 0;
        total += words.find("with prediction") != std::string::npos ? counts.predictors : 0;
        const PublishedCount all = published_count(row.at("total"));
        EXPECT_TRUE(agrees(total, all, 0.005)) << name << ": " << total << " of " << all.value;
        if (row.contains("active")) {
            const std::string embedding = row.at("embedding");
            const double head = static_cast<double>(model.vocabulary) * static_cast<double>(model.hidden);
            const double active = embedding == "with"      ? counts.active_with_embedding
                                  : embedding == "without" ? counts.active
                                                           : counts.active - head;
            const PublishedCount some = published_count(row.at("active"));
            EXPECT_TRUE(agrees(active, some, 0.01)) << name << ": " << active << " of " << some.value;
        }
    }
}

TEST(ModelsOfToday, AreKeptInOurOwnForm) {
    for (const json& row : models()) {
        const Transformer model = kept_from(row.at("config"));
        const Result<Transformer> again = read_transformer(write_transformer(model), "own.json");
        ASSERT_TRUE(again) << row.at("name") << ": " << again.error().sentence;
        EXPECT_EQ(*again, model) << row.at("name");
    }
}

/// DeepSeek V3's latent attention by hand (arXiv 2412.19437, section 4.2): hidden 7168, 128 heads, queries
/// from 1536 numbers, keys and values from 512 and 64 more that all heads share.
TEST(ModelsOfToday, LatentAttentionHasTheMatricesOfItsPaper) {
    const json list = models();
    const auto row =
        std::ranges::find_if(list, [](const json& one) { return one.at("name") == "DeepSeek V3"; });
    const Transformer model = kept_from(row->at("config"));
    ASSERT_EQ(model.kinds.size(), 2u);
    const double attention = 7168.0 * (1536 + 512 + 64) + 1536.0 * 128 * (128 + 64) +
                             512.0 * 128 * (128 + 128) + 128 * 128 * 7168.0;
    const std::vector<KindCount> kinds = block_kinds(model);
    EXPECT_EQ(kinds[0].blocks, 3);
    EXPECT_EQ(parameters(kinds[0].kind).matrices, attention + 3 * 7168.0 * 18432);
    EXPECT_EQ(kinds[1].blocks, 58);
    EXPECT_EQ(parameters(kinds[1].kind).matrices, attention + 257 * 3 * 7168.0 * 2048);
    EXPECT_EQ(parameters(kinds[1].kind).active, attention + 9 * 3 * 7168.0 * 2048);
    EXPECT_EQ(cached_numbers(kinds[1].kind), 512 + 64) << "one latent vector for all heads";
    EXPECT_EQ(model.predictors, 1);
    EXPECT_EQ(model.experts, 256) << "the kind that stands for all is the one of most blocks";
}

/// Qwen3-Next (its config.json): of four blocks three keep a state of 32 heads of 128 x 128 and three tokens
/// of what the convolution of 4 sees, 2 x 16 x 128 + 32 x 128 features wide; the fourth keeps keys and
/// values, 2 heads of 256 each.
TEST(ModelsOfToday, LinearAttentionKeepsAStateThatDoesNotGrow) {
    const json list = models();
    const auto row =
        std::ranges::find_if(list, [](const json& one) { return one.at("name") == "Qwen3 Next 80B A3B"; });
    const std::vector<KindCount> kinds = block_kinds(kept_from(row->at("config")));
    ASSERT_EQ(kinds.size(), 2u);
    EXPECT_EQ(kinds[0].blocks, 36);
    EXPECT_EQ(cached_numbers(kinds[0].kind), 0);
    EXPECT_EQ(recurrent_numbers(kinds[0].kind), 32 * 128 * 128 + 3 * (2 * 16 * 128 + 32 * 128));
    EXPECT_EQ(kinds[1].blocks, 12);
    EXPECT_EQ(cached_numbers(kinds[1].kind), 2 * 2 * 256);
    EXPECT_EQ(recurrent_numbers(kinds[1].kind), 0);
}

/// Five of six blocks of Gemma 3 keep 1024 tokens at most.
TEST(ModelsOfToday, WindowsBoundWhatIsKept) {
    const json list = models();
    const auto row =
        std::ranges::find_if(list, [](const json& one) { return one.at("name") == "Gemma 3 27B"; });
    const std::vector<KindCount> kinds = block_kinds(kept_from(row->at("config")));
    ASSERT_EQ(kinds.size(), 2u);
    EXPECT_EQ(kinds[0].blocks, 52);
    EXPECT_EQ(cached_numbers(kinds[0].kind, 8192), 1024 * 2 * 16 * 128);
    EXPECT_EQ(cached_numbers(kinds[0].kind, 100), 100 * 2 * 16 * 128);
    EXPECT_EQ(kinds[1].blocks, 10);
    EXPECT_EQ(cached_numbers(kinds[1].kind, 8192), 8192 * 2 * 16 * 128);
}

TEST(ModelsOfToday, WhatIsNotModelledIsRefusedByName) {
    const json plain = {{"model_type", "llama"},     {"hidden_size", 4096},        {"num_hidden_layers", 4},
                        {"num_attention_heads", 32}, {"intermediate_size", 11008}, {"vocab_size", 32000}};
    const auto refusal = [&](const json& change) {
        json config = plain;
        config.update(change);
        const Result<Transformer> model = read_hugging_face(config.dump(), "config.json");
        return model ? "accepted" : model.error().sentence;
    };
    EXPECT_THAT(refusal({{"o_lora_rank", 1024}}),
                HasSubstr("\"o_lora_rank\" means latent attention of another"));
    EXPECT_THAT(refusal({{"num_kv_shared_layers", 15}}), HasSubstr("keys and values of other blocks"));
    EXPECT_THAT(refusal({{"hc_mult", 4}}), HasSubstr("several streams between blocks"));
    EXPECT_THAT(refusal({{"model_type", "zamba2"}}), HasSubstr("share one block of attention"));
    EXPECT_THAT(refusal({{"mamba_d_state", 16}}), HasSubstr("no key says which blocks are"));
    EXPECT_THAT(refusal({{"layer_types", {"full_attention", "full_attention", "full_attention", "mamba"}}}),
                HasSubstr("\"layer_types\" makes 1 of 4 blocks \"mamba\""));
    EXPECT_THAT(refusal({{"layer_types", {"full_attention", "full_attention", "full_attention"}}}),
                HasSubstr("has 3 names; expected one for each of 4 blocks"));
    // Lists of another length that are not the same for all: which blocks are meant is not known.
    EXPECT_THAT(refusal({{"hybrid_layer_pattern", {0, 1}}, {"sliding_window", 128}}),
                HasSubstr("\"/hybrid_layer_pattern\" has 2 numbers; expected one for each of 4 blocks"));
    EXPECT_THAT(refusal({{"model_type", "nemotron_h"},
                         {"head_dim", 128},
                         {"num_key_value_heads", 8},
                         {"hybrid_override_pattern", "M-M"},
                         {"ssm_state_size", 128}}),
                HasSubstr("names 3 blocks, but there are 4"));
}

} // namespace
} // namespace meshslice
