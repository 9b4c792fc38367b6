#include "core/question/serve/replica/served_model.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>

namespace meshslice {
namespace {

double served_number(std::int64_t number) {
    return static_cast<double>(number);
}

/// Widths of latent attention that the law has: those of DeepSeek V3 (arXiv:2412.19437, 4.2).
bool latent_as_in_law(const Mixer& mixer) {
    return mixer.q_rank == 1536 && mixer.kv_rank == 512 && mixer.rope_size == 64 && mixer.head_size == 192 &&
           mixer.values() == 128;
}

/// The product into a mixer and the one out of it, as heads of one feature.
void set_products(const Mixer& mixer, std::int64_t hidden, InferenceModel& made) {
    double into = 0, inner = 0;
    for (const BlockMatrix& one : matrices(mixer, hidden)) {
        if (one.place == MatrixPlace::out_of) {
            inner += served_number(one.in);
        } else {
            into += served_number(one.in) * served_number(one.out) / served_number(hidden);
        }
    }
    made.head_size = 1;
    made.heads = inner;
    made.kv_heads = std::max((into - inner) / 2, 0.0);
}

void set_feed_forward(const FeedForward& part, InferenceModel& made) {
    made.matrices = part.gated ? 3 : 2;
    if (part.experts > 1) {
        made.experts = served_number(part.experts);
        made.chosen = served_number(part.experts_per_token);
        made.expert_width = served_number(part.width);
        made.shared_experts = served_number(part.shared_width) / served_number(part.width);
    } else {
        made.width = served_number(part.width + part.shared_width);
    }
}

ServedPart served_part(const BlockKind& kind, std::int64_t blocks, const InferenceModel& whole) {
    ServedPart part;
    const Mixer& mixer = kind.mixer;
    InferenceModel& model = part.products;
    model.name = whole.name;
    model.layers = served_number(blocks);
    model.hidden = served_number(kind.hidden);
    model.vocabulary = whole.vocabulary;
    model.parameters = whole.parameters;
    model.tied = whole.tied;
    set_feed_forward(kind.feed_forward, model);
    part.mixes = mixer.kind != MixerKind::none;
    part.attends = mixer.attends();
    // One sum over chips instead of two.
    model.parallel = !part.mixes || kind.feed_forward.width == 0;
    part.window = served_number(mixer.window);
    part.state = served_number(blocks) * served_number(recurrent_numbers(kind));
    part.recurrence = served_number(blocks) * (recurrence_flop(kind.mixer) + recurrence_flop(kind.second));
    part.kept = served_number(blocks) * served_number(cached_numbers(kind));
    if (mixer.kind == MixerKind::latent) {
        model.latent = true;
        model.heads = model.kv_heads = served_number(mixer.heads);
        model.head_size = served_number(mixer.values());
        part.attention = model;
        return part;
    }
    if (!part.mixes) {
        model.heads = model.kv_heads = model.head_size = 1;
    } else if (part.attends && !mixer.output_gate && !mixer.head_gate && mixer.values() == mixer.head_size &&
               !mixer.borrowed && !mixer.keys_are_values) {
        model.heads = served_number(mixer.heads);
        model.kv_heads = served_number(mixer.kv_heads);
        model.head_size = served_number(mixer.head_size);
    } else {
        set_products(mixer, kind.hidden, model);
    }
    part.attention = model;
    part.attention.heads = served_number(mixer.heads);
    part.attention.kv_heads = served_number(std::max<std::int64_t>(mixer.kv_heads, 1));
    part.attention.head_size = served_number(mixer.head_size + mixer.values()) / 2;
    return part;
}

bool same_served_shape(const InferenceModel& a, const InferenceModel& b) {
    return a.layers == b.layers && a.hidden == b.hidden && a.heads == b.heads &&
           a.vocabulary == b.vocabulary && a.experts == b.experts;
}

void say_what_is_left_out(const Transformer& model, ServedModel& made) {
    const std::vector<KindCount> kinds = block_kinds(model);
    const auto any = [&](auto what) { return std::ranges::any_of(kinds, what); };
    if (any([](const KindCount& one) {
            return !one.kind.mixer.attends() && recurrent_numbers(one.kind) > 0;
        })) {
        made.notes.push_back(say("Blocks that keep a state read and write it once a step, at the rate of the "
                                 "KV cache; no measured row has such blocks."));
    }
    if (any([](const KindCount& one) { return one.kind.mixer.index_heads > 0; })) {
        made.notes.push_back(say("Attention reads the whole cache: what a sparse index leaves out is not "
                                 "taken off."));
    }
    if (any([](const KindCount& one) { return one.kind.second.kind != MixerKind::none; })) {
        made.notes.push_back(
            say("The second mixer of a block counts in the weights and the cache, not in the "
                "time."));
    }
    if (any([](const KindCount& one) { return one.kind.feed_forward.latent > 0; })) {
        made.notes.push_back(
            say("Experts in a narrower stream are taken as if they worked in the whole one."));
    }
    if (!model.towers.empty()) {
        made.notes.push_back(say("Encoders of pictures or sound are not counted in the time."));
    }
    if (model.predictors > 0) {
        made.notes.push_back(say("Blocks that predict further tokens are not used."));
    }
}

} // namespace

double ServedModel::cached_numbers(double tokens, double tensor) const {
    double all = 0;
    for (const ServedPart& part : parts) {
        const double seen = part.window > 0 ? std::min(part.window, tokens) : tokens;
        const double heads = part.products.latent ? 1 : part.attention.kv_heads;
        all += part.kept * seen / std::min(tensor, std::max(heads, 1.0)) + part.state / tensor;
    }
    return all;
}

Result<ServedModel> served_model(const Transformer& model) {
    if (!model.causal) {
        return refuse(say("{} does not write token after token, so it cannot decode.", model.title));
    }
    if (model.vocabulary == 0) {
        return refuse(say("{} gives no vocabulary, so its output head cannot be counted.", model.title));
    }
    ServedModel made;
    made.name = model.name;
    made.title = model.title;
    InferenceModel& whole = made.whole;
    whole.name = model.name;
    whole.layers = served_number(model.layers);
    whole.hidden = served_number(model.hidden);
    whole.vocabulary = served_number(model.vocabulary);
    whole.parameters = parameters(model).all;
    whole.tied = model.tied_embeddings;
    const std::vector<KindCount> kinds = block_kinds(model);
    for (const KindCount& one : kinds) {
        if (one.kind.mixer.kind == MixerKind::latent && !latent_as_in_law(one.kind.mixer)) {
            return refuse(
                say("The latent attention of {} has other widths than that of DeepSeek V3, which is "
                    "the one that this knows.",
                    model.title));
        }
        made.parts.push_back(served_part(one.kind, one.blocks, whole));
    }
    const InferenceModel& usual = made.parts[kind_that_stands_for_all(kinds)].attention;
    const double layers = whole.layers;
    InferenceModel all = usual;
    all.layers = layers;
    all.parameters = whole.parameters;
    for (const ServedPart& part : made.parts) {
        all.width = std::max(all.width, part.products.width);
    }
    whole = all;
    for (const InferenceModel& one : inference_facts().models) {
        if (same_served_shape(one, whole)) {
            made.measured = &one;
        }
    }
    say_what_is_left_out(model, made);
    return made;
}

} // namespace meshslice
