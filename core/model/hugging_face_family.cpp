#include "core/model/hugging_face_family.h"

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

using Family = HuggingFaceFamily;
using Kv = Family::KvHeads;
using Head = Family::HeadSize;
using Feed = Family::FeedForward;
using Experts = Family::Experts;

constexpr bool gated = true;
constexpr bool plain = false;
constexpr bool tied = true;
constexpr bool apart = false;

/// Families whose further facts are named. The defaults are those of the configuration classes of
/// transformers 4.57 and of the models' own repositories.
constexpr Family gated_family(std::string_view type, Kv kv, Experts experts) {
    Family made;
    made.model_type = type;
    made.gated = true;
    made.kv_heads = kv;
    made.experts = experts;
    return made;
}
constexpr Family with(Family family, auto change) {
    change(family);
    return family;
}
constexpr auto qk_norm = [](Family& one) { one.qk_norm = true; };
constexpr auto qkv_bias = [](Family& one) { one.qkv_bias = true; };
constexpr auto is_bare = [](Family& one) { one.bare = true; };
constexpr auto is_tied = [](Family& one) { one.tied_embeddings = true; };

constexpr std::array families = {
    with(Family{"apertus", plain, apart, Kv::as_heads}, is_bare),
    with(Family{"arcee", plain, apart, Kv::as_heads}, is_bare),
    Family{"baichuan", gated, apart, Kv::as_heads},
    Family{"bloom", plain, tied, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"codegen", plain, apart, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    with(Family{"cohere", gated, tied, Kv::as_heads}, [](Family& one) { one.norms = 1; }),
    with(Family{"cohere2", gated, tied, Kv::as_heads},
         [](Family& one) {
             one.full_of = 4;
             one.norms = 1;
             one.window = 4096;
         }),
    with(Family{"falcon", plain, tied, Kv::falcon, Head::hidden_by_heads, Feed::four_times_hidden}, is_bare),
    Family{"gemma", gated, tied, Kv::given, Head::given},
    with(Family{"gemma2", gated, tied, Kv::given, Head::given},
         [](Family& one) {
             one.norms = 4;
             one.full_of = 2;
             one.window = 4096;
         }),
    with(Family{"gemma3_text", gated, tied, Kv::given, Head::given, Feed::given, Experts::none, 262'208},
         [](Family& one) {
             one.norms = 4;
             one.full_of = 6;
             one.qk_norm = true;
         }),
    Family{"glm", gated, apart, Kv::given, Head::given},
    Family{"glm4", gated, apart, Kv::given, Head::given},
    with(Family{"gpt2", plain, tied, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
         [](Family& one) { one.positions = 1; }),
    with(Family{"gpt_bigcode", plain, tied, Kv::multi_query, Head::hidden_by_heads, Feed::four_times_hidden},
         [](Family& one) { one.positions = 1; }),
    with(Family{"gpt_neo", plain, tied, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
         [](Family& one) { one.positions = 1; }),
    Family{"gpt_neox", plain, apart, Kv::as_heads},
    with(Family{"gpt_oss", gated, apart, Kv::given, Head::given, Feed::given, Experts::in_feed_forward},
         [](Family& one) {
             one.qkv_bias = one.sinks = one.expert_biases = true;
             one.full_of = 2;
             one.window = 128;
         }),
    Family{"gptj", plain, apart, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"granite", gated, apart, Kv::as_heads},
    Family{"internlm2", gated, apart, Kv::as_heads},
    Family{"llama", gated, apart, Kv::as_heads},
    Family{"mistral", gated, apart, Kv::given},
    Family{"mixtral", gated, apart, Kv::given, Head::hidden_by_heads, Feed::given, Experts::in_feed_forward},
    with(Family{"nemotron", plain, apart, Kv::as_heads}, is_bare),
    Family{"olmo", gated, apart, Kv::as_heads},
    Family{"olmo2", gated, apart, Kv::as_heads},
    Family{"olmo3", gated, apart, Kv::as_heads},
    Family{"olmoe", gated, apart, Kv::as_heads, Head::hidden_by_heads, Feed::given, Experts::in_feed_forward},
    with(Family{"opt", plain, tied, Kv::as_heads}, [](Family& one) { one.positions = 3; }),
    Family{"persimmon", plain, apart, Kv::as_heads},
    Family{"phi", plain, apart, Kv::as_heads},
    Family{"phi3", gated, apart, Kv::as_heads},
    Family{"phimoe", gated, apart, Kv::given, Head::hidden_by_heads, Feed::given, Experts::in_feed_forward},
    with(Family{"qwen", gated, apart, Kv::as_heads, Head::hidden_by_heads, Feed::half}, qkv_bias),
    with(Family{"qwen2", gated, apart, Kv::given}, qkv_bias),
    with(Family{"qwen2_5_vl", gated, apart, Kv::given}, qkv_bias),
    with(Family{"qwen2_5_vl_text", gated, apart, Kv::given}, qkv_bias),
    with(Family{"qwen2_vl", gated, apart, Kv::given}, qkv_bias),
    with(Family{"qwen2_vl_text", gated, apart, Kv::given}, qkv_bias),
    with(Family{"qwen3", gated, apart, Kv::given, Head::given}, qk_norm),
    with(Family{"qwen3_moe", gated, apart, Kv::given, Head::given, Feed::given, Experts::own_key}, qk_norm),
    with(Family{"qwen3_vl_moe_text", gated, apart, Kv::given, Head::given, Feed::given, Experts::own_key},
         qk_norm),
    with(Family{"qwen3_vl_text", gated, apart, Kv::given, Head::given}, qk_norm),
    Family{"seed_oss", gated, apart, Kv::given, Head::given},
    Family{"smollm3", gated, tied, Kv::given},
    Family{"stablelm", gated, apart, Kv::given},
    Family{"starcoder2", plain, tied, Kv::given},
    gated_family("bailing_moe", Kv::given, Experts::own_key),
    gated_family("bailing_moe_v2", Kv::given, Experts::own_key),
    with(Family{"bert", plain, tied, Kv::as_heads},
         [](Family& one) {
             one.encoder = true;
             one.positions = 1;
         }),
    with(Family{"roberta", plain, tied, Kv::as_heads},
         [](Family& one) {
             one.encoder = true;
             one.positions = 1;
         }),
    with(Family{"xlm-roberta", plain, tied, Kv::as_heads},
         [](Family& one) {
             one.encoder = true;
             one.positions = 1;
         }),
    with(Family{"vit", plain, tied, Kv::as_heads}, [](Family& one) { one.encoder = true; }),
    with(Family{"clip_text_model", plain, tied, Kv::as_heads}, [](Family& one) { one.positions = 1; }),
    with(Family{"whisper", plain, tied, Kv::as_heads},
         [](Family& one) {
             one.encoder_decoder = true;
             one.positions = 1;
         }),
    with(Family{"t5", plain, tied, Kv::as_heads}, [](Family& one) { one.encoder_decoder = one.bare = true; }),
    gated_family("bamba", Kv::given, Experts::none),
    gated_family("deepseek_v2", Kv::as_heads, Experts::maybe),
    gated_family("deepseek_v3", Kv::as_heads, Experts::maybe),
    gated_family("deepseek_v32", Kv::as_heads, Experts::maybe),
    gated_family("dots1", Kv::as_heads, Experts::own_key),
    gated_family("ernie4_5", Kv::given, Experts::none),
    gated_family("ernie4_5_moe", Kv::given, Experts::own_key),
    gated_family("exaone", Kv::as_heads, Experts::none),
    gated_family("exaone4", Kv::as_heads, Experts::none),
    gated_family("exaone_moe", Kv::as_heads, Experts::own_key),
    with(gated_family("falcon_h1", Kv::as_heads, Experts::none), [](Family& one) { one.also_mamba = true; }),
    with(gated_family("falcon_mamba", Kv::as_heads, Experts::none),
         [](Family& one) {
             one.mixer = MixerKind::mamba;
             one.tied_embeddings = false;
         }),
    with(gated_family("gemma4_text", Kv::given, Experts::maybe),
         [](Family& one) {
             one.tied_embeddings = one.qk_norm = one.dense_too = true;
             one.norms = 4;
             one.full_of = 6;
         }),
    with(gated_family("glm4_moe", Kv::given, Experts::own_key), qkv_bias),
    gated_family("glm4_moe_lite", Kv::as_heads, Experts::own_key),
    with(gated_family("glm4v_moe_text", Kv::given, Experts::own_key), qkv_bias),
    gated_family("glm_moe_dsa", Kv::as_heads, Experts::own_key),
    gated_family("granitemoe", Kv::as_heads, Experts::in_feed_forward),
    gated_family("granitemoehybrid", Kv::as_heads, Experts::in_feed_forward),
    gated_family("granitemoeshared", Kv::as_heads, Experts::in_feed_forward),
    with(gated_family("hunyuan", Kv::as_heads, Experts::in_feed_forward), qk_norm),
    with(gated_family("hunyuan_v1_dense", Kv::as_heads, Experts::none), qk_norm),
    with(gated_family("hunyuan_v1_moe", Kv::as_heads, Experts::in_feed_forward), qk_norm),
    gated_family("internlm3", Kv::as_heads, Experts::none),
    gated_family("jamba", Kv::given, Experts::in_feed_forward),
    gated_family("kimi_k2", Kv::as_heads, Experts::own_key),
    with(gated_family("kimi_linear", Kv::as_heads, Experts::own_key),
         [](Family& one) { one.linear = MixerKind::kimi_delta; }),
    with(gated_family("lfm2", Kv::given, Experts::none), is_tied),
    with(gated_family("lfm2_moe", Kv::given, Experts::own_key), is_tied),
    with(gated_family("llama4_text", Kv::given, Experts::in_feed_forward),
         [](Family& one) {
             one.shared_expert = one.chunked = true;
             one.full_of = 4;
             one.window = 8192;
         }),
    with(gated_family("mamba", Kv::as_heads, Experts::none),
         [](Family& one) {
             one.mixer = MixerKind::mamba;
             one.tied_embeddings = true;
         }),
    with(gated_family("mamba2", Kv::as_heads, Experts::none),
         [](Family& one) { one.mixer = MixerKind::mamba2; }),
    gated_family("mimo_v2_flash", Kv::given, Experts::own_key),
    with(gated_family("minimax", Kv::as_heads, Experts::in_feed_forward),
         [](Family& one) { one.linear = MixerKind::lightning; }),
    with(gated_family("minimax_m2", Kv::given, Experts::in_feed_forward), qk_norm),
    with(gated_family("minimax_text_01", Kv::as_heads, Experts::in_feed_forward),
         [](Family& one) { one.linear = MixerKind::lightning; }),
    gated_family("ministral", Kv::given, Experts::none),
    gated_family("ministral3", Kv::given, Experts::none),
    gated_family("mllama_text_model", Kv::given, Experts::none),
    with(gated_family("nemotron_h", Kv::given, Experts::maybe),
         [](Family& one) {
             one.gated = false;
             one.bare = true;
         }),
    with(gated_family("qwen2_moe", Kv::given, Experts::own_key),
         [](Family& one) { one.qkv_bias = one.shared_gate = true; }),
    with(gated_family("qwen3_5_moe_text", Kv::given, Experts::own_key),
         [](Family& one) { one.qk_norm = one.shared_gate = one.output_gate = true; }),
    with(gated_family("qwen3_5_text", Kv::given, Experts::none),
         [](Family& one) { one.qk_norm = one.output_gate = true; }),
    with(gated_family("qwen3_next", Kv::given, Experts::own_key),
         [](Family& one) { one.qk_norm = one.shared_gate = one.output_gate = true; }),
    with(gated_family("step3_text", Kv::as_heads, Experts::own_key), qk_norm),
    with(gated_family("step3p5", Kv::as_heads, Experts::own_key), qk_norm),
};

} // namespace

const HuggingFaceFamily* hugging_face_family(std::string_view model_type) {
    const auto* const found =
        std::find_if(families.begin(), families.end(),
                     [&](const HuggingFaceFamily& family) { return family.model_type == model_type; });
    return found == families.end() ? nullptr : found;
}

HuggingFaceFamily unknown_family(std::string_view model_type, bool is_gated) {
    return {model_type, is_gated, apart, Kv::given, Head::given, Feed::given, Experts::maybe};
}

std::string hugging_face_family_names() {
    std::string names;
    for (const HuggingFaceFamily& family : families) {
        names += (names.empty() ? "" : ", ") + std::string(family.model_type);
    }
    return names;
}

} // namespace meshslice
