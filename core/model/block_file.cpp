#include "core/model/block_file.h"

#include "core/base/fields/field_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

template <class Part>
struct Number {
    const char* key;
    std::int64_t Part::*member;
    std::int64_t least;
    const char* help;
};
template <class Part>
struct Flag {
    const char* key;
    bool Part::*member;
    const char* help;
};

constexpr std::array mixer_numbers = {
    Number<Mixer>{"heads", &Mixer::heads, 1, "Query heads, or heads of a linear mixer's values."},
    Number<Mixer>{"kv_heads", &Mixer::kv_heads, 1, "Key-value heads, or heads of a linear mixer's keys."},
    Number<Mixer>{"head_size", &Mixer::head_size, 1, "Features of a head's queries and keys."},
    Number<Mixer>{"value_size", &Mixer::value_size, 0, "Features of a head's values; 0: as many."},
    Number<Mixer>{"window", &Mixer::window, 0, "Tokens that a token sees at most; 0: all."},
    Number<Mixer>{"q_rank", &Mixer::q_rank, 0, "Width from which latent attention makes its queries."},
    Number<Mixer>{"kv_rank", &Mixer::kv_rank, 0, "Width from which it makes keys and values."},
    Number<Mixer>{"rope_size", &Mixer::rope_size, 0, "Features of keys that all its heads share."},
    Number<Mixer>{"index_heads", &Mixer::index_heads, 0, "Heads of the index of sparse attention."},
    Number<Mixer>{"index_size", &Mixer::index_size, 0, "Features of each."},
    Number<Mixer>{"index_tokens", &Mixer::index_tokens, 0, "Tokens that the index chooses."},
    Number<Mixer>{"state", &Mixer::state, 0, "Numbers kept for each inner feature of a state space."},
    Number<Mixer>{"groups", &Mixer::groups, 1, "Groups of its heads that share B and C."},
    Number<Mixer>{"convolution", &Mixer::convolution, 0, "Tokens that the short convolution sees."},
    Number<Mixer>{"rank", &Mixer::rank, 0, "Width from which time steps are made."},
};
constexpr std::array mixer_flags = {
    Flag<Mixer>{"causal", &Mixer::causal, "A token sees only those before it."},
    Flag<Mixer>{"chunked", &Mixer::chunked, "The windows stand still."},
    Flag<Mixer>{"output_gate", &Mixer::output_gate, "A gate for each feature of attention's output."},
    Flag<Mixer>{"head_gate", &Mixer::head_gate, "A gate for each head."},
    Flag<Mixer>{"qkv_bias", &Mixer::qkv_bias, "Biases of Q, K and V."},
    Flag<Mixer>{"output_bias", &Mixer::output_bias, "A bias of the output."},
    Flag<Mixer>{"qk_norm", &Mixer::qk_norm, "Norms of Q and K, head by head."},
    Flag<Mixer>{"sinks", &Mixer::sinks, "A learned logit for each head."},
    Flag<Mixer>{"cross", &Mixer::cross, "It looks at the tokens of another stack."},
    Flag<Mixer>{"borrowed", &Mixer::borrowed, "It uses the keys and values of another block."},
    Flag<Mixer>{"keys_are_values", &Mixer::keys_are_values, "One product makes both."},
};
constexpr std::array feed_forward_numbers = {
    Number<FeedForward>{"width", &FeedForward::width, 0, "Inside, of one expert; 0: there is none."},
    Number<FeedForward>{"experts", &FeedForward::experts, 1, "Experts to choose from."},
    Number<FeedForward>{"experts_per_token", &FeedForward::experts_per_token, 1, "Of them, a token's."},
    Number<FeedForward>{"shared_width", &FeedForward::shared_width, 0,
                        "Width of the experts that every token visits too, together."},
    Number<FeedForward>{"groups", &FeedForward::groups, 1, "Groups of experts that a router chooses first."},
    Number<FeedForward>{"groups_per_token", &FeedForward::groups_per_token, 1, "Of them, a token's."},
    Number<FeedForward>{"latent", &FeedForward::latent, 0, "Width in which routed experts work; 0: hidden."},
};
constexpr std::array feed_forward_flags = {
    Flag<FeedForward>{"gated", &FeedForward::gated, "A gate and an up projection, multiplied."},
    Flag<FeedForward>{"shared_gate", &FeedForward::shared_gate, "A gate for the shared experts."},
    Flag<FeedForward>{"biases", &FeedForward::biases, "Biases, with a gate too."},
    Flag<FeedForward>{"bare", &FeedForward::bare, "Without a gate: neither biases nor dropout."},
};

