#include "core/model/block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace meshslice {
namespace {

/// Features of the inner part of a linear mixer.
std::int64_t inner(const Mixer& mixer, std::int64_t hidden) {
    return mixer.kind == MixerKind::convolution ? hidden : mixer.heads * mixer.values();
}

void add_attention(const Mixer& mixer, std::int64_t hidden, std::vector<BlockMatrix>& made) {
    const std::int64_t queries = mixer.heads * mixer.head_size, output = mixer.heads * mixer.values();
    const std::int64_t gate = (mixer.output_gate ? output : 0) + (mixer.head_gate ? mixer.heads : 0);
    const std::int64_t of_values = mixer.keys_are_values ? 0 : mixer.values();
    const std::int64_t both = mixer.borrowed ? 0 : mixer.kv_heads * (mixer.head_size + of_values);
    made.push_back({qkv_task, MatrixPlace::into, true, hidden, queries + gate + both});
    made.push_back({output_task, MatrixPlace::out_of, true, output, hidden});
}

void add_latent(const Mixer& mixer, std::int64_t hidden, std::vector<BlockMatrix>& made) {
    const std::int64_t queries = mixer.heads * mixer.head_size;
    const std::int64_t keys = mixer.head_size - mixer.rope_size;
    made.push_back(
        {"QKV down", MatrixPlace::narrow, true, hidden, mixer.q_rank + mixer.kv_rank + mixer.rope_size});
    made.push_back({"Q up", MatrixPlace::into, true, mixer.q_rank > 0 ? mixer.q_rank : hidden, queries});
    made.push_back({"KV up", MatrixPlace::into, true, mixer.kv_rank, mixer.heads * (keys + mixer.values())});
    if (mixer.index_heads > 0) {
        made.push_back({"index Q", MatrixPlace::narrow, true, mixer.q_rank > 0 ? mixer.q_rank : hidden,
                        mixer.index_heads * mixer.index_size});
        made.push_back({"index K", MatrixPlace::narrow, true, hidden, mixer.index_size + mixer.index_heads});
    }
    made.push_back({output_task, MatrixPlace::out_of, true, mixer.heads * mixer.values(), hidden});
}

/// Columns of the products that lead into a linear mixer.
std::int64_t columns_into(const Mixer& mixer, std::int64_t hidden) {
    const std::int64_t wide = inner(mixer, hidden), keys = mixer.kv_heads * mixer.head_size;
    switch (mixer.kind) {
    case MixerKind::mamba: return 2 * wide;
    case MixerKind::mamba2: return 2 * wide + 2 * mixer.groups * mixer.state + mixer.heads;
    // Q, K, V, the output gate, and two numbers a head: how fast it forgets and learns.
    case MixerKind::gated_delta: return 2 * keys + 2 * wide + 2 * mixer.heads;
    // Decay and output gate go through a narrow part; one more number a head.
    case MixerKind::kimi_delta: return 2 * keys + wide + 2 * mixer.head_size + mixer.heads;
    case MixerKind::lightning: return 4 * wide;
    default: return 3 * wide;
    }
}

void add_linear(const Mixer& mixer, std::int64_t hidden, std::vector<BlockMatrix>& made) {
    const std::int64_t wide = inner(mixer, hidden);
    made.push_back({"mixer in", MatrixPlace::into, true, hidden, columns_into(mixer, hidden)});
    if (mixer.kind == MixerKind::mamba) {
        made.push_back({"time steps", MatrixPlace::into, true, wide, mixer.rank + 2 * mixer.state});
        made.push_back({"time steps up", MatrixPlace::into, true, mixer.rank, wide});
    }
    if (mixer.kind == MixerKind::kimi_delta) {
        made.push_back(
            {"decays", MatrixPlace::into, true, mixer.head_size, mixer.kv_heads * mixer.head_size + wide});
    }
    made.push_back({"mixer out", MatrixPlace::out_of, true, wide, hidden});
}

/// What of a mixer is not a matrix.
std::int64_t other_parameters(const Mixer& mixer, std::int64_t hidden, bool plain) {
    const std::int64_t wide = inner(mixer, hidden), keys = mixer.kv_heads * mixer.head_size;
    switch (mixer.kind) {
    case MixerKind::none: return 0;
    case MixerKind::attention: {
        const std::int64_t qkv = mixer.heads * mixer.head_size + keys + mixer.kv_heads * mixer.values();
        return (mixer.qkv_bias || plain ? qkv : 0) + (mixer.output_bias || plain ? hidden : 0) +
               (mixer.qk_norm ? 2 * mixer.head_size : 0) + (mixer.sinks ? mixer.heads : 0);
    }
    case MixerKind::latent: return mixer.q_rank + mixer.kv_rank + 2 * mixer.index_size;
    // The convolution with its bias, A, D, and the bias of the time steps.
    case MixerKind::mamba: return wide * (mixer.convolution + 1 + mixer.state + 2);
    case MixerKind::mamba2:
        return (wide + 2 * mixer.groups * mixer.state) * (mixer.convolution + 1) + 3 * mixer.heads + wide;
    case MixerKind::gated_delta:
        return (2 * keys + wide) * mixer.convolution + 2 * mixer.heads + mixer.values();
    case MixerKind::kimi_delta:
        return (2 * keys + wide) * mixer.convolution + keys + mixer.heads + mixer.values();
    case MixerKind::lightning: return wide;
    case MixerKind::convolution: return hidden * mixer.convolution;
    }
    return 0;
}

std::int64_t other_parameters(const FeedForward& part, std::int64_t hidden, bool plain) {
    const std::int64_t biases =
        part.biases || plain ? part.experts * ((part.gated ? 2 : 1) * part.width + hidden) : 0;
    const std::int64_t router = part.experts > 1 ? part.experts * (hidden + (part.biases ? 1 : 0)) : 0;
    return (part.width > 0 ? biases : 0) + router + (part.shared_gate ? hidden : 0);
}

} // namespace

