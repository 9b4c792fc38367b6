#include "core/explain/fed_progress.h"

#include <algorithm>
#include <span>

namespace meshslice {
namespace {

/// How many of the pieces of chunk `at` are over by then.
std::int64_t over_by(const std::vector<Time>& times, std::int64_t at, std::int64_t pieces, Time moment) {
    const auto size = static_cast<std::int64_t>(times.size());
    if (at < 0 || at * pieces >= size) {
        return 0;
    }
    const auto begin = times.begin() + at * pieces;
    return std::upper_bound(begin, times.begin() + std::min(size, (at + 1) * pieces), moment) - begin;
}

Axis fed_axis(const Program& program, const Fusion& fusion) {
    return std::get<ReduceScatter>(program.operations[fusion.collective]).axis;
}

bool fed_and_recorded(const Program& program, const Timeline& timeline, const Fusion& fusion) {
    return timeline.records_memory() && program.operations.size() == timeline.operations().size() &&
           fusion.collective < program.operations.size() &&
           std::holds_alternative<ReduceScatter>(program.operations[fusion.collective]) &&
           timeline.operations()[fusion.producer].stages > 0;
}

/// The intervals of a chip's core, or of its link along an axis.
std::span<const Interval> row_intervals(const Timeline& timeline, Chip chip, std::optional<Axis> link) {
    const std::vector<Row>& rows = timeline.rows();
    const auto found = std::ranges::find_if(rows, [&](const Row& row) {
        return row.chip == chip &&
               (link ? !row.is_core && row.axis == *link && row.direction == Direction::forward
                     : row.is_core);
    });
    return found == rows.end() ? std::span<const Interval>()
                               : timeline.intervals(static_cast<std::size_t>(found - rows.begin()));
}

std::int64_t all_pieces(const Program& program, const Timeline& timeline, const Fusion& fusion) {
    return program.torus.size(fed_axis(program, fusion)) * timeline.operations()[fusion.collective].pieces;
}

} // namespace

FedRun::PieceTimes FedRun::times_of(const Program& program, const Timeline& timeline, const Fusion& fusion,
                                    Chip chip, std::uint32_t run) {
    const std::int64_t all = all_pieces(program, timeline, fusion);
    const std::int64_t stages = timeline.operations()[fusion.producer].stages;
    PieceTimes times;
    // A stage makes as equal a share of all pieces as whole numbers can be.
    std::vector<Time> stage_ends;
    for (const Interval& one : row_intervals(timeline, chip, std::nullopt)) {
        if (one.operation == fusion.producer && one.iteration == run && one.activity == Activity::compute) {
            times.begins = stage_ends.empty() ? one.start : times.begins;
            stage_ends.resize(std::max<std::size_t>(stage_ends.size(), one.step / 2U + 1U));
            stage_ends[one.step / 2U] = one.end;
        }
    }
    for (std::size_t stage = 0; stage < stage_ends.size(); ++stage) {
        const auto by_now = static_cast<std::size_t>(static_cast<std::int64_t>(stage + 1) * all / stages);
        times.made.resize(by_now, stage_ends[stage]);
    }
    if (fusion.order == ChunkOrder::unstaggered) {
        const std::int32_t chunks = program.torus.size(fed_axis(program, fusion));
        const std::int32_t position = program.torus.coordinate(chip, fed_axis(program, fusion));
        const std::vector<Time> as_made = times.made;
        for (std::size_t number = 0; number < as_made.size(); ++number) {
            const std::int64_t after = made_and_sent(fusion.order, chunks, all / chunks, position,
                                                     static_cast<std::int64_t>(number));
            times.made[number] = as_made[static_cast<std::size_t>(after)];
        }
    }
    for (const MemoryStretch& one : timeline.served(chip, MemoryStream::communication)) {
        if (one.use.operation == fusion.collective && one.use.iteration == run &&
            one.use.source == DramSource::scatter_write) {
            times.arrived.resize(std::max<std::size_t>(times.arrived.size(), one.use.step + 1U), one.end);
            times.arrived[one.use.step] = one.end;
        }
    }
    for (const Interval& one : row_intervals(timeline, chip, fed_axis(program, fusion))) {
        if (one.operation == fusion.collective && one.iteration == run &&
            one.activity == Activity::transfer) {
            times.sent.resize(std::max<std::size_t>(times.sent.size(), one.step + 1U));
            times.sent[one.step] = one.end;
        }
    }
    return times;
}

std::optional<FedRun> FedRun::create(const Program& program, const Timeline& timeline, const Fusion& fusion) {
    if (!fed_and_recorded(program, timeline, fusion)) {
        return std::nullopt;
    }
    FedRun all;
    all.torus_ = program.torus;
    all.axis_ = fed_axis(program, fusion);
    all.collective_ = fusion.collective;
    all.pieces_ = timeline.operations()[fusion.collective].pieces;
    all.classes_ = timeline.classes();
    const RingSchedule ring(Collective::reduce_scatter, program.torus.size(all.axis_), true,
                            RingMode::one_way);
    auto map = address_map(ring, 0);
    if (!map) {
        return std::nullopt;
    }
    all.map_ = *std::move(map);
    all.times_.resize(all.classes_.count());
    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
        std::vector<PieceTimes>& of_class = all.times_[all.classes_.of(chip)];
        for (std::int64_t run = static_cast<std::int64_t>(of_class.size());
             run < program.runs(fusion.producer); ++run) {
            of_class.push_back(times_of(program, timeline, fusion, chip, static_cast<std::uint32_t>(run)));
        }
    }
    return all;
}

