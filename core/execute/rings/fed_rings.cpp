#include "core/execute/rings/fed_rings.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace meshslice {

template <class Number>
FusedStores feed_rings(const Program& program, const Schedule& schedule, const Fusion& fusion,
                       const TrackedRing& how, std::vector<std::vector<std::vector<Number>>> made,
                       std::vector<std::vector<std::vector<Number>>>& sums, TileEvents<Number>* events) {
    const auto& scatter = std::get<ReduceScatter>(program.operations[fusion.collective]);
    const auto chips = static_cast<std::size_t>(program.torus.chips());
    const std::int64_t chunk = program.values[scatter.result].elements();
    FusedStores stores;
    stores.fusion = fusion;
    stores.runs = static_cast<std::int64_t>(made.size());
    stores.stored.assign(chips, 0);
    stores.updated = stores.read = stores.sent = stores.stored;
    sums.assign(made.size(), std::vector<std::vector<Number>>(
                                 chips, std::vector<Number>(static_cast<std::size_t>(chunk))));
    TrackedRing ring = how;
    ring.chips = program.torus.size(scatter.axis);
    ring.rows = program.values[scatter.source].elements();
    ring.columns = ring.depth = 1;
    ring.tile = fusion.tile;
    ring.staggered = how.staggered && fusion.order == ChunkOrder::staggered;
    ring.buffers = std::min(schedule.prefetch.depth, stores.runs) + 1;
    for (Chip first = 0; first < program.torus.chips(); ++first) {
        if (program.torus.coordinate(first, scatter.axis) != 0) {
            continue;
        }
        std::vector<std::vector<std::vector<Number>>> of_ring(made.size());
        for (std::size_t run = 0; run < made.size(); ++run) {
            for (std::int32_t here = 0; here < ring.chips; ++here) {
                const Chip chip = program.torus.along(first, scatter.axis, here);
                of_ring[run].push_back(std::move(made[run][static_cast<std::size_t>(chip)]));
            }
        }
        TileEvents<Number> of_these;
        const auto outcome = run_tracked_stores(ring, of_ring, events != nullptr ? &of_these : nullptr);
        for (TileEvent<Number>& event : of_these) {
            event.chip = program.torus.along(first, scatter.axis, event.chip);
            events->push_back(std::move(event));
        }
        stores.every_entry_once = stores.every_entry_once && outcome && outcome->every_entry_once;
        stores.nothing_left = stores.nothing_left && outcome && outcome->nothing_left;
        for (std::int32_t here = 0; outcome && here < ring.chips; ++here) {
            const auto chip = static_cast<std::size_t>(program.torus.along(first, scatter.axis, here));
            const auto at = static_cast<std::size_t>(here);
            for (std::size_t run = 0; run < of_ring.size(); ++run) {
                const DenseMatrix<Number>& sum = run == 0 ? outcome->product : outcome->further[run - 1];
                const auto begin = sum.data.begin() + here * chunk;
                sums[run][chip].assign(begin, begin + chunk);
            }
            stores.stored[chip] = outcome->stored[at];
            stores.updated[chip] = outcome->updated[at];
            stores.read[chip] = outcome->read[at];
            stores.sent[chip] = outcome->sent[at];
            stores.tiles_of_a_chip = std::max(stores.tiles_of_a_chip, outcome->tiles_of_a_chip);
            stores.most_live_entries = std::max(stores.most_live_entries, outcome->most_live_entries);
        }
    }
    return stores;
}

template FusedStores feed_rings(const Program&, const Schedule&, const Fusion&, const TrackedRing&,
                                std::vector<std::vector<std::vector<std::int64_t>>>,
                                std::vector<std::vector<std::vector<std::int64_t>>>&,
                                TileEvents<std::int64_t>*);
template FusedStores feed_rings(const Program&, const Schedule&, const Fusion&, const TrackedRing&,
                                std::vector<std::vector<std::vector<float>>>,
                                std::vector<std::vector<std::vector<float>>>&, TileEvents<float>*);
template FusedStores feed_rings(const Program&, const Schedule&, const Fusion&, const TrackedRing&,
                                std::vector<std::vector<std::vector<double>>>,
                                std::vector<std::vector<std::vector<double>>>&, TileEvents<double>*);

} // namespace meshslice
