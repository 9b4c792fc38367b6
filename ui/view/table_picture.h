#pragma once

#include "core/figure/table.h"
#include "ui/look/palette.h"

#include <QFont>
#include <QSize>

class QPainter;

namespace meshslice::ui {

/// Paints a table as a picture for a file, its title above it, large or small as there is room. Lines for
/// which letters would become too small to read are left out, and counted.
/// `bold_first`: the first line has sums.
void paintTable(QPainter& painter, const QSize& size, Theme theme, const QFont& font, const Table& table,
                bool bold_first = false);

} // namespace meshslice::ui
