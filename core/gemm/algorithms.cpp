#include "core/gemm/algorithms.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

/// Every algorithm, in the order they are shown. A new one is a line here and a file, which ends with the
/// name used here.
#define MESHSLICE_ALGORITHMS(ALGORITHM)                                                                      \
    ALGORITHM(cannon)                                                                                        \
    ALGORITHM(summa)                                                                                         \
    ALGORITHM(collective)                                                                                    \
    ALGORITHM(wang)                                                                                          \
    ALGORITHM(meshslice)                                                                                     \
    ALGORITHM(tensor_parallel)                                                                               \
    ALGORITHM(fsdp)                                                                                          \
    ALGORITHM(two_and_a_half_d)                                                                              \
    ALGORITHM(meshslice_data_parallel)
/// The same of those for GPUs whose stores may feed a ring.
#define MESHSLICE_GPU_RING_ALGORITHMS(ALGORITHM)                                                             \
    ALGORITHM(tp_all_reduce)                                                                                 \
    ALGORITHM(t3)                                                                                            \
    ALGORITHM(meshslice_t3)

namespace meshslice {

namespace gemm {
#define MESHSLICE_DECLARE(name) extern const Algorithm name;
MESHSLICE_ALGORITHMS(MESHSLICE_DECLARE)
MESHSLICE_GPU_RING_ALGORITHMS(MESHSLICE_DECLARE)
#undef MESHSLICE_DECLARE
} // namespace gemm

const std::vector<Algorithm>& algorithms() {
#define MESHSLICE_LIST(name) gemm::name,
    static const std::vector<Algorithm> all = {MESHSLICE_ALGORITHMS(MESHSLICE_LIST)};
#undef MESHSLICE_LIST
    return all;
}

const std::vector<Algorithm>& gpu_ring_algorithms() {
#define MESHSLICE_LIST(name) gemm::name,
    static const std::vector<Algorithm> all = {MESHSLICE_GPU_RING_ALGORITHMS(MESHSLICE_LIST)};
#undef MESHSLICE_LIST
    return all;
}

const std::vector<Algorithm>& all_algorithms() {
    static const std::vector<Algorithm> all = [] {
        std::vector<Algorithm> both = algorithms();
        both.insert(both.end(), gpu_ring_algorithms().begin(), gpu_ring_algorithms().end());
        return both;
    }();
    return all;
}

Result<const Algorithm*> algorithm(std::string_view id) {
    std::vector<std::string> ids;
    for (const Algorithm& candidate : algorithms()) {
        if (candidate.id == id) {
            return &candidate;
        }
        ids.emplace_back(candidate.id);
    }
    const auto on_ring = std::ranges::find(gpu_ring_algorithms(), id, &Algorithm::id);
    if (on_ring != gpu_ring_algorithms().end()) {
        return &*on_ring;
    }
    return refuse(say("There is no algorithm \"{}\"; {}", shortened(id), suggestion(id, ids)));
}

const OptionSpec* option(const Algorithm& algorithm, OptionId id) {
    const auto found = std::ranges::find(algorithm.options, id, &OptionSpec::id);
    return found == algorithm.options.end() ? nullptr : found;
}

bool takes(const Algorithm& algorithm, OptionId id) {
    return option(algorithm, id) != nullptr;
}

bool takes_at_most(const Algorithm& algorithm, OptionId id) {
    const OptionSpec* spec = option(algorithm, id);
    return spec && spec->taken == Taken::at_most;
}

Result<std::vector<std::int64_t>> Algorithm::slice_counts(const GemmShape& shape, Dataflow dataflow,
                                                          const Torus& torus,
                                                          const GemmOptions& given) const {
    if (const OptionSpec* slices = option(*this, OptionId::slices)) {
        return slices->values(shape, dataflow, torus, given);
    }
    return write(shape, dataflow, torus, given).map([](const Program&) {
        return std::vector<std::int64_t>{1};
    });
}

} // namespace meshslice
