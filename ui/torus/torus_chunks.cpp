#include "ui/torus/torus_chunks.h"

#include "core/base/text.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct ChunkWords {
    Q_DECLARE_TR_FUNCTIONS(Torus)
};

/// More are not told one by one.
constexpr std::size_t most_chunk_lines = 8;
constexpr double heading_height = 14;
constexpr double least_for_numbers = 11; ///< of a chunk's row
constexpr double least_for_rows = 1.5;

Role roleOf(TileState state, Axis axis) {
    switch (state) {
    case TileState::waiting: return Role::grid;
    case TileState::made: return Role::compute;
    case TileState::counted: return Role::sync;
    case TileState::complete: return Role::launch;
    case TileState::sent: break;
    }
    return transfer_role(axis);
}

QString stateWord(TileState state) {
    switch (state) {
    case TileState::waiting: return ChunkWords::tr("waiting");
    case TileState::made: return ChunkWords::tr("made, on the way out");
    case TileState::counted: return ChunkWords::tr("with 1 of 2 updates");
    case TileState::complete: return ChunkWords::tr("complete");
    case TileState::sent: break;
    }
    return ChunkWords::tr("sent");
}

QString wayWord(const Torus& torus, Chip receiver, MappedChunk::Way way) {
    const QString to = words(place_text(torus, receiver));
    switch (way) {
    case MappedChunk::Way::remote: return ChunkWords::tr("stored straight to chip %1").arg(to);
    case MappedChunk::Way::dma: return ChunkWords::tr("sent on to chip %1").arg(to);
    case MappedChunk::Way::local: break;
    }
    return ChunkWords::tr("stays here");
}

/// The tiles of all chips that something is true of.
template <class Counted>
std::int64_t sumOf(const ChunkFrame& frame, const Counted& counted) {
    std::int64_t sum = 0;
    for (const FedProgress& chip : frame.chips) {
        for (const FedChunk& chunk : chip.chunks) {
            sum += counted(chunk);
        }
    }
    return sum;
}

/// All of its tiles are in one state.
bool rests(const FedChunk& chunk) {
    return std::ranges::any_of(all_tile_states,
                               [&](TileState state) { return chunk.in(state) == chunk.tiles; });
}

QString tilesText(const FedChunk& chunk) {
    QStringList parts;
    for (const TileState state : all_tile_states) {
        if (const std::int64_t count = chunk.in(state); count > 0) {
            parts += QString::number(count) + QLatin1Char(' ') + stateWord(state);
        }
    }
    return parts.join(ChunkWords::tr(", "));
}

/// One chunk as a bar: its tiles in order, those alike together.
void paintBar(QPainter& painter, const FedChunk& chunk, Axis axis, const QRectF& bar, Theme theme) {
    const double tile = bar.width() / static_cast<double>(std::max<std::int64_t>(1, chunk.tiles));
    double left = bar.left();
    // The first tiles are the furthest.
    for (auto state = all_tile_states.rbegin(); state != all_tile_states.rend(); ++state) {
        const double wide = tile * static_cast<double>(chunk.in(*state));
        if (wide <= 0) {
            continue;
        }
        const QRectF part(left, bar.top(), wide, bar.height());
        if (bar.height() >= 5 && wide >= 2 && *state != TileState::waiting) {
            paintTextured(painter, part, roleOf(*state, axis), theme);
        } else {
            painter.fillRect(part, color(roleOf(*state, axis), theme));
        }
        left += wide;
    }
    if (tile >= 4 && bar.height() >= 5) { // each by itself
        painter.setPen(QPen(color(Role::background, theme), 1));
        for (std::int64_t k = 1; k < chunk.tiles; ++k) {
            const double x = bar.left() + tile * static_cast<double>(k);
            painter.drawLine(QLineF(x, bar.top(), x, bar.bottom()));
        }
    }
}

} // namespace

