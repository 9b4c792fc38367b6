#include "ui/torus/torus_chunks.h"

#include "core/base/text.h"
#include "ui/look/lettering.h"
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

constexpr double chunk_heading_height = 14;

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

} // namespace

FedGemms::FedGemms(const StepRun& run) {
    const std::vector<GemmResult>& gemms = run.step().gemms;
    for (const GemmResult& gemm : gemms) {
        auto run = gemm.program != nullptr && gemm.timeline != nullptr && !gemm.program->fusions.empty()
                       ? FedRun::create(*gemm.program, *gemm.timeline, gemm.program->fusions.front())
                       : std::optional<FedRun>();
        runs_.push_back(run ? std::make_shared<const FedRun>(*std::move(run)) : nullptr);
    }
    for (const Piece& piece : run.pieces()) {
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

ChunkFrame chunksAt(const StepRun& run, const FedGemms& fed, Time moment) {
    ChunkFrame frame;
    const Piece* last = nullptr;
    for (const Piece& piece : run.pieces()) {
        if (piece.start <= moment) {
            last = &piece;
        }
    }
    frame.run = last != nullptr ? fed.of(last->gemm) : nullptr;
    for (Chip chip = 0; frame.run != nullptr && chip < run.torus().chips(); ++chip) {
        frame.chips.push_back(frame.run->at(chip, moment - last->start));
    }
    return frame;
}

QString chunksSentence(const StepRun& run, const ChunkFrame& frame, Time moment) {
    const QString time = words(text(moment));
    if (frame.run == nullptr) {
        return ChunkWords::tr("%1: no GEMM feeds its reduce-scatter").arg(time);
    }
    const Piece* last = nullptr;
    for (const Piece& piece : run.pieces()) {
        last = piece.start <= moment ? &piece : last;
    }
    return ChunkWords::tr("%1, %2: of %3 tiles on all chips %4 are made, %5 complete and %6 sent")
        .arg(time, words(run.step().gemms[last->gemm].title()))
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
    return lines + fedChunkLines(torus, frame.run->axis(), chip, frame.chips[static_cast<std::size_t>(chip)]);
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
        items.push_back({tileStateWord(state), tileRole(state, axis)});
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
    const QFont small = lettering(Lettering::small);
    const QString name = words(place_text(torus, chip));
    if (room.height() >= 3 * chunk_heading_height && textWidth(small, name) <= room.width()) {
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(room.left(), room.top(), room.width(), chunk_heading_height),
                   Qt::AlignCenter, small, name);
        room.setTop(room.top() + chunk_heading_height);
    }
    if (frame.run == nullptr) {
        return;
    }
    paintFedChunks(painter, frame.chips[static_cast<std::size_t>(chip)], frame.run->axis(), room, theme);
}

} // namespace meshslice::ui
