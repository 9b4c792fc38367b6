#include "core/program/ring_schedule.h"

#include <algorithm>
#include <cstdlib>

namespace meshslice {
namespace {

constexpr std::int32_t wrapped(std::int64_t position, std::int32_t positions) {
    return static_cast<std::int32_t>(((position % positions) + positions) % positions);
}

constexpr std::int32_t sign(Direction direction) {
    return direction == Direction::forward ? 1 : -1;
}

/// The same displacement the shorter way round; forward where both ways are equally long.
std::int32_t shorter_way(std::int64_t hops, std::int32_t positions) {
    const std::int32_t forward = wrapped(hops, positions);
    return 2 * forward <= positions ? forward : forward - positions;
}

} // namespace

RingSchedule RingSchedule::shift(std::int32_t positions, std::int32_t hops) {
    RingSchedule ring(Collective::send_receive, positions, true, RingMode::one_way);
    ring.shifts_ = true;
    ring.hops_ = hops;
    return ring;
}

RingSchedule RingSchedule::send_receive(std::int32_t positions, RingMode mode, std::int64_t unit) {
    RingSchedule ring(Collective::send_receive, positions, true, mode);
    ring.unit_ = unit;
    return ring;
}

RingSchedule RingSchedule::stream(Collective what, std::int32_t positions, bool closed, RingMode mode,
                                  std::int32_t root, std::int32_t packets) {
    RingSchedule ring(what, positions, closed, mode);
    ring.root_ = root;
    ring.packets_ = packets;
    return ring;
}

RingSchedule RingSchedule::all_to_all(std::int32_t positions, bool closed, RingMode mode,
                                      std::int32_t pieces) {
    RingSchedule ring(Collective::all_to_all, positions, closed, mode);
    ring.packets_ = pieces;
    return ring;
}

std::int32_t RingSchedule::pieces_over(Direction direction, std::int32_t hops) const {
    const bool forward = direction == Direction::forward;
    if (mode_ == RingMode::one_way) {
        return forward ? packets_ : 0;
    }
    if (2 * hops != positions_) {
        return 2 * hops < positions_ ? packets_ : 0;
    }
    return forward ? packets_ - packets_ / 2 : packets_ / 2;
}

std::optional<std::int32_t> RingSchedule::exchanged_at(Direction direction, std::int32_t step,
                                                       std::int32_t position) const {
    const std::int32_t ahead = sign(direction);
    if (!closed_) {
        // What goes to the end of the line first: its own, then what the positions before it send there.
        const std::int32_t before = distance_from_end(direction, position);
        const std::int32_t each = (before + 1) * packets_;
        const std::int32_t end = direction == Direction::forward ? positions_ - 1 : 0;
        const std::int32_t way = step % each;
        return exchanged(position - ahead * (way / packets_), end - ahead * (step / each), way % packets_);
    }
    // Those that go farthest first: all of them hop by hop to their ends, then the next.
    for (std::int32_t hops = positions_ - 1; hops > 0; --hops) {
        const std::int32_t pieces = pieces_over(direction, hops);
        if (step < pieces * hops) {
            const std::int32_t from = position - ahead * (step % hops);
            const bool second = pieces < packets_ && direction == Direction::backward;
            const std::int32_t piece = step / hops + (second ? packets_ - pieces : 0);
            return exchanged(wrapped(from, positions_), wrapped(from + ahead * hops, positions_), piece);
        }
        step -= pieces * hops;
    }
    return std::nullopt;
}

std::int32_t RingSchedule::steps() const {
    switch (what_) {
    case Collective::all_to_all: {
        std::int32_t most = 0;
        for (std::int32_t position = 0; position < (closed_ ? 1 : positions_); ++position) {
            for (const Direction direction : both_directions) {
                most = std::max(most, sending_steps(direction, position).end);
            }
        }
        return most;
    }
    case Collective::all_gather:
    case Collective::reduce_scatter: return positions_ - 1;
    case Collective::send_receive: return shifts_ ? std::abs(hops_) : 1;
    default: break;
    }
    return std::max(longest_stream(Direction::forward), longest_stream(Direction::backward)) + packets_ - 1;
}

RingSchedule::Part RingSchedule::part(Direction direction, std::int64_t chunk_elements) const {
    if (!closed_ || nearest()) {
        return {0, chunk_elements};
    }
    if (what_ == Collective::all_to_all) { // Its pieces are whole.
        const bool sends = sending_steps(direction, 0).count() > 0;
        return {0, sends ? chunk_elements : 0};
    }
    std::int64_t forward = chunk_elements - chunk_elements / unit_ / 2 * unit_;
    if (shifts_) {
        forward = hops_ > 0 ? chunk_elements : 0;
    } else if (mode_ == RingMode::one_way) {
        forward = chunk_elements;
    }
    return direction == Direction::forward ? Part{0, forward} : Part{forward, chunk_elements};
}

std::int32_t RingSchedule::hops_along_stream(Direction direction, std::int32_t position) const {
    const std::int32_t from_root = (position - root_) * sign(direction);
    const std::int32_t hops = what_ == Collective::broadcast ? from_root : -from_root;
    return closed_ ? wrapped(hops, positions_) : hops;
}

std::int32_t RingSchedule::longest_stream(Direction direction) const {
    if (nearest()) {
        return direction == Direction::forward ? positions_ / 2 : (positions_ - 1) / 2;
    }
    if (closed_) {
        return positions_ - 1;
    }
    const bool towards_the_end = (direction == Direction::forward) == (what_ == Collective::broadcast);
    return towards_the_end ? positions_ - 1 - root_ : root_;
}

RingSchedule::Steps RingSchedule::sending_steps(Direction direction, std::int32_t position) const {
    if (what_ == Collective::all_to_all) {
        std::int32_t sends = 0;
        if (closed_) {
            for (std::int32_t hops = 1; hops < positions_; ++hops) {
                sends += hops * pieces_over(direction, hops);
            }
        } else { // From each position up to here to each beyond.
            const std::int32_t before = distance_from_end(direction, position);
            sends = (before + 1) * (positions_ - 1 - before) * packets_;
        }
        return {0, sends};
    }
    const bool idle = closed_ && part(direction, 2 * unit_).size() == 0;
    if (idle) {
        return {};
    }
    if (streams()) {
        const std::int32_t hops = hops_along_stream(direction, position);
        const std::int32_t longest = longest_stream(direction);
        if (what_ == Collective::broadcast) { // The last chip passes nothing on.
            return hops >= 0 && hops < longest ? Steps{hops, hops + packets_} : Steps{};
        }
        return hops > 0 && hops <= longest ? Steps{longest - hops, longest - hops + packets_} : Steps{};
    }
    if (closed_) {
        return {0, steps()};
    }
    // The far end of a line sends nothing.
    const std::int32_t distance = distance_from_end(direction, position);
    if (distance == positions_ - 1) {
        return {};
    }
    switch (what_) {
    case Collective::all_gather: return {0, distance + 1}; // Its own chunk first, then those that arrive.
    case Collective::reduce_scatter:
        return {distance, steps()}; // It waits for the first partial sum from the end.
    default: return {0, steps()};
    }
}

std::optional<std::int32_t> RingSchedule::chunk(Direction direction, std::int32_t step,
                                                std::int32_t position) const {
    const Steps sending = sending_steps(direction, position);
    if (step < sending.begin || step >= sending.end) {
        return std::nullopt;
    }
    if (streams()) {
        return step - sending.begin;
    }
    if (what_ == Collective::all_to_all) {
        return exchanged_at(direction, step, position);
    }
    if (what_ != Collective::reduce_scatter) {
        return wrapped(position - sign(direction) * step, positions_);
    }
    if (closed_) {
        return wrapped(position - sign(direction) * (step + 1), positions_);
    }
    // On a line the chunk of the far end sets out first.
    const std::int32_t far_end = direction == Direction::forward ? positions_ - 1 : 0;
    return far_end - sign(direction) * (step - sending.begin);
}

std::int32_t RingSchedule::arrivals_needed(Direction direction, std::int32_t position,
                                           std::int32_t send) const {
    switch (what_) {
    case Collective::broadcast: return hops_along_stream(direction, position) == 0 ? 0 : send + 1;
    case Collective::reduce:
        return hops_along_stream(direction, position) == longest_stream(direction) ? 0 : send + 1;
    case Collective::reduce_scatter:
        if (!closed_) { // The end chip only sends its own; the others add to every chunk before they pass it
                        // on.
            return distance_from_end(direction, position) == 0 ? 0 : send + 1;
        }
        return send;
    case Collective::all_to_all: {
        // As many as it has sent are enough for every one that it passes on: it had all of them then.
        const std::int32_t before =
            closed_ ? positions_ : distance_from_end(direction, position); // positions that send to it
        return closed_ ? send : std::min(send, before * (positions_ - before) * packets_);
    }
    default: return send;
    }
}

std::int32_t variants(const Program& program, const Operation& operation) {
    if (const auto* broadcast = std::get_if<Broadcast>(&operation)) {
        return program.torus.size(broadcast->axis);
    }
    if (const auto* reduce = std::get_if<Reduce>(&operation)) {
        return program.torus.size(reduce->axis);
    }
    const auto* shift = std::get_if<Shift>(&operation);
    return shift && shift->is_skew() ? program.torus.size(shift->axis) : 1;
}

std::int32_t variant(const Program& program, const Operation& operation, std::int64_t iteration, Chip chip) {
    const auto owner = [&](const Panels& panels, Axis axis) {
        return static_cast<std::int32_t>(panels.number(iteration) * program.torus.size(axis) / panels.count);
    };
    if (const auto* broadcast = std::get_if<Broadcast>(&operation)) {
        return owner(broadcast->panels, broadcast->axis);
    }
    if (const auto* reduce = std::get_if<Reduce>(&operation)) {
        return owner(reduce->panels, reduce->axis);
    }
    const auto* shift = std::get_if<Shift>(&operation);
    if (!shift || !shift->is_skew()) {
        return 0;
    }
    // A variant is the distance itself, counted forward.
    std::int64_t hops = shift->hops;
    for (std::size_t axis = 0; axis < shift->skew.size(); ++axis) {
        hops += shift->skew[axis] * program.torus.coordinate(chip, static_cast<Axis>(axis));
    }
    return wrapped(hops, program.torus.size(shift->axis));
}

std::optional<Communication> communication(const Program& program, const Operation& operation, RingMode mode,
                                           std::int32_t variant) {
    const Place where = place(operation);
    if (where == Place::core || where == Place::nobody) {
        return std::nullopt;
    }
    const auto axis = static_cast<Axis>(where);
    const std::int32_t positions = program.torus.size(axis);
    if (positions == 1) {
        return std::nullopt;
    }
    const bool closed = program.torus.wraps(axis);
    const auto elements = [&](ValueId value) { return program.values[value].elements(); };
    const auto stream = [&](Collective what, std::int64_t panel, std::int64_t packets) {
        const auto count = static_cast<std::int32_t>(packets);
        // A stream need not come back to where it began: a folded ring is an open line for it.
        const bool round = closed && !program.torus.folded(axis);
        return Communication{axis, RingSchedule::stream(what, positions, round, mode, variant, count),
                             panel / packets};
    };
    if (const auto* gather = std::get_if<AllGather>(&operation)) {
        return Communication{axis, RingSchedule(Collective::all_gather, positions, closed, mode),
                             elements(gather->source)};
    }
    if (const auto* scatter = std::get_if<ReduceScatter>(&operation)) {
        const RingMode ways = scatter->one_way ? RingMode::one_way : mode;
        return Communication{axis, RingSchedule(Collective::reduce_scatter, positions, closed, ways),
                             elements(scatter->result)};
    }
    if (const auto* exchange = std::get_if<AllToAll>(&operation)) {
        const std::int64_t chunk = elements(exchange->source) / positions;
        const bool across = closed && mode == RingMode::both_ways && positions % 2 == 0;
        const std::int32_t pieces = across && chunk % 2 == 0 ? 2 : 1;
        return Communication{axis, RingSchedule::all_to_all(positions, closed, mode, pieces), chunk / pieces};
    }
    if (const auto* broadcast = std::get_if<Broadcast>(&operation)) {
        return stream(Collective::broadcast, elements(broadcast->result) / broadcast->parts,
                      broadcast->packets);
    }
    if (const auto* reduce = std::get_if<Reduce>(&operation)) {
        return stream(Collective::reduce, elements(reduce->source) / reduce->parts, reduce->packets);
    }
    const auto send_receives = [&](const auto& sends, const Value& joined) -> std::optional<Communication> {
        if (sends.count == 0) {
            return std::nullopt;
        }
        const std::int64_t unit = sends.dimension == Dimension::rows ? joined.columns : joined.rows;
        return Communication{axis, RingSchedule::send_receive(positions, mode, unit),
                             joined.elements() / sends.parts, static_cast<std::int32_t>(sends.count)};
    };
    if (const auto* sends = std::get_if<SendRecv>(&operation)) {
        return send_receives(*sends, program.values[sends->result]);
    }
    if (const auto* sends = std::get_if<AddSendRecv>(&operation)) {
        return send_receives(*sends, program.values[sends->source]);
    }
    const auto& shift = std::get<Shift>(operation);
    const std::int32_t hops = shorter_way(shift.is_skew() ? variant : shift.hops, positions);
    return Communication{axis, RingSchedule::shift(positions, hops), elements(shift.source)};
}

} // namespace meshslice
