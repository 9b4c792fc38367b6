#include "core/execute/rings/tracked_ring.h"

#include "core/base/say.h"
#include "core/program/address_map.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
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

/// What every chip makes, by run, then by chip.
template <class Number>
using MadeRuns = std::vector<std::vector<std::vector<Number>>>;

template <class Number>
class TrackedRun {
  public:
    TrackedRun(const TrackedRing& ring, const MadeRuns<Number>& made,
               const std::vector<std::vector<MappedChunk>>& maps, TileEvents<Number>* events)
        : ring_(ring), made_(made), tiles_(tiles_of(ring)), random_(ring.seed), events_(events) {
        const std::size_t buffers = std::min(made.size(), static_cast<std::size_t>(ring.buffers));
        const Number before = ring.fault == TrackerFault::not_cleared ? Number(1) : Number(0);
        for (std::int32_t chip = 0; chip < ring.chips; ++chip) {
            Chip one;
            one.by_chunk.resize(static_cast<std::size_t>(ring.chips));
            for (const MappedChunk& mapped : maps[static_cast<std::size_t>(chip)]) {
                one.by_chunk[static_cast<std::size_t>(mapped.chunk)] = mapped;
                add_tiles(one, mapped);
            }
            if (!ring.staggered) {
                std::ranges::sort(one.order);
            }
            Buffer empty;
            empty.memory.assign(static_cast<std::size_t>(ring.rows * ring.columns), before);
            empty.updates.assign(tiles_.size(), 0);
            empty.incomplete = one.tracked;
            one.buffers.assign(buffers, empty);
            chips_.push_back(std::move(one));
        }
        const auto count = static_cast<std::size_t>(ring.chips);
        outcome_.stored.assign(count, 0);
        outcome_.updated = outcome_.read = outcome_.sent = outcome_.stored;
        outcome_.tiles_of_a_chip = static_cast<std::int64_t>(tiles_.size());
        outcome_.every_entry_once = true;
        products_.assign(made.size(), DenseMatrix<Number>(ring.rows, ring.columns));
    }

