#include "core/estimate/chip_by_chip.h"

#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"
#include "core/estimate/crossings.h"
#include "core/estimate/stream_links.h"
#include "core/program/ring_schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

namespace meshslice {
namespace {

/// A cost whose parts all take so many times as long.
void slow_down(OperationCost& cost, double times) {
    const auto longer = [&](Time& time) {
        time = Time(std::llround(static_cast<double>(time.value()) * times));
    };
    longer(cost.compute);
    for (auto* pair : {&cost.transfer, &cost.copying}) {
        std::ranges::for_each(*pair, longer);
    }
}

/// By value, so that what is compared stays in registers.
Time later(Time one, Time other) {
    return one < other ? other : one;
}

/// What crosses the links of a ring in one direction: what its chips send that way, and the ways home of what
/// they send the other way.
struct RingTraffic {
    std::vector<Crossing> own, home;
};

bool sends_and_receives(const Operation& operation) {
    return std::holds_alternative<SendRecv>(operation) || std::holds_alternative<AddSendRecv>(operation);
}

/// The work of following a ring grows with its length times its turns, the square of its length. In longer
/// rings either all chips keep step, or those in the middle run ahead so far that the way home finds its
/// links taken nearly all the time: longest_cost() tells the two apart, up to about 9% from the simulation.
constexpr std::int32_t longest_drift_followed = 24;

/// Whether what moves along an axis comes later to some chips than to others, in some ring or between rings.
bool is_late(const Program& program, const Operation& operation) {
    const auto* shift = std::get_if<Shift>(&operation);
    if (!sends_and_receives(operation) && !(shift && shift->is_skew())) {
        return false;
    }
    const auto axis = static_cast<Axis>(place(operation));
    return program.torus.folded(axis) &&
           program.torus.size(axis) <= (shift ? longest_side_followed : longest_drift_followed);
}

/// The chips that stand for all: where nothing is skewed, chips differ only along the rings that are late and
/// along those of streams.
Torus walked(const Program& program) {
    std::vector<TorusAxis> axes(program.torus.axes().begin(), program.torus.axes().end());
    std::vector<bool> late(axes.size());
    for (const Operation& operation : program.operations) {
        const auto* shift = std::get_if<Shift>(&operation);
        if (shift && shift->is_skew()) {
            return program.torus;
        }
        if (is_late(program, operation) || is_stream(operation)) {
            late[static_cast<std::size_t>(place(operation))] = true;
        }
    }
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        axes[axis] = late[axis] ? axes[axis] : TorusAxis{};
    }
    return *Torus::create(axes);
}

class Walk {
  public:
    Walk(const CondensedProgram& condensed, const Hardware& hardware, const Schedule& schedule,
         const std::vector<Dependency>& needs, const Slower& slower);

    /// From the traffic of the walk before, if there was one.
    LoopTime walk();
    [[nodiscard]] bool shares() const { return shares_; }
    [[nodiscard]] Time crossing() const { return crossing_; }
    /// How long a turn takes in the later half of the loop.
    [[nodiscard]] Time later_turn() const;

  private:
    /// What the rings of an axis are made of.
    struct AxisRings {
        std::vector<std::vector<Chip>> chips; ///< by ring and place
        bool folded = false;
        double link = 0; ///< bytes/s
        /// By ring and direction: of this walk, and of the one before.
        std::vector<std::array<RingTraffic, 2>> now, before;
    };
    std::size_t slot(OperationId id, std::int64_t run) const {
        return (id * kept_ + static_cast<std::size_t>(run) % kept_) * chips_;
    }
    void run(OperationId id, std::int64_t iteration);
    void wait_for_all();
    [[nodiscard]] Time last_end() const;
    void run_stream(OperationId id, std::int64_t iteration);
    void run_ring(OperationId id, std::int64_t iteration, AxisRings& axis, std::size_t ring);
    void shift(const std::vector<Chip>& chips, const OperationCost& cost, Direction direction, double link,
               std::array<RingTraffic, 2>* now, const std::array<RingTraffic, 2>* before, bool folded);

