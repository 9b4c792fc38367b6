#pragma once

#include "core/base/quantity.h"
#include "core/program/program.h"
#include "core/simulate/machine/link_demand.h"
#include "core/torus/torus.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace meshslice {

/// The HBM of every chip, shared max-min fair by all that move bytes in it at the same time. The core's tiles
/// and, for each axis, the copying of slices are jobs, which slow down while others use the memory. Links
/// take what they carry, because their fair part is larger (see memory_holds_links; where it is not,
/// Arbitration shares memories). Rates change when a job or a transfer begins or ends; between those times
/// every job advances evenly. Source: MeshSlice paper, section 4.1 (cores and network interface share the HBM
/// and do not interfere anywhere else).
///
/// No job slows a transfer, so when it uses the memory is known before it begins, and it needs no event here:
/// a job adds up what transfers took from it when the run looks whether the job is over.
class SharedMemory {
  public:
    /// `demand`, by chip: the part of what links take that is known ahead.
    SharedMemory(Bandwidth bandwidth, std::vector<LinkDemand> demand)
        : bandwidth_(bandwidth.value()), chips_(demand.size()), demand_(std::move(demand)) {}

    /// The core or an axis of a chip begins to move `bytes`; it would take `alone` if nothing else used the
    /// memory.
    void begin(Time now, Chip chip, std::size_t engine, Bytes bytes, Time alone);
    /// When that will end as things stand; below 0 where nothing is under way.
    [[nodiscard]] Time ends(Chip chip, std::size_t engine) const;
    void end(Time now, Chip chip, std::size_t engine);

    /// Links whose demand is not known ahead take more (or less) from now on, in bytes/s.
    void links_take(Time now, Chip chip, std::int64_t more);

    struct Visit {
        Chip chip;
        std::size_t engine;
        Time at;
    };
    /// Shares the memories again in which something not known ahead has changed since the last call, and
    /// returns when to look whether a job is over: never after its end, but possibly before it if the job has
    /// been slowed since.
    const std::vector<Visit>& settle(Time now);
    /// Whether the job of a visit is over. If it is not, the next settle() says when to look again.
    [[nodiscard]] bool over(Time now, Chip chip, std::size_t engine);

    /// What follows from here on, appended as numbers that are the same later if everything is, the rows of
    /// links included. To be asked when nothing has changed since the last settle().
    void note(Time now, std::vector<std::uint64_t>& numbers) const;
    /// The rows of the links that are followed, and how many of their intervals are yet to be gone through.
    template <class Visit>
    void each_followed_row(Visit visit) const {
        for (std::size_t chip = 0; chip < chips_.size(); ++chip) {
            if (chips_[chip].scarce) {
                demand_[chip].each_row(visit);
            }
        }
    }
    /// How far behind the rows each chip is that follows its links, by chip.
    [[nodiscard]] std::vector<LinkDemand::Behind> behind() const;
    /// The rows have gone on by as much as they did before, `later`: so does everything else.
    void move_on(Time later, const std::vector<LinkDemand::Behind>& behind);

  private:
    struct Job {
        double left = 0;  ///< ps at its own pace, at `since`
        double speed = 0; ///< share of that pace
        Time since;
        Time visit = Time(-1); ///< the earliest to come; below 0: none

        [[nodiscard]] Time end() const; ///< if nothing changes
        void go_on(double at_speed, Time from) {
            if (speed != at_speed) {
                left = left_at(from);
                since = from;
                speed = at_speed;
            }
        }
        [[nodiscard]] double left_at(Time at) const {
            return left - static_cast<double>((at - since).value()) * speed;
        }
    };
    struct alignas(64) State {
        std::array<double, engine_count> most{}; ///< bytes/s that each job can use; 0: none
        std::uint32_t active = 0;                ///< a bit per job
        bool changed = false;
        bool scarce = false;         ///< links may take so much that a job is slowed, so they are followed
        std::int64_t links_take = 0; ///< bytes/s, of which nothing is known ahead
        std::int64_t free = 0;       ///< bytes/s that the others can take without a job being slowed
        Time followed = Time(-1);    ///< until when, where they are
        std::array<Job, engine_count> jobs;
    };

    State& changed(Chip chip);
    /// Through all that links do before `until`; more may still become known about `until` itself.
    void follow_links(Chip chip, Time until);
    /// `known`: what links take, bytes/s, as far as it is known ahead.
    void share(State& state, std::int64_t known, Time at) const;
    /// When to look whether a job is over.
    [[nodiscard]] static Time visit(const State& state, const LinkDemand& demand, const Job& job);

    double bandwidth_;
    std::vector<State> chips_;
    std::vector<LinkDemand> demand_; ///< by chip
    std::vector<Chip> changed_;
    std::vector<Visit> visits_; ///< to hand over by the next settle()
    std::vector<Visit> handed_over_;
};

/// The largest level at which jobs that each take at most `most` (0: none) and at most the level fit into
/// `capacity` together; the largest of them where all fit.
[[nodiscard]] double fair_level(double capacity, const std::array<double, engine_count>& most);

} // namespace meshslice
