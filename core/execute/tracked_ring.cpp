#include "core/execute/tracked_ring.h"

#include "core/base/say.h"
#include "core/program/address_map.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <utility>

namespace meshslice {
namespace {

/// A run of C's elements, columns end to end.
struct TrackedTile {
    std::int64_t begin = 0, end = 0;
    std::int32_t chunk = 0;

    [[nodiscard]] std::int64_t size() const { return end - begin; }
};

std::vector<TrackedTile> tiles_of(const TrackedRing& ring) {
    std::vector<TrackedTile> tiles;
    const std::int64_t elements = ring.rows * ring.columns;
    for (std::int32_t chunk = 0; chunk < ring.chips; ++chunk) {
        const std::int64_t end = elements * (chunk + 1) / ring.chips;
        for (std::int64_t begin = elements * chunk / ring.chips; begin < end; begin += ring.tile) {
            tiles.push_back({begin, std::min(begin + ring.tile, end), chunk});
        }
    }
    return tiles;
}

template <class Number>
class TrackedRun {
  public:
    TrackedRun(const TrackedRing& ring, const std::vector<std::vector<Number>>& made,
               const std::vector<std::vector<MappedChunk>>& maps)
        : ring_(ring), made_(made), tiles_(tiles_of(ring)), random_(ring.seed) {
        const auto elements = static_cast<std::size_t>(ring.rows * ring.columns);
        const Number before = ring.fault == TrackerFault::not_cleared ? Number(1) : Number(0);
        for (std::int32_t chip = 0; chip < ring.chips; ++chip) {
            Chip one;
            one.memory.assign(elements, before);
            one.updates.assign(tiles_.size(), 0);
            one.by_chunk.resize(static_cast<std::size_t>(ring.chips));
            for (const MappedChunk& mapped : maps[static_cast<std::size_t>(chip)]) {
                one.by_chunk[static_cast<std::size_t>(mapped.chunk)] = mapped;
                add_tiles(one, mapped.chunk);
            }
            if (!ring.staggered) {
                std::ranges::sort(one.to_make);
            }
            std::ranges::reverse(one.to_make); // made from the back
            chips_.push_back(std::move(one));
        }
        const auto count = static_cast<std::size_t>(ring.chips);
        outcome_.stored.assign(count, 0);
        outcome_.updated = outcome_.read = outcome_.sent = outcome_.stored;
        outcome_.tiles_of_a_chip = static_cast<std::int64_t>(tiles_.size());
    }

    TrackedOutcome<Number> run() {
        while (const auto next = choose()) {
            const auto [chip, delivers] = *next;
            delivers ? deliver(chip) : make(chip);
        }
        gather();
        return std::move(outcome_);
    }

  private:
    struct Message {
        std::size_t tile;
        std::vector<Number> values;
    };
    struct Chip {
        std::vector<Number> memory;        ///< of C
        std::vector<std::int64_t> updates; ///< by tile, elements so far
        std::vector<MappedChunk> by_chunk;
        std::vector<std::size_t> to_make; ///< tiles, the next at the back
        std::vector<Message> arriving;    ///< on the link to it
        std::int64_t live = 0;
        bool overrun = false;
    };
    /// A chip, and whether the link to it delivers; else the chip makes a tile.
    using Choice = std::pair<std::size_t, bool>;

    void add_tiles(Chip& chip, std::int32_t chunk) const {
        for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
            if (tiles_[tile].chunk == chunk) {
                chip.to_make.push_back(tile);
            }
        }
    }

    std::optional<Choice> choose() {
        std::vector<Choice> makes, deliveries;
        for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
            if (!chips_[chip].to_make.empty()) {
                makes.emplace_back(chip, false);
            }
            if (!chips_[chip].arriving.empty()) {
                deliveries.emplace_back(chip, true);
            }
        }
        const bool first_makes = !makes.empty() && makes.front().first == 0;
        std::vector<Choice> some;
        switch (ring_.interleaving) {
        case Interleaving::seeded:
            some = makes;
            some.insert(some.end(), deliveries.begin(), deliveries.end());
            break;
        case Interleaving::one_ahead:
            some = first_makes ? std::vector<Choice>{makes.front()} : makes.empty() ? deliveries : makes;
            break;
        case Interleaving::one_behind:
            if (first_makes && (makes.size() > 1 || !deliveries.empty())) {
                makes.erase(makes.begin());
            }
            some = makes;
            some.insert(some.end(), deliveries.begin(), deliveries.end());
            break;
        case Interleaving::links_first: some = deliveries.empty() ? makes : deliveries; break;
        case Interleaving::products_first: some = makes.empty() ? deliveries : makes; break;
        }
        return some.empty() ? std::nullopt : std::optional(some[random_() % some.size()]);
    }

