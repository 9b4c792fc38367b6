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
    Walk(const CondensedProgram& condensed, const Machine& hardware, const Schedule& schedule,
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
        std::vector<std::size_t> first; ///< chip, by ring
        std::size_t places = 1;         ///< of every ring,
        std::size_t stride = 1;         ///< and from each to the next
        bool folded = false;
        double link = 0; ///< bytes/s
        /// By ring and direction: of this walk, and of the one before.
        std::vector<std::array<RingTraffic, 2>> now, before;
    };
    std::size_t slot(OperationId id, std::int64_t run) const {
        return (id * slots_ + static_cast<std::size_t>(run) % slots_) * chips_;
    }
    [[nodiscard]] bool takes_time(OperationId id) const {
        const std::size_t engine = engine_of(program_.operations[id]);
        return engine == core_engine || (engine < core_engine && moves_[id].front());
    }
    void run(OperationId id, std::int64_t iteration);
    void wait_for_all();
    [[nodiscard]] Time last_end() const;
    void run_stream(OperationId id, std::int64_t iteration);
    void stream_one_way(const AxisRings& axis, const StreamLinks& links, Direction direction,
                        const OperationCost& cost, std::int64_t packets);
    [[nodiscard]] bool repeats(std::int64_t iteration);
    void repeat(std::int64_t iteration, std::int64_t turns);
    void run_ring(OperationId id, std::int64_t iteration, AxisRings& axis, std::size_t ring);
    void shift(const std::vector<Chip>& chips, const OperationCost& cost, Direction direction, double link,
               std::array<RingTraffic, 2>* now, const std::array<RingTraffic, 2>* before, bool folded);

    const CondensedProgram& condensed_;
    const Program& program_;
    Torus torus_;
    std::size_t chips_;
    std::size_t kept_ = 1;  ///< runs of an operation whose ends others may ask for
    std::size_t slots_ = 1; ///< whose ends are remembered
    /// By operation and variant; of collectives the longest, and of streams round a ring those from its first
    /// chip.
    std::vector<std::vector<OperationCost>> costs_;
    std::vector<std::vector<std::optional<Communication>>> moves_;
    std::vector<std::vector<std::array<StreamLinks, 2>>> streams_; ///< likewise, by Direction
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
    std::vector<Chip> chips_of_ring_;                    ///< at hand
    std::vector<Time> begins_;                           ///< of a stream, by ring

    MovesOfRoots roots_;            ///< none where something else than streams takes part
    Move move_{};                   ///< of the roots that was seen last,
    std::vector<std::size_t> goes_; ///< where each chip goes by it,
    Time later_;                    ///< and by how much later everything was
    std::size_t alike_ = 0;         ///< turns in a row in which it was seen
};