    TrackedOutcome<Number> run() {
        if (events_ != nullptr) {
            run_in_step();
        }
        while (const auto next = choose()) {
            go_on(*next);
        }
        outcome_.nothing_left = true;
        for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
            const bool left = !chips_[chip].arriving.empty() || chips_[chip].over < made_.size();
            outcome_.nothing_left = outcome_.nothing_left && !left;
            while (chips_[chip].over < made_.size()) { // What is there of runs that never were over.
                take_over(chip);
            }
        }
        outcome_.product = std::move(products_.front());
        outcome_.further.assign(std::make_move_iterator(products_.begin() + 1),
                                std::make_move_iterator(products_.end()));
        return std::move(outcome_);
    }

  private:
    struct Message {
        std::size_t run;
        std::size_t tile;
        std::vector<Number> values;
    };
    struct Buffer {
        std::vector<Number> memory;        ///< of C
        std::vector<std::int64_t> updates; ///< by tile, elements so far
        std::size_t incomplete = 0;        ///< tiles
        bool overrun = false;
    };
    struct Chip {
        std::vector<Buffer> buffers;
        std::vector<MappedChunk> by_chunk;
        std::vector<std::size_t> order; ///< tiles, as it makes them
        std::size_t tracked = 0;        ///< of them
        std::size_t made = 0;           ///< tiles of all runs
        std::size_t over = 0;           ///< runs
        std::vector<Message> arriving;  ///< on the link to it
        std::int64_t live = 0;
    };
    /// A chip, and whether the link to it delivers; else the chip makes a tile.
    using Choice = std::pair<std::size_t, bool>;

    void add_tiles(Chip& chip, const MappedChunk& mapped) const {
        for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
            if (tiles_[tile].chunk == mapped.chunk) {
                chip.order.push_back(tile);
                chip.tracked += mapped.updates > 0 ? 1 : 0;
            }
        }
    }

    void go_on(const Choice& choice) {
        const auto [chip, delivers] = choice;
        delivers ? deliver(chip) : make(chip);
        while (run_is_over(chips_[chip])) {
            take_over(chip);
        }
    }
    [[nodiscard]] const TrackedTile& next_tile(const Chip& chip) const {
        return tiles_[chip.order[chip.made % tiles_.size()]];
    }
    /// Every chip makes a chunk, then every link delivers what is on it, as long as any can.
    void run_in_step() {
        for (bool any = true; any;) {
            any = false;
            for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
                const std::int32_t chunk = next_tile(chips_[chip]).chunk;
                while (may_make(chips_[chip]) && next_tile(chips_[chip]).chunk == chunk) {
                    go_on({chip, false});
                    any = true;
                }
            }
            ++step_;
            std::vector<std::size_t> on_the_link;
            for (const Chip& chip : chips_) {
                on_the_link.push_back(chip.arriving.size());
            }
            for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
                for (; on_the_link[chip] > 0 && can_deliver(chips_[chip]); --on_the_link[chip]) {
                    go_on({chip, true});
                    any = true;
                }
            }
            ++step_;
        }
    }

    Buffer& buffer(Chip& chip, std::size_t run) { return chip.buffers[run % chip.buffers.size()]; }
    Buffer& counters(Chip& chip, std::size_t run) {
        return buffer(chip, ring_.fault == TrackerFault::one_set_of_counters ? 0 : run);
    }
    /// Whether the buffer of a run holds no earlier one.
    [[nodiscard]] static bool holds(const Chip& chip, std::size_t run) {
        return run < chip.over + chip.buffers.size();
    }
    [[nodiscard]] bool may_make(const Chip& chip) const {
        const std::size_t run = chip.made / tiles_.size();
        return run < made_.size() && (holds(chip, run) || ring_.fault == TrackerFault::buffer_not_awaited);
    }
    [[nodiscard]] bool may_deliver(const Chip& chip, const Message& message) const {
        return holds(chip, message.run) || ring_.fault == TrackerFault::receiver_not_asked;
    }
    /// Whether the link to the chip does.
    [[nodiscard]] bool can_deliver(const Chip& chip) const {
        return std::ranges::any_of(chip.arriving,
                                   [&](const Message& message) { return may_deliver(chip, message); });
    }

    std::optional<Choice> choose() {
        std::vector<Choice> makes, deliveries;
        for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
            if (may_make(chips_[chip])) {
                makes.emplace_back(chip, false);
            }
            if (can_deliver(chips_[chip])) {
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
    std::vector<Number> product(std::size_t run, std::size_t chip, const TrackedTile& tile) const {
        const std::vector<Number>& made = made_[run][chip];
        return {made.begin() + static_cast<std::ptrdiff_t>(tile.begin),
                made.begin() + static_cast<std::ptrdiff_t>(tile.end)};
    }

    void make(std::size_t chip) {
        Chip& own = chips_[chip];
        const std::size_t run = own.made / tiles_.size();
        const std::size_t tile = own.order[own.made % tiles_.size()];
        ++own.made;
        std::vector<Number> values = product(run, chip, tiles_[tile]);
        if (mapped(chip, tile).way == MappedChunk::Way::remote) {
            if (ring_.fault == TrackerFault::remote_stored_too) {
                outcome_.stored[chip] += tiles_[tile].size();
            }
            const Message message{run, tile, std::move(values)};
            tell(chip, message, false, false);
            send(chip, message);
            return;
        }
        outcome_.stored[chip] += tiles_[tile].size();
        update(chip, {run, tile, std::move(values)}, false);
    }

    void deliver(std::size_t chip) {
        std::vector<Message>& arriving = chips_[chip].arriving;
        std::vector<std::size_t> ready;
        for (std::size_t k = 0; k < arriving.size(); ++k) {
            if (may_deliver(chips_[chip], arriving[k])) {
                ready.push_back(k);
            }
        }
        const bool any = ring_.interleaving == Interleaving::seeded && events_ == nullptr;
        const std::size_t which = ready[any ? random_() % ready.size() : 0];
        const Message message = std::move(arriving[which]);
        arriving.erase(arriving.begin() + static_cast<std::ptrdiff_t>(which));
        outcome_.updated[chip] += tiles_[message.tile].size();
        update(chip, message, true);
    }

    /// Adds to memory and counts; the update that completes a tile sends it where its map says so.
    void update(std::size_t chip, const Message& message, bool arrived) {
        Chip& own = chips_[chip];
        const TrackedTile& at = tiles_[message.tile];
        Buffer& into = buffer(own, message.run);
        for (std::size_t k = 0; k < message.values.size(); ++k) {
            into.memory[static_cast<std::size_t>(at.begin) + k] += message.values[k];
        }
        const MappedChunk& map = mapped(chip, message.tile);
        const std::int64_t all = at.size() * map.updates;
        const std::int64_t threshold = ring_.fault == TrackerFault::threshold_of_one ? at.size() : all;
        std::int64_t& updates = counters(own, message.run).updates[message.tile];
        own.live += updates == 0 ? 1 : 0;
        outcome_.most_live_entries = std::max(outcome_.most_live_entries, own.live);
        updates += at.size();
        if (updates == all) {
            --own.live;
            --into.incomplete;
        }
        into.overrun = into.overrun || updates > all;
        tell(chip, message, arrived, updates == all);
        if (updates == threshold && map.way == MappedChunk::Way::dma) {
            outcome_.read[chip] += at.size();
            const auto begin = into.memory.begin() + static_cast<std::ptrdiff_t>(at.begin);
            send(chip, {message.run, message.tile, {begin, begin + static_cast<std::ptrdiff_t>(at.size())}});
        }
    }

    void tell(std::size_t chip, const Message& message, bool arrived, bool complete) {
        if (events_ == nullptr) {
            return;
        }
        const TrackedTile& at = tiles_[message.tile];
        const auto run = static_cast<std::int64_t>(message.run);
        TileEvent<Number> event{step_,    run,      static_cast<std::int32_t>(chip),
                                at.chunk, at.begin, arrived,
                                complete, {},       message.values};
        if (mapped(chip, message.tile).way != MappedChunk::Way::remote) {
            const auto begin = buffer(chips_[chip], message.run).memory.begin();
            event.sum.assign(begin + static_cast<std::ptrdiff_t>(at.begin),
                             begin + static_cast<std::ptrdiff_t>(at.end));
        }
        events_->push_back(std::move(event));
    }

    void send(std::size_t chip, Message message) {
        outcome_.sent[chip] += tiles_[message.tile].size();
        const auto receiver = static_cast<std::size_t>(mapped(chip, message.tile).receiver);
        chips_[receiver].arriving.push_back(std::move(message));
    }

    [[nodiscard]] const MappedChunk& mapped(std::size_t chip, std::size_t tile) const {
        return chips_[chip].by_chunk[static_cast<std::size_t>(tiles_[tile].chunk)];
    }

    /// All of its tiles are made and, of those that are tracked, complete: what is sent has gone.
    bool run_is_over(Chip& chip) {
        return chip.over < made_.size() && chip.made >= (chip.over + 1) * tiles_.size() &&
               buffer(chip, chip.over).incomplete == 0;
    }

    /// Takes the own chunk of the run that is over, and clears its buffer for a later one.
    void take_over(std::size_t chip) {
        Chip& own = chips_[chip];
        Buffer& from = buffer(own, own.over);
        for (std::size_t tile = 0; tile < tiles_.size(); ++tile) {
            const MappedChunk& map = mapped(chip, tile);
            outcome_.every_entry_once =
                outcome_.every_entry_once && !from.overrun &&
                counters(own, own.over).updates[tile] == tiles_[tile].size() * map.updates;
            if (map.way == MappedChunk::Way::local) {
                std::copy(from.memory.begin() + static_cast<std::ptrdiff_t>(tiles_[tile].begin),
                          from.memory.begin() + static_cast<std::ptrdiff_t>(tiles_[tile].end),
                          products_[own.over].data.begin() + static_cast<std::ptrdiff_t>(tiles_[tile].begin));
            }
        }
        if (ring_.fault != TrackerFault::not_cleared) {
            std::ranges::fill(from.memory, Number(0));
        }
        std::ranges::fill(from.updates, 0);
        from.incomplete = own.tracked;
        ++own.over;
    }

    const TrackedRing& ring_;
    const MadeRuns<Number>& made_;
    std::vector<TrackedTile> tiles_; ///< chunk by chunk
    std::mt19937_64 random_;
    TileEvents<Number>* const events_; ///< null: nobody looks on
    std::int64_t step_ = 0;
    std::vector<Chip> chips_;
    std::vector<DenseMatrix<Number>> products_; ///< by run
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
    if (ring.chips < 2 || std::min({ring.rows, ring.columns, ring.depth, ring.tile, ring.buffers}) < 1) {
        return refuse(said("A tracked ring has at least two chips, and sizes from 1 on."));
    }
    return {};
}

} // namespace

