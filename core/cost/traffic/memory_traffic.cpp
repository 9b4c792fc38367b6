#include "core/cost/traffic/memory_traffic.h"

#include <numeric>

namespace meshslice {

double DramTraffic::total() const {
    return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

DramTraffic dram_traffic(const AllReducedGemm& gemm, Reduction reduction) {
    const auto chips = static_cast<double>(gemm.chips);
    const double steps = chips - 1;
    std::array<double, dram_sources> chunks{};
    switch (reduction) {
    case Reduction::by_units: chunks = {chips, 2 * chips - 1, chips, steps, steps}; break;
    case Reduction::near_memory: chunks = {chips, steps, steps, steps, steps}; break;
    case Reduction::fused: chunks = {steps, steps - 1, steps, steps, steps}; break;
    }
    DramTraffic traffic;
    for (std::size_t k = 0; k < dram_sources; ++k) {
        traffic.bytes[k] = chunks[k] * gemm.chunk_bytes();
    }
    return traffic;
}

} // namespace meshslice
