#pragma once

#include "core/base/result.h"
#include "ui/view/figure.h"

#include <QSizeF>

class QPrinter;

namespace meshslice::ui {

class View;

/// The view's picture as it stands on a page with so much room, in millimetres: as wide as the page, as high
/// as it needs to be, and no higher than the page.
[[nodiscard]] Figure figureForPage(const View& view, const QSizeF& room);
/// Prints the view's picture with its title and caption on one page, as an export of it looks. Refused where
/// the printer cannot begin, or where the view has no current picture.
[[nodiscard]] Result<void> print(const View& view, QPrinter& printer);

} // namespace meshslice::ui