std::vector<BlockMatrix> matrices(const Mixer& mixer, std::int64_t hidden) {
    std::vector<BlockMatrix> made;
    switch (mixer.kind) {
    case MixerKind::none: break;
    case MixerKind::attention: add_attention(mixer, hidden, made); break;
    case MixerKind::latent: add_latent(mixer, hidden, made); break;
    default: add_linear(mixer, hidden, made);
    }
    return made;
}

std::vector<BlockMatrix> matrices(const FeedForward& part, std::int64_t hidden) {
    std::vector<BlockMatrix> made;
    const std::int64_t sides = part.gated ? 2 : 1;
    const std::int64_t stream = part.latent > 0 ? part.latent : hidden;
    if (part.latent > 0) {
        made.push_back({"latent down", MatrixPlace::narrow, false, hidden, stream});
    }
    if (part.width > 0) {
        made.push_back({ff1_task, MatrixPlace::into, false, stream, sides * part.width, part.experts,
                        part.experts_per_token});
        made.push_back(
            {ff2_task, MatrixPlace::out_of, false, part.width, stream, part.experts, part.experts_per_token});
    }
    if (part.latent > 0) {
        made.push_back({"latent up", MatrixPlace::narrow, false, stream, hidden});
    }
    if (part.shared_width > 0) {
        made.push_back({shared_ff1_task, MatrixPlace::into, false, hidden, sides * part.shared_width});
        made.push_back({shared_ff2_task, MatrixPlace::out_of, false, part.shared_width, hidden});
    }
    return made;
}

std::vector<BlockMatrix> matrices(const BlockKind& kind) {
    std::vector<BlockMatrix> made = matrices(kind.mixer, kind.hidden);
    for (const BlockMatrix& one : matrices(kind.second, kind.hidden)) {
        made.push_back(one);
    }
    for (const BlockMatrix& one : matrices(kind.feed_forward, kind.hidden)) {
        made.push_back(one);
    }
    return made;
}

BlockParameters parameters(const BlockKind& kind) {
    BlockParameters made;
    for (const BlockMatrix& one : matrices(kind)) {
        const double each = static_cast<double>(one.in) * static_cast<double>(one.out);
        made.matrices += static_cast<double>(one.copies) * each;
        made.active += static_cast<double>(one.routed) * each;
    }
    const bool plain = kind.plain();
    std::int64_t idle = 0;
    const FeedForward& part = kind.feed_forward;
    if (part.width > 0 && (part.biases || plain)) {
        idle = (part.experts - part.experts_per_token) * ((part.gated ? 2 : 1) * part.width + kind.hidden);
    }
    const std::int64_t norms = kind.norms * (plain ? 2 : 1) * kind.hidden; // with a bias, or without
    made.others = static_cast<double>(other_parameters(kind.mixer, kind.hidden, plain) +
                                      other_parameters(kind.second, kind.hidden, plain) +
                                      other_parameters(kind.feed_forward, kind.hidden, plain) + norms);
    made.active_others = made.others - static_cast<double>(idle);
    return made;
}

