#include "core/step/distinct_gemms.h"

#include <algorithm>

namespace meshslice {

std::vector<std::size_t> distinct_gemms(const std::vector<Gemm>& gemms) {
    std::vector<std::size_t> first;
    for (const Gemm& gemm : gemms) {
        const auto same = std::ranges::find_if(gemms, [&](const Gemm& other) {
            return other.shape == gemm.shape && other.dataflow == gemm.dataflow;
        });
        first.push_back(static_cast<std::size_t>(same - gemms.begin()));
    }
    return first;
}

} // namespace meshslice