constexpr std::array mixer_kinds = {MixerKind::attention, MixerKind::latent,      MixerKind::mamba,
                                    MixerKind::mamba2,    MixerKind::gated_delta, MixerKind::kimi_delta,
                                    MixerKind::lightning, MixerKind::convolution, MixerKind::none};

template <class Part>
void write_part(const Part& part, const auto& numbers, const auto& flags, Tree& into) {
    const Part plain;
    for (const auto& number : numbers) {
        if (part.*number.member != plain.*number.member) {
            into[number.key] = part.*number.member;
        }
    }
    for (const auto& flag : flags) {
        if (part.*flag.member != plain.*flag.member) {
            into[flag.key] = part.*flag.member;
        }
    }
}

template <class Part>
Part read_part(JsonReader& from, const auto& numbers, const auto& flags) {
    Part part;
    for (const auto& number : numbers) {
        if (from.has(number.key)) {
            part.*number.member = from.whole(number.key, number.least, most_width);
        }
    }
    for (const auto& flag : flags) {
        if (from.has(flag.key)) {
            part.*flag.member = from.flag(flag.key);
        }
    }
    return part;
}

Tree mixer_tree(const Mixer& mixer) {
    Tree made = Tree::object();
    made["kind"] = std::string(name(mixer.kind));
    write_part(mixer, mixer_numbers, mixer_flags, made);
    return made;
}

Mixer read_mixer(JsonReader from) {
    const std::string word = from.text("kind");
    auto mixer = read_part<Mixer>(from, mixer_numbers, mixer_flags);
    const auto* const found =
        std::ranges::find_if(mixer_kinds, [&](MixerKind kind) { return name(kind) == word; });
    std::string known;
    for (const MixerKind kind : mixer_kinds) {
        known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", name(kind));
    }
    from.expect(found != mixer_kinds.end(), "kind", fmt::format("is not known; expected one of {}", known));
    mixer.kind = found != mixer_kinds.end() ? *found : MixerKind::attention;
    from.no_other_keys();
    return mixer;
}

Tree kind_tree(const BlockKind& kind) {
    Tree made = Tree::object();
    made["mixer"] = mixer_tree(kind.mixer);
    if (kind.second.kind != MixerKind::none) {
        made["second"] = mixer_tree(kind.second);
    }
    made["feed_forward"] = Tree::object();
    write_part(kind.feed_forward, feed_forward_numbers, feed_forward_flags, made["feed_forward"]);
    made["norms"] = kind.norms;
    return made;
}

BlockKind read_kind(JsonReader& from, std::int64_t hidden) {
    BlockKind kind;
    kind.hidden = hidden;
    kind.mixer = read_mixer(from.object("mixer"));
    if (from.has("second")) {
        kind.second = read_mixer(from.object("second"));
    }
    JsonReader part = from.object("feed_forward");
    kind.feed_forward = read_part<FeedForward>(part, feed_forward_numbers, feed_forward_flags);
    part.no_other_keys();
    kind.norms = from.whole("norms", 0, 16);
    return kind;
}

/// The shortest part of a list that makes it when it is repeated.
std::size_t period(const std::vector<std::int64_t>& order) {
    for (std::size_t length = 1; length < order.size(); ++length) {
        if (order.size() % length == 0 &&
            std::equal(order.begin() + static_cast<std::ptrdiff_t>(length), order.end(), order.begin())) {
            return length;
        }
    }
    return order.size();
}

Tree pattern_tree(const std::vector<std::int64_t>& order) {
    Tree made = Tree::array();
    const std::size_t length = period(order);
    if (2 * length <= order.size()) {
        const std::vector<std::int64_t> one(order.begin(),
                                            order.begin() + static_cast<std::ptrdiff_t>(length));
        made.push_back({{"blocks", one}, {"times", order.size() / length}});
        return made;
    }
    for (std::size_t k = 0; k < order.size();) {
        std::size_t end = k;
        while (end < order.size() && order[end] == order[k]) {
            ++end;
        }
        made.push_back({{"blocks", std::vector{order[k]}}, {"times", end - k}});
        k = end;
    }
    return made;
}

