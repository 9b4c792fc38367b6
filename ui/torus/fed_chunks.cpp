#include "ui/torus/fed_chunks.h"

#include "core/base/text.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct FedChunkWords {
    Q_DECLARE_TR_FUNCTIONS(Torus)
};

/// More are not listed one by one.
constexpr std::size_t most_chunk_lines = 8;
constexpr double least_for_numbers = 11; ///< of a chunk's row
constexpr double least_for_rows = 1.5;

/// All of its tiles are in one state.
bool rests(const FedChunk& chunk) {
    return std::ranges::any_of(all_tile_states,
                               [&](TileState state) { return chunk.in(state) == chunk.tiles; });
}

/// One chunk as a bar: its tiles in order, those alike together.
void paintFedBar(QPainter& painter, const FedChunk& chunk, Axis axis, const QRectF& bar, Theme theme) {
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
            paintTextured(painter, part, tileRole(*state, axis), theme);
        } else {
            painter.fillRect(part, color(tileRole(*state, axis), theme));
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

static QString wayWord(const Torus& torus, Chip receiver, MappedChunk::Way way) {
    const QString to = words(place_text(torus, receiver));
    switch (way) {
    case MappedChunk::Way::remote: return FedChunkWords::tr("stored straight to chip %1").arg(to);
    case MappedChunk::Way::dma: return FedChunkWords::tr("sent on to chip %1").arg(to);
    case MappedChunk::Way::local: break;
    }
    return FedChunkWords::tr("stays here");
}

Role tileRole(TileState state, Axis axis) {
    switch (state) {
    case TileState::waiting: return Role::grid;
    case TileState::made: return Role::compute;
    case TileState::counted: return Role::sync;
    case TileState::complete: return Role::launch;
    case TileState::sent: break;
    }
    return transfer_role(axis);
}

QString tileStateWord(TileState state) {
    switch (state) {
    case TileState::waiting: return FedChunkWords::tr("waiting");
    case TileState::made: return FedChunkWords::tr("made, on the way out");
    case TileState::counted: return FedChunkWords::tr("with 1 of 2 updates");
    case TileState::complete: return FedChunkWords::tr("complete");
    case TileState::sent: break;
    }
    return FedChunkWords::tr("sent");
}

QString tilesText(const FedChunk& chunk) {
    QStringList parts;
    for (const TileState state : all_tile_states) {
        if (const std::int64_t count = chunk.in(state); count > 0) {
            parts += QString::number(count) + QLatin1Char(' ') + tileStateWord(state);
        }
    }
    return parts.join(FedChunkWords::tr(", "));
}

QStringList fedChunkLines(const Torus& torus, Axis axis, Chip chip, const FedProgress& progress) {
    QStringList lines;
    const bool all = progress.chunks.size() <= most_chunk_lines;
    const Chip next = torus.neighbour(chip, axis, Direction::forward).value_or(chip);
    for (const FedChunk& chunk : progress.chunks) {
        if (all || !rests(chunk)) {
            lines += FedChunkWords::tr("chunk %1, %2: %3")
                         .arg(chunk.map.chunk)
                         .arg(wayWord(torus, next, chunk.map.way), tilesText(chunk));
        }
    }
    if (!all) {
        lines += FedChunkWords::tr("all tiles of the other chunks are alike");
    }
    return lines;
}

void paintFedChunks(QPainter& painter, const FedProgress& progress, Axis axis, QRectF room, Theme theme) {
    const std::vector<FedChunk>& chunks = progress.chunks;
    const QFont tiny = lettering(Lettering::tiny);
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
        paintFedBar(painter, sum, axis, room, theme);
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
        paintFedBar(painter, chunks[slot], axis, line.adjusted(numbers, gap / 2, 0, -gap / 2), theme);
    }
}

} // namespace meshslice::ui
