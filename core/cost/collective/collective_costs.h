#pragma once

#include "core/base/result.h"
#include "core/cost/collective/collective.h"
#include "core/cost/collective/exchange_bound.h"
#include "core/machine/machine.h"
#include "core/sharding/notation.h"
#include "core/torus/twisted_torus.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Reads "all-gather"; the error lists all exchanges.
[[nodiscard]] Result<Collective> parse_exchange(std::string_view words);
/// Reads "34 MB". The error begins with `who`, the flag or the field, and says what was expected.
[[nodiscard]] Result<double> parse_exchange_bytes(std::string_view words, std::string_view who);

/// An axis that takes part, and what the hardware has there.
struct UsedAxis {
    char name = 'X';
    ExchangeAxis axis;
    bool closes = true; ///< whether the hardware closes it in this slice
};

/// How the axes of a collective are taken.
struct AxesTaken {
    std::optional<bool> rings; ///< all as rings or all as lines; else as the hardware has them
    bool one_way = false;      ///< chunks go one way round the rings
};

/// The axes of more than one chip that take part, on the machine's axes in turn. `slice`: all axes of the
/// slice, which decide what is closed. Refuses axes that the slice does not have, a single chip, and what
/// links_of() refuses.
[[nodiscard]] Result<std::vector<UsedAxis>> used_axes(const NamedMesh& taking_part, const NamedMesh& slice,
                                                      const Machine& hardware, const AxesTaken& taken);
/// What is in the way of an exchange along axes. What is possible is said in the caller's words.
struct AxesObjection {
    enum class Kind : std::uint8_t {
        several_axes,    ///< a send-receive goes to the next chip along one
        one_way_already, ///< as a send-receive does
        open_line        ///< one way along it not every chip is reached
    };
    Kind kind = Kind::several_axes;
    UsedAxis axis; ///< the one that is open
};
[[nodiscard]] std::optional<AxesObjection> objection(Collective what, const std::vector<UsedAxis>& axes,
                                                     const AxesTaken& taken);
/// Why the hardware does not close an axis, and what would.
[[nodiscard]] std::string why_open(const Machine& hardware, const UsedAxis& axis);

/// "switch of 8: 4 places, 450 GB/s a chip, 70% of it reached, 2.5 µs a step".
[[nodiscard]] std::string level_words(const Level& level, std::int64_t places);

/// A collective of some size.
struct OfSize {
    double bytes = 0;
    ExchangeBound bound;
    std::optional<double> modelled{}; ///< s
};

/// What takes time: an exchange along axes of a torus, or of chips behind switches.
struct CollectiveCosts {
    Collective what = Collective::all_gather;
    const Machine& hardware;
    const std::vector<UsedAxis>& axes; ///< none behind switches
    /// Behind switches, next to each other, as collective_on_levels() takes them; 0 on axes.
    std::int64_t chips = 0;
    const TwistedTorus* twisted = nullptr; ///< of all axes; or none

    [[nodiscard]] double hop() const { return in_seconds(hardware.sync.value); } ///< s, on axes
    [[nodiscard]] std::vector<ExchangeAxis> exchange_axes() const;
    /// Of chips behind switches.
    [[nodiscard]] CollectiveOnLevels on_levels(double bytes) const {
        return collective_on_levels(hardware, what, bytes, chips).value();
    }
    /// The bytes below which latency takes longer.
    [[nodiscard]] double latency_bound_below() const;
    /// By the law of the simulation and the planner, in seconds; none for what they do not have on axes.
    [[nodiscard]] std::optional<double> modelled(double bytes) const;
    [[nodiscard]] OfSize of(double bytes) const;
    /// 1 kB to 10 GB: these digits of every decade.
    [[nodiscard]] std::vector<OfSize> sizes(const std::vector<double>& digits = {1, 2, 5}) const;
};

} // namespace meshslice