    const Program& program_;
    Torus torus_;
    std::size_t chips_;
    std::size_t kept_ = 1;                          ///< runs of an operation whose ends are remembered
    std::vector<std::vector<OperationCost>> costs_; ///< by operation and variant; of collectives the longest
    std::vector<std::vector<std::optional<Communication>>> moves_;
    std::vector<std::vector<std::array<StreamLinks, 2>>> streams_; ///< by stream, root and Direction
    std::vector<std::int64_t> panels_;                             ///< that an operation stands for
    std::vector<std::vector<Dependency>> needs_;                   ///< by the operation that waits
    std::array<AxisRings, 3> axes_;
    bool shares_ = false;
    Time crossing_;                 ///< all transfers of folded rings together
    std::vector<Time> turns_begin_; ///< when the last chip begins to multiply in each turn of the loop

    std::vector<Time> ends_;                       ///< by operation, run and chip
    std::array<const Time*, engine_count> free_{}; ///< the ends of what it did last, by chip; none so far
    std::vector<const Time*> waits_;               ///< the ends that the operation at hand waits for
    std::vector<Time> start_, end_;                ///< of the operation at hand, by chip
    std::vector<Time> launched_, sent_, arrived_, next_; ///< of a ring, by place
};

Walk::Walk(const CondensedProgram& condensed, const Hardware& hardware, const Schedule& schedule,
           const std::vector<Dependency>& needs, const Slower& slower)
    : program_(condensed.program)
    , torus_(walked(program_))
    , chips_(static_cast<std::size_t>(torus_.chips()))
    , panels_(condensed.times)
    , needs_(program_.operations.size())
    , start_(chips_)
    , end_(chips_) {
    const Program& program = program_;
    for (const Dependency& need : needs) {
        needs_[need.after].push_back(need);
        kept_ = std::max(kept_, static_cast<std::size_t>(need.distance) + 1);
    }
    for (const Operation& operation : program.operations) {
        std::vector<OperationCost>& costs = costs_.emplace_back();
        std::vector<std::optional<Communication>>& moves = moves_.emplace_back();
        std::vector<std::array<StreamLinks, 2>>& streams = streams_.emplace_back();
        const bool shifts = std::holds_alternative<Shift>(operation) || is_late(program, operation);
        for (std::int32_t way = 0; way < variants(program, operation); ++way) {
            costs.push_back(shifts || is_stream(operation)
                                ? operation_cost(program, operation, hardware, schedule, way)
                                : longest_cost(program, operation, hardware, schedule));
            moves.push_back(communication(program, operation, schedule.ring, way));
            if (is_stream(operation) && moves.back()) {
                streams.push_back({links_of_stream(*moves.back(), Direction::forward),
                                   links_of_stream(*moves.back(), Direction::backward)});
            }
        }
        if (const std::size_t engine = engine_of(operation); engine < engine_count && slower[engine] > 1) {
            for (OperationCost& cost : costs) {
                slow_down(cost, slower[engine]);
            }
        }
    }
    for (int a = 0; a < torus_.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        AxisRings& rings = axes_[static_cast<std::size_t>(a)];
        rings.folded = torus_.folded(axis);
        rings.link =
            torus_.size(axis) > 1 ? link_bandwidth(hardware.network, program.torus, axis).value() : 0;
        for (Chip chip = 0; chip < torus_.chips(); ++chip) {
            if (torus_.coordinate(chip, axis) != 0) {
                continue;
            }
            std::vector<Chip>& ring = rings.chips.emplace_back();
            for (std::int32_t place = 0; place < torus_.size(axis); ++place) {
                ring.push_back(torus_.along(chip, axis, place));
            }
        }
        rings.now.resize(rings.chips.size());
    }
    ends_.resize(program.operations.size() * kept_ * chips_);
}

/// Of one chunk each in every step, from every chip of a ring to its neighbour in a direction.
void Walk::shift(const std::vector<Chip>& chips, const OperationCost& cost, Direction direction, double link,
                 std::array<RingTraffic, 2>* now, const std::array<RingTraffic, 2>* before, bool folded) {
    const std::size_t P = chips.size();
    const std::size_t ahead = direction == Direction::forward ? 1 : P - 1;
    const auto d = static_cast<std::size_t>(direction);
    const auto next = [&](std::size_t place) { return (place + ahead) % P; };
    // Half a link may still be as much as the memory serves.
    const double shared_pace =
        cost.rate[d].value() > 0 ? std::min(1.0, link / 2 / cost.rate[d].value()) : 0.5;
    // Until it is agreed, the memory serves the other direction alone.
    const Time late = cost.sync * static_cast<std::int64_t>(P - 2);
    const Time going_home = std::max(Time((cost.transfer[d].value() + 1) / 2), cost.transfer[d] - late);
    const std::size_t lacking = direction == Direction::forward ? P - 1 : 0; // Its link is missing.
    launched_.resize(P);
    for (std::size_t place = 0; place < P; ++place) {
        launched_[place] = start_[static_cast<std::size_t>(chips[place])] + cost.launch;
    }
    sent_.resize(P);
    next_.resize(P);
    for (std::size_t place = 0; place < P; ++place) {
        sent_[place] = std::max(launched_[place], launched_[next(place)]);
    }
    arrived_.assign(P, Time(0));
    for (std::int32_t step = 0; step < cost.steps; ++step) {
        for (std::size_t place = 0; place < P; ++place) {
            const bool home = folded && place == lacking;
            const Time sync = home ? cost.sync * static_cast<std::int64_t>(P - 1) : cost.sync;
            const Time begin = std::max(sent_[place], arrived_[place]) + sync;
            const Time alone = home && shared_pace == 1 ? going_home : cost.transfer[d];
            Time end = begin + alone;
            if (before) {
                end = end_among(home ? (*before)[1 - d].own : (*before)[d].home, begin, alone, shared_pace);
            }
            if (now) {
                (home ? (*now)[1 - d].home : (*now)[d].own).push_back({begin, end});
                crossing_ += end - begin;
            }
            sent_[place] = end;
        }
        for (std::size_t place = 0; place < P; ++place) {
            arrived_[next(place)] = sent_[place];
        }
    }
    for (std::size_t place = 0; place < P; ++place) {
        Time& end = end_[static_cast<std::size_t>(chips[place])];
        end = std::max({end, sent_[place], arrived_[place]});
    }
}

void Walk::run_ring(OperationId id, std::int64_t iteration, AxisRings& axis, std::size_t ring) {
    const std::vector<Chip>& chips = axis.chips[ring];
    const auto way =
        static_cast<std::size_t>(variant(program_, program_.operations[id], iteration, chips.front()));
    const auto& moves = moves_[id][way];
    for (const Chip chip : chips) {
        end_[static_cast<std::size_t>(chip)] = start_[static_cast<std::size_t>(chip)];
    }
    if (!moves || moves->ring.steps() == 0) {
        return;
    }
    const OperationCost& cost = costs_[id][way];
    if (std::holds_alternative<Shift>(program_.operations[id]) ||
        is_late(program_, program_.operations[id])) {
        for (std::int32_t launch = 0; launch < cost.launches; ++launch) {
            for (const Direction direction : both_directions) {
                if (moves->ring.part(direction, moves->chunk_elements).size() > 0) {
                    shift(chips, cost, direction, axis.link, axis.folded ? &axis.now[ring] : nullptr,
                          axis.folded && !axis.before.empty() ? &axis.before[ring] : nullptr, axis.folded);
                }
            }
            for (const Chip chip : chips) {
                start_[static_cast<std::size_t>(chip)] = end_[static_cast<std::size_t>(chip)];
            }
        }
        return;
    }
    Time begin;
    for (const Chip chip : chips) {
        begin = std::max(begin, start_[static_cast<std::size_t>(chip)]);
    }
    for (const Chip chip : chips) {
        end_[static_cast<std::size_t>(chip)] = begin + cost.total();
    }
}

/// Every link passes on packet after packet, each a step after it came, from when both its ends are launched.
/// So what it ends with is as late as the latest of these launches up to here, a step later for every link in
/// between. The sender of a link is done with it later than with the one that the packets came by.
void Walk::run_stream(OperationId id, std::int64_t iteration) {
    const AxisRings& axis = axes_[engine_of(program_.operations[id])];
    if (streams_[id].empty()) {
        end_ = start_;
        return;
    }
    const std::size_t places = axis.chips.front().size();
    for (std::int64_t panel = 0; panel < panels_[id]; ++panel) {
        const auto root = static_cast<std::size_t>(
            variant(program_, nth_panel(program_.operations[id], panel), iteration, Chip(0)));
        end_ = start_;
        const OperationCost& cost = costs_[id][root];
        const std::int64_t packets = moves_[id][root]->ring.chunks();
        for (const Direction direction : both_directions) {
            const StreamLinks links = streams_[id][root][static_cast<std::size_t>(direction)];
            if (links.count == 0) {
                continue;
            }
            const std::size_t ahead = direction == Direction::forward ? 1 : places - 1;
            const Time step = cost.sync + cost.transfer[static_cast<std::size_t>(direction)];
            const Time lasts = step * packets;
            for (const std::vector<Chip>& ring : axis.chips) {
                std::size_t place = links.from;
                auto sender = static_cast<std::size_t>(ring[place]);
                Time launched = start_[sender];
                Time begins; // A step after the link before; the first when both its ends are launched.
                for (std::size_t link = 0; link < links.count; ++link) {
                    place += ahead;
                    place -= place < places ? 0 : places;
                    const auto receiver = static_cast<std::size_t>(ring[place]);
                    const Time next = start_[receiver];
                    begins = later(begins, later(launched, next) + cost.launch);
                    end_[sender] = later(end_[sender], begins + lasts);
                    begins += step;
                    sender = receiver;
                    launched = next;
                }
                end_[sender] = later(end_[sender], begins - step + lasts);
            }
        }
        start_ = end_;
    }
}

/// When an operation may start on each chip: when the last of what it waits for is over there.
void Walk::wait_for_all() {
    Time* const start = start_.data();
    const std::size_t all = waits_.size();
    if (all == 0) {
        std::ranges::fill(start_, Time(0));
        return;
    }
    // Two at a time, so that what is there so far is read and written half as often.
    const Time* const one = waits_[0];
    const Time* const two = waits_[all == 1 ? 0 : 1];
    for (std::size_t chip = 0; chip < chips_; ++chip) {
        start[chip] = later(one[chip], two[chip]);
    }
    for (std::size_t k = 2; k < all; k += 2) {
        const Time* const three = waits_[k];
        const Time* const four = waits_[k + 1 == all ? k : k + 1];
        for (std::size_t chip = 0; chip < chips_; ++chip) {
            start[chip] = later(start[chip], later(three[chip], four[chip]));
        }
    }
}

void Walk::run(OperationId id, std::int64_t iteration) {
    const std::size_t engine = engine_of(program_.operations[id]);
    waits_.clear();
    for (const Dependency& need : needs_[id]) {
        if (const std::int64_t runs = runs_needed(program_, need, iteration); runs > 0) {
            waits_.push_back(ends_.data() + slot(need.before, runs - 1));
        }
    }
    const bool takes_time = engine == core_engine || (engine < core_engine && moves_[id].front());
    if (takes_time && free_[engine]) {
        waits_.push_back(free_[engine]);
    }
    wait_for_all();
    if (is_stream(program_.operations[id])) {
        run_stream(id, iteration);
    } else if (engine < core_engine) {
        AxisRings& axis = axes_[engine];
        for (std::size_t ring = 0; ring < axis.chips.size(); ++ring) {
            run_ring(id, iteration, axis, ring);
        }
    } else {
        const Time lasts = engine == core_engine ? costs_[id].front().total() : Time(0);
        std::ranges::transform(start_, end_.begin(), [&](Time start) { return start + lasts; });
    }
    Time* const ends = ends_.data() + slot(id, iteration);
    std::ranges::copy(end_, ends);
    if (takes_time) {
        free_[engine] = ends; // Of the engine's last operation, which stay until it does that one again.
    }
}

/// What ends last ends on an engine.
Time Walk::last_end() const {
    Time last;
    for (const Time* const ends : free_) {
        last = ends ? std::max(last, *std::max_element(ends, ends + chips_)) : last;
    }
    return last;
}

Time Walk::later_turn() const {
    const std::size_t half = turns_begin_.size() / 2;
    const auto turns = static_cast<std::int64_t>(turns_begin_.size() - half) - 1;
    return turns > 0 ? Time((turns_begin_.back() - turns_begin_[half]).value() / turns) : Time(0);
}

LoopTime Walk::walk() {
    std::ranges::fill(ends_, Time(0));
    free_.fill(nullptr);
    crossing_ = Time(0);
    turns_begin_.clear();
    // When the last chip begins the first multiplication of the loop: its first turn, and its last.
    std::optional<Time> first, last;
    const auto run_all = [&](OperationId begin, OperationId end, std::int64_t iteration) {
        bool multiplied = begin < program_.loop_begin;
        for (OperationId id = begin; id < end; ++id) {
            run(id, iteration);
            if (!multiplied && engine_of(program_.operations[id]) == core_engine) {
                multiplied = true;
                last = *std::ranges::max_element(start_);
                first = first.value_or(*last);
                turns_begin_.push_back(*last);
            }
        }
    };
    run_all(0, program_.loop_begin, 0);
    if (program_.loop_begin < program_.loop_end) {
        for (std::int64_t iteration = 0; iteration < program_.iterations; ++iteration) {
            run_all(program_.loop_begin, program_.loop_end, iteration);
        }
        const auto in_loop = last;
        run_all(program_.loop_end, static_cast<OperationId>(program_.operations.size()), 0);
        last = in_loop ? in_loop : last;
    } else {
        run_all(program_.loop_end, static_cast<OperationId>(program_.operations.size()), 0);
    }
    for (AxisRings& axis : axes_) {
        for (std::array<RingTraffic, 2>& ring : axis.now) {
            for (RingTraffic& traffic : ring) {
                if (traffic.own.empty() || traffic.home.empty()) {
                    traffic = {};
                } else {
                    join(traffic.own);
                    join(traffic.home);
                    shares_ = true;
                }
            }
        }
        axis.before = std::exchange(axis.now, std::vector<std::array<RingTraffic, 2>>(axis.now.size()));
    }
    const Time end = last_end();
    return loop_time(first.value_or(end), last.value_or(end), end, program_.iterations);
}

} // namespace

