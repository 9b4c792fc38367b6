#include "core/work/stack.h"

namespace meshslice {
namespace {

std::vector<KindCount> kinds_of(const Transformer& model, bool causal) {
    std::vector<KindCount> made = block_kinds(model);
    for (KindCount& one : made) {
        one.kind.mixer.causal = model.kinds.empty() ? causal : causal && one.kind.mixer.causal;
    }
    return made;
}

} // namespace

BlockKind block_kind(const Transformer& model, bool causal) {
    const std::vector<KindCount> kinds = kinds_of(model, causal);
    return kinds[kind_that_stands_for_all(kinds)].kind;
}

std::vector<Stack> stacks(const Transformer& model, bool causal) {
    return {{"decoder", kinds_of(model, causal), model.layers, model.hidden, model.vocabulary,
             model.tied_embeddings}};
}

} // namespace meshslice
