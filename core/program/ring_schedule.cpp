#include "core/program/ring_schedule.h"

namespace meshslice {
namespace {

constexpr std::int32_t wrapped(std::int32_t position, std::int32_t positions) {
    return ((position % positions) + positions) % positions;
}

} // namespace

RingSchedule::Part RingSchedule::part(Direction direction, std::int64_t chunk_elements) const {
    if (!closed_) {
        return {0, chunk_elements};
    }
    const std::int64_t forward =
        mode_ == RingMode::one_way ? chunk_elements : chunk_elements - chunk_elements / 2;
    return direction == Direction::forward ? Part{0, forward} : Part{forward, chunk_elements};
}

RingSchedule::Steps RingSchedule::sending_steps(Direction direction, std::int32_t position) const {
    if (closed_) {
        const bool idle = mode_ == RingMode::one_way && direction == Direction::backward;
        return {0, idle ? 0 : steps()};
    }
    // The far end of a line has nobody to send to.
    const std::int32_t distance = distance_from_end(direction, position);
    if (distance == steps()) {
        return {};
    }
    // Gathering: its own chunk first, then those that arrive, the last from the end. Scattering: it adds to
    // what arrives, so it waits for the first partial sum from the end.
    return pattern_ == Pattern::all_gather ? Steps{0, distance + 1} : Steps{distance, steps()};
}

std::optional<std::int32_t> RingSchedule::chunk(Direction direction, std::int32_t step,
                                                std::int32_t position) const {
    const Steps sending = sending_steps(direction, position);
    if (step < sending.begin || step >= sending.end) {
        return std::nullopt;
    }
    const std::int32_t sign = direction == Direction::forward ? 1 : -1;
    if (pattern_ == Pattern::all_gather) {
        return wrapped(position - sign * step, positions_);
    }
    if (closed_) {
        return wrapped(position - sign * (step + 1), positions_);
    }
    // On a line the chunk of the far end sets out first.
    const std::int32_t far_end = direction == Direction::forward ? positions_ - 1 : 0;
    return far_end - sign * (step - sending.begin);
}

std::int32_t RingSchedule::arrivals_needed(Direction direction, std::int32_t position,
                                           std::int32_t send) const {
    const bool starts_partial_sums = pattern_ == Pattern::reduce_scatter && !closed_;
    if (!starts_partial_sums) {
        return send;
    }
    // On a line the end chip only sends its own; the others add to every chunk before they pass it on.
    return distance_from_end(direction, position) == 0 ? 0 : send + 1;
}

std::optional<Communication> communication(const Program& program, const Operation& operation,
                                           RingMode mode) {
    const auto along = [&](Axis axis, RingSchedule::Pattern pattern, ValueId chunk,
                           LaunchKind launch) -> std::optional<Communication> {
        const std::int32_t positions = program.torus.size(axis);
        if (positions == 1) {
            return std::nullopt;
        }
        return Communication{axis, RingSchedule(pattern, positions, program.torus.wraps(axis), mode),
                             program.values[chunk].elements(), launch};
    };
    if (const auto* gather = std::get_if<AllGather>(&operation)) {
        return along(gather->axis, RingSchedule::Pattern::all_gather, gather->source, LaunchKind::all_gather);
    }
    if (const auto* scatter = std::get_if<ReduceScatter>(&operation)) {
        return along(scatter->axis, RingSchedule::Pattern::reduce_scatter, scatter->result,
                     LaunchKind::reduce_scatter);
    }
    return std::nullopt;
}

} // namespace meshslice
