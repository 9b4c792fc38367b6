#include "core/work/stack.h"

namespace meshslice {

BlockKind block_kind(const Transformer& model, bool causal) {
    return {model.hidden,
            {model.heads, model.kv_heads, model.head_size, causal},
            {model.feed_forward, model.gated, model.experts, model.experts_per_token}};
}

std::vector<Stack> stacks(const Transformer& model, bool causal) {
    return {{"decoder",
             {block_kind(model, causal)},
             model.layers,
             model.hidden,
             model.vocabulary,
             model.tied_embeddings}};
}

} // namespace meshslice
