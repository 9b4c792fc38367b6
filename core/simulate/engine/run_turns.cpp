// What a run does where the turns of its loop are alike: it writes them down instead of going through them.

#include "core/simulate/engine/run.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// Of two turns, whether `now` is `then`, later by `period` and an iteration further on.
bool follows(const Interval& then, const Interval& now, Time period) {
    return now.start == then.start + period && now.end == then.end + period &&
           now.iteration == then.iteration + 1 && now.step == then.step && now.operation == then.operation &&
           now.activity == then.activity;
}

} // namespace

/// Whether a turn of the loop can only depend on the state in which the one before left the chips: nothing
/// comes by chance, no ring goes another way in another iteration, and nothing shares what is arbitrated.
bool EngineRun::turns_may_repeat() const {
    constexpr std::int64_t fewest = 6; // It takes some to find out, and the last are gone through.
    bool may = program_.iterations >= fewest && !controller_ && !arbitration_ && !wires_.jitters();
    for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
        may = may && plans_[id].size() == 1;
    }
    return may;
}

/// How many iterations before the last one something that follows the loop may begin, at most, and one more.
std::int64_t EngineRun::last_turns() const {
    std::int64_t turns = 2;
    for (const std::vector<Dependency>& needs : needs_) {
        for (const Dependency& need : needs) {
            turns = program_.in_loop(need.after) ? turns : std::max(turns, need.distance + 1);
        }
    }
    return turns;
}

/// The state of the run, as numbers that are the same in an iteration later if what follows is.
void EngineRun::note_turn(std::int64_t iteration, Turn& turn) const {
    std::vector<std::uint64_t>& numbers = turn.state;
    numbers.clear();
    const auto note = [&](auto number) { numbers.push_back(static_cast<std::uint64_t>(number)); };
    // What is over makes no difference any more.
    const auto to_come = [&](Time time) { return std::max(Time(0), time - now_).value(); };
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        for (std::size_t which = 0; which < engine_count; ++which) {
            const Engine& engine = engines_[engine_index(static_cast<Chip>(chip), which)];
            const EngineQueue& queue = queues_[which];
            const bool in_loop = engine.position >= queue.loop_begin && engine.position < queue.loop_end;
            note(engine.position * 2 + (engine.busy ? 1 : 0));
            note(in_loop ? engine.iteration - iteration : 0);
            if (engine.busy) {
                note(engine.operation); // Of one way, in the loop and at its place before or after it.
                note(engine.repeat * 2 + (engine.copies_back ? 1 : 0));
                if (memory_ && memory_->ends(static_cast<Chip>(chip), which) >= Time(0)) {
                    note((engine.began - now_).value());
                }
            }
        }
        for (std::size_t axis = 0; axis < slots_ / 2; ++axis) {
            const RingPlace& place = ring_places_[ring_place_index(static_cast<Chip>(chip), axis)];
            note(place.outstanding * 2 + (place.launched_run != 0 ? 1 : 0));
            if (place.outstanding != 0) {
                note(to_come(place.over));
            }
        }
        for (const EngineQueue& queue : queues_) {
            for (const OperationId id : queue.operations) {
                note(done_[chip * program_.operations.size() + id] - (program_.in_loop(id) ? iteration : 0));
            }
        }
    }
    for (const LinkState& link : links_) {
        note(to_come(link.free));
        note(link.to_send);
        if (link.to_send > 0) {
            note(link.iteration - iteration);
            note(link.arrived);
            note(link.needed);
            note(link.most_needed);
            note(link.more_needed);
            note(link.step);
            note(link.operation);
            note(link.sync.value());
            note(link.transfer.value());
        }
    }
    if (memory_) {
        memory_->note(now_, numbers);
    }
    events_.list(turn.to_come);
    turn.at = now_;
    turn.iteration = iteration;
    turn.links = link_rows_;
    turn.cores = cores_;
}