std::string_view name(TrackerFault fault) {
    switch (fault) {
    case TrackerFault::none: break;
    case TrackerFault::threshold_of_one: return "threshold-of-one";
    case TrackerFault::not_cleared: return "not-cleared";
    case TrackerFault::remote_stored_too: return "remote-stored-too";
    case TrackerFault::receiver_not_asked: return "receiver-not-asked";
    case TrackerFault::buffer_not_awaited: return "buffer-not-awaited";
    case TrackerFault::one_set_of_counters: return "one-set-of-counters";
    }
    return "none";
}

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
    return run_tracked_stores(ring, MadeRuns<Number>{made});
}

template <class Number>
Result<TrackedOutcome<Number>> run_tracked_stores(const TrackedRing& ring,
                                                  const std::vector<std::vector<std::vector<Number>>>& made,
                                                  TileEvents<Number>* events) {
    if (const auto sizes = sizes_of(ring); !sizes) {
        return refuse(sizes.error());
    }
    const RingSchedule schedule(Collective::reduce_scatter, ring.chips, true, RingMode::one_way);
    std::vector<std::vector<MappedChunk>> maps;
    for (std::int32_t chip = 0; chip < ring.chips; ++chip) {
        auto map = address_map(schedule, chip);
        if (!map) {
            return refuse(map.error());
        }
        maps.push_back(*std::move(map));
    }
    return TrackedRun<Number>(ring, made, maps, events).run();
}

