#pragma once

#include "core/base/result.h"
#include "ui/look/palette.h"

#include <QSize>
#include <QString>

namespace meshslice::ui {

class View;

enum class PictureFormat : std::uint8_t { png, svg, pdf, csv };
/// By the ending of the file's name; refuses others with the list.
[[nodiscard]] Result<PictureFormat> pictureFormat(const QString& path);

/// Writes the view's picture with its caption (or its table, as CSV) to a file, whole or not at all. `size`
/// in pixels.
[[nodiscard]] Result<void> savePicture(const View& view, const QString& path, const QSize& size, Theme theme);

} // namespace meshslice::ui
