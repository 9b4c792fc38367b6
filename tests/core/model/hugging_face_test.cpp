#include "core/base/json/json_reader.h"
#include "core/model/transformer.h"
#include "core/work/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string fixture(const std::string& name) {
    return read_text_file(std::string(MESHSLICE_SOURCE_DIR) + "/tests/core/model/fixtures/" + name + ".json")
        .value();
}

json fixture_json(const std::string& name) {
    return json::parse(fixture(name));
}

Result<Transformer> read(const json& config) {
    return read_hugging_face(config.dump(), "config.json");
}

std::string config_refusal(const json& config) {
    const Result<Transformer> model = read(config);
    return model ? "accepted" : model.error().sentence;
}

/// The refusal of Llama 3 70B with one key changed.
std::string refusal_of_llama_with(const char* key, const json& value) {
    json config = fixture_json("llama-3-70b");
    config[key] = value;
    return config_refusal(config);
}

TEST(HuggingFace, PublishedFilesGiveTheirModels) {
    struct Row {
        const char* file;
        std::int64_t layers, hidden, heads, kv_heads, head_size, feed_forward;
        bool gated;
        std::int64_t experts, experts_per_token, vocabulary;
    };
    const std::vector<Row> rows = {
        {"llama-3-70b", 80, 8192, 64, 8, 128, 28'672, true, 1, 1, 128'256},  // 8192 / 64 = 128
        {"mistral-7b", 32, 4096, 32, 8, 128, 14'336, true, 1, 1, 32'000},    // 4096 / 32 = 128
        {"qwen2-7b", 28, 3584, 28, 4, 128, 18'944, true, 1, 1, 152'064},     // 3584 / 28 = 128
        {"gpt2", 12, 768, 12, 12, 64, 3072, false, 1, 1, 50'257},            // 768 / 12 = 64, 4 x 768 = 3072
        {"gpt-neox-20b", 44, 6144, 64, 64, 96, 24'576, false, 1, 1, 50'432}, // 6144 / 64 = 96
        {"mixtral-8x7b", 32, 4096, 32, 8, 128, 14'336, true, 8, 2, 32'000},
    };
    for (const Row& row : rows) {
        const Result<Transformer> model = read_hugging_face(fixture(row.file), row.file);
        ASSERT_TRUE(model) << model.error().sentence;
        EXPECT_EQ(model->layers, row.layers) << row.file;
        EXPECT_EQ(model->hidden, row.hidden) << row.file;
        EXPECT_EQ(model->heads, row.heads) << row.file;
        EXPECT_EQ(model->kv_heads, row.kv_heads) << row.file;
        EXPECT_EQ(model->head_size, row.head_size) << row.file;
        EXPECT_EQ(model->feed_forward, row.feed_forward) << row.file;
        EXPECT_EQ(model->gated, row.gated) << row.file;
        EXPECT_EQ(model->experts, row.experts) << row.file;
        EXPECT_EQ(model->experts_per_token, row.experts_per_token) << row.file;
        EXPECT_EQ(model->vocabulary, row.vocabulary) << row.file;
        EXPECT_EQ(model->sources.size(), (model->sequence > 0 ? 12u : 11u) + (model->kinds.empty() ? 0u : 1u))
            << row.file;
        // What was read can be kept in our own form, and the two readers are distinguished.
        EXPECT_EQ(read_any_model(write_transformer(*model), "own.json").value(), *model) << row.file;
        EXPECT_EQ(read_any_model(fixture(row.file), row.file).value(), *model) << row.file;
    }
}

TEST(HuggingFace, TheImportedLlamaIsThePreset) {
    const Transformer preset = model_preset("llama-3-70b").value();
    Transformer model = read_hugging_face(fixture("llama-3-70b"), "config.json").value();
    model.name = preset.name;
    model.title = preset.title;
    model.published_parameters = preset.published_parameters;
    model.sources = preset.sources;
    EXPECT_EQ(model, preset);
}

TEST(HuggingFace, SourcesNameTheKeysAndTheRules) {
    const auto llama = read(fixture_json("llama-3-70b"))->sources;
    EXPECT_EQ(llama.at("layers"), "num_hidden_layers in config.json");
    EXPECT_EQ(llama.at("kv_heads"), "num_key_value_heads in config.json");
    EXPECT_THAT(llama.at("gated"), HasSubstr("model_type in config.json"));
    EXPECT_THAT(llama.at("head_size"), HasSubstr("hidden_size / num_attention_heads"));
    EXPECT_EQ(llama.at("sequence"), "max_position_embeddings in config.json");
    EXPECT_EQ(read(fixture_json("gpt2"))->sequence, 1024); // n_positions
    const auto gpt2 = read(fixture_json("gpt2"))->sources;
    EXPECT_EQ(gpt2.at("layers"), "n_layer in config.json");
    EXPECT_THAT(gpt2.at("feed_forward"), HasSubstr("4 x n_embd in config.json"));
    EXPECT_THAT(gpt2.at("kv_heads"), HasSubstr("n_head in config.json"));
}

/// What the file says of the embeddings, inside or outside of a nested object; else the family's default.
/// GPT-2 has 124.4 million parameters with one matrix, of which positions, norms and biases are not counted.
TEST(HuggingFace, SaysWhetherTheEmbeddingsAreOneMatrix) {
    EXPECT_FALSE(read(fixture_json("llama-3-70b"))->tied_embeddings);
    const Transformer gpt2 = read(fixture_json("gpt2")).value();
    EXPECT_TRUE(gpt2.tied_embeddings);
    EXPECT_NEAR(static_cast<double>(layer_parameters(gpt2) + embedding_parameters(gpt2)), 124.4e6, 1e6);
    json config = fixture_json("llama-3-70b");
    config["tie_word_embeddings"] = true;
    EXPECT_TRUE(read(config)->tied_embeddings);
    EXPECT_THAT(read(config)->sources.at("tied_embeddings"), HasSubstr("tie_word_embeddings in config.json"));
    config.erase("tie_word_embeddings");
    EXPECT_FALSE(read(config)->tied_embeddings);
    EXPECT_THAT(read(config)->sources.at("tied_embeddings"), HasSubstr("llama files without"));
    json nested = {{"model_type", "mllama"}, {"text_config", config}, {"tie_word_embeddings", true}};
    EXPECT_TRUE(read(nested)->tied_embeddings);
    nested["text_config"]["tie_word_embeddings"] = false;
    EXPECT_FALSE(read(nested)->tied_embeddings);
    EXPECT_THAT(refusal_of_llama_with("tie_word_embeddings", 1), HasSubstr("expected true or false"));
}

TEST(HuggingFace, NamesComeFromTheFile) {
    json config = fixture_json("llama-3-70b");
    EXPECT_EQ(read(config)->name, "llama");
    EXPECT_EQ(read(config)->title, "llama, 80 layers of width 8192");
    config["_name_or_path"] = "meta-llama/Meta-Llama-3-70B";
    EXPECT_EQ(read(config)->name, "meta-llama/Meta-Llama-3-70B");
    EXPECT_EQ(read(config)->title, "Meta-Llama-3-70B");
    config["_name_or_path"] = "/models/mine/";
    EXPECT_EQ(read(config)->title, "mine");
    config["_name_or_path"] = "";
    EXPECT_EQ(read(config)->name, "llama");
}

TEST(HuggingFace, RulesOfTheFamilies) {
    json config = fixture_json("llama-3-70b");
    config.erase("num_key_value_heads"); // Llama 1 files have none.
    EXPECT_EQ(read(config)->kv_heads, 64);
    EXPECT_THAT(read(config)->sources.at("kv_heads"), HasSubstr("llama files without num_key_value_heads"));

    config = fixture_json("mistral-7b"); // The class's default would be 8, whatever the number of heads.
    config.erase("num_key_value_heads");
    EXPECT_THAT(config_refusal(config), HasSubstr("\"num_key_value_heads\""));

    config = fixture_json("mistral-7b");
    config["head_dim"] = 160;
    EXPECT_EQ(read(config)->head_size, 160);
    EXPECT_EQ(read(config)->sources.at("head_size"), "head_dim in config.json");
    config["head_dim"] = nullptr;
    EXPECT_EQ(read(config)->head_size, 128);

    config = fixture_json("gpt2");
    config["n_inner"] = nullptr;
    EXPECT_EQ(read(config)->feed_forward, 3072);
    config["n_inner"] = 1000;
    EXPECT_EQ(read(config)->feed_forward, 1000);

    config = fixture_json("gpt2");
    config["model_type"] = "gpt_bigcode";
    EXPECT_THAT(config_refusal(config), HasSubstr("multi_query"));
    config["multi_query"] = true;
    EXPECT_EQ(read(config)->kv_heads, 1);
    config["multi_query"] = false;
    EXPECT_EQ(read(config)->kv_heads, 12);
}

TEST(HuggingFace, QwenOfTheFirstGenerationCountsGateAndUpTogether) {
    // Qwen-7B: intermediate_size 22016 is two projections of 11008.
    const json config = {{"model_type", "qwen"},      {"hidden_size", 4096},        {"num_hidden_layers", 32},
                         {"num_attention_heads", 32}, {"intermediate_size", 22016}, {"kv_channels", 128},
                         {"vocab_size", 151'936}};
    EXPECT_EQ(read(config)->feed_forward, 11'008);
    EXPECT_TRUE(read(config)->gated);
    EXPECT_EQ(read(config)->head_size, 128);
}

TEST(HuggingFace, Qwen3ExpertsHaveAWidthOfTheirOwn) {
    // Qwen3-30B-A3B.
    json config = {
        {"model_type", "qwen3_moe"}, {"hidden_size", 2048},          {"num_hidden_layers", 48},
        {"num_attention_heads", 32}, {"num_key_value_heads", 4},     {"head_dim", 128},
        {"intermediate_size", 6144}, {"moe_intermediate_size", 768}, {"num_experts", 128},
        {"num_experts_per_tok", 8},  {"decoder_sparse_step", 1},     {"mlp_only_layers", json::array()},
        {"vocab_size", 151'936}};
    const Transformer model = read(config).value();
    EXPECT_EQ(model.feed_forward, 768);
    EXPECT_EQ(model.experts, 128);
    EXPECT_EQ(model.experts_per_token, 8);
    EXPECT_EQ(model.sources.at("feed_forward"), "moe_intermediate_size in config.json");
    // 32 heads and 2 x 4 key-value heads of 128; 4096 tokens x 8 / 128 experts = 256.
    const auto layers = fully_connected_layers(model, 4096).value();
    EXPECT_EQ(layers[0], (FullyConnectedLayer{"QKV", 2048, 5120, 4096, 1}));
    EXPECT_EQ(layers[2], (FullyConnectedLayer{"FF1", 2048, 1536, 256, 128}));
    // A block without experts has the width of its own.
    const std::int64_t experts = 128 * 3 * 2048 * 768, dense = 3 * 2048 * 6144;
    config["mlp_only_layers"] = {0};
    EXPECT_EQ(layer_parameters(read(config).value()), layer_parameters(model) - experts + dense);
    config["mlp_only_layers"] = json::array();
    config["decoder_sparse_step"] = 2;
    EXPECT_EQ(layer_parameters(read(config).value()), layer_parameters(model) - 24 * (experts - dense));
}

TEST(HuggingFace, NestedTextConfig) {
    json config = {
        {"model_type", "mllama"}, {"text_config", fixture_json("llama-3-70b")}, {"vision_config", {}}};
    const Transformer model = read(config).value();
    EXPECT_EQ(model.layers, 80);
    EXPECT_EQ(model.sources.at("layers"), "text_config/num_hidden_layers in config.json");
    config["text_config"].erase("hidden_size");
    EXPECT_THAT(config_refusal(config), HasSubstr("\"text_config/hidden_size\""));
    config["text_config"] = {{"model_type", "llama"}, {"vocab_size", 32'064}}; // as LLaVA 1.5 has it
    EXPECT_THAT(config_refusal(config), HasSubstr("\"text_config/num_hidden_layers\""));
    config = fixture_json("qwen2-7b"); // numbers outside, and an inner object without them
    config["text_config"] = json::object();
    EXPECT_EQ(read(config)->layers, 28);
}

TEST(HuggingFace, AMissingNumberIsNamedWithItsAliases) {
    const std::vector<std::string> keys = {"num_hidden_layers", "hidden_size", "num_attention_heads",
                                           "intermediate_size"};
    for (const std::string& key : keys) {
        json config = fixture_json("llama-3-70b");
        config.erase(key);
        EXPECT_THAT(config_refusal(config), HasSubstr("\"" + key + "\"")) << key;
    }
    json config = fixture_json("llama-3-70b");
    config.erase("num_hidden_layers");
    EXPECT_EQ(config_refusal(config),
              "config.json gives no number of layers: \"num_hidden_layers\" (elsewhere called "
              "n_layer, n_layers, num_layers) is missing.");
    config = fixture_json("llama-3-70b");
    config.erase("vocab_size"); // No layer needs it.
    EXPECT_EQ(read(config)->vocabulary, 0);
    EXPECT_THAT(read(config)->sources.at("vocabulary"), HasSubstr("not in config.json"));
    config = fixture_json("mixtral-8x7b");
    config.erase("num_experts_per_tok");
    EXPECT_THAT(config_refusal(config), HasSubstr("\"num_experts_per_tok\""));
    config = fixture_json("mixtral-8x7b");
    config.erase("num_local_experts");
    EXPECT_THAT(config_refusal(config), HasSubstr("\"num_local_experts\""));
}

TEST(HuggingFace, AnUnknownFamilyIsAskedForItsGate) {
    json config = fixture_json("llama-3-70b");
    config["model_type"] = "nonesuch";
    EXPECT_THAT(config_refusal(config), HasSubstr("\"nonesuch\""));
    EXPECT_THAT(config_refusal(config), HasSubstr("add \"gated\": true or false"));
    EXPECT_THAT(config_refusal(config), HasSubstr("llama, mistral, mixtral"));
    EXPECT_THAT(config_refusal(config), HasSubstr("\"head_dim\"")) << "all that is missing, at once";
    config["gated"] = true;
    EXPECT_THAT(config_refusal(config),
                HasSubstr("\"head_dim\"")); // No rule of an unknown family is assumed.
    config["head_dim"] = 128;
    EXPECT_TRUE(read(config)->gated);
    EXPECT_THAT(read(config)->sources.at("gated"),
                HasSubstr("gated in config.json: taken from the file's own"));
    config["gated"] = false;
    EXPECT_FALSE(read(config)->gated);
    config = fixture_json("llama-3-70b");
    config.erase("model_type");
    EXPECT_THAT(config_refusal(config), HasSubstr("has no \"model_type\""));
}

TEST(HuggingFace, KeysOfOtherBlocksAreReadOrRefused) {
    EXPECT_THAT(refusal_of_llama_with("is_encoder_decoder", true), HasSubstr("an encoder and a decoder"));
    EXPECT_THAT(refusal_of_llama_with("num_local_experts", 8), HasSubstr("not known to have experts"));
    EXPECT_EQ(refusal_of_llama_with("kv_lora_rank", nullptr), "accepted");
    EXPECT_EQ(refusal_of_llama_with("n_shared_experts", 0), "accepted");
    EXPECT_EQ(refusal_of_llama_with("num_local_experts", 1), "accepted");
    EXPECT_EQ(refusal_of_llama_with("moe_layer_freq", {1, 1, 1}), "accepted");
    EXPECT_EQ(refusal_of_llama_with("layer_types", {"full_attention", "sliding_attention"}), "accepted");
    EXPECT_THAT(refusal_of_llama_with("layer_types", {"full_attention", "mamba"}),
                HasSubstr("\"layer_types\" makes 40 of 80 blocks \"mamba\""));
    EXPECT_EQ(refusal_of_llama_with("v_head_dim", 128), "accepted");
}

/// Adding what a refusal asks for gives no wrong model: another kind of block that is not modelled is
/// found with "gated" too, and all that is wrong is said at once.
TEST(HuggingFace, NoKeyThatMarksAnotherKindOfBlockIsPassedOver) {
    const json plain = {{"model_type", "of_tomorrow"}, {"hidden_size", 4096},      {"num_hidden_layers", 32},
                        {"num_attention_heads", 32},   {"num_key_value_heads", 8}, {"head_dim", 128},
                        {"intermediate_size", 14336},  {"vocab_size", 65536},      {"gated", true}};
    EXPECT_EQ(config_refusal(plain), "accepted");
    struct Row {
        const char* key;
        json value;
        const char* words;
    };
    const std::vector<Row> rows = {
        {"lru_width", 2560, "recurrent blocks"},
        {"o_lora_rank", 1024, "latent attention of another form"},
        {"my_shared_expert_size", 2048, "every token visits"},
        {"moe_layer_of_tomorrow", 2, "some blocks have experts"},
        {"hybrid_layer_words", {"a", "b"}, "several kinds of attention"},
        {"num_kv_shared_layers", 10, "keys and values of other blocks"},
        {"altup_num_inputs", 4, "several streams"},
        {"is_encoder_decoder", true, "an encoder and a decoder"},
    };
    json all = plain;
    for (const Row& row : rows) {
        json config = plain;
        config[row.key] = row.value;
        all[row.key] = row.value;
        EXPECT_THAT(config_refusal(config), HasSubstr(row.words)) << row.key;
        EXPECT_THAT(config_refusal(config), Not(HasSubstr("add \"gated\""))) << row.key;
        config.erase("gated");
        EXPECT_THAT(config_refusal(config), HasSubstr(row.words)) << row.key;
        EXPECT_THAT(config_refusal(config), Not(HasSubstr("add \"gated\""))) << row.key;
    }
    for (const Row& row : rows) {
        EXPECT_THAT(config_refusal(all), HasSubstr(row.words)) << row.key;
    }
    // Where a key needs numbers that are not there, it is refused too.
    for (const Row& row : {Row{"mamba_d_state", 16, "no key says which blocks are"},
                           Row{"ssm_state_size", 256, "no key says which blocks are"},
                           Row{"hybrid_override_pattern", "M-M*-", "names 5 blocks, but there are 32"},
                           Row{"full_attention_interval", 4, "makes 24 of 32 blocks \"linear_attention\""},
                           Row{"hybrid_layer_pattern", {0, 1, 1, 1}, "expected one for each of 32 blocks"},
                           Row{"kv_lora_rank", 512, "qk_rope_head_dim"}}) {
        json config = plain;
        config[row.key] = row.value;
        EXPECT_THAT(config_refusal(config), HasSubstr(row.words)) << row.key;
    }
}

/// Whose shared expert no key names: Llama 4 Scout, with the keys that earlier refusals asked for.
TEST(HuggingFace, ASharedExpertThatNoKeyNamesIsCounted) {
    const json scout = {{"model_type", "llama4"},
                        {"text_config",
                         {{"model_type", "llama4_text"},
                          {"hidden_size", 5120},
                          {"num_hidden_layers", 48},
                          {"num_attention_heads", 40},
                          {"num_key_value_heads", 8},
                          {"head_dim", 128},
                          {"intermediate_size", 8192},
                          {"moe_intermediate_size", 8192},
                          {"interleave_moe_layer_step", 1},
                          {"num_local_experts", 16},
                          {"num_experts_per_tok", 1},
                          {"gated", true}}}};
    const std::int64_t attention = 5120 * (40 + 2 * 8) * 128 + 40 * 128 * 5120;
    EXPECT_EQ(layer_parameters(read(scout).value()), 48LL * (attention + 17LL * 3 * 5120 * 8192));
    EXPECT_EQ(active_layer_parameters(read(scout).value()), 48LL * (attention + 2LL * 3 * 5120 * 8192));
}

/// Weights of matrices in billions, added up by hand from the published files' numbers.
TEST(HuggingFace, TodaysFamiliesOfAttentionAndFeedForward) {
    struct Row {
        json config;
        double layers, active, embeddings;
    };
    const std::vector<Row> rows = {
        // gpt-oss 20B: 24 x (2880 x (64 + 2 x 8) x 64 + 4096 x 2880 + 32 experts of 3 x 2880 x 2880)
        {{{"model_type", "gpt_oss"},
          {"hidden_size", 2880},
          {"num_hidden_layers", 24},
          {"num_attention_heads", 64},
          {"num_key_value_heads", 8},
          {"head_dim", 64},
          {"intermediate_size", 2880},
          {"num_local_experts", 32},
          {"num_experts_per_tok", 4},
          {"experts_per_token", 4},
          {"vocab_size", 201'088},
          {"tie_word_embeddings", false},
          {"layer_types", {"sliding_attention", "full_attention"}}},
         24e-9 * (2880.0 * 80 * 64 + 4096.0 * 2880 + 32 * 3 * 2880.0 * 2880),
         24e-9 * (2880.0 * 80 * 64 + 4096.0 * 2880 + 4 * 3 * 2880.0 * 2880),
         2e-9 * 201'088 * 2880},
        // Phi-3.5 MoE: heads of 4096 / 32
        {{{"model_type", "phimoe"},
          {"hidden_size", 4096},
          {"num_hidden_layers", 32},
          {"num_attention_heads", 32},
          {"num_key_value_heads", 8},
          {"intermediate_size", 6400},
          {"num_local_experts", 16},
          {"num_experts_per_tok", 2},
          {"vocab_size", 32'064},
          {"tie_word_embeddings", false}},
         32e-9 * (4096.0 * (48 + 32) * 128 + 16 * 3 * 4096.0 * 6400),
         32e-9 * (4096.0 * (48 + 32) * 128 + 2 * 3 * 4096.0 * 6400),
         2e-9 * 32'064 * 4096},
        // Falcon 7B: one key-value head, a feed-forward network of 4 x 4544, one matrix at both ends
        {{{"model_type", "falcon"},
          {"hidden_size", 4544},
          {"num_hidden_layers", 32},
          {"num_attention_heads", 71},
          {"multi_query", true},
          {"new_decoder_architecture", false},
          {"num_kv_heads", 71},
          {"vocab_size", 65'024}},
         32e-9 * (4544.0 * (71 + 2) * 64 + 4544.0 * 4544 + 8 * 4544.0 * 4544),
         32e-9 * (4544.0 * (71 + 2) * 64 + 4544.0 * 4544 + 8 * 4544.0 * 4544),
         1e-9 * 65'024 * 4544},
        // Command R 35B: one matrix at both ends where the file does not say it
        {{{"model_type", "cohere"},
          {"hidden_size", 8192},
          {"num_hidden_layers", 40},
          {"num_attention_heads", 64},
          {"num_key_value_heads", 64},
          {"intermediate_size", 22'528},
          {"vocab_size", 256'000}},
         40e-9 * (4 * 8192.0 * 8192 + 3 * 8192.0 * 22'528),
         40e-9 * (4 * 8192.0 * 8192 + 3 * 8192.0 * 22'528),
         1e-9 * 256'000 * 8192},
        // Gemma 3 27B: the family's own vocabulary
        {{{"model_type", "gemma3"},
          {"text_config",
           {{"model_type", "gemma3_text"},
            {"hidden_size", 5376},
            {"num_hidden_layers", 62},
            {"num_attention_heads", 32},
            {"num_key_value_heads", 16},
            {"head_dim", 128},
            {"intermediate_size", 21'504},
            {"sliding_window", 1024}}}},
         62e-9 * (5376.0 * (64 + 32) * 128 + 3 * 5376.0 * 21'504),
         62e-9 * (5376.0 * (64 + 32) * 128 + 3 * 5376.0 * 21'504),
         1e-9 * 262'208 * 5376},
        // Qwen3-VL 30B-A3B's language model, whose tie stands outside
        {{{"model_type", "qwen3_vl_moe"},
          {"tie_word_embeddings", false},
          {"text_config",
           {{"model_type", "qwen3_vl_moe_text"},
            {"hidden_size", 2048},
            {"num_hidden_layers", 48},
            {"num_attention_heads", 32},
            {"num_key_value_heads", 4},
            {"head_dim", 128},
            {"intermediate_size", 6144},
            {"moe_intermediate_size", 768},
            {"num_experts", 128},
            {"num_experts_per_tok", 8},
            {"decoder_sparse_step", 1},
            {"mlp_only_layers", json::array()},
            {"vocab_size", 151'936}}}},
         48e-9 * (2048.0 * (64 + 8) * 128 + 128 * 3 * 2048.0 * 768),
         48e-9 * (2048.0 * (64 + 8) * 128 + 8 * 3 * 2048.0 * 768),
         2e-9 * 151'936 * 2048},
    };
    for (const Row& row : rows) {
        const Result<Transformer> model = read(row.config);
        ASSERT_TRUE(model) << model.error().sentence;
        EXPECT_NEAR(1e-9 * static_cast<double>(layer_parameters(*model)), row.layers, 1e-6) << model->name;
        EXPECT_NEAR(1e-9 * static_cast<double>(active_layer_parameters(*model)), row.active, 1e-6)
            << model->name;
        EXPECT_NEAR(1e-9 * static_cast<double>(embedding_parameters(*model)), row.embeddings, 1e-6)
            << model->name;
    }
}

TEST(HuggingFace, ReadsTheInfinityOfThisFormat) {
    std::string text = fixture("llama-3-70b");
    text.insert(text.find('{') + 1,
                "\"time_limit\": [0.0, Infinity, -Infinity, NaN], \"said\": \"\\\" NaN\", ");
    EXPECT_EQ(read_any_model(text, "config.json")->layers, 80);
    EXPECT_THAT(read_hugging_face("{\"a\": Infinite}", "config.json").error().sentence,
                HasSubstr("not valid JSON"));
}

TEST(HuggingFace, AFileOfAnotherProgramIsSaidToBeOne) {
    const std::string refusal = config_refusal({{"hidden", 18'432}, {"attn_heads", 48}, {"num_blocks", 118}});
    EXPECT_THAT(refusal, HasSubstr("none of the numbers of a Hugging Face config.json"));
    EXPECT_THAT(refusal, HasSubstr("\"meshslice_model\""));
    EXPECT_THAT(refusal, Not(HasSubstr("gated\": true")));
}

TEST(HuggingFace, KeysThatMeanTheSameMustAgree) {
    EXPECT_EQ(refusal_of_llama_with("n_layer", 80), "accepted");
    EXPECT_THAT(refusal_of_llama_with("n_layer", 79),
                HasSubstr("\"/n_layer\" is 79, but \"num_hidden_layers\", which means the same, is 80"));
}

TEST(HuggingFace, NumbersAreReadStrictly) {
    EXPECT_THAT(refusal_of_llama_with("num_hidden_layers", 3.9), HasSubstr("\"/num_hidden_layers\" is 3.9"));
    EXPECT_THAT(refusal_of_llama_with("num_hidden_layers", -1), HasSubstr("\"/num_hidden_layers\" is -1"));
    EXPECT_THAT(refusal_of_llama_with("num_hidden_layers", 1e20),
                HasSubstr("\"/num_hidden_layers\" is 1e+20"));
    EXPECT_THAT(refusal_of_llama_with("num_hidden_layers", "80"),
                HasSubstr("is \"80\"; expected a whole number"));
    EXPECT_THAT(refusal_of_llama_with("num_hidden_layers", {80}),
                HasSubstr("is a list; expected a whole number"));
    EXPECT_THAT(refusal_of_llama_with("num_hidden_layers", 0),
                HasSubstr("\"layers\" 0; expected a whole number from 1"));
    EXPECT_THAT(refusal_of_llama_with("num_hidden_layers", 1'000'000),
                HasSubstr("1000000 blocks; expected at most 10000"));
    EXPECT_THAT(refusal_of_llama_with("num_attention_heads", 0), HasSubstr("\"heads\" 0"));
    EXPECT_THAT(refusal_of_llama_with("num_attention_heads", 65), HasSubstr("65 heads do not divide"));
    EXPECT_THAT(refusal_of_llama_with("num_key_value_heads", 7),
                HasSubstr("64 \"heads\" and 7 \"kv_heads\""));
    EXPECT_THAT(refusal_of_llama_with("model_type", 5), HasSubstr("\"/model_type\" is 5"));
}

TEST(HuggingFace, BrokenFilesAreRefused) {
    struct Row {
        std::string text;
        const char* words;
    };
    const std::string whole = fixture("llama-3-70b");
    const std::vector<Row> rows = {
        {"", "it is empty"},
        {whole.substr(0, whole.size() / 2), "breaks off"},
        {"<!doctype html>\n<html lang=\"en\"><body>404</body></html>", "web page"},
        {std::string(100'000, '['), "nested more than 32 deep"},
        {"{\"hidden_size\": 1, \"hidden_size\": 2}", "\"hidden_size\" twice"},
        {"[]", "expected an object {...}"},
        {"null", "expected an object {...}"},
        {"{}", "has no \"model_type\""},
    };
    for (const Row& row : rows) {
        const Result<Transformer> one = read_hugging_face(row.text, "config.json");
        ASSERT_FALSE(one) << row.words;
        EXPECT_THAT(one.error().sentence, HasSubstr(row.words));
        const Result<Transformer> any = read_any_model(row.text, "config.json");
        ASSERT_FALSE(any) << row.words;
        EXPECT_THAT(any.error().sentence, HasSubstr(row.words));
    }
    EXPECT_THAT(read_text_file(std::string(MESHSLICE_SOURCE_DIR) + "/tests").error().sentence,
                HasSubstr("is a directory"));
}

TEST(HuggingFace, EveryTruncationOfAFileIsRefusedInASentence) {
    const std::string whole = fixture("mixtral-8x7b");
    const std::size_t last = whole.find_last_of('}');
    for (std::size_t size = 0; size <= last; ++size) {
        const Result<Transformer> model = read_any_model(whole.substr(0, size), "config.json");
        ASSERT_FALSE(model) << size;
        EXPECT_THAT(model.error().sentence, HasSubstr("config.json is not valid JSON")) << size;
    }
}

} // namespace
} // namespace meshslice
