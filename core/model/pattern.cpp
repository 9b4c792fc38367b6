// What a model comes to, block kind by block kind.

#include "core/model/transformer.h"

#include <algorithm>
#include <array>

namespace meshslice {

BlockKind plain_block(const Transformer& model) {
    return {model.hidden,
            {model.heads, model.kv_heads, model.head_size, model.causal},
            {model.feed_forward, model.gated, model.experts, model.experts_per_token}};
}

std::vector<KindCount> block_kinds(const Transformer& model) {
    if (model.kinds.empty()) {
        return {{plain_block(model), model.layers}};
    }
    std::vector<KindCount> made;
    for (const BlockKind& kind : model.kinds) {
        made.push_back({kind, 0});
    }
    for (const std::int64_t place : model.order) {
        ++made[static_cast<std::size_t>(place)].blocks;
    }
    return made;
}

std::size_t kind_that_stands_for_all(const std::vector<KindCount>& kinds) {
    std::size_t best = 0;
    const auto better = [&](const KindCount& one, const KindCount& than) {
        const bool attends = one.kind.mixer.attends() && !one.kind.mixer.cross;
        const bool than_attends = than.kind.mixer.attends() && !than.kind.mixer.cross;
        return attends != than_attends ? attends : one.blocks > than.blocks;
    };
    for (std::size_t k = 1; k < kinds.size(); ++k) {
        best = better(kinds[k], kinds[best]) ? k : best;
    }
    return best;
}

void stand_for_all(Transformer& model) {
    if (model.kinds.empty()) {
        return;
    }
    const std::vector<KindCount> kinds = block_kinds(model);
    const BlockKind& kind = kinds[kind_that_stands_for_all(kinds)].kind;
    // Of a mixer without attention, the heads of its values: those of its keys may be fewer or more.
    const bool attends = kind.mixer.attends();
    model.layers = static_cast<std::int64_t>(model.order.size());
    model.hidden = kind.hidden;
    model.heads = std::max<std::int64_t>(1, kind.mixer.heads);
    model.kv_heads = attends ? kind.mixer.kv_heads : model.heads;
    model.head_size = std::max<std::int64_t>(1, attends ? kind.mixer.head_size : kind.mixer.values());
    model.causal = kind.mixer.causal;
    // A block without a feed-forward network, as of Nemotron-H, takes the numbers of one that has one.
    FeedForward part = kind.feed_forward;
    for (const KindCount& one : kinds) {
        part = part.width == 0 ? one.kind.feed_forward : part;
    }
    model.feed_forward = std::max<std::int64_t>(1, part.width);
    model.gated = part.gated;
    model.experts = part.experts;
    model.experts_per_token = part.experts_per_token;
}

Transformer one_block(const Transformer& model) {
    Transformer made = model;
    made.layers = 1;
    if (!made.kinds.empty()) {
        const std::vector<KindCount> kinds = block_kinds(model);
        made.kinds = {kinds[kind_that_stands_for_all(kinds)].kind};
        made.order = {0};
    }
    return made;
}

bool is_uniform(const Transformer& model) {
    const std::vector<KindCount> kinds = block_kinds(model);
    const auto shape = [](const BlockKind& kind) {
        std::vector<std::array<std::int64_t, 4>> made;
        for (const BlockMatrix& one : matrices(kind)) {
            made.push_back({one.in, one.out, one.copies, one.routed});
        }
        return made;
    };
    return kinds.size() == 1 && shape(kinds.front().kind) == shape(plain_block(model));
}

double parameters(const Tower& tower) {
    const BlockParameters one = parameters(tower.kind);
    return static_cast<double>(tower.blocks) * (one.matrices + one.others) +
           static_cast<double>(tower.other_parameters);
}

ModelParameters parameters(const Transformer& model) {
    ModelParameters made;
    bool plain = false;
    for (const KindCount& one : block_kinds(model)) {
        const BlockParameters each = parameters(one.kind);
        const auto blocks = static_cast<double>(one.blocks);
        made.all += blocks * each.matrices;
        made.active += blocks * each.active;
        made.others += blocks * each.others;
        made.active_others += blocks * each.active_others;
        plain = one.kind.plain();
    }
    const auto at_ends = static_cast<double>(model.other_parameters + (plain ? 2 : 1) * model.hidden);
    made.others += at_ends;
    made.active_others += at_ends;
    const double table = static_cast<double>(model.vocabulary) * static_cast<double>(model.hidden);
    made.embeddings = (model.tied_embeddings ? 1 : 2) * table;
    for (const Tower& tower : model.towers) {
        made.towers += parameters(tower);
    }
    made.all += made.embeddings + made.others + made.towers;
    made.active += table + made.active_others + made.towers;
    made.active_with_embedding = made.active + made.embeddings - table;
    if (model.predictors > 0) {
        const BlockParameters last =
            parameters(model.kinds.empty() ? plain_block(model)
                                           : model.kinds[static_cast<std::size_t>(model.order.back())]);
        // It reads the stream and the next token's embedding, each through a norm (arXiv 2412.19437, 2.2).
        const auto hidden = static_cast<double>(model.hidden);
        made.predictors = static_cast<double>(model.predictors) *
                          (last.matrices + last.others + 2 * hidden * hidden + 3 * hidden);
    }
    return made;
}

std::int64_t layer_parameters(const Transformer& model) {
    std::int64_t all = 0;
    for (const KindCount& one : block_kinds(model)) {
        for (const BlockMatrix& matrix : matrices(one.kind)) {
            all += one.blocks * matrix.parameters();
        }
    }
    return all;
}

std::int64_t active_layer_parameters(const Transformer& model) {
    std::int64_t all = 0;
    for (const KindCount& one : block_kinds(model)) {
        for (const BlockMatrix& matrix : matrices(one.kind)) {
            all += one.blocks * matrix.active();
        }
    }
    return all;
}

std::int64_t embedding_parameters(const Transformer& model) {
    return model.vocabulary * model.hidden * (model.tied_embeddings ? 1 : 2);
}

} // namespace meshslice
