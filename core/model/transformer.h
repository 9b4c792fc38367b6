#pragma once

#include "core/base/result.h"
#include "core/model/block.h"
#include "core/model/gemm.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// An encoder that stands next to the blocks of a model and has tokens of its own: of pictures or sound, or
/// the first half of an encoder and decoder.
struct Tower {
    std::string name; ///< "vision"
    BlockKind kind;
    std::int64_t blocks = 1;
    std::int64_t other_parameters = 0; ///< of its ends: patches, positions, what leads into the model

    bool operator==(const Tower&) const = default;
};

/// The shape of a model, as far as its GEMMs and its weights need it: an embedding, blocks and a head. Where
/// its blocks are not all alike, or have more to them than heads and a feed-forward network, `kinds` and
/// `order` have them all, and the numbers from `heads` to `experts_per_token` are those of the kind that most
/// blocks are of that have attention (see stand_for_all).
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
    std::int64_t published_active = 0; ///< the same of those that work on one token

    std::vector<BlockKind> kinds;    ///< empty: all blocks are what the numbers above say
    std::vector<std::int64_t> order; ///< of each block its place in `kinds`
    std::int64_t predictors = 0;     ///< further blocks that predict more tokens; not part of any total
    std::vector<Tower> towers;
    std::int64_t other_parameters = 0; ///< at both ends: learned positions, token types, poolers

    /// Where each number came from, by field name: a publication, or the key of the file it was read from.
    std::map<std::string, std::string> sources;

    bool operator==(const Transformer&) const = default;
};

/// Refuses numbers out of range and heads, key-value heads or experts that do not fit together, by field
/// name.
[[nodiscard]] Result<Transformer> checked(const Transformer& model);

/// A kind of block and how many blocks are of it.
struct KindCount {
    BlockKind kind;
    std::int64_t blocks = 1;

    bool operator==(const KindCount&) const = default;
};
/// The kinds of a checked() model's blocks, in the order of their first block: one where all are alike.
[[nodiscard]] std::vector<KindCount> block_kinds(const Transformer& model);
/// The one kind of a model whose `kinds` are empty.
[[nodiscard]] BlockKind plain_block(const Transformer& model);
/// Sets the numbers of the model to those of the kind that stands for all: of the kinds with attention, or of
/// all where none has it, the one with the most blocks.
void stand_for_all(Transformer& model);
/// That kind's place in block_kinds().
[[nodiscard]] std::size_t kind_that_stands_for_all(const std::vector<KindCount>& kinds);
/// The model with one block of that kind.
[[nodiscard]] Transformer one_block(const Transformer& model);
/// Whether all blocks are alike, and attention with one product into it and one out of it, and a feed-forward
/// network or a mixture of them without a shared one.
[[nodiscard]] bool is_uniform(const Transformer& model);

/// What a model has, and what of it works on one token. A row of the embedding is looked up: its matrix works
/// on a token only where it is the head's too.
struct ModelParameters {
    double all = 0;
    double active = 0;
    double others = 0;        ///< of all, those that are not of a matrix: norms, biases, routers, positions
    double active_others = 0; ///< of these, those that work on one token
    double embeddings = 0;    ///< of all, those of both ends
    double towers = 0;        ///< of all, those of towers
    double predictors = 0;    ///< in addition to all

    double active_with_embedding = 0; ///< the whole embedding counted, as many publications do
};
[[nodiscard]] ModelParameters parameters(const Transformer& model);
[[nodiscard]] double parameters(const Tower& tower);

/// The weights of the fully connected layers in all blocks, all experts included. Of a checked() model.
[[nodiscard]] std::int64_t layer_parameters(const Transformer& model);
/// Of these, what works on each token: the experts that it is sent to, and no others.
[[nodiscard]] std::int64_t active_layer_parameters(const Transformer& model);
/// The weights of the input and the output embedding, vocabulary x hidden each, counted once where they are
/// tied. 0 where the vocabulary is not known.
[[nodiscard]] std::int64_t embedding_parameters(const Transformer& model);

/// Reads our own JSON form of a model; in files of version 1 the embeddings are two matrices, before version
/// 3 no sequence length is known, before version 4 all blocks are alike. `origin` names it in errors.
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
