#include "core/report/json/memory_json.h"

namespace meshslice {

Tree memory_json(const MemoryUse& use) {
    const auto bytes = [](double count) { return whole_bytes(count).value(); };
    return {{"weights", bytes(use.weights)},
            {"embeddings", bytes(use.embeddings)},
            {"gradients", bytes(use.gradients)},
            {"optimizer", bytes(use.optimizer)},
            {"activations", bytes(use.activations)},
            {"buffers", bytes(use.buffers)},
            {"logits", bytes(use.logits)},
            {"reserve", bytes(use.reserve)},
            {"total", bytes(use.total())}};
}

} // namespace meshslice