Walk::Walk(const CondensedProgram& condensed, const Machine& hardware, const Schedule& schedule,
           const std::vector<Dependency>& needs, const Slower& slower)
    : condensed_(condensed)
    , program_(condensed.program)
    , torus_(walked(program_))
    , chips_(static_cast<std::size_t>(torus_.chips()))
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
        const bool alike = is_stream(operation) && streams_round(program, operation);
        for (std::int32_t way = 0; way < (alike ? 1 : variants(program, operation)); ++way) {
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
        rings.places = static_cast<std::size_t>(torus_.size(axis));
        rings.stride = rings.places > 1 ? static_cast<std::size_t>(torus_.along(0, axis, 1)) : 1;
        for (std::size_t chip = 0; chip < chips_; ++chip) {
            if (chip / rings.stride % rings.places == 0) {
                rings.first.push_back(chip);
            }
        }
        rings.now.resize(rings.folded ? rings.first.size() : 0);
    }
    if (std::ranges::none_of(program.operations, [&](const Operation& operation) {
            return engine_of(operation) < core_engine && !is_stream(operation);
        })) {
        roots_ = moves_of_roots(condensed);
    }
    slots_ = kept_ + (roots_.more.empty() ? 0 : static_cast<std::size_t>(roots_.after));
    ends_.resize(program.operations.size() * slots_ * chips_);
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
    chips_of_ring_.resize(axis.places);
    for (std::size_t place = 0; place < axis.places; ++place) {
        chips_of_ring_[place] = static_cast<Chip>(axis.first[ring] + place * axis.stride);
    }
    const std::vector<Chip>& chips = chips_of_ring_;
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
void Walk::stream_one_way(const AxisRings& axis, const StreamLinks& links, Direction direction,
                          const OperationCost& cost, std::int64_t packets) {
    const std::size_t places = axis.places;
    const std::size_t ahead = direction == Direction::forward ? 1 : places - 1;
    const Time launch = cost.launch;
    const Time step = cost.sync + cost.transfer[static_cast<std::size_t>(direction)];
    const Time lasts = step * packets;
    const std::size_t rings = axis.first.size();
    // A step after the link before; the first when both its ends are launched.
    begins_.assign(rings, Time(0));
    Time* const begins = begins_.data();
    const std::size_t* const first = axis.first.data();
    std::size_t place = links.from;
    for (std::size_t link = 0; link < links.count; ++link) {
        const Time* const launched = start_.data() + place * axis.stride;
        Time* const sent = end_.data() + place * axis.stride;
        place += ahead;
        place -= place < places ? 0 : places;
        const Time* const next = start_.data() + place * axis.stride;
        for (std::size_t ring = 0; ring < rings; ++ring) {
            const std::size_t chip = first[ring];
            const Time begin = later(begins[ring], later(launched[chip], next[chip]) + launch);
            sent[chip] = later(sent[chip], begin + lasts);
            begins[ring] = begin + step;
        }
    }
    Time* const arrived = end_.data() + place * axis.stride;
    for (std::size_t ring = 0; ring < rings; ++ring) {
        arrived[first[ring]] = later(arrived[first[ring]], begins[ring] - step + lasts);
    }
}

void Walk::run_stream(OperationId id, std::int64_t iteration) {
    const Operation& stream = program_.operations[id];
    const AxisRings& axis = axes_[engine_of(stream)];
    end_ = start_;
    if (streams_[id].empty()) {
        return;
    }
    const std::size_t places = axis.places;
    for (std::int64_t panel = 0; panel < condensed_.times[id]; ++panel) {
        if (panel > 0) {
            start_ = end_;
        }
        const auto root = static_cast<std::size_t>(root_of_panel(program_, stream, panel, iteration));
        const bool alike = streams_[id].size() == 1; // From every root: seen from there.
        const std::size_t way = alike ? 0 : root;
        for (const Direction direction : both_directions) {
            StreamLinks links = streams_[id][way][static_cast<std::size_t>(direction)];
            if (links.count > 0) {
                links.from = (links.from + (alike ? root : 0)) % places;
                stream_one_way(axis, links, direction, costs_[id][way], moves_[id][way]->ring.chunks());
            }
        }
    }
}

/// Whether all turns that move on as the one at hand does are those before them, moved round their rings and
/// later by the same time on every chip. What a turn is follows from roots, from times that are the same at
/// every place of a closed ring, and from the ends of the `kept_` - 1 turns before it: where all of these are
/// repeated, so is it.
bool Walk::repeats(std::int64_t iteration) {
    const std::int64_t before = iteration - roots_.after;
    constexpr std::int64_t fewest = 4; // Fewer are followed as fast as they are copied.
    if (roots_.more.empty() || before < static_cast<std::int64_t>(kept_) ||
        roots_.more[static_cast<std::size_t>(iteration)] < fewest) {
        alike_ = 0;
        return false;
    }
    const Move move = *move_of_roots(condensed_, before, roots_.after);
    if (goes_.empty() || move != move_) {
        goes_ = moved(torus_, move, 1);
        alike_ = 0;
    }
    const Time behind =
        ends_[slot(program_.loop_begin, iteration) + goes_[0]] - ends_[slot(program_.loop_begin, before)];
    alike_ = behind == later_ ? alike_ + 1 : 1;
    move_ = move;
    later_ = behind;
    for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
        const Time* const now = ends_.data() + slot(id, iteration);
        const Time* const then = ends_.data() + slot(id, before);
        for (std::size_t chip = 0; chip < chips_; ++chip) {
            if (now[goes_[chip]] - then[chip] != behind) {
                alike_ = 0;
                return false;
            }
        }
    }
    return alike_ + 1 >= kept_;
}

