#include "core/base/embedded_resources.h"
#include "core/model/transformer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsSupersetOf;

Transformer mixtral() {
    Transformer model;
    model.name = "mixtral";
    model.title = "Mixtral 8x7B";
    model.layers = 32;
    model.hidden = 4096;
    model.heads = 32;
    model.kv_heads = 8;
    model.head_size = 128;
    model.feed_forward = 14'336;
    model.gated = true;
    model.experts = 8;
    model.experts_per_token = 2;
    return model;
}

/// A file is found by its name before it is read.
TEST(Models, EveryFileIsNamedAsItsModel) {
    for (const EmbeddedFile& file : embedded_models()) {
        const Result<Transformer> model = read_transformer(file.text, std::string(file.name));
        ASSERT_TRUE(model) << file.name;
        EXPECT_EQ(model->name + ".json", file.name);
    }
}

TEST(ModelPresets, AreThereInTheOrderOfTheirNames) {
    std::vector<std::string> names;
    for (const Transformer& model : model_presets()) {
        names.push_back(model.name);
        EXPECT_FALSE(model.title.empty()) << model.name;
        const std::size_t further = (model.published_parameters > 0 ? 1u : 0u) +
                                    (model.published_active > 0 ? 1u : 0u) + (model.kinds.empty() ? 0u : 1u);
        EXPECT_EQ(model.sources.size(), 13 + further) << "every field says where it is from: " << model.name;
        EXPECT_TRUE(checked(model)) << model.name;
    }
    EXPECT_TRUE(std::ranges::is_sorted(names));
    EXPECT_THAT(names, IsSupersetOf({"gpt3-175b", "llama-3-8b", "deepseek-v3", "nemotron-h-8b"}));
    EXPECT_THAT(model_preset("gpt4").error().sentence, HasSubstr("gpt3-1"));
}

/// Counted by hand: layers x hidden x (QKV + Output + FF1 + FF2 widths).
TEST(ModelPresets, HaveTheParametersTheirNamesSay) {
    struct Row {
        const char* name;
        std::int64_t parameters;
    };
    const std::vector<Row> rows = {
        {"gpt3-175b", 96LL * 12'288 * 12 * 12'288}, // 12 h^2 a block: 173.9e9
        {"gpt3-1t", 128LL * 25'600 * 12 * 25'600},  // 1.007e12
        {"mega-gpt-2", 74LL * 3'072 * 12 * 3'072},  // 8.4e9
        {"t-nlg", 78LL * 4'256 * 12 * 4'256},       // 17.0e9
        {"palm-t3", 118LL * 18'432 * 12 * 18'432},  // 481e9, where the paper's text has 530 and 540
        {"vit-64k", 48LL * 12'288 * 12 * 12'288},
        {"vit-32k", 48LL * 6'144 * 12 * 6'144},
        {"megatron-nlg-530b", 105LL * 20'480 * 12 * 20'480},                      // 528.5e9
        {"llama-2-13b", 40LL * 5'120 * (4 * 5'120 + 3 * 13'824)},                 // 12.7e9
        {"llama-3-8b", 32LL * 4'096 * (2 * 4'096 + 2 * 1'024 + 3 * 14'336)},      // 7.0e9
        {"llama-3-70b", 80LL * 8'192 * (2 * 8'192 + 2 * 1'024 + 3 * 28'672)},     // 68.5e9
        {"llama-3-405b", 126LL * 16'384 * (2 * 16'384 + 2 * 1'024 + 3 * 53'248)}, // 401.6e9
    };
    for (const Row& row : rows) {
        EXPECT_EQ(layer_parameters(model_preset(row.name).value()), row.parameters) << row.name;
    }
    EXPECT_EQ(layer_parameters(model_preset("gpt3-175b").value()), 173'946'175'488);
}

/// With the embeddings they are the published totals, except for what is not counted: two norms a layer and
/// one at the end, each as wide as the model. GPT-3's table D.1 gives four digits; its positions and biases
/// are not counted either.
TEST(ModelPresets, HaveTheirPublishedParametersWithTheEmbeddings) {
    struct Row {
        const char* name;
        std::int64_t published;
        std::int64_t norms;
    };
    const std::vector<Row> rows = {
        {"llama-2-13b", 13'015'864'320, (2 * 40 + 1) * 5'120},
        {"llama-3-8b", 8'030'261'248, (2 * 32 + 1) * 4'096},
        {"llama-3-70b", 70'553'706'496, (2 * 80 + 1) * 8'192},
        {"llama-3-405b", 405'853'388'800, (2 * 126 + 1) * 16'384},
    };
    for (const Row& row : rows) {
        const Transformer model = model_preset(row.name).value();
        EXPECT_EQ(layer_parameters(model) + embedding_parameters(model) + row.norms, row.published)
            << row.name;
        EXPECT_EQ(model.published_parameters, row.published) << row.name;
    }
    const Transformer gpt3 = model_preset("gpt3-175b").value();
    EXPECT_EQ(embedding_parameters(gpt3), 50'257 * 12'288) << "one matrix for both";
    EXPECT_NEAR(static_cast<double>(layer_parameters(gpt3) + embedding_parameters(gpt3)), 174.6e9, 0.05e9);
    EXPECT_EQ(embedding_parameters(model_preset("megatron-nlg-530b").value()), 0) << "vocabulary not known";
}

