#pragma once

#include "core/base/result.h"
#include "ui/look/palette.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace meshslice::ui {

class View;

/// Writes every view as PNG, SVG, PDF and CSV into `folder` (made if need be), each file named by the view's
/// id. `written` is told each file's path. Stops at the first file that cannot be written.
[[nodiscard]] Result<void> saveAllPictures(const std::vector<View*>& views, const QString& folder,
                                           const QSize& size, Theme theme,
                                           const std::function<void(const QString&)>& written = {});

} // namespace meshslice::ui
