#include "core/step/memory_use.h"

#include <algorithm>

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

} // namespace

Bytes MemoryUse::total() const {
    return sum(sum(sum(weights, gradients), sum(optimiser, activations)), buffers);
}

MemoryUse memory_use(const std::vector<GemmResult>& gemms, std::int64_t blocks, std::int64_t element_bytes,
                     const MemoryRule& rule) {
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
    const Bytes parameters(use.weights.value() / element_bytes);
    use.gradients = scaled(parameters, rule.gradient);
    use.optimiser = scaled(parameters, rule.optimiser);
    return use;
}

} // namespace meshslice
