#pragma once

#include "core/program/fed_chunk.h"
#include "core/torus/torus.h"
#include "ui/look/palette.h"

#include <QRectF>
#include <QString>
#include <QStringList>

class QPainter;

namespace meshslice::ui {

/// The colour and the word of a tile of what a GEMM makes for the collective that it feeds.
[[nodiscard]] Role tileRole(TileState state, Axis axis);
[[nodiscard]] QString tileStateWord(TileState state);
/// "3 made, on the way out, 1 sent": of a chunk's tiles.
[[nodiscard]] QString tilesText(const FedChunk& chunk);
/// A line for each chunk of a chip; of more than eight those that are under way.
[[nodiscard]] QStringList fedChunkLines(const Torus& torus, Axis axis, Chip chip,
                                        const FedProgress& progress);
/// A chip's chunks below each other, in the order in which it makes them, each from left to right its tiles.
void paintFedChunks(QPainter& painter, const FedProgress& progress, Axis axis, QRectF room, Theme theme);

} // namespace meshslice::ui