    /// The partial sums of a tile on a chip.
    std::vector<Number> product(std::size_t chip, const TrackedTile& tile) const {
        return {made_[chip].begin() + static_cast<std::ptrdiff_t>(tile.begin),
                made_[chip].begin() + static_cast<std::ptrdiff_t>(tile.end)};
    }

    void make(std::size_t chip) {
        const std::size_t tile = chips_[chip].to_make.back();
        chips_[chip].to_make.pop_back();
        std::vector<Number> values = product(chip, tiles_[tile]);
        if (mapped(chip, tile).way == MappedChunk::Way::remote) {
            if (ring_.fault == TrackerFault::remote_stored_too) {
                outcome_.stored[chip] += tiles_[tile].size();
            }
            send(chip, tile, std::move(values));
            return;
        }
        outcome_.stored[chip] += tiles_[tile].size();
        update(chip, tile, values);
    }

    void deliver(std::size_t chip) {
        std::vector<Message>& arriving = chips_[chip].arriving;
        const std::size_t which =
            ring_.interleaving == Interleaving::seeded ? random_() % arriving.size() : 0;
        const Message message = std::move(arriving[which]);
        arriving.erase(arriving.begin() + static_cast<std::ptrdiff_t>(which));
        outcome_.updated[chip] += tiles_[message.tile].size();
        update(chip, message.tile, message.values);
    }

    /// Adds to memory and counts; the update that completes a tile sends it where its map says so.
    void update(std::size_t chip, std::size_t tile, const std::vector<Number>& values) {
        Chip& own = chips_[chip];
        const TrackedTile& at = tiles_[tile];
        for (std::size_t k = 0; k < values.size(); ++k) {
            own.memory[static_cast<std::size_t>(at.begin) + k] += values[k];
        }
        const MappedChunk& map = mapped(chip, tile);
        const std::int64_t all = at.size() * map.updates;
        const std::int64_t threshold = ring_.fault == TrackerFault::threshold_of_one ? at.size() : all;
        own.live += own.updates[tile] == 0 ? 1 : 0;
        outcome_.most_live_entries = std::max(outcome_.most_live_entries, own.live);
        own.updates[tile] += at.size();
        own.live -= own.updates[tile] == all ? 1 : 0;
        own.overrun = own.overrun || own.updates[tile] > all;
        if (own.updates[tile] == threshold && map.way == MappedChunk::Way::dma) {
            outcome_.read[chip] += at.size();
            const auto begin = own.memory.begin() + static_cast<std::ptrdiff_t>(at.begin);
            send(chip, tile, {begin, begin + static_cast<std::ptrdiff_t>(at.size())});
        }
    }

    void send(std::size_t chip, std::size_t tile, std::vector<Number> values) {
        outcome_.sent[chip] += tiles_[tile].size();
        const auto receiver = static_cast<std::size_t>(mapped(chip, tile).receiver);
        chips_[receiver].arriving.push_back({tile, std::move(values)});
    }

    [[nodiscard]] const MappedChunk& mapped(std::size_t chip, std::size_t tile) const {
        return chips_[chip].by_chunk[static_cast<std::size_t>(tiles_[tile].chunk)];
    }

