#include "core/report/memory_json.h"

#include <nlohmann/json.hpp>

namespace meshslice {

nlohmann::ordered_json memory_json(const MemoryUse& use) {
    return {{"weights", use.weights.value()},
            {"embeddings", use.embeddings.value()},
            {"gradients", use.gradients.value()},
            {"optimiser", use.optimiser.value()},
            {"activations", use.activations.value()},
            {"buffers", use.buffers.value()},
            {"total", use.total().value()}};
}

} // namespace meshslice
