#pragma once

#include "core/base/result.h"
#include "core/execute/dense_matrix.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace meshslice {

/// Which of the chips and links that could go on does so next.
enum class Interleaving : std::uint8_t {
    seeded,         ///< any, by the seed; links deliver in any order
    one_ahead,      ///< the first chip makes all of its tiles before another makes one
    one_behind,     ///< the first chip makes a tile only where nothing else can go on
    links_first,    ///< nothing is made while something is on its way
    products_first, ///< nothing is delivered while something can be made
};
inline constexpr std::array all_interleavings = {Interleaving::seeded, Interleaving::one_ahead,
                                                 Interleaving::one_behind, Interleaving::links_first,
                                                 Interleaving::products_first};

/// Something that is done wrong, to see that it is found.
enum class TrackerFault : std::uint8_t {
    none,
    threshold_of_one,  ///< a tile is sent with its first update
    not_cleared,       ///< updates add to what was in memory before
    remote_stored_too, ///< tiles that go out are also written here
    // Of several runs, one after the other:
    receiver_not_asked,  ///< what arrives for a run is added while its buffer still holds an earlier one
    buffer_not_awaited,  ///< a chip makes a run while its buffer still holds an earlier one
    one_set_of_counters, ///< updates of a tile are counted together, whichever run they are of
};
inline constexpr std::array all_tracker_faults = {TrackerFault::none,
                                                  TrackerFault::threshold_of_one,
                                                  TrackerFault::not_cleared,
                                                  TrackerFault::remote_stored_too,
                                                  TrackerFault::receiver_not_asked,
                                                  TrackerFault::buffer_not_awaited,
                                                  TrackerFault::one_set_of_counters};
/// As it is typed: "threshold-of-one".
[[nodiscard]] std::string_view name(TrackerFault fault);

/// C = A B, with the summed dimension split over the chips of a ring: A is rows x (chips x depth), B (chips x
/// depth) x columns, and chip p multiplies its own `depth` columns of A and rows of B.
struct TrackedRing {
    std::int32_t chips = 2;
    std::int64_t rows = 1, columns = 1, depth = 1;
    /// Elements of a tile. A chunk is a chip's share of C's columns laid end to end; its tiles are runs of
    /// elements, the last of a chunk cut at its border.
    std::int64_t tile = 1;
    bool staggered = true; ///< else every chip makes the chunks as they lie in memory
    Interleaving interleaving = Interleaving::seeded;
    std::uint64_t seed = 1;
    TrackerFault fault = TrackerFault::none;
    /// Of C on every chip: run r is in buffer r modulo this, each with its own counters, from when run r -
    /// `buffers` is over on the chip.
    std::int64_t buffers = 2;
};

template <class Number>
struct TrackedOutcome {
    DenseMatrix<Number> product;              ///< each chunk from the chip that it belongs to
    std::vector<DenseMatrix<Number>> further; ///< of the runs after the first
    bool every_entry_once = false;            ///< every tracked tile got all of its updates and not one more
    bool nothing_left = false;                ///< on any link
    /// Elements of all runs, by chip.
    std::vector<std::int64_t> stored;   ///< by its own GEMM, into its own memory
    std::vector<std::int64_t> updated;  ///< in its memory by what arrived
    std::vector<std::int64_t> read;     ///< of its memory, to be sent
    std::vector<std::int64_t> sent;     ///< to the next chip
    std::int64_t tiles_of_a_chip = 0;   ///< at most
    std::int64_t most_live_entries = 0; ///< of any chip: tiles with some of their updates at once
};

/// What the tracker of a chip saw of a tile, while somebody looked on.
template <class Number>
struct TileEvent {
    std::int64_t step = 0;    ///< all chips and links take them together: see run_tracked_stores()
    std::int64_t run = 0;     ///< of several
    std::int32_t chip = 0;    ///< its position
    std::int32_t chunk = 0;   ///< by the position that it belongs to
    std::int64_t begin = 0;   ///< the tile's first of C's elements
    bool arrived = false;     ///< from the chip before; else the chip made it
    bool complete = false;    ///< it has counted all updates of the tile
    std::vector<Number> sum;  ///< what lies in its memory then; empty for a tile that it does not keep
    std::vector<Number> came; ///< what was made or arrived
};
template <class Number>
using TileEvents = std::vector<TileEvent<Number>>;

/// The reduce-scatter alone, fed by the stores of what every chip has `made`: its own partial sums of all of
/// C's elements, columns end to end. Of `ring` the depth has no meaning.
template <class Number>
[[nodiscard]] Result<TrackedOutcome<Number>> run_tracked_stores(const TrackedRing& ring,
                                                                const std::vector<std::vector<Number>>& made);
/// The same of several GEMMs that follow one another: `made` by run, then by chip. A chip makes the tiles of
/// one run after those of the run before, while tiles of that are still on their way. Where `events` are
/// wanted, the ring's interleaving has no meaning: every chip makes one chunk, then every link delivers what
/// is on it, and so on, the steps that events are numbered by.
template <class Number>
[[nodiscard]] Result<TrackedOutcome<Number>>
run_tracked_stores(const TrackedRing& ring, const std::vector<std::vector<std::vector<Number>>>& made,
                   TileEvents<Number>* events = nullptr);

/// Runs the GEMM and the reduce-scatter that its stores feed: chips and links are actors, every chip follows
/// its address_map() and counts the updates of every tile, and the last one sends it. Whatever the
/// interleaving, integers come out exact and floats bit for bit alike (an element is the sum of one own and
/// one arriving number, in either order). Number: std::int64_t, float or double. The matrices must have the
/// sizes of `ring`; refused where it has fewer than two chips or sizes below 1.
template <class Number>
[[nodiscard]] Result<TrackedOutcome<Number>>
run_tracked_ring(const TrackedRing& ring, const DenseMatrix<Number>& a, const DenseMatrix<Number>& b);

} // namespace meshslice