std::int64_t cached_numbers(const BlockKind& kind) {
    std::int64_t all = 0;
    for (const Mixer& mixer : {kind.mixer, kind.second}) {
        if (mixer.kind == MixerKind::latent) {
            all += mixer.kv_rank + mixer.rope_size + mixer.index_size;
        } else if (mixer.kind == MixerKind::attention && mixer.causal && !mixer.borrowed && !mixer.cross) {
            all += mixer.kv_heads * (mixer.head_size + mixer.values());
        }
    }
    return all;
}

std::int64_t cached_numbers(const BlockKind& kind, std::int64_t tokens) {
    const std::int64_t window = kind.mixer.window;
    return cached_numbers(kind) * (window > 0 ? std::min(window, tokens) : tokens);
}

std::int64_t recurrent_numbers(const BlockKind& kind) {
    std::int64_t all = 0;
    for (const Mixer& mixer : {kind.mixer, kind.second}) {
        const std::int64_t wide = inner(mixer, kind.hidden), keys = mixer.kv_heads * mixer.head_size;
        const std::int64_t before = std::max<std::int64_t>(mixer.convolution - 1, 0);
        switch (mixer.kind) {
        case MixerKind::mamba: all += wide * (mixer.state + before); break;
        case MixerKind::mamba2:
            all += wide * mixer.state + (wide + 2 * mixer.groups * mixer.state) * before;
            break;
        case MixerKind::gated_delta:
        case MixerKind::kimi_delta: all += wide * mixer.head_size + (2 * keys + wide) * before; break;
        case MixerKind::lightning: all += wide * mixer.head_size; break;
        case MixerKind::convolution: all += wide * before; break;
        default: break;
        }
    }
    return all;
}

double recurrence_flop(const Mixer& mixer) {
    const auto wide = static_cast<double>(mixer.heads * mixer.values());
    const auto keys = static_cast<double>(mixer.head_size);
    switch (mixer.kind) {
    // Decay, add B x, and multiply with C: a product, and two products with sums.
    case MixerKind::mamba:
    case MixerKind::mamba2: return 5 * wide * static_cast<double>(mixer.state);
    // Read the state with the key, decay, add the difference, read it with the query.
    case MixerKind::gated_delta:
    case MixerKind::kimi_delta: return 7 * wide * keys;
    case MixerKind::lightning: return 5 * wide * keys;
    default: return 0;
    }
}

std::string_view name(MixerKind kind) {
    switch (kind) {
    case MixerKind::attention: return "attention";
    case MixerKind::latent: return "latent attention";
    case MixerKind::mamba: return "Mamba";
    case MixerKind::mamba2: return "Mamba 2";
    case MixerKind::gated_delta: return "gated delta rule";
    case MixerKind::kimi_delta: return "Kimi delta attention";
    case MixerKind::lightning: return "lightning attention";
    case MixerKind::convolution: return "short convolution";
    case MixerKind::none: return "no mixer";
    }
    return "";
}

namespace {

std::string mixer_text(const Mixer& mixer) {
    if (!mixer.attends()) {
        return std::string(name(mixer.kind));
    }
    std::string words(name(mixer.kind));
    words = mixer.cross ? "cross-attention" : words;
    if (mixer.kind == MixerKind::attention) {
        words += fmt::format(" {}/{} x {}", mixer.heads, mixer.kv_heads, mixer.head_size);
    } else {
        words += fmt::format(" {} x {} from {}", mixer.heads, mixer.head_size, mixer.kv_rank);
    }
    if (mixer.window > 0) {
        words += fmt::format(" in {} of {}", mixer.chunked ? "chunks" : "a window", mixer.window);
    }
    return words;
}

} // namespace

std::string text(const BlockKind& kind) {
    std::vector<std::string> parts;
    for (const Mixer& mixer : {kind.mixer, kind.second}) {
        if (mixer.kind != MixerKind::none) {
            parts.push_back(mixer_text(mixer));
        }
    }
    const FeedForward& part = kind.feed_forward;
    if (part.width > 0 && part.experts > 1) {
        parts.push_back(
            fmt::format("{} of {} experts of {}", part.experts_per_token, part.experts, part.width));
    } else if (part.width > 0) {
        parts.push_back(fmt::format("feed-forward {}", part.width));
    }
    if (part.shared_width > 0) {
        parts.push_back(fmt::format("shared expert {}", part.shared_width));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace meshslice
