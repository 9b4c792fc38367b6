#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

enum class MixerKind : std::uint8_t {
    attention,   ///< every query head with its own or a shared key-value head
    latent,      ///< keys and values of all heads from one narrow vector (arXiv 2405.04434, section 2.1)
    mamba,       ///< selective state space (arXiv 2312.00752)
    mamba2,      ///< with one decay a head (arXiv 2405.21060)
    gated_delta, ///< gated delta rule (arXiv 2412.06464)
    kimi_delta,  ///< the same with a decay for each channel (arXiv 2510.26692)
    lightning,   ///< linear attention with an output gate (arXiv 2501.08313)
    convolution, ///< a gated convolution over a few tokens (LFM2)
    none,
};

/// What mixes the tokens of a sequence. Of a state space, `heads` x `head_size` is its inner width; of the
/// delta rules, `heads` are those of values and `kv_heads` those of keys.
struct Mixer {
    std::int64_t heads = 1, kv_heads = 1, head_size = 1;
    bool causal = true; ///< a token sees only those before it

    MixerKind kind = MixerKind::attention;
    std::int64_t value_size = 0; ///< features of a head's values; 0: as many as `head_size`
    std::int64_t window = 0;     ///< tokens that a token sees at most; 0: all
    bool chunked = false;        ///< the windows stand still: a token sees those of its own
    bool output_gate = false;    ///< a gate for each feature of the output, made next to Q
    bool head_gate = false;      ///< one for each head
    bool qkv_bias = false, output_bias = false;
    bool qk_norm = false;         ///< norms of Q and K, head by head
    bool sinks = false;           ///< a learned logit a head
    bool cross = false;           ///< looks at the tokens of another stack
    bool borrowed = false;        ///< uses the keys and values of another block
    bool keys_are_values = false; ///< one product makes both

    std::int64_t q_rank = 0;    ///< latent: width from which Q is made; 0: from the residual stream
    std::int64_t kv_rank = 0;   ///< latent: width from which keys and values are made
    std::int64_t rope_size = 0; ///< latent: features of `head_size` that all heads' keys share
    std::int64_t index_heads = 0, index_size = 0, index_tokens = 0; ///< sparse: how tokens are chosen

    std::int64_t state = 0;       ///< state space: numbers kept for each inner feature
    std::int64_t groups = 1;      ///< state space: heads that share B and C are a group
    std::int64_t convolution = 0; ///< tokens that the short convolution sees
    std::int64_t rank = 0;        ///< mamba: width from which time steps are made

    [[nodiscard]] std::int64_t values() const { return value_size > 0 ? value_size : head_size; }
    [[nodiscard]] bool attends() const { return kind == MixerKind::attention || kind == MixerKind::latent; }
    bool operator==(const Mixer&) const = default;
};

/// What works on each token alone.
struct FeedForward {
    std::int64_t width = 1; ///< inside, of one expert; 0: there is none
    bool gated = false;     ///< gate and up projections, multiplied: twice the width
    std::int64_t experts = 1, experts_per_token = 1;
    std::int64_t shared_width = 0; ///< of the experts that every token visits too, together
    /// The router chooses groups of experts first, and experts from these (n_group, topk_group).
    std::int64_t groups = 1, groups_per_token = 1;
    bool shared_gate = false; ///< how much of them counts is learned
    std::int64_t latent = 0;  ///< width in which routed experts work; 0: that of the residual stream
    bool biases = false;      ///< with a gate too
    bool bare = false;        ///< without a gate: neither biases nor dropout

    bool operator==(const FeedForward&) const = default;
};

/// One kind of block of a model. Blocks with a gate have neither biases nor dropout unless they say so.
struct BlockKind {
    std::int64_t hidden = 1; ///< width of the residual stream
    Mixer mixer;
    FeedForward feed_forward;
    Mixer second = {.kind = MixerKind::none}; ///< next to or after the first
    std::int64_t norms = 2;

    [[nodiscard]] bool plain() const { return !feed_forward.gated && !feed_forward.bare; }
    bool operator==(const BlockKind&) const = default;
};

/// Which part of a block a matrix is of, and on which side of its wide inner part.
enum class MatrixPlace : std::uint8_t { into, out_of, narrow };

/// A matrix that a token is multiplied with.
struct BlockMatrix {
    std::string_view name;
    MatrixPlace place = MatrixPlace::into;
    bool of_mixer = false;
    std::int64_t in = 1, out = 1;
    std::int64_t copies = 1; ///< experts
    std::int64_t routed = 1; ///< of them, those that a token goes to

    [[nodiscard]] std::int64_t parameters() const { return copies * in * out; }
    [[nodiscard]] std::int64_t active() const { return routed * in * out; }
    bool operator==(const BlockMatrix&) const = default;
};

// Names of matrices, which are those of their tasks.
inline constexpr std::string_view qkv_task = "QKV"; ///< Q, K and V in one product
inline constexpr std::string_view output_task = "Output";
inline constexpr std::string_view ff1_task = "FF1"; ///< with a gate, gate and up projections in one product
inline constexpr std::string_view ff2_task = "FF2";
inline constexpr std::string_view shared_ff1_task = "shared FF1";
inline constexpr std::string_view shared_ff2_task = "shared FF2";
inline constexpr std::string_view shared_tasks =
    "shared "; ///< how the names of these and their activation begin

/// Of a mixer on a residual stream of this width.
[[nodiscard]] std::vector<BlockMatrix> matrices(const Mixer& mixer, std::int64_t hidden);
[[nodiscard]] std::vector<BlockMatrix> matrices(const FeedForward& feed_forward, std::int64_t hidden);
/// Of a block: its mixer, the second one, its feed-forward network.
[[nodiscard]] std::vector<BlockMatrix> matrices(const BlockKind& kind);

/// Parameters of those matrices, and what is not one.
struct BlockParameters {
    double matrices = 0;
    double active = 0;        ///< of the matrices, those that work on one token
    double others = 0;        ///< norms, biases, routers, convolutions, decays
    double active_others = 0; ///< of these: not the biases of experts that a token does not go to
};
[[nodiscard]] BlockParameters parameters(const BlockKind& kind);

/// Numbers that a token leaves for those after it in such a block: keys and values, or the latent vector.
[[nodiscard]] std::int64_t cached_numbers(const BlockKind& kind);
/// The same of a sequence of so many tokens, which windows bound.
[[nodiscard]] std::int64_t cached_numbers(const BlockKind& kind, std::int64_t tokens);
/// Numbers of a state that does not grow with the sequence.
[[nodiscard]] std::int64_t recurrent_numbers(const BlockKind& kind);

/// FLOP of a linear mixer's recurrence a token, forward: additions and products of its state's numbers.
[[nodiscard]] double recurrence_flop(const Mixer& mixer);

[[nodiscard]] std::string_view name(MixerKind kind); ///< "gated delta"
/// "latent attention, 8 of 256 experts and a shared one"
[[nodiscard]] std::string text(const BlockKind& kind);

} // namespace meshslice