bool differs_by_chip(const Program& program) {
    // Searches ask this of every program, most of which are for closed rings.
    return std::ranges::any_of(program.torus.axes(), &TorusAxis::folded) &&
           std::ranges::any_of(program.operations,
                               [&](const Operation& operation) { return is_late(program, operation); });
}

LoopTime loop_time_chip_by_chip(const CondensedProgram& condensed, const Hardware& hardware,
                                const Schedule& schedule, const std::vector<Dependency>& needs) {
    Walk walk(condensed, hardware, schedule, needs, {});
    LoopTime time = walk.walk();
    // Two that share a link from the same time on last twice as long: half of what is missing comes with
    // every walk.
    constexpr int most_walks = 40;
    constexpr std::int64_t nearly = 20000;
    for (int walks = 1; walks < most_walks && walk.shares(); ++walks) {
        const Time before = walk.crossing();
        time = walk.walk();
        if (std::abs((walk.crossing() - before).value()) <= before.value() / nearly) {
            break;
        }
    }
    return time;
}

LoopTime loop_time_of_streams(const CondensedProgram& condensed, const Hardware& hardware,
                              const Schedule& schedule, const std::vector<Dependency>& needs,
                              const Slower& slower) {
    const std::int64_t iterations = condensed.program.iterations;
    const std::int64_t turns = turns_of_streams_followed(condensed);
    if (turns == iterations) {
        return Walk(condensed, hardware, schedule, needs, slower).walk();
    }
    CondensedProgram first = condensed;
    first.program.iterations = turns;
    Walk walk(first, hardware, schedule, needs, slower);
    LoopTime time = walk.walk();
    const Time rest = walk.later_turn() * (iterations - turns);
    time.steady = Time((time.steady * (turns - 1) + rest).value() / (iterations - 1));
    time.total += rest;
    time.epilogue = time.total - time.prologue - time.steady * (iterations - 1);
    return time;
}

} // namespace meshslice
