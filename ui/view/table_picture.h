#pragma once

#include "core/figure/table.h"
#include "ui/look/palette.h"

#include <QFont>
#include <QSize>
#include <QSizeF>

#include <cstddef>

class QPainter;

namespace meshslice::ui {

/// How a table stands in a picture: `count` blocks next to each other of `lines` lines each, in which the
/// first `shown` rows are, enlarged by `scale`.
struct TableBlocks {
    std::size_t count = 1;
    std::size_t lines = 0;
    std::size_t shown = 0;
    double scale = 1;

    bool operator==(const TableBlocks&) const = default;
};
/// Of a table of so many rows, a `line` high and `width` wide in pixels, its title above it. A short one is
/// enlarged. A long one keeps the size of its letters: it goes on in a block next to itself, and what has no
/// room there is left out. Only one that is too wide becomes smaller.
[[nodiscard]] TableBlocks tableBlocks(std::size_t rows, const QSizeF& room, double line, double width);

/// Paints a table as a picture for a file. The title stands above it and may have several lines; the last
/// line says how many rows had no room. `bold_first`: the first row holds sums.
void paintTable(QPainter& painter, const QSize& size, Theme theme, QFont font, const Table& table,
                bool bold_first = false);

} // namespace meshslice::ui
