#include "core/estimate/all_reduced_gemm.h"

#include "core/base/say.h"
#include "core/cost/workgroup_product.h"
#include "core/estimate/unstaggered_ring.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace meshslice {
namespace {

double step(double chunk, double accesses, const Machine& hardware) {
    return std::max(chunk / hardware.network.link_bandwidth(0).value(),
                    accesses * chunk / hardware.hbm_bandwidth.value.value()) +
           in_seconds(hardware.stores().link_flight.value);
}

/// The tiles of a GEMM that feeds its ring where nothing shares its memory: all of a stage are made at once.
struct Tiles {
    std::size_t in_a_chunk = 1, chips = 2;
    std::int64_t stages = 1;
    double in_a_stage = 1; ///< borders of chunks spread evenly
    double stage = 0, flight = 0, transfer = 0;

    Tiles(const AllReducedGemm& gemm, const Machine& hardware, const AllReduceTimes& times)
        : chips(static_cast<std::size_t>(gemm.chips))
        , stage(times.stage)
        , flight(in_seconds(hardware.stores().link_flight.value)) {
        const WorkgroupProduct product = workgroup_product(gemm.shape, hardware, gemm.type);
        in_a_chunk = static_cast<std::size_t>(std::max<std::int64_t>(
            1, std::llround(static_cast<double>(product.workgroups) / static_cast<double>(gemm.chips))));
        stages = product.stages;
        in_a_stage = static_cast<double>(in_a_chunk * chips) / static_cast<double>(stages);
        transfer =
            gemm.chunk_bytes() / static_cast<double>(in_a_chunk) / hardware.network.link_bandwidth(0).value();
    }
    [[nodiscard]] double made(std::size_t tile) const {
        return (std::floor(static_cast<double>(tile) / in_a_stage) + 1) * stage;
    }
};

/// When the own chunk is whole: tile i of the j-th chunk that is made may go once it is made and, except for
/// the first chunk, the same tile of the chunk before has arrived. The neighbours' tiles are as this chip's.
double staggered_end(const Tiles& tiles) {
    std::vector<double> sent(tiles.in_a_chunk, -tiles.flight);
    double link_free = 0;
    double end = 0;
    for (std::size_t j = 0; j < tiles.chips; ++j) {
        for (std::size_t i = 0; i < tiles.in_a_chunk; ++i) {
            const double ready = std::max(tiles.made(j * tiles.in_a_chunk + i), sent[i] + tiles.flight);
            if (j + 1 == tiles.chips) { // its own, which it keeps
                end = std::max(end, ready);
            } else {
                link_free = sent[i] = std::max(ready, link_free) + tiles.transfer;
            }
        }
    }
    return end;
}

/// The same where all chips make the same chunk at once.
double unstaggered_end(const AllReducedGemm& gemm, const Tiles& tiles) {
    return unstaggered_end(UnstaggeredRing{.chips = gemm.chips,
                                           .pieces = static_cast<std::int64_t>(tiles.in_a_chunk),
                                           .stages = tiles.stages,
                                           .stage = tiles.stage,
                                           .transfer = tiles.transfer,
                                           .flight = tiles.flight});
}

double uncontended_end(const AllReducedGemm& gemm, const Machine& hardware, const AllReduceTimes& times) {
    const Tiles tiles(gemm, hardware, times);
    return gemm.order == ChunkOrder::staggered ? staggered_end(tiles) : unstaggered_end(gemm, tiles);
}

/// How much later the ring ends because all chips make the same chunk at once.
double without_stagger(const AllReducedGemm& gemm, const Machine& hardware, const AllReduceTimes& times) {
    const Tiles tiles(gemm, hardware, times);
    return gemm.order == ChunkOrder::staggered
               ? 0
               : std::max(0.0, unstaggered_end(gemm, tiles) - staggered_end(tiles));
}

double aware_gemm(const AllReducedGemm& gemm, const Machine& hardware, const AllReduceTimes& times) {
    const double cost = hardware.stores().near_memory_cost.value;
    const double link = hardware.network.link_bandwidth(0).value();
    const double memory = hardware.hbm_bandwidth.value.value();
    const double sent = static_cast<double>(gemm.chips - 1) * gemm.chunk_bytes();
    const double writes = cost * sent / memory;
    const double left = std::max(memory / 2, memory - (1 + cost) * link);
    double end = times.gemm;
    for (int k = 0; k < 50; ++k) {
        const double busy = std::min(1.0, sent / (link * end)); // share of the time that the link sends
        end = times.compute + writes * (busy * memory / left + 1 - busy);
    }
    return end;
}

double round_robin_gemm(const AllReducedGemm& gemm, const Machine& hardware, const AllReduceTimes& times) {
    const double cost = hardware.stores().near_memory_cost.value;
    const double memory = hardware.hbm_bandwidth.value.value();
    const auto steps = static_cast<double>(gemm.chips - 1);
    const double chunk = gemm.chunk_bytes() / memory;
    const double writes = cost * steps * chunk;
    const double served = (steps - 1 + cost * steps) * chunk;
    return times.compute + writes + served;
}

/// Of all that is stored here, as updates.
double writing(const AllReducedGemm& gemm, const Machine& hardware) {
    return hardware.stores().near_memory_cost.value * static_cast<double>(gemm.chips - 1) *
           gemm.chunk_bytes() / hardware.hbm_bandwidth.value.value();
}

double gemm_end(const AllReducedGemm& gemm, const Machine& hardware, const AllReduceTimes& times,
                MemoryPolicy policy) {
    switch (policy) {
    case MemoryPolicy::ideal: return times.gemm;
    case MemoryPolicy::round_robin: return round_robin_gemm(gemm, hardware, times);
    case MemoryPolicy::compute_first: return times.compute + writing(gemm, hardware);
    case MemoryPolicy::communication_aware: break;
    }
    return aware_gemm(gemm, hardware, times);
}

} // namespace

