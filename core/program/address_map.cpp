#include "core/program/address_map.h"

#include "core/base/say.h"

#include <algorithm>

namespace meshslice {
namespace {

std::int32_t times_sent(const RingSchedule& ring, std::int32_t position, std::int32_t chunk) {
    std::int32_t times = 0;
    for (std::int32_t step = 0; step < ring.steps(); ++step) {
        times += ring.chunk(Direction::forward, step, position) == chunk ? 1 : 0;
    }
    return times;
}

} // namespace

Result<std::vector<MappedChunk>> address_map(const RingSchedule& ring, std::int32_t position) {
    // Two elements of a chunk, all of which go forward on a closed ring that is used one way.
    const bool one_way_round = ring.part(Direction::backward, 2).size() == 0;
    const bool sums = ring.collective() == Collective::reduce_scatter;
    if ((!sums && ring.collective() != Collective::all_gather) || !one_way_round || ring.positions() < 2) {
        return refuse(
            said("A GEMM feeds a reduce-scatter or an all-gather that goes one way round a closed ring; this "
                 "is not such a collective."));
    }
    // Of a sum every chip makes a part of every chunk; what is gathered is made by one.
    const auto made_here = [&](std::int32_t chunk) { return sums || chunk == position ? 1 : 0; };
    const std::int32_t before = (position + ring.positions() - 1) % ring.positions();
    const std::int32_t next = (position + 1) % ring.positions();
    std::vector<MappedChunk> map;
    for (std::int32_t step = 0; step < ring.steps(); ++step) {
        const std::int32_t chunk = *ring.chunk(Direction::forward, step, position);
        const std::int32_t arrivals = times_sent(ring, before, chunk);
        // Straight to the neighbour; what is gathered is kept as well.
        map.push_back(arrivals == 0
                          ? MappedChunk{chunk, MappedChunk::Way::remote, next, sums ? 0 : 1}
                          : MappedChunk{chunk, MappedChunk::Way::dma, next, made_here(chunk) + arrivals});
    }
    for (std::int32_t chunk = 0; chunk < ring.chunks(); ++chunk) {
        if (std::ranges::find(map, chunk, &MappedChunk::chunk) == map.end()) {
            map.push_back({chunk, MappedChunk::Way::local, position,
                           made_here(chunk) + times_sent(ring, before, chunk)});
        }
    }
    return map;
}

std::int64_t made_and_sent(ChunkOrder order, std::int64_t chunks, std::int64_t pieces, std::int32_t position,
                           std::int64_t k) {
    // The ring sends the chunk of the chip before first, then that of the one before it.
    return order == ChunkOrder::staggered
               ? k
               : (position - 1 - k / pieces + chunks) % chunks * pieces + k % pieces;
}

} // namespace meshslice
