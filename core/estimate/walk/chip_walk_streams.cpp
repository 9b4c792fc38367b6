// How streams go along their rings, and how turns of them repeat.

#include "core/estimate/walk/chip_walk.h"

#include <algorithm>

namespace meshslice {

/// Every link passes on packet after packet, each a step after it came, from when both its ends are launched.
/// So what it ends with is as late as the latest of these launches up to here, a step later for every link in
/// between. The sender of a link is done with it later than with the one that the packets came by.
void ChipWalk::stream_one_way(const AxisRings& axis, const StreamLinks& links, Direction direction,
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
            const Time begin = later_of(begins[ring], later_of(launched[chip], next[chip]) + launch);
            sent[chip] = later_of(sent[chip], begin + lasts);
            begins[ring] = begin + step;
        }
    }
    Time* const arrived = end_.data() + place * axis.stride;
    for (std::size_t ring = 0; ring < rings; ++ring) {
        arrived[first[ring]] = later_of(arrived[first[ring]], begins[ring] - step + lasts);
    }
}

void ChipWalk::run_stream(OperationId id, std::int64_t iteration) {
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
bool ChipWalk::repeats(std::int64_t iteration) {
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
void ChipWalk::repeat(std::int64_t iteration, std::int64_t turns) {
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

} // namespace meshslice
