#pragma once

#include "core/base/quantity.h"
#include "core/machine/collective.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// More bytes are not exchanged at once.
inline constexpr double most_exchanged_bytes = 1e18;

/// The chips along one axis of a torus, all of which take part.
struct ExchangeAxis {
    std::int64_t chips = 2; ///< from 2 on
    bool ring = true;       ///< or an open line
    bool one_way = false;   ///< chunks go one way round the ring; not on a line
    Bandwidth link;         ///< of one link, one way

    bool operator==(const ExchangeAxis&) const = default;
};

/// The book's time of an exchange, by its longest way and by its busiest links: the larger of the two. On a
/// closed ring of n chips the book also counts the part that a chip has already, so it is up to n / (n - 1)
/// above the transfer of LevelLaws::seconds() and of a simulation. What these have on top are launches,
/// and a synchronization of every step where the book has only those of the longest way.
struct ExchangeBound {
    std::int64_t hops = 0; ///< of the longest way; of an all-reduce there and back
    double latency = 0;    ///< s: hops times the latency of a hop
    double bandwidth = 0;  ///< s: the bytes of the busiest links at their rate
    double on_wire = 0; ///< bytes of these that a chip has on its links, or on its ports of the slowest level
    std::string latency_formula;   ///< with its numbers: "8 x 1 µs"
    std::string bandwidth_formula; ///< "34 MB / (2 x 45 GB/s)"

    [[nodiscard]] double seconds() const { return latency > bandwidth ? latency : bandwidth; }
    /// Bytes/s on the links of a chip: what they have at most, less where latency binds.
    [[nodiscard]] double achieved() const { return on_wire / seconds(); }
    [[nodiscard]] bool bound_by_latency() const { return latency > bandwidth; }
    /// "max(8 x 1 µs, 34 MB / (2 x 45 GB/s))"
    [[nodiscard]] std::string formula() const;
};

/// `bytes`: of the whole (gathered, summed) array over these axes, so that other axes that shard it divide
/// them; of a send-receive, those that every chip sends to the next one. 1 to 3 axes, of a send-receive 1.
/// `hop`: s.
///
/// An all-gather or reduce-scatter, V bytes over n chips: V / (2 W) on a closed ring of links of W bytes/s
/// each way, whatever n is; (n - 1) / n V / W one way round, and on an open line, where the chip at the end
/// has one link. Several axes add up their links. An all-reduce takes twice as long. A broadcast or reduction
/// is V over the same links (the book has none). An all-to-all along an axis of a of the n chips: V a / (4 n)
/// over 2 W on a ring, V (a - 1) / (2 n) over W one way round, and V a / (4 n) over W, in the middle of a
/// line; the slowest axis counts. A send-receive: V / W; from the end of a line it goes back to its
/// beginning.
[[nodiscard]] ExchangeBound exchange_bound(Collective what, double bytes,
                                           const std::vector<ExchangeAxis>& axes, double hop);

/// A level of switches that an exchange spans.
struct SwitchLevel {
    std::int64_t places = 2;  ///< units of the level within that take part, from 2 on
    std::int64_t sharing = 1; ///< chips in each of them, which share what leaves it
    Bandwidth chip;           ///< of all ports of one chip together, one way
    bool reduces = false;     ///< whether the switch adds up an all-reduce
    std::int64_t steps = 0;   ///< that cross it, there and back
    double step = 0;          ///< s: the latency of one
};
/// What one level carries of an exchange of so many chips in all, by the book; seconds.
struct LevelBound {
    double seconds = 0;
    std::string formula; ///< "1.6 GB x 7 / 8 / 450 GB/s"
};
/// An all-gather or reduce-scatter of V bytes: V (d - 1) / d over the ports of all chips of a unit, where d
/// units take part; an all-reduce twice that, or V where the switch reduces; a broadcast or reduction V; an
/// all-to-all of n chips what each brings across, V (d - 1) u / n^2 with u chips in a unit, over its own
/// ports; a send-receive V over those of one chip (chapter 12).
[[nodiscard]] LevelBound level_bound(Collective what, double bytes, std::int64_t chips,
                                     const SwitchLevel& level);
/// The slowest level, or the latency of all steps, of which the book has none: of what goes over all levels
/// at once, all-to-all and send-receive, the longest.
[[nodiscard]] ExchangeBound exchange_bound(Collective what, double bytes, std::int64_t chips,
                                           const std::vector<SwitchLevel>& levels);

/// "34 MB", "33.5544 MB": with up to six digits, so that a calculator gives the result.
[[nodiscard]] std::string six_digits(double value, std::string_view unit);

/// The bytes at which the latency and the bandwidth take equally long: smaller exchanges are bound by
/// latency.
[[nodiscard]] double latency_bound_below(Collective what, const std::vector<ExchangeAxis>& axes, double hop);

} // namespace meshslice
