#include "core/estimate/unstaggered_ring.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

namespace meshslice {
namespace {

constexpr std::int64_t most_walked_chips = 256;
constexpr std::int64_t most_walked_hops = 1 << 17; ///< of what the stages make of the chunks

/// What a stage makes of a chunk, on its way.
struct TravellingPieces {
    double arrives = 0; ///< the first of them, at the link; seconds
    double takes = 0;   ///< on every link; seconds
    std::int64_t link = 0;
    std::int64_t hops_left = 0;

    /// The later one; of two that arrive together that which has come farther goes first.
    bool operator<(const TravellingPieces& other) const {
        return std::tie(arrives, hops_left, link) > std::tie(other.arrives, other.hops_left, other.link);
    }
};

/// The same, coarser where it would take too long to walk.
struct CoarseRing {
    std::int64_t chips = 2, stages = 1;
    double pieces = 1; ///< of a chunk
    double stage = 0, hop = 0, transfer = 0;

    explicit CoarseRing(const UnstaggeredRing& ring)
        : chips(std::min(ring.chips, most_walked_chips))
        , stages(std::min(ring.stages, std::max<std::int64_t>(1, most_walked_hops / chips - chips)))
        , stage(ring.stage * static_cast<double>(ring.stages) / static_cast<double>(stages))
        , transfer(ring.transfer) {
        const double shorter = static_cast<double>(ring.chips - 1) / static_cast<double>(chips - 1);
        pieces = static_cast<double>(ring.pieces) * shorter;
        hop = (ring.transfer + ring.flight) * shorter;
    }
};

std::vector<TravellingPieces> made_by_stages(const CoarseRing& coarse) {
    const double in_a_stage =
        coarse.pieces * static_cast<double>(coarse.chips) / static_cast<double>(coarse.stages);
    std::vector<TravellingPieces> all;
    double begin = 0;
    for (std::int64_t chunk = 0, stage = 1; chunk < coarse.chips;) {
        const double of_the_chunk = static_cast<double>(chunk + 1) * coarse.pieces;
        // Whole pieces, and all of them by the last stage.
        const double of_the_stage = stage >= coarse.stages
                                        ? static_cast<double>(coarse.chips) * coarse.pieces
                                        : std::ceil(static_cast<double>(stage) * in_a_stage);
        const double end = std::min(of_the_chunk, of_the_stage);
        if (end > begin) {
            all.push_back({static_cast<double>(stage) * coarse.stage, (end - begin) * coarse.transfer,
                           (chunk + 1) % coarse.chips, coarse.chips - 1});
            begin = end;
        }
        end == of_the_chunk ? ++chunk : ++stage;
    }
    return all;
}

} // namespace

double unstaggered_end(const UnstaggeredRing& ring) {
    const CoarseRing coarse(ring);
    std::vector<double> link_free(static_cast<std::size_t>(coarse.chips));
    std::priority_queue<TravellingPieces> on_the_way({}, made_by_stages(coarse));
    double end = 0;
    while (!on_the_way.empty()) {
        TravellingPieces pieces = on_the_way.top();
        on_the_way.pop();
        double& free = link_free[static_cast<std::size_t>(pieces.link)];
        const double begins = std::max(pieces.arrives, free);
        free = begins + pieces.takes;
        end = std::max(end, free + ring.flight);
        pieces.link = (pieces.link + 1) % coarse.chips;
        if (--pieces.hops_left > 0) {
            // The first piece has not waited for the others.
            pieces.arrives = begins + coarse.hop;
            on_the_way.push(pieces);
        }
    }
    return end;
}

} // namespace meshslice
