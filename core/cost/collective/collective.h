#pragma once

#include "core/base/result.h"
#include "core/cost/collective/exchange_bound.h"
#include "core/cost/model_rules.h"
#include "core/machine/machine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace meshslice {

/// Chips of a group along one axis of a torus: every `stride`-th chip, whose rings therefore share their
/// links with `stride` - 1 others.
struct AlongAxis {
    std::int32_t chips = 1;
    std::int32_t stride = 1;
    bool ring = true; ///< or an open line

    bool operator==(const AlongAxis&) const = default;
};

/// Chips that communicate with each other, and where they stand on the levels of a network.
struct ChipGroup {
    std::int64_t chips = 1;
    /// Of them in one unit of each level, from the inside out, without the last one, which has all. Each
    /// divides the next.
    std::array<std::int64_t, Network::most_levels - 1> within = {1, 1, 1, 1, 1};
    std::array<AlongAxis, 3> along = {}; ///< on ring axes

    bool operator==(const ChipGroup&) const = default;
};
/// All chips next to each other: as many in a unit as it holds and as divide them.
[[nodiscard]] ChipGroup packed_group(const Network& network, std::int64_t chips);

/// What one level takes for its part of a collective.
struct LevelTakes {
    std::size_t level = 0;   ///< from the inside out, from 0
    std::int64_t places = 1; ///< units of the level within that take part, or chips of ring axes
    double transfer = 0;     ///< s: the bytes of all rounds over what a chip's ports or links reach
    double waits = 0;        ///< s: launches, and the latency of all steps
    std::int64_t steps = 0;  ///< of all rounds, that cross a switch; of rings 0
    double step = 0;         ///< s: the latency of one

    bool operator==(const LevelTakes&) const = default;
};

/// The laws of collectives on the levels of a network: each kind of level has its law, and a group pays those
/// of the levels that it spans, from the inside out. The bytes are those of the whole (gathered, summed)
/// tensor; of a send-receive those that a chip sends.
///
/// Switches, one around the other: rings that pass through all of them, so that levels work at the same time
/// and the slowest counts; the chips of a unit share what leaves it over all their ports, and each step pays
/// the latency of the level that it crosses (section 3.2 and appendix A of arXiv 2410.00273). Of an
/// all-to-all each level carries what it alone can bring, in one step. A switch that reduces adds up an
/// all-reduce: all goes up once and down once.
///
/// Ring axes: along one a launch, and chips - 1 steps of a synchronization for each link that is passed and
/// the transfer of a chunk, half of it each way on a ring, all of it one way on a line (MeshSlice paper,
/// section 3.2.2). Along several axes the tensor is divided over them, and each part goes along all axes in
/// turn, beginning with another one, so that all links are used; a phase waits for its slowest part. What is
/// broadcast or reduced passes each link whole.
///
/// Rings within switches, or around them: one after the other, the inner level first, and the outer one with
/// what is left for each of its chips.
class LevelLaws {
  public:
    /// Refuses a torus whose axes differ, and one under other than exact rules, as none were published for
    /// it.
    [[nodiscard]] static Result<LevelLaws> of(const Machine& machine, ModelRules rules);

    [[nodiscard]] std::size_t levels() const { return levels_.size(); }
    /// Seconds; 0 for no bytes and for a group of one chip.
    [[nodiscard]] double seconds(Collective what, double bytes, const ChipGroup& group) const;
    /// Of chips that send so many bytes across each level, from the inside out, all at once: the slowest
    /// level and the latency of the slowest. Of levels of switches; 0 for a group of one chip.
    [[nodiscard]] double seconds_at_once(std::span<const double> bytes, const ChipGroup& group) const;
    /// What each level that the group spans takes, from the inside out. Of switches one around the other the
    /// longest transfer counts, and all their waits; rings come before or after them.
    [[nodiscard]] std::vector<LevelTakes> takes(Collective what, double bytes, const ChipGroup& group) const;
    /// Seconds from one chip to another, across a level, or between neighbours of a torus.
    [[nodiscard]] double seconds_to_one(double bytes, std::size_t level) const;
    /// Seconds on a torus between chips so many links apart, where all in between send over as many at that
    /// time and share the links.
    [[nodiscard]] double seconds_over(double bytes, std::int64_t hops) const;

  private:
    struct Rates {
        LevelKind kind = LevelKind::switched;
        double rate = 1, ports = 1; ///< bytes/s that one port or link reaches; ports of a chip
        double latency = 0;         ///< s a step; of rings a step and link
        bool reduces = false;
    };
    /// What passes a switch: `part` / `of` of the bytes over so many ports, so often, and the steps of one
    /// round.
    struct Passing {
        double part = 1, of = 1, ports = 1, sends = 1, steps = 1;

        [[nodiscard]] double seconds(double whole, double rate) const {
            return whole * part / of / (ports * rate) * sends;
        }
    };
    /// Switches that stand one around the other, or ring axes: levels `first` to `end`.
    struct Stretch {
        std::size_t first = 0, end = 0;
        double chips = 1;   ///< of the group, that this stretch joins
        double sharing = 1; ///< of the group in each unit of the levels within
        std::size_t used = 0;
    };
    [[nodiscard]] Stretch stretch_from(const ChipGroup& group, std::size_t first) const;
    [[nodiscard]] double places(const ChipGroup& group, std::size_t level) const;
    /// What a stretch has to do of a collective: those within leave each chip its part of the bytes.
    [[nodiscard]] double bytes_of(Collective what, double bytes, const ChipGroup& group,
                                  const Stretch& stretch) const;
    [[nodiscard]] Passing passing(Collective what, const ChipGroup& group, const Stretch& stretch,
                                  std::size_t level) const;
    [[nodiscard]] double through_switches(Collective what, double bytes, const ChipGroup& group,
                                          const Stretch& stretch) const;
    struct RingTime {
        double time = 0, waits = 0; ///< s; of it launches and synchronizations
    };
    [[nodiscard]] RingTime along_rings(const Rates& rings, Collective what, double bytes,
                                       const ChipGroup& group, double chips) const;
    /// How often a step is done: there, and of an all-reduce back again.
    [[nodiscard]] double rounds(Collective what) const;

    ModelRules rules_ = ModelRules::exact;
    std::vector<Rates> levels_;
    double gather_launch_ = 0, scatter_launch_ = 0, send_launch_ = 0; ///< s, of rings
};

/// A collective of chips that stand next to each other, packed_group(), by the exact rules.
struct CollectiveOnLevels {
    Collective what = Collective::all_gather;
    double bytes = 0;
    ChipGroup group;
    double seconds = 0;
    std::vector<LevelTakes> levels;

    /// The level whose transfer is the longest; `levels` has one.
    [[nodiscard]] const LevelTakes& slowest() const;
    /// The levels as a bound by the book takes them.
    [[nodiscard]] std::vector<SwitchLevel> switches(const Network& network) const;
};
/// Refuses a single chip, more chips than the network joins, and a torus, whose axes a group has to name.
[[nodiscard]] Result<CollectiveOnLevels> collective_on_levels(const Machine& machine, Collective what,
                                                              double bytes, std::int64_t chips);

} // namespace meshslice