MappedChunk FedRun::turned(std::size_t slot, Chip chip) const {
    const std::int32_t positions = torus_.size(axis_), by = torus_.coordinate(chip, axis_);
    MappedChunk one = map_[slot];
    one.chunk = (one.chunk + by) % positions;
    one.receiver = (one.receiver + by) % positions;
    return one;
}

std::int32_t FedRun::chunk_of(Chip chip, std::int64_t number) const {
    const auto slot = static_cast<std::size_t>(number / pieces_);
    return turned(std::min(slot, map_.size() - 1), chip).chunk;
}

FedProgress FedRun::at(Chip chip, Time moment) const {
    const std::vector<PieceTimes>& runs = times_[classes_.of(chip)];
    FedProgress progress;
    while (progress.iteration + 1 < runs.size() && runs[progress.iteration + 1].begins <= moment) {
        ++progress.iteration;
    }
    if (runs.empty()) {
        return progress;
    }
    const PieceTimes& times = runs[progress.iteration];
    for (std::size_t slot = 0; slot < map_.size(); ++slot) {
        const auto at = static_cast<std::int64_t>(slot);
        // What arrives for the chunk of a slot the neighbour has sent as that of the slot before.
        progress.chunks.push_back({turned(slot, chip), pieces_, over_by(times.made, at, pieces_, moment),
                                   over_by(times.arrived, at - 1, pieces_, moment),
                                   over_by(times.sent, at, pieces_, moment)});
    }
    return progress;
}

std::vector<Time> FedRun::steps() const {
    std::vector<Time> steps;
    const auto pieces = static_cast<std::size_t>(pieces_);
    for (const std::vector<PieceTimes>& runs : times_) {
        for (const PieceTimes& times : runs) {
            for (std::size_t last = pieces; last <= times.made.size(); last += pieces) {
                const bool first = last == pieces;
                steps.push_back(times.made[last - 1]);
                if (!first && last - pieces <= times.arrived.size()) { // complete with the later of the two
                    steps.push_back(std::max(times.made[last - 1], times.arrived[last - pieces - 1]));
                }
                if (last <= times.sent.size()) {
                    steps.push_back(times.sent[last - 1]);
                }
            }
        }
    }
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

} // namespace meshslice