Result<void> check_mixer(const Mixer& mixer) {
    if (mixer.attends() && (mixer.kv_heads > mixer.heads || mixer.heads % mixer.kv_heads != 0)) {
        return refuse(fmt::format("has blocks of {} \"heads\" and {} \"kv_heads\"; each key-value head must "
                                  "serve the same whole number of query heads",
                                  mixer.heads, mixer.kv_heads));
    }
    if (mixer.heads * std::max(mixer.head_size, mixer.values()) > most_width) {
        return refuse(fmt::format("has blocks of \"heads\" x \"head_size\" = {}; expected at most {}",
                                  mixer.heads * std::max(mixer.head_size, mixer.values()), most_width));
    }
    if (mixer.kind == MixerKind::latent && (mixer.kv_rank < 1 || mixer.rope_size > mixer.head_size)) {
        return refuse(
            "has latent attention without \"kv_rank\", or with a \"rope_size\" above \"head_size\"");
    }
    if ((mixer.kind == MixerKind::mamba || mixer.kind == MixerKind::mamba2) && mixer.state < 1) {
        return refuse("has a state space without \"state\"");
    }
    if (mixer.kind == MixerKind::mamba && mixer.rank < 1) {
        return refuse("has Mamba blocks without \"rank\"");
    }
    return {};
}

} // namespace

void write_blocks(const Transformer& model, Tree& file) {
    file["kinds"] = Tree::array();
    for (const BlockKind& kind : model.kinds) {
        file["kinds"].push_back(kind_tree(kind));
    }
    file["pattern"] = pattern_tree(model.order);
    if (model.predictors > 0) {
        file["predictors"] = model.predictors;
    }
    if (model.other_parameters > 0) {
        file["other_parameters"] = model.other_parameters;
    }
    if (!model.towers.empty()) {
        file["towers"] = Tree::array();
    }
    for (const Tower& tower : model.towers) {
        Tree one = Tree::object();
        one["name"] = tower.name;
        one["blocks"] = tower.blocks;
        one["hidden"] = tower.kind.hidden;
        one["kind"] = kind_tree(tower.kind);
        one["other_parameters"] = tower.other_parameters;
        file["towers"].push_back(std::move(one));
    }
}

void read_blocks(JsonReader& file, Transformer& model) {
    for (JsonReader& one : file.object_list("kinds", 64)) {
        model.kinds.push_back(read_kind(one, model.hidden));
        one.no_other_keys();
    }
    for (JsonReader& one : file.object_list("pattern", most_blocks)) {
        const std::vector<std::int64_t> blocks =
            one.whole_list("blocks", 0, static_cast<std::int64_t>(model.kinds.size()) - 1);
        const std::int64_t times = one.whole("times", 1, most_blocks);
        one.no_other_keys();
        const std::size_t room = static_cast<std::size_t>(most_blocks) - model.order.size();
        const bool fits = blocks.size() * static_cast<std::size_t>(times) <= room;
        one.expect(fits, "times", fmt::format("makes more than {} blocks", most_blocks));
        for (std::int64_t k = 0; fits && k < times; ++k) {
            model.order.insert(model.order.end(), blocks.begin(), blocks.end());
        }
    }
    file.expect(!model.kinds.empty(), "kinds", "is empty; expected at least one kind of block");
    file.expect(static_cast<std::int64_t>(model.order.size()) == model.layers, "pattern",
                fmt::format("makes {} blocks, but \"layers\" is {}", model.order.size(), model.layers));
    if (file.has("predictors")) {
        model.predictors = file.whole("predictors", 0, most_blocks);
    }
    if (file.has("other_parameters")) {
        model.other_parameters = file.whole("other_parameters", 0, most_published);
    }
    if (file.has("towers")) {
        for (JsonReader& one : file.object_list("towers", 16)) {
            Tower tower;
            tower.name = one.name("name");
            tower.blocks = one.whole("blocks", 1, most_blocks);
            const std::int64_t hidden = one.whole("hidden", 1, most_width);
            JsonReader kind = one.object("kind");
            tower.kind = read_kind(kind, hidden);
            kind.no_other_keys();
            tower.other_parameters = one.whole("other_parameters", 0, most_published);
            one.no_other_keys();
            model.towers.push_back(std::move(tower));
        }
    }
    if (file.ok()) {
        stand_for_all(model);
    }
}