FedGemms::FedGemms(const TimelineModel& model, std::size_t step) {
    const std::vector<GemmResult>& gemms = model.step(step).gemms;
    for (const GemmResult& gemm : gemms) {
        auto run = gemm.program != nullptr && gemm.timeline != nullptr && !gemm.program->fusions.empty()
                       ? FedRun::create(*gemm.program, *gemm.timeline, gemm.program->fusions.front())
                       : std::optional<FedRun>();
        runs_.push_back(run ? std::make_shared<const FedRun>(*std::move(run)) : nullptr);
    }
    for (const Piece& piece : model.pieces(step)) {
        if (const FedRun* run = of(piece.gemm)) {
            for (const Time at : run->steps()) {
                steps_.push_back(piece.start + at);
            }
        }
    }
}

std::optional<Time> FedGemms::after(Time moment) const {
    const auto next = std::ranges::upper_bound(steps_, moment);
    return next == steps_.end() ? std::nullopt : std::optional(*next);
}

std::optional<Time> FedGemms::before(Time moment) const {
    const auto next = std::ranges::lower_bound(steps_, moment);
    return next == steps_.begin() ? std::nullopt : std::optional(*std::prev(next));
}

ChunkFrame chunksAt(const TimelineModel& model, const FedGemms& fed, std::size_t step, Time moment) {
    ChunkFrame frame;
    const Piece* last = nullptr;
    for (const Piece& piece : model.pieces(step)) {
        if (piece.start <= moment) {
            last = &piece;
        }
    }
    frame.run = last != nullptr ? fed.of(last->gemm) : nullptr;
    for (Chip chip = 0; frame.run != nullptr && chip < model.torus(step).chips(); ++chip) {
        frame.chips.push_back(frame.run->at(chip, moment - last->start));
    }
    return frame;
}

QString chunksSentence(const TimelineModel& model, const ChunkFrame& frame, std::size_t step, Time moment) {
    const QString time = words(text(moment));
    if (frame.run == nullptr) {
        return ChunkWords::tr("%1: no GEMM feeds its reduce-scatter").arg(time);
    }
    const Piece* last = nullptr;
    for (const Piece& piece : model.pieces(step)) {
        last = piece.start <= moment ? &piece : last;
    }
    return ChunkWords::tr("%1, %2: of %3 tiles on all chips %4 are made, %5 complete and %6 sent")
        .arg(time, words(model.step(step).gemms[last->gemm].title()))
        .arg(sumOf(frame, [](const FedChunk& chunk) { return chunk.tiles; }))
        .arg(sumOf(frame, [](const FedChunk& chunk) { return chunk.made; }))
        .arg(sumOf(frame, [](const FedChunk& chunk) { return chunk.in(TileState::complete); }))
        .arg(sumOf(frame, [](const FedChunk& chunk) { return chunk.sent; }));
}

QString shortChunksSentence(const ChunkFrame& frame, Time moment) {
    return ChunkWords::tr("%1: %2 of %3 tiles made, %4 sent")
        .arg(words(text(moment)))
        .arg(sumOf(frame, [](const FedChunk& chunk) { return chunk.made; }))
        .arg(sumOf(frame, [](const FedChunk& chunk) { return chunk.tiles; }))
        .arg(sumOf(frame, [](const FedChunk& chunk) { return chunk.sent; }));
}

QStringList chunkLines(const Torus& torus, const ChunkFrame& frame, Chip chip) {
    QStringList lines = {ChunkWords::tr("chip %1").arg(words(place_text(torus, chip)))};
    if (frame.run == nullptr) {
        return lines;
    }
    const FedProgress& progress = frame.chips[static_cast<std::size_t>(chip)];
    const bool all = progress.chunks.size() <= most_chunk_lines;
    const Chip next = torus.neighbour(chip, frame.run->axis(), Direction::forward).value_or(chip);
    for (const FedChunk& chunk : progress.chunks) {
        if (all || !rests(chunk)) {
            lines += ChunkWords::tr("chunk %1, %2: %3")
                         .arg(chunk.map.chunk)
                         .arg(wayWord(torus, next, chunk.map.way), tilesText(chunk));
        }
    }
    if (!all) {
        lines += ChunkWords::tr("all tiles of the other chunks are alike");
    }
    return lines;
}

