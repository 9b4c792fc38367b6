#include "core/estimate/walk/chip_walk.h"

#include "core/cost/link_bandwidth.h"

#include <algorithm>
#include <cmath>
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

bool sends_and_receives(const Operation& operation) {
    return std::holds_alternative<SendRecv>(operation) || std::holds_alternative<AddSendRecv>(operation);
}

/// The work of following a ring grows with its length times its turns, the square of its length. In longer
/// rings either all chips keep step, or those in the middle run ahead so far that the way home finds its
/// links taken nearly all the time: longest_cost() tells the two apart, up to about 9% from the simulation.
constexpr std::int32_t longest_drift_followed = 24;

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

} // namespace

bool is_late(const Program& program, const Operation& operation) {
    const auto* shift = std::get_if<Shift>(&operation);
    if (!sends_and_receives(operation) && !(shift && shift->is_skew())) {
        return false;
    }
    const auto axis = static_cast<Axis>(place(operation));
    return program.torus.folded(axis) &&
           program.torus.size(axis) <= (shift ? longest_side_followed : longest_drift_followed);
}

ChipWalk::ChipWalk(const CondensedProgram& condensed, const Machine& hardware, const Schedule& schedule,
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
    add_up_turn();
}

/// Of one chunk each in every step, from every chip of a ring to its neighbour in a direction.
void ChipWalk::shift(const std::vector<Chip>& chips, const OperationCost& cost, Direction direction,
                     double link, std::array<RingTraffic, 2>* now, const std::array<RingTraffic, 2>* before,
                     bool folded) {
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

void ChipWalk::run_ring(OperationId id, std::int64_t iteration, AxisRings& axis, std::size_t ring) {
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

/// When an operation may start on each chip: when the last of what it waits for is over there.
void ChipWalk::wait_for_all() {
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
        start[chip] = later_of(one[chip], two[chip]);
    }
    for (std::size_t k = 2; k < all; k += 2) {
        const Time* const three = waits_[k];
        const Time* const four = waits_[k + 1 == all ? k : k + 1];
        for (std::size_t chip = 0; chip < chips; ++chip) {
            start[chip] = later_of(start[chip], later_of(three[chip], four[chip]));
        }
    }
}

void ChipWalk::run(OperationId id, std::int64_t iteration) {
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
Time ChipWalk::last_end() const {
    Time last;
    for (const Time* const ends : free_) {
        last = ends ? std::max(last, *std::max_element(ends, ends + chips_)) : last;
    }
    return last;
}

Time ChipWalk::later_turn() const {
    const std::size_t half = turns_begin_.size() / 2;
    const auto turns = static_cast<std::int64_t>(turns_begin_.size() - half) - 1;
    return turns > 0 ? Time((turns_begin_.back() - turns_begin_[half]).value() / turns) : Time(0);
}

/// What one run of an operation takes of its engine on every chip, at least. A stream passes every chip, one
/// way or the other; of what else goes along links, which chips may begin early, nothing is counted.
Time ChipWalk::least_work(OperationId id) const {
    const std::size_t engine = engine_of(program_.operations[id]);
    if (engine == core_engine) {
        return costs_[id].front().total();
    }
    std::optional<Time> least;
    for (std::size_t way = 0; way < streams_[id].size(); ++way) {
        const OperationCost& cost = costs_[id][way];
        for (const Direction direction : both_directions) {
            const auto d = static_cast<std::size_t>(direction);
            if (streams_[id][way][d].count > 0) {
                const Time panel =
                    cost.launch + (cost.sync + cost.transfer[d]) * moves_[id][way]->ring.chunks();
                least = std::min(least.value_or(panel), panel);
            }
        }
    }
    return least.value_or(Time(0)) * condensed_.times[id];
}

/// An engine works its turns one after the other: the first when what its first operation needs of that turn
/// is there, and what needs the last one's result comes after it.
void ChipWalk::add_up_turn() {
    const std::size_t count = program_.operations.size();
    std::vector<Time> work(count), before(count), after(count);
    const auto waits = [&](OperationId id, const auto& on) {
        for (const Dependency& need : needs_[id]) {
            if (need.distance == 0 && need.before < id && program_.in_loop(need.before)) {
                on(need.before);
            }
        }
    };
    std::array<bool, engine_count> begun{};
    for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
        work[id] = least_work(id);
        waits(id, [&](OperationId on) { before[id] = std::max(before[id], before[on] + work[on]); });
        if (const std::size_t engine = engine_of(program_.operations[id]); engine < engine_count) {
            least_of_turn_[engine] += work[id];
            least_before_[engine] = begun[engine] ? least_before_[engine] : before[id];
            begun[engine] = true;
        }
    }
    std::array<bool, engine_count> ended{};
    for (std::size_t id = program_.loop_end; id-- > program_.loop_begin;) {
        const auto its = static_cast<OperationId>(id);
        if (const std::size_t engine = engine_of(program_.operations[its]); engine < engine_count) {
            least_after_[engine] = ended[engine] ? least_after_[engine] : after[its];
            ended[engine] = true;
        }
        waits(its, [&](OperationId on) { after[on] = std::max(after[on], after[its] + work[its]); });
    }
}

/// What is never later than the last end, when so many turns of the loop are still to be followed.
Time ChipWalk::least_end(std::int64_t turns) const {
    Time least;
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        if (const Time* const ends = free_[engine]) {
            least = std::max(least, *std::max_element(ends, ends + chips_) + least_of_turn_[engine] * turns +
                                        least_after_[engine]);
        }
    }
    return least;
}

/// The same before anything is followed.
Time ChipWalk::least_end_of_all() const {
    Time least;
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        least = std::max(least, least_before_[engine] + least_of_turn_[engine] * program_.iterations +
                                    least_after_[engine]);
    }
    return least;
}

LoopTime ChipWalk::walk() {
    return *walk_within(OperationCost::longest, 0);
}

/// Finds out how the roots of its streams move, and makes room for what ends when.
void ChipWalk::prepare() {
    if (!ends_.empty()) {
        return;
    }
    if (std::ranges::none_of(program_.operations, [&](const Operation& operation) {
            return engine_of(operation) < core_engine && !is_stream(operation);
        })) {
        roots_ = moves_of_roots(condensed_);
    }
    slots_ = kept_ + (roots_.more.empty() ? 0 : static_cast<std::size_t>(roots_.after));
    ends_.resize(program_.operations.size() * slots_ * chips_);
}

std::optional<LoopTime> ChipWalk::walk_within(Time most, std::int64_t turns_to_come) {
    const Time most_followed = most - least_of_turn_[core_engine] * turns_to_come;
    if (least_end_of_all() > most_followed) {
        return std::nullopt;
    }
    prepare();
    free_.fill(nullptr);
    crossing_ = Time(0);
    turns_begin_.clear();
    alike_ = 0;
    constexpr std::int64_t turns_between_looks = 2; // To look takes less than a turn, but not nothing.
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
            if (most < OperationCost::longest && iteration % turns_between_looks == 0 &&
                least_end(program_.iterations - 1 - iteration) > most_followed) {
                return std::nullopt;
            }
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

} // namespace meshslice