template Result<TrackedOutcome<std::int64_t>>
run_tracked_stores(const TrackedRing&, const std::vector<std::vector<std::int64_t>>&);
template Result<TrackedOutcome<float>> run_tracked_stores(const TrackedRing&,
                                                          const std::vector<std::vector<float>>&);
template Result<TrackedOutcome<double>> run_tracked_stores(const TrackedRing&,
                                                           const std::vector<std::vector<double>>&);

template Result<TrackedOutcome<std::int64_t>>
run_tracked_stores(const TrackedRing&, const MadeRuns<std::int64_t>&, TileEvents<std::int64_t>*);
template Result<TrackedOutcome<float>> run_tracked_stores(const TrackedRing&, const MadeRuns<float>&,
                                                          TileEvents<float>*);
template Result<TrackedOutcome<double>> run_tracked_stores(const TrackedRing&, const MadeRuns<double>&,
                                                           TileEvents<double>*);

template Result<TrackedOutcome<std::int64_t>>
run_tracked_ring(const TrackedRing&, const DenseMatrix<std::int64_t>&, const DenseMatrix<std::int64_t>&);
template Result<TrackedOutcome<float>> run_tracked_ring(const TrackedRing&, const DenseMatrix<float>&,
                                                        const DenseMatrix<float>&);
template Result<TrackedOutcome<double>> run_tracked_ring(const TrackedRing&, const DenseMatrix<double>&,
                                                         const DenseMatrix<double>&);

} // namespace meshslice
