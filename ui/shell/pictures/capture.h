#pragma once

#include "core/base/result.h"
#include "core/scenario/file/project.h"
#include "ui/look/palette.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace meshslice::ui {

struct CaptureRequest {
    QString folder;
    QSize size{1600, 1000}; ///< of the window and of each picture, in pixels
    Theme theme = Theme::light;
    Project project;
    QStringList views; ///< by the names of their files: "lab" for all of its pages; empty: everything
};

/// Runs the scenario and writes the whole window (window.png) and every page of the views (PNG, SVG, PDF,
/// CSV) into the folder, telling `written` each path. A view that there is not is refused before anything is
/// written. Needs a QApplication but no display.
[[nodiscard]] Result<void> capture(const CaptureRequest& request,
                                   const std::function<void(const QString&)>& written);

} // namespace meshslice::ui
