#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Where a fault is: the core of a chip, or one of the links by which it sends.
struct FaultyPart {
    std::vector<std::int32_t> chip; ///< its coordinates
    bool is_core = false;
    Axis axis = Axis::vertical; ///< of the link
    Direction direction = Direction::forward;

    bool operator==(const FaultyPart&) const = default;
};

struct Fault {
    FaultyPart part;
    double speed = 1; ///< share of the healthy FLOP/s or bytes/s that is left; 0: a dead link

    bool operator==(const Fault&) const = default;
};

/// What is wrong with a machine, to ask what would happen if.
struct Faults {
    std::vector<Fault> parts;
    Time jitter;            ///< every synchronization takes up to this much longer, by chance
    std::uint64_t seed = 1; ///< of that chance: the same seed, the same run

    [[nodiscard]] bool none() const { return parts.empty() && jitter == Time(0); }
    bool operator==(const Faults&) const = default;
};

/// Slower than this no part is worth keeping: it would only stretch the picture.
inline constexpr double least_speed = 0.001;
inline constexpr std::size_t most_faults = 4096;
/// Longer jitter than any synchronization takes.
inline constexpr Time most_jitter = Time(1'000'000'000); // 1 ms

/// "3,5 east", "3,5 core".
[[nodiscard]] std::string text(const FaultyPart& part);
/// "3,5 east 50%", "3,5 east dead", "3,5 core 80%".
[[nodiscard]] std::string text(const Fault& fault);
/// Reads what `text` writes; the share also as a number, 0.5.
[[nodiscard]] Result<Fault> parse_fault(std::string_view words);

/// The faults of one torus, by chip: what a run asks.
struct Conditions {
    std::vector<double> core_speed; ///< by chip; empty where all are healthy
    std::vector<double> link_speed; ///< by chip and link slot; empty where all are healthy; 0: dead
    Time jitter;
    std::uint64_t seed = 1;

    [[nodiscard]] bool healthy() const {
        return core_speed.empty() && link_speed.empty() && jitter == Time(0);
    }
    [[nodiscard]] double core(Chip chip) const {
        return core_speed.empty() ? 1 : core_speed[static_cast<std::size_t>(chip)];
    }
    [[nodiscard]] double link(const Torus& torus, Chip chip, int slot) const {
        return link_speed.empty() ? 1
                                  : link_speed[static_cast<std::size_t>(chip * torus.link_slots() + slot)];
    }
};

/// Refuses a chip or link that the torus does not have, a part that is named twice, a speed outside
/// [least_speed, 1] that is not 0, a dead core, and a torus that its dead links cut: where a link is dead,
/// the others of its ring must lead round to the same neighbour the other way.
[[nodiscard]] Result<Conditions> conditions(const Torus& torus, const Faults& faults);

/// Conditions of a torus with folded rings: the links that those lack are dead.
[[nodiscard]] Conditions with_missing_links(const Torus& torus, Conditions conditions);

/// The same faults as a ring through all chips of `torus` meets them; those of links that it does not use are
/// none.
[[nodiscard]] Result<Conditions> conditions_on_ring(const Torus& torus, const Faults& faults);

} // namespace meshslice