Table chunksTable(const Torus& torus, const ChunkFrame& frame) {
    Table table;
    table.title = "chunks";
    table.columns = {"chip", "slice",   "made_as", "chunk",   "way",      "tiles",
                     "made", "arrived", "waiting", "counted", "complete", "sent"};
    for (std::size_t chip = 0; chip < frame.chips.size(); ++chip) {
        const FedProgress& progress = frame.chips[chip];
        for (std::size_t slot = 0; slot < progress.chunks.size(); ++slot) {
            const FedChunk& chunk = progress.chunks[slot];
            const char* const way = chunk.map.way == MappedChunk::Way::remote ? "remote"
                                    : chunk.map.way == MappedChunk::Way::dma  ? "dma"
                                                                              : "local";
            table.rows.push_back(
                {place_text(torus, static_cast<Chip>(chip)), static_cast<std::int64_t>(progress.iteration),
                 static_cast<std::int64_t>(slot), static_cast<std::int64_t>(chunk.map.chunk),
                 std::string(way), chunk.tiles, chunk.made, chunk.arrived, chunk.in(TileState::waiting),
                 chunk.in(TileState::counted), chunk.in(TileState::complete), chunk.sent});
        }
    }
    return table;
}

std::vector<LegendItem> chunksLegend(Axis axis) {
    std::vector<LegendItem> items;
    for (const TileState state : all_tile_states) {
        items.push_back({stateWord(state), roleOf(state, axis)});
    }
    items.push_back({ChunkWords::tr("in a chip: its chunks in the order in which it makes them; "
                                    "moving squares: chunks"),
                     std::nullopt});
    return items;
}

void paintChunks(QPainter& painter, const Torus& torus, const ChunkFrame& frame, Chip chip, const QRectF& box,
                 Theme theme) {
    painter.fillRect(box, color(Role::panel, theme));
    QRectF room = box.adjusted(1, 1, -1, -1);
    const QFont small = lettering(Lettering::small), tiny = lettering(Lettering::tiny);
    const QString name = words(place_text(torus, chip));
    if (room.height() >= 3 * heading_height && textWidth(small, name) <= room.width()) {
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(room.left(), room.top(), room.width(), heading_height), Qt::AlignCenter,
                   small, name);
        room.setTop(room.top() + heading_height);
    }
    if (frame.run == nullptr) {
        return;
    }
    const Axis axis = frame.run->axis();
    const std::vector<FedChunk>& chunks = frame.chips[static_cast<std::size_t>(chip)].chunks;
    const double row = room.height() / static_cast<double>(chunks.size());
    if (row < least_for_rows) { // all in one
        FedChunk sum;
        sum.map.way = MappedChunk::Way::dma;
        for (const FedChunk& chunk : chunks) {
            sum.tiles += chunk.tiles;
            sum.made += chunk.made;
            sum.arrived += chunk.arrived;
            sum.sent += chunk.sent;
        }
        paintBar(painter, sum, axis, room, theme);
        return;
    }
    double numbers = 0;
    if (row >= least_for_numbers) {
        for (const FedChunk& chunk : chunks) {
            numbers = std::max(numbers, textWidth(tiny, QString::number(chunk.map.chunk)) + 4);
        }
        numbers = room.width() >= 3 * numbers ? numbers : 0;
    }
    for (std::size_t slot = 0; slot < chunks.size(); ++slot) {
        const QRectF line(room.left(), room.top() + row * static_cast<double>(slot), room.width(), row);
        if (numbers > 0) {
            painter.setPen(color(Role::text, theme));
            drawFitted(painter, QRectF(line.left(), line.top(), numbers, row), Qt::AlignCenter, tiny,
                       QString::number(chunks[slot].map.chunk));
        }
        const double gap = row >= 4 ? 1 : 0;
        paintBar(painter, chunks[slot], axis, line.adjusted(numbers, gap / 2, 0, -gap / 2), theme);
    }
}

} // namespace meshslice::ui
