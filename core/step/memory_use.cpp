#include "core/step/memory_use.h"

#include "core/plan/group_memory.h"
#include "core/step/training_step.h"

#include <algorithm>
#include <optional>

namespace meshslice {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 62;

Bytes scaled(Bytes bytes, std::int64_t times) {
    std::int64_t product = 0;
    return Bytes(__builtin_mul_overflow(bytes.value(), times, &product) ? most : std::min(product, most));
}

Bytes sum(Bytes a, Bytes b) {
    return Bytes(
        std::min(a.value(), most - 1) + std::min(b.value(), most - 1) >= most ? most : a.value() + b.value());
}

/// Weights, activations and buffers of `blocks` blocks.
MemoryUse layers_use(const std::vector<GemmResult>& gemms, std::int64_t blocks) {
    MemoryUse use;
    for (const GemmResult& result : gemms) {
        const Gemm& gemm = result.gemm;
        const Memory& memory = result.memory;
        use.buffers = std::max(use.buffers, memory.buffers);
        if (gemm.layer.empty()) {
            use.activations = sum(use.activations, memory.shards());
        } else if (gemm.pass == Pass::forward) { // Y = X W: the input is the left, the weight the right.
            const std::int64_t times = blocks * gemm.copies;
            use.activations = sum(use.activations, scaled(memory.left, times));
            use.weights = sum(use.weights, scaled(memory.right, times));
        }
    }
    return use;
}

/// What training keeps for each weight.
void add_training_state(MemoryUse& use, std::int64_t element_bytes) {
    const Bytes parameters(sum(use.weights, use.embeddings).value() / element_bytes);
    use.gradients = scaled(parameters, gradient_bytes);
    use.optimiser = scaled(parameters, optimizer_bytes);
}

MemoryUse of_plan(const PlanMemory& memory) {
    const auto bytes = [](double count) {
        return Bytes(count < static_cast<double>(most) ? static_cast<std::int64_t>(count) : most);
    };
    MemoryUse use;
    use.weights = bytes(memory.weights);
    use.gradients = bytes(memory.gradients);
    use.optimiser = bytes(memory.optimizer);
    use.activations = bytes(memory.activations);
    use.buffers = bytes(memory.buffers);
    return use;
}

} // namespace

Bytes MemoryUse::total() const {
    return sum(sum(sum(weights, embeddings), sum(gradients, optimiser)), sum(activations, buffers));
}

MemoryUse memory_use(const std::vector<GemmResult>& gemms, const Scenario& scenario,
                     const std::string& algorithm, const std::optional<GroupOfPlan>& group) {
    const std::int64_t element = element_bytes(scenario.schedule.type);
    MemoryUse use = layers_use(gemms, scenario.model.layers);
    if (group) {
        return of_plan(group->memory(algorithm, static_cast<double>(use.buffers.value())));
    }
    if (use.weights > Bytes(0)) {
        const std::int64_t chips = // that share one copy of the weights
            std::max<std::int64_t>(1, layer_parameters(scenario.model) * element / use.weights.value());
        const std::int64_t parameters = embedding_parameters(scenario.model);
        use.embeddings = Bytes((parameters + chips - 1) / chips * element);
    }
    add_training_state(use, element);
    return use;
}

MemoryUse block_memory_use(const std::vector<GemmResult>& gemms, const Scenario& scenario) {
    MemoryUse use = layers_use(gemms, 1);
    add_training_state(use, element_bytes(scenario.schedule.type));
    return use;
}

} // namespace meshslice