double AllReduceTimes::overlapped() const {
    return std::max(gemm, scatter) + gather;
}

double AllReduceTimes::overlapped_near_memory() const {
    return std::max(gemm, scatter_near_memory) + gather;
}

Result<AllReduceTimes> all_reduce_times(const AllReducedGemm& gemm, const Machine& hardware) {
    if (const auto ring = makes_fed_ring(hardware); !ring) {
        return refuse(ring.error());
    }
    if (gemm.chips < 2) {
        return refuse(say("A ring of {} chips reduces nothing; expected at least two.", gemm.chips));
    }
    const WorkgroupProduct product = workgroup_product(gemm.shape, hardware, gemm.type);
    const double memory = hardware.hbm_bandwidth.value.value();
    const double chunk = gemm.chunk_bytes();
    const auto steps = static_cast<double>(gemm.chips - 1);
    const double update = hardware.stores().near_memory_cost.value;
    AllReduceTimes times;
    times.compute = product.compute;
    times.gemm = product.compute + product.written_bytes / memory;
    times.stage = times.gemm / static_cast<double>(product.stages);
    times.scatter_near_memory = steps * step(chunk, 1 + update, hardware);
    times.scatter = step(chunk, 2, hardware) + (steps - 1) * step(chunk, 3, hardware) +
                    3 * chunk / (memory * hardware.stores().reduction_share.value);
    times.gather = steps * step(chunk, 2, hardware);
    return times;
}

Result<double> fused_time(const AllReducedGemm& gemm, const Machine& hardware, MemoryPolicy policy) {
    return all_reduce_times(gemm, hardware).map([&](const AllReduceTimes& times) {
        if (policy == MemoryPolicy::ideal) {
            return uncontended_end(gemm, hardware, times) + times.gather;
        }
        // Under compute first the ring stands still while the GEMM writes.
        const double stands = policy == MemoryPolicy::compute_first ? writing(gemm, hardware) : 0;
        return std::max(gemm_end(gemm, hardware, times, policy),
                        times.scatter_near_memory + times.stage + stands) +
               without_stagger(gemm, hardware, times) + times.gather;
    });
}

Result<double> feeding_gemm_time(const AllReducedGemm& gemm, const Machine& hardware, MemoryPolicy policy) {
    return all_reduce_times(gemm, hardware).map([&](const AllReduceTimes& times) {
        return gemm_end(gemm, hardware, times, policy);
    });
}

} // namespace meshslice