/// Norms, biases and routers included; what publications round, within half a percent of it.
TEST(ModelPresets, HaveTheirPublishedTotals) {
    for (const Transformer& model : model_presets()) {
        if (model.published_parameters > 0 && !model.gated) {
            continue; // GPT-3's table rounds to three digits, and leaves its positions out
        }
        if (model.published_parameters > 0) {
            const auto published = static_cast<double>(model.published_parameters);
            EXPECT_NEAR(parameters(model).all, published, 0.005 * published) << model.name;
        }
    }
    const ModelParameters deepseek = parameters(model_preset("deepseek-v3").value());
    EXPECT_NEAR(deepseek.active, 37e9, 0.5e9);
    EXPECT_NEAR(parameters(model_preset("gpt-oss-120b").value()).active, 5.13e9, 0.005e9);
    EXPECT_NEAR(parameters(model_preset("mixtral-8x7b").value()).active_with_embedding, 12.9e9, 0.05e9);
}

TEST(Transformer, CheckedNamesTheFieldThatIsWrong) {
    struct Row {
        std::int64_t Transformer::*member;
        std::int64_t value;
        const char* words;
    };
    const std::vector<Row> rows = {
        {&Transformer::layers, 0, "\"layers\" 0; expected a whole number from 1 to 10000"},
        {&Transformer::layers, 10'001, "\"layers\" 10001"},
        {&Transformer::hidden, -4096, "\"hidden\" -4096"},
        {&Transformer::heads, 0, "\"heads\" 0"},
        {&Transformer::kv_heads, 5, "32 \"heads\" and 5 \"kv_heads\""},
        {&Transformer::kv_heads, 64, "32 \"heads\" and 64 \"kv_heads\""},
        {&Transformer::head_size, 1 << 30, "\"head_size\""},
        {&Transformer::feed_forward, 0, "\"feed_forward\" 0"},
        {&Transformer::experts, 1, "2 \"experts_per_token\" but has only 1 \"experts\""},
        {&Transformer::vocabulary, -1, "\"vocabulary\" -1"},
    };
    for (const Row& row : rows) {
        Transformer model = mixtral();
        model.*row.member = row.value;
        EXPECT_THAT(checked(model).error().sentence, HasSubstr(row.words));
        EXPECT_FALSE(checked(model));
    }
    Transformer wide = mixtral();
    wide.head_size = 16'384; // x 32 heads = 2^19: allowed; x 128 heads is not.
    EXPECT_TRUE(checked(wide));
    wide.heads = 128;
    EXPECT_THAT(checked(wide).error().sentence, HasSubstr("\"heads\" x \"head_size\""));
    Transformer huge = mixtral();
    huge.hidden = huge.feed_forward = 1 << 20;
    huge.experts = 65'536;
    EXPECT_THAT(checked(huge).error().sentence, HasSubstr("parameters"));
}

TEST(TransformerFile, WriteThenReadIsTheIdentity) {
    std::vector<Transformer> all = model_presets();
    all.push_back(mixtral()); // without sources
    for (const Transformer& model : all) {
        const Result<Transformer> read = read_transformer(write_transformer(model), "model.json");
        ASSERT_TRUE(read) << read.error().sentence;
        EXPECT_EQ(*read, model) << model.name;
        EXPECT_EQ(read_any_model(write_transformer(model), "model.json").value(), model);
    }
}

TEST(TransformerFile, IsReadStrictly) {
    const auto refusal = [](const char* key, const json& value) {
        json file = json::parse(write_transformer(mixtral()));
        file[key] = value;
        const Result<Transformer> read = read_transformer(file.dump(), "model.json");
        return read ? std::string("accepted") : read.error().sentence;
    };
    EXPECT_EQ(refusal("layers", 32), "accepted");
    EXPECT_EQ(refusal("layers", 3.9),
              "model.json: \"/layers\" is 3.9; expected a whole number from 1 to 10000.");
    EXPECT_THAT(refusal("layers", -1), HasSubstr("\"/layers\" is -1"));
    EXPECT_THAT(refusal("layers", 1e20), HasSubstr("\"/layers\" is 1e+20"));
    EXPECT_THAT(refusal("gated", 1), HasSubstr("expected true or false"));
    EXPECT_THAT(refusal("name", ""), HasSubstr("expected a name"));
    EXPECT_THAT(refusal("colour", 1), HasSubstr("unknown key \"/colour\""));
    EXPECT_THAT(refusal("sources", json{{"colour", "x"}}), HasSubstr("unknown key \"/sources/colour\""));
    EXPECT_THAT(refusal("kv_heads", 5), HasSubstr("model.json: The model \"mixtral\" has 32 \"heads\""));
    EXPECT_THAT(refusal("tied_embeddings", "yes"), HasSubstr("expected true or false"));
    EXPECT_THAT(refusal("meshslice_model", 5), HasSubstr("up to version 4"));
    EXPECT_THAT(read_transformer("{}", "model.json").error().sentence,
                HasSubstr("lacks \"/meshslice_model\""));
}

/// Version 1 did not say whether the embeddings are one matrix; they are read as two.
TEST(TransformerFile, OfVersion1IsStillRead) {
    Transformer model = mixtral();
    json file = json::parse(write_transformer(model));
    file.erase("sequence"); // since version 3
    file.erase("causal");
    file["meshslice_model"] = 1;
    EXPECT_THAT(read_transformer(file.dump(), "model.json").error().sentence,
                HasSubstr("unknown key \"/tied_embeddings\""));
    file.erase("tied_embeddings");
    EXPECT_EQ(read_transformer(file.dump(), "model.json").value(), model);
    file["meshslice_model"] = 2;
    EXPECT_THAT(read_transformer(file.dump(), "model.json").error().sentence,
                HasSubstr("lacks \"/tied_embeddings\""));
}

} // namespace
} // namespace meshslice