/// Whether the state is that of the turn before, an iteration further on.
bool EngineRun::repeats(Turn& before, Turn& now) const {
    if (now.state != before.state || now.to_come.size() != before.to_come.size()) {
        return false;
    }
    const Time period = now.at - before.at;
    // Those of one time are worked through in any order: they are of different chips and engines.
    const auto place = [](const EventQueue<Event>::Entry& entry) {
        return std::tuple(entry.time, entry.event.chip, entry.event.what, entry.event.where);
    };
    for (Turn* const turn : {&before, &now}) {
        std::ranges::sort(turn->to_come, {}, place);
    }
    for (std::size_t k = 0; k < now.to_come.size(); ++k) {
        const auto& [time, event] = now.to_come[k];
        const auto& [then, other] = before.to_come[k];
        if (time != then + period || event.chip != other.chip || event.what != other.what ||
            event.where != other.where) {
            return false;
        }
    }
    // What links have written down ahead, and what memories have yet to go through.
    std::vector<std::ptrdiff_t> unread(links_.size());
    if (memory_) {
        memory_->each_followed_row([&](const RowWriter* row, std::ptrdiff_t behind) {
            std::ptrdiff_t& most = unread[static_cast<std::size_t>(row - link_rows_.data())];
            most = std::max(most, behind);
        });
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (rows_[row].is_core) {
            continue;
        }
        const auto link = static_cast<std::size_t>(writers_[row] - link_rows_.data());
        const Interval* const then = before.links[link].end();
        const Interval* const end = now.links[link].end();
        std::ptrdiff_t ahead = unread[link];
        const std::ptrdiff_t most = then - (intervals_.data() + row_begin_[row]);
        while (ahead < most && end[-1 - ahead].end > now.at) {
            ++ahead;
        }
        if (ahead == 0 && end == then) {
            continue; // Nothing moves here in the loop.
        }
        ahead += 2; // Of what is over, no more than the last step is asked for.
        if (ahead > most) {
            return false;
        }
        for (std::ptrdiff_t k = 1; k <= ahead; ++k) {
            if (!follows(then[-k], end[-k], period)) {
                return false;
            }
        }
    }
    return true;
}

/// Writes down so many turns more, each like the one between the two, and goes on after them.
void EngineRun::repeat(const Turn& before, const Turn& now, std::int64_t turns) {
    const Time period = now.at - before.at;
    const Time later = period * turns;
    std::vector<LinkDemand::Behind> behind;
    if (memory_) {
        behind = memory_->behind();
    }
    const auto rows = [&](std::vector<RowWriter>& writers, const std::vector<RowWriter>& then) {
        for (std::size_t k = 0; k < writers.size() && !stop_.stop_requested(); ++k) {
            recorded_ += static_cast<std::size_t>((writers[k].end() - then[k].end()) * turns);
            writers[k].repeat(then[k], turns, period);
        }
    };
    rows(link_rows_, before.links);
    rows(cores_, before.cores);
    if (stop_.stop_requested()) {
        return; // Everything after this is lost.
    }
    if (memory_) {
        memory_->move_on(later, behind);
    }
    const auto more = static_cast<std::uint32_t>(turns);
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        for (std::size_t which = 0; which < engine_count; ++which) {
            Engine& engine = engines_[engine_index(static_cast<Chip>(chip), which)];
            const EngineQueue& queue = queues_[which];
            if (engine.position >= queue.loop_begin && engine.position < queue.loop_end) {
                engine.iteration += more;
            }
            engine.began += later;
        }
        for (const EngineQueue& queue : queues_) {
            for (std::size_t place = queue.loop_begin; place < queue.loop_end; ++place) {
                done(static_cast<Chip>(chip), queue.operations[place]) += static_cast<std::int32_t>(turns);
            }
        }
    }
    for (RingPlace& place : ring_places_) {
        place.over += later;
    }
    for (LinkState& link : links_) {
        link.iteration += more;
        link.free += later;
    }
    events_.delay(later);
    now_ += later;
    end_ += later;
}

/// Where the engine that is furthest in the loop stands.
std::int64_t EngineRun::furthest_iteration() const {
    std::int64_t furthest = 0;
    for (std::size_t k = 0; k < engines_.size(); ++k) {
        const EngineQueue& queue = queues_[k % engine_count];
        if (engines_[k].position >= queue.loop_begin && engines_[k].position < queue.loop_end) {
            furthest = std::max(furthest, std::int64_t{engines_[k].iteration});
        }
    }
    return furthest;
}

/// Looks, when the first chip's core begins an iteration, whether the chips are where they were an iteration
/// before. If they are, what follows is what followed then, until the loop is nearly over.
void EngineRun::look_for_repetition() {
    const std::int64_t iteration = engines_[engine_index(0, core_engine)].iteration;
    if (iteration < next_look_) {
        return;
    }
    next_look_ = iteration + 1;
    const Time period = now_ - began_turn_;
    const std::int64_t differs = std::abs((period - std::exchange(period_, period)).value());
    began_turn_ = now_;
    // Memories that are shared bring a run to rest turn by turn: it is near before it is there.
    constexpr std::int64_t near = 100'000;
    if (differs > period.value() / near) {
        return;
    }
    std::swap(turn_before_, turn_);
    note_turn(iteration, turn_);
    if (turn_before_.iteration + 1 != iteration) {
        return;
    }
    if (repeats(turn_before_, turn_)) {
        if (const std::int64_t turns = program_.iterations - last_turns() - furthest_iteration(); turns > 0) {
            repeat(turn_before_, turn_, turns);
        }
        next_look_ = program_.iterations; // Never.
    } else if (constexpr int patience = 4; ++looks_in_vain_ % patience == 0) {
        next_look_ = 2 * iteration; // Chips that drift apart may do so for long.
    }
}

} // namespace meshslice