/// As many turns after the one at hand.
void Walk::repeat(std::int64_t iteration, std::int64_t turns) {
    for (std::int64_t turn = 1; turn <= turns; ++turn) {
        if (!turns_begin_.empty()) {
            const std::size_t then = turns_begin_.size() - static_cast<std::size_t>(roots_.after);
            turns_begin_.push_back(turns_begin_[then] + later_);
        }
    }
    // Of the runs that others may ask for: what is known last of such, moved on.
    const std::vector<Time> known = ends_;
    for (std::int64_t back = 0; back < static_cast<std::int64_t>(kept_); ++back) {
        const std::int64_t run = iteration + turns - back;
        const std::int64_t times = std::max(std::int64_t{0}, turns - back + roots_.after - 1) / roots_.after;
        const std::vector<std::size_t> to = moved(torus_, move_, times);
        for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
            const Time* const then = known.data() + slot(id, run - times * roots_.after);
            for (std::size_t chip = 0; chip < chips_; ++chip) {
                ends_[slot(id, run) + to[chip]] = then[chip] + later_ * times;
            }
        }
    }
    for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
        if (takes_time(id)) {
            free_[engine_of(program_.operations[id])] = ends_.data() + slot(id, iteration + turns);
        }
    }
}

/// When an operation may start on each chip: when the last of what it waits for is over there.
void Walk::wait_for_all() {
    Time* const start = start_.data();
    const std::size_t chips = chips_;
    const std::size_t all = waits_.size();
    if (all == 0) {
        std::ranges::fill(start_, Time(0));
        return;
    }
    // Two at a time, so that what is there so far is read and written half as often.
    const Time* const one = waits_[0];
    const Time* const two = waits_[all == 1 ? 0 : 1];
    for (std::size_t chip = 0; chip < chips; ++chip) {
        start[chip] = later(one[chip], two[chip]);
    }
    for (std::size_t k = 2; k < all; k += 2) {
        const Time* const three = waits_[k];
        const Time* const four = waits_[k + 1 == all ? k : k + 1];
        for (std::size_t chip = 0; chip < chips; ++chip) {
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
    if (takes_time(id) && free_[engine] && std::ranges::find(waits_, free_[engine]) == waits_.end()) {
        waits_.push_back(free_[engine]);
    }
    wait_for_all();
    if (is_stream(program_.operations[id])) {
        run_stream(id, iteration);
    } else if (engine < core_engine) {
        AxisRings& axis = axes_[engine];
        for (std::size_t ring = 0; ring < axis.first.size(); ++ring) {
            run_ring(id, iteration, axis, ring);
        }
    } else {
        const Time lasts = engine == core_engine ? costs_[id].front().total() : Time(0);
        std::ranges::transform(start_, end_.begin(), [&](Time start) { return start + lasts; });
    }
    Time* const ends = ends_.data() + slot(id, iteration);
    std::ranges::copy(end_, ends);
    if (takes_time(id)) {
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
    free_.fill(nullptr);
    crossing_ = Time(0);
    turns_begin_.clear();
    alike_ = 0;
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
            if (repeats(iteration)) {
                const std::int64_t turns = roots_.more[static_cast<std::size_t>(iteration)];
                repeat(iteration, turns);
                iteration += turns;
                last = turns_begin_.empty() ? last : turns_begin_.back();
                alike_ = 0;
            }
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

LoopTime loop_time_chip_by_chip(const CondensedProgram& condensed, const Machine& hardware,
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

LoopTime loop_time_of_streams(const CondensedProgram& condensed, const Machine& hardware,
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
