#include "core/explain/piece_history.h"

#include "core/program/address_map.h"

#include <algorithm>
#include <span>

namespace meshslice {
namespace {

/// The intervals of one run of an operation.
template <class Found>
void each(std::span<const Interval> all, OperationId operation, std::uint32_t iteration, const Found& found) {
    for (const Interval& interval : all) {
        if (interval.operation == operation && interval.iteration == iteration) {
            found(interval);
        }
    }
}

/// From the first to the last stretch in which a memory reads or adds a piece.
std::optional<Lasting> served(const Timeline& timeline, Chip chip, const MemoryAccess& use) {
    std::optional<Lasting> all;
    for (const MemoryStretch& one : timeline.served(chip, MemoryStream::communication)) {
        if (one.use == use) {
            all = Lasting{all ? all->begin : one.start, one.end};
        }
    }
    return all;
}

/// The row of a chip's core, or of its link.
std::optional<std::size_t> row_of(const Timeline& timeline, Chip chip, std::optional<Axis> link) {
    const std::vector<Row>& rows = timeline.rows();
    const auto found = std::ranges::find_if(rows, [&](const Row& row) {
        return row.chip == chip &&
               (link ? !row.is_core && row.axis == *link && row.direction == Direction::forward
                     : row.is_core);
    });
    return found == rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - rows.begin()));
}

/// The fusion of a fed collective.
const Fusion* fed(const Program& program, OperationId collective) {
    const Fusion* fusion = collective < program.operations.size() ? program.fusion_of(collective) : nullptr;
    return fusion != nullptr && fusion->collective == collective ? fusion : nullptr;
}

} // namespace

std::optional<PieceHistory> piece_history(const Program& program, const Timeline& timeline,
                                          OperationId collective, std::uint32_t iteration, Chip chip,
                                          std::int64_t number) {
    const Fusion* const fusion = fed(program, collective);
    if (fusion == nullptr || !timeline.records_memory() || chip < 0 || chip >= program.torus.chips() ||
        program.operations.size() != timeline.operations().size()) {
        return std::nullopt;
    }
    const Axis axis = std::get<ReduceScatter>(program.operations[collective]).axis;
    PieceHistory piece;
    piece.chunks = program.torus.size(axis);
    piece.pieces = timeline.operations()[collective].pieces;
    const std::int64_t all = piece.chunks * piece.pieces;
    const std::optional<std::size_t> core = row_of(timeline, chip, std::nullopt);
    const std::optional<std::size_t> link = row_of(timeline, chip, axis);
    const std::optional<Chip> receiver = program.torus.neighbour(chip, axis, Direction::forward);
    if (number < 0 || number >= all || !core || !link || !receiver) {
        return std::nullopt;
    }
    piece.chunk = number / piece.pieces;
    piece.piece = number % piece.pieces;
    // A stage makes as equal a share of all pieces as whole numbers can be: the first after which there are
    // more than were made before this one.
    const std::int64_t stages = timeline.operations()[fusion->producer].stages;
    const std::int64_t before = made_and_sent(fusion->order, piece.chunks, piece.pieces,
                                              program.torus.coordinate(chip, axis), number);
    const std::int64_t stage = ((before + 1) * stages + all - 1) / all - 1;
    each(timeline.intervals(*core), fusion->producer, iteration, [&](const Interval& interval) {
        if (interval.activity == Activity::compute && interval.step / 2 == stage) {
            piece.made = interval.end;
        }
    });
    const auto send = static_cast<std::uint16_t>(number);
    const bool own = piece.chunk == piece.chunks - 1;
    if (piece.chunk > 0) {
        const MemoryAccess arriving{collective, iteration, static_cast<std::uint16_t>(number - piece.pieces),
                                    DramSource::scatter_write};
        const std::optional<Lasting> update = served(timeline, chip, arriving);
        if (!update) {
            return std::nullopt;
        }
        piece.counted = update->end;
    }
    if (own) {
        return piece;
    }
    piece.read = served(timeline, chip, {collective, iteration, send, DramSource::scatter_read});
    each(timeline.intervals(*link), collective, iteration, [&](const Interval& interval) {
        if (interval.activity == Activity::transfer && interval.step == send) {
            piece.sent = Lasting{interval.start, interval.end};
        }
    });
    if (const auto update =
            served(timeline, *receiver, {collective, iteration, send, DramSource::scatter_write})) {
        piece.added = update->end;
    }
    return piece;
}

std::optional<PieceOfChip> piece_of(const Program& program, const Timeline& timeline, std::size_t row,
                                    const Interval& interval) {
    const Fusion* const fusion = fed(program, interval.operation);
    if (fusion == nullptr || row >= timeline.rows_with_memory().size() ||
        interval.activity != Activity::transfer) {
        return std::nullopt;
    }
    const Row& where = timeline.rows_with_memory()[row];
    const MemoryStretch* const stretch = timeline.stretch(where, interval);
    if (stretch != nullptr && stretch->use.source == DramSource::scatter_write) {
        const Axis axis = std::get<ReduceScatter>(program.operations[interval.operation]).axis;
        const std::optional<Chip> sender = program.torus.neighbour(where.chip, axis, Direction::backward);
        return sender ? std::optional(PieceOfChip{interval.operation, *sender, interval.step}) : std::nullopt;
    }
    return PieceOfChip{interval.operation, where.chip, interval.step};
}

} // namespace meshslice