    void gather() {
        outcome_.product = DenseMatrix<Number>(ring_.rows, ring_.columns);
        outcome_.every_entry_once = outcome_.nothing_left = true;
        for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
            const Chip& own = chips_[chip];
            outcome_.nothing_left = outcome_.nothing_left && own.arriving.empty() && own.to_make.empty();
            for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
                const MappedChunk& map = mapped(chip, tile);
                outcome_.every_entry_once = outcome_.every_entry_once && !own.overrun &&
                                            own.updates[tile] == tiles_[tile].size() * map.updates;
                if (map.way == MappedChunk::Way::local) {
                    std::copy(own.memory.begin() + static_cast<std::ptrdiff_t>(tiles_[tile].begin),
                              own.memory.begin() + static_cast<std::ptrdiff_t>(tiles_[tile].end),
                              outcome_.product.data.begin() +
                                  static_cast<std::ptrdiff_t>(tiles_[tile].begin));
                }
            }
        }
    }

    const TrackedRing& ring_;
    const std::vector<std::vector<Number>>& made_; ///< by chip
    std::vector<TrackedTile> tiles_;               ///< chunk by chunk
    std::mt19937_64 random_;
    std::vector<Chip> chips_;
    TrackedOutcome<Number> outcome_;
};

/// What one chip makes of its columns of A and rows of B.
template <class Number>
std::vector<Number> partial_sums(const TrackedRing& ring, std::int64_t chip, const DenseMatrix<Number>& a,
                                 const DenseMatrix<Number>& b) {
    std::vector<Number> sums;
    for (std::int64_t element = 0; element < ring.rows * ring.columns; ++element) {
        Number sum = 0;
        for (std::int64_t k = chip * ring.depth; k < (chip + 1) * ring.depth; ++k) {
            sum += a.at(element % ring.rows, k) * b.at(k, element / ring.rows);
        }
        sums.push_back(sum);
    }
    return sums;
}

Result<void> sizes_of(const TrackedRing& ring) {
    if (ring.chips < 2 || std::min({ring.rows, ring.columns, ring.depth, ring.tile}) < 1) {
        return refuse(said("A tracked ring has at least two chips, and sizes from 1 on."));
    }
    return {};
}

} // namespace

template <class Number>
Result<TrackedOutcome<Number>> run_tracked_ring(const TrackedRing& ring, const DenseMatrix<Number>& a,
                                                const DenseMatrix<Number>& b) {
    if (const auto sizes = sizes_of(ring); !sizes) {
        return refuse(sizes.error());
    }
    std::vector<std::vector<Number>> made;
    for (std::int32_t chip = 0; chip < ring.chips; ++chip) {
        made.push_back(partial_sums(ring, chip, a, b));
    }
    return run_tracked_stores(ring, made);
}

template <class Number>
Result<TrackedOutcome<Number>> run_tracked_stores(const TrackedRing& ring,
                                                  const std::vector<std::vector<Number>>& made) {
    if (const auto sizes = sizes_of(ring); !sizes) {
        return refuse(sizes.error());
    }
    const RingSchedule schedule(RingSchedule::Pattern::reduce_scatter, ring.chips, true, RingMode::one_way);
    std::vector<std::vector<MappedChunk>> maps;
    for (std::int32_t chip = 0; chip < ring.chips; ++chip) {
        auto map = address_map(schedule, chip);
        if (!map) {
            return refuse(map.error());
        }
        maps.push_back(*std::move(map));
    }
    return TrackedRun<Number>(ring, made, maps).run();
}

template Result<TrackedOutcome<std::int64_t>>
run_tracked_stores(const TrackedRing&, const std::vector<std::vector<std::int64_t>>&);
template Result<TrackedOutcome<float>> run_tracked_stores(const TrackedRing&,
                                                          const std::vector<std::vector<float>>&);
template Result<TrackedOutcome<double>> run_tracked_stores(const TrackedRing&,
                                                           const std::vector<std::vector<double>>&);

template Result<TrackedOutcome<std::int64_t>>
run_tracked_ring(const TrackedRing&, const DenseMatrix<std::int64_t>&, const DenseMatrix<std::int64_t>&);
template Result<TrackedOutcome<float>> run_tracked_ring(const TrackedRing&, const DenseMatrix<float>&,
                                                        const DenseMatrix<float>&);
template Result<TrackedOutcome<double>> run_tracked_ring(const TrackedRing&, const DenseMatrix<double>&,
                                                         const DenseMatrix<double>&);

} // namespace meshslice
