#pragma once

#include "core/base/result.h"
#include "core/model/gemm.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The shape of a decoder-only transformer, as far as its GEMMs and its weights need it.
struct Transformer {
    std::string name;  ///< "gpt3-175b"
    std::string title; ///< for people: "GPT-3 175B"

    std::int64_t layers = 1;
    std::int64_t hidden = 1;       ///< width of the residual stream
    std::int64_t heads = 1;        ///< query heads
    std::int64_t kv_heads = 1;     ///< key and value heads; fewer than `heads` in grouped-query attention
    std::int64_t head_size = 1;    ///< features per head
    std::int64_t feed_forward = 1; ///< width inside the feed-forward network (of one expert)
    bool gated = false;            ///< gate and up projections, multiplied: twice the width in FF1
    std::int64_t experts = 1;      ///< feed-forward networks to choose from
    std::int64_t experts_per_token = 1;
    std::int64_t vocabulary = 0;  ///< 0 where not known; not part of the four layers' GEMMs
    bool tied_embeddings = false; ///< one matrix is both the input and the output embedding

    std::int64_t sequence = 0; ///< tokens (or patches) it is usually trained on at once; 0 where not known
    bool causal = true;        ///< a token sees only those before it
    /// What its makers say, norms, biases and positions included; 0 where not known. Nothing is worked out
    /// from it.
    std::int64_t published_parameters = 0;

    /// Where each number came from, by field name: a publication, or the key of the file it was read from.
    std::map<std::string, std::string> sources;

    bool operator==(const Transformer&) const = default;
};

/// Refuses numbers out of range and heads, key-value heads or experts that do not fit together, by field
/// name.
[[nodiscard]] Result<Transformer> checked(const Transformer& model);

/// The weights of the fully connected layers in all blocks, all experts included. Of a checked() model.
[[nodiscard]] std::int64_t layer_parameters(const Transformer& model);
/// Of these, what works on each token: the experts that it is sent to, and no others.
[[nodiscard]] std::int64_t active_layer_parameters(const Transformer& model);
/// The weights of the input and the output embedding, vocabulary x hidden each, counted once where they are
/// tied. 0 where the vocabulary is not known.
[[nodiscard]] std::int64_t embedding_parameters(const Transformer& model);

/// Reads our own JSON form of a model; in files of version 1 the embeddings are two matrices, before version
/// 3 no sequence length is known. `origin` names it in errors.
[[nodiscard]] Result<Transformer> read_transformer(std::string_view json, const std::string& origin,
                                                   std::vector<std::string>* all = nullptr);
[[nodiscard]] std::string write_transformer(const Transformer& model);
/// What such a file of the current version may hold, as a JSON Schema (draft 2020-12): an object.
[[nodiscard]] std::string transformer_schema();

/// The keys of such a file, as a text: "\"meshslice_model\", \"name\", ...".
[[nodiscard]] std::string transformer_keys();

/// Reads a Hugging Face config.json (Llama, Mistral, Qwen, GPT-2, GPT-NeoX, Mixtral key styles, also nested
/// in "text_config" and the like; Infinity and NaN are read as null). Each field's source names the key it
/// came from. Numbers that are missing and that the format gives no rule for are refused by name, all at
/// once, never guessed; so are architectures whose products are not those of the four layers (see
/// other_blocks). A "model_type" that is not known is read when the file says "gated": true or false, a key
/// of ours, and gives every number.
[[nodiscard]] Result<Transformer> read_hugging_face(std::string_view json, const std::string& origin,
                                                    std::vector<std::string>* all = nullptr);

/// Either of the two; the keys that are there say which.
[[nodiscard]] Result<Transformer> read_any_model(std::string_view json, const std::string& origin,
                                                 std::vector<std::string>* all = nullptr);

[[nodiscard]] const std::vector<Transformer>& model_presets();
[[nodiscard]] Result<Transformer> model_preset(std::string_view name);

} // namespace meshslice
