#pragma once

#include "core/base/quantity.h"
#include "core/program/program.h"
#include "core/torus/torus.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace meshslice {

/// The HBM of every chip, shared by whoever moves bytes in it at the same time, max-min fair: the core's
/// tiles and, for each axis, the copying of slices are jobs, which go on more slowly while others want their
/// part; links take what they carry, which must leave every job something (see operation_cost). Rates change
/// when a job or a transfer begins or ends; between those times every job advances evenly. Source: MeshSlice
/// paper, section 4.1 (cores and network interface share the HBM, and interfere nowhere else).
class SharedMemory {
  public:
    SharedMemory(Bandwidth bandwidth, std::size_t chips)
        : bandwidth_(bandwidth.value()), chips_(chips), links_(chips) {}

    /// The core or an axis of a chip begins to move `bytes`, which would take it `alone` with nobody else.
    void begin(Time now, Chip chip, std::size_t engine, Bytes bytes, Time alone);
    /// When that will end as things stand; below 0 where nothing is under way.
    [[nodiscard]] Time ends(Chip chip, std::size_t engine) const;
    void end(Chip chip, std::size_t engine);

    /// Links that send or receive take more (or less) from a chip's memory from now on, in bytes/s.
    void links_take(Chip chip, std::int64_t more) {
        Links& links = links_[static_cast<std::size_t>(chip)];
        links.take += more;
        if (links.take > links.free) {
            changed(chip);
        }
    }

    /// Whether nobody but links wants anything of a chip's memory, so that nobody feels what they take.
    [[nodiscard]] bool links_alone(Chip chip) const {
        return links_[static_cast<std::size_t>(chip)].free == Links::all;
    }

    struct Visit {
        Chip chip;
        std::size_t engine;
        Time at;
    };
    /// Shares the memories anew in which something has changed since this was last asked, and returns when to
    /// see whether a job is over: never later than it is, and earlier where it has been slowed since.
    const std::vector<Visit>& settle(Time now);
    /// Whether the job of a visit is over. Where it is not, the next settle() says when to come again.
    [[nodiscard]] bool over(Time now, Chip chip, std::size_t engine);

  private:
    struct Progress {
        Time alone;
        double left = 0;  ///< share of the job, at `since`
        double speed = 0; ///< share of its own pace
        Time since;
        Time visit = Time(-1); ///< the earliest to come; below 0: none

        [[nodiscard]] Time end() const; ///< as things stand
    };
    struct alignas(64) State {
        std::array<double, engine_count> most{}; ///< bytes/s that a job can use; 0: none
        std::uint32_t active = 0;                ///< a bit per job
        bool changed = false;
        std::array<Progress, engine_count> jobs;
    };
    /// Apart from the rest and small, so that it stays in the cache: links take and give back all the time.
    struct Links {
        std::int64_t take = 0; ///< bytes/s
        /// Bytes/s: they can take as much without a job being slowed, and none is faster where they take
        /// less.
        std::int64_t free = all;
        static constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
    };

    State& changed(Chip chip) {
        State& state = chips_[static_cast<std::size_t>(chip)];
        if (!state.changed) {
            state.changed = true;
            changed_.push_back(chip);
        }
        return state;
    }
    void share(Time now, Chip chip, State& state);

    double bandwidth_;
    std::vector<State> chips_;
    std::vector<Links> links_; ///< by chip
    std::vector<Chip> changed_;
    std::vector<Visit> visits_;
};

/// The largest level at which jobs that each take at most `most` (0: none) and at most the level fit into
/// `capacity` together; the largest of them where all fit.
[[nodiscard]] double fair_level(double capacity, const std::array<double, engine_count>& most);

} // namespace meshslice
