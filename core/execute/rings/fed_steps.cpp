#include "core/execute/rings/fed_steps.h"

#include "core/program/ring_schedule.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace meshslice {
namespace {

FedChunk& chunk_of(FedProgress& chip, std::int32_t chunk) {
    return *std::ranges::find_if(chip.chunks, [&](const FedChunk& one) { return one.map.chunk == chunk; });
}

/// Where an element of the chunks, which are laid end to end, is in the whole.
std::size_t place_in(const Value& whole, Dimension dimension, std::int64_t parts, std::int64_t element) {
    const std::int64_t chunk = whole.elements() / parts;
    const bool rows = dimension == Dimension::rows;
    const std::int64_t height = rows ? whole.rows / parts : whole.rows;
    const std::int64_t width = rows ? whole.columns : whole.columns / parts;
    const std::int64_t number = element / chunk, within = element % chunk;
    const std::int64_t row = within % height + (rows ? number * height : 0);
    const std::int64_t column = within / height + (rows ? 0 : number * width);
    return static_cast<std::size_t>(column * whole.rows + row);
}

/// Adds what came over a link, in the order in which it did.
template <class Number>
void put_on_link(std::vector<LinkMessage<Number>>& crossed, const Link& link,
                 const TileEvent<Number>& event) {
    const auto same = std::ranges::find_if(crossed, [&](const LinkMessage<Number>& one) {
        return one.link == link && one.chunk == event.chunk;
    });
    LinkMessage<Number>& message =
        same != crossed.end() ? *same
                              : crossed.emplace_back(LinkMessage<Number>{link, event.chunk, true, {}});
    message.numbers.insert(message.numbers.end(), event.came.begin(), event.came.end());
}

} // namespace

std::vector<FedProgress> waiting_chunks(const Program& program, const Fusion& fusion) {
    const Axis axis = std::get<ReduceScatter>(program.operations[fusion.collective]).axis;
    const RingSchedule ring(Collective::reduce_scatter, program.torus.size(axis), true, RingMode::one_way);
    std::vector<FedProgress> chips(static_cast<std::size_t>(program.torus.chips()));
    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
        const auto map = address_map(ring, program.torus.coordinate(chip, axis));
        for (std::size_t slot = 0; map && slot < map->size(); ++slot) {
            FedChunk chunk;
            chunk.map = (*map)[slot];
            chunk.tiles = program.tiles_of_a_chunk(fusion);
            chips[static_cast<std::size_t>(chip)].chunks.push_back(chunk);
        }
    }
    return chips;
}

template <class Number>
void tell_fed_steps(const Program& program, const Fusion& fusion, TileEvents<Number> events,
                    Chips<Number>& chips, LinkLoads& loads, ExecutionWatcher<Number>& watcher) {
    const auto& scatter = std::get<ReduceScatter>(program.operations[fusion.collective]);
    const Value& whole = program.values[scatter.source];
    const std::int64_t parts = program.torus.size(scatter.axis);
    std::vector<DenseMatrix<Number>>& memory = chips.on_all_chips(scatter.source);
    for (DenseMatrix<Number>& matrix : memory) {
        std::ranges::fill(matrix.data, std::numeric_limits<Number>::quiet_NaN());
    }
    std::ranges::stable_sort(events, {}, &TileEvent<Number>::step); // Ring after ring until here.
    std::vector<FedProgress> progress = waiting_chunks(program, fusion);
    for (auto event = events.begin(); event != events.end();) {
        FedStep<Number> step;
        const std::int64_t number = event->step;
        for (; event != events.end() && event->step == number; ++event) {
            const auto chip = static_cast<std::size_t>(event->chip);
            FedChunk& chunk = chunk_of(progress[chip], event->chunk);
            (event->arrived ? chunk.arrived : chunk.made) += 1;
            if (event->arrived) {
                const Chip from = program.torus.neighbour(event->chip, scatter.axis, Direction::backward)
                                      .value_or(event->chip);
                chunk_of(progress[static_cast<std::size_t>(from)], event->chunk).sent += 1;
                const Link link{from, scatter.axis, Direction::forward};
                loads.cross(link, static_cast<std::int64_t>(event->came.size()));
                put_on_link(step.crossed, link, *event);
                step.makes = false;
            }
            for (std::size_t k = 0; k < event->sum.size(); ++k) {
                memory[chip].data[place_in(whole, scatter.dimension, parts,
                                           event->begin + static_cast<std::int64_t>(k))] = event->sum[k];
            }
        }
        step.chips = progress;
        watcher.fed(chips, std::move(step));
    }
}

template void tell_fed_steps(const Program&, const Fusion&, TileEvents<std::int64_t>, Chips<std::int64_t>&,
                             LinkLoads&, ExecutionWatcher<std::int64_t>&);
template void tell_fed_steps(const Program&, const Fusion&, TileEvents<float>, Chips<float>&, LinkLoads&,
                             ExecutionWatcher<float>&);
template void tell_fed_steps(const Program&, const Fusion&, TileEvents<double>, Chips<double>&, LinkLoads&,
                             ExecutionWatcher<double>&);

} // namespace meshslice
