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

constexpr std::array families = {
    Family{"apertus", plain, apart, Kv::as_heads},
    Family{"arcee", plain, apart, Kv::as_heads},
    Family{"baichuan", gated, apart, Kv::as_heads},
    Family{"bloom", plain, tied, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"codegen", plain, apart, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"cohere", gated, tied, Kv::as_heads},
    Family{"cohere2", gated, tied, Kv::as_heads},
    Family{"falcon", plain, tied, Kv::falcon, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"gemma", gated, tied, Kv::given, Head::given},
    Family{"gemma2", gated, tied, Kv::given, Head::given},
    Family{"gemma3_text", gated, tied, Kv::given, Head::given, Feed::given, Experts::none, 262'208},
    Family{"glm", gated, apart, Kv::given, Head::given},
    Family{"glm4", gated, apart, Kv::given, Head::given},
    Family{"gpt2", plain, tied, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"gpt_bigcode", plain, tied, Kv::multi_query, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"gpt_neo", plain, tied, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"gpt_neox", plain, apart, Kv::as_heads},
    Family{"gpt_oss", gated, apart, Kv::given, Head::given, Feed::given, Experts::in_feed_forward},
    Family{"gptj", plain, apart, Kv::as_heads, Head::hidden_by_heads, Feed::four_times_hidden},
    Family{"granite", gated, apart, Kv::as_heads},
    Family{"internlm2", gated, apart, Kv::as_heads},
    Family{"llama", gated, apart, Kv::as_heads},
    Family{"mistral", gated, apart, Kv::given},
    Family{"mixtral", gated, apart, Kv::given, Head::hidden_by_heads, Feed::given, Experts::in_feed_forward},
    Family{"nemotron", plain, apart, Kv::as_heads},
    Family{"olmo", gated, apart, Kv::as_heads},
    Family{"olmo2", gated, apart, Kv::as_heads},
    Family{"olmo3", gated, apart, Kv::as_heads},
    Family{"olmoe", gated, apart, Kv::as_heads, Head::hidden_by_heads, Feed::given, Experts::in_feed_forward},
    Family{"opt", plain, tied, Kv::as_heads},
    Family{"persimmon", plain, apart, Kv::as_heads},
    Family{"phi", plain, apart, Kv::as_heads},
    Family{"phi3", gated, apart, Kv::as_heads},
    Family{"phimoe", gated, apart, Kv::given, Head::hidden_by_heads, Feed::given, Experts::in_feed_forward},
    Family{"qwen", gated, apart, Kv::as_heads, Head::hidden_by_heads, Feed::half},
    Family{"qwen2", gated, apart, Kv::given},
    Family{"qwen2_5_vl", gated, apart, Kv::given},
    Family{"qwen2_5_vl_text", gated, apart, Kv::given},
    Family{"qwen2_vl", gated, apart, Kv::given},
    Family{"qwen2_vl_text", gated, apart, Kv::given},
    Family{"qwen3", gated, apart, Kv::given, Head::given},
    Family{"qwen3_moe", gated, apart, Kv::given, Head::given, Feed::given, Experts::own_key},
    Family{"qwen3_vl_moe_text", gated, apart, Kv::given, Head::given, Feed::given, Experts::own_key},
    Family{"qwen3_vl_text", gated, apart, Kv::given, Head::given},
    Family{"seed_oss", gated, apart, Kv::given, Head::given},
    Family{"smollm3", gated, tied, Kv::given},
    Family{"stablelm", gated, apart, Kv::given},
    Family{"starcoder2", plain, tied, Kv::given},
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