void add_blocks(Tree& schema) {
    const auto part = [](const char* help, const auto& numbers, const auto& flags) {
        Tree made = object_schema(help);
        for (const auto& number : numbers) {
            Tree one = whole_schema(number.least, most_width);
            one["description"] = number.help;
            add_key(made, number.key, std::move(one), false);
        }
        for (const auto& flag : flags) {
            add_key(made, flag.key, {{"type", "boolean"}, {"description", flag.help}}, false);
        }
        return made;
    };
    Tree mixer = part("What mixes the tokens of a sequence.", mixer_numbers, mixer_flags);
    Tree words = Tree::array();
    for (const MixerKind kind : mixer_kinds) {
        words.push_back(std::string(name(kind)));
    }
    add_key(mixer, "kind", {{"enum", std::move(words)}});
    Tree kind = object_schema("One kind of block.");
    add_key(kind, "mixer", mixer);
    add_key(kind, "second", mixer, false);
    add_key(kind, "feed_forward",
            part("What works on each token alone.", feed_forward_numbers, feed_forward_flags));
    add_key(kind, "norms", whole_schema(0, 16));
    Tree run = object_schema("Blocks by their places in \"kinds\", from the first on, so many times.");
    add_key(run, "blocks", list_schema(whole_schema(0, 63)));
    add_key(run, "times", whole_schema(1, most_blocks));
    Tree tower = object_schema("An encoder with tokens of its own.");
    add_key(tower, "name", {{"type", "string"}});
    add_key(tower, "blocks", whole_schema(1, most_blocks));
    add_key(tower, "hidden", whole_schema(1, most_width));
    add_key(tower, "kind", kind);
    add_key(tower, "other_parameters", whole_schema(0, most_published));
    add_key(schema, "kinds", list_schema(std::move(kind)), false);
    add_key(schema, "pattern", list_schema(std::move(run)), false);
    add_key(schema, "towers", list_schema(std::move(tower)), false);
    const auto number = [&](const char* key, std::int64_t most, const char* help) {
        Tree made = whole_schema(0, most);
        made["description"] = help;
        add_key(schema, key, std::move(made), false);
    };
    number("predictors", most_blocks, "Further blocks that predict more tokens.");
    number("other_parameters", most_published, "At both ends: learned positions, poolers.");
}

Result<void> check_blocks(const Transformer& model) {
    std::vector<BlockKind> kinds = model.kinds;
    for (const Tower& tower : model.towers) {
        kinds.push_back(tower.kind);
    }
    for (const BlockKind& kind : kinds) {
        for (const Mixer& mixer : {kind.mixer, kind.second}) {
            for (const auto& number : mixer_numbers) {
                if (mixer.*number.member < number.least || mixer.*number.member > most_width) {
                    return refuse(fmt::format("has blocks with \"{}\" {}; expected {} to {}", number.key,
                                              mixer.*number.member, number.least, most_width));
                }
            }
            if (const Result<void> sound = check_mixer(mixer); !sound) {
                return sound;
            }
        }
        for (const auto& number : feed_forward_numbers) {
            const std::int64_t value = kind.feed_forward.*number.member;
            if (value < number.least || value > most_width) {
                return refuse(fmt::format("has blocks with \"{}\" {}; expected {} to {}", number.key, value,
                                          number.least, most_width));
            }
        }
        const FeedForward& its = kind.feed_forward;
        if (its.groups_per_token > its.groups || its.experts % its.groups != 0 ||
            its.experts_per_token > its.experts / its.groups * its.groups_per_token) {
            return refuse(fmt::format(
                "sends each token to {} experts in {} of {} \"groups\" of its {} experts; expected groups "
                "that divide the experts, and as many experts in those of a token",
                its.experts_per_token, its.groups_per_token, its.groups, its.experts));
        }
        if (kind.feed_forward.experts_per_token > kind.feed_forward.experts) {
            return refuse(fmt::format("sends each token to {} \"experts_per_token\" but has only {} "
                                      "\"experts\"",
                                      kind.feed_forward.experts_per_token, kind.feed_forward.experts));
        }
    }
    for (const std::int64_t place : model.order) {
        if (place < 0 || place >= static_cast<std::int64_t>(model.kinds.size())) {
            return refuse(
                fmt::format("has a block of kind {}, but only {} kinds", place, model.kinds.size()));
        }
    }
    return {};
}

} // namespace meshslice
