#pragma once

#include <QString>
#include <QStringList>

class QHelpEvent;
class QWidget;

namespace meshslice::ui {

/// The lines as a tool tip: the first one bold.
[[nodiscard]] QString tipHtml(const QStringList& lines);

/// Answers a request for a tool tip over a painted picture with the lines of what is under the pointer;
/// without lines there is none.
void showTip(QHelpEvent* event, QWidget* picture, const QStringList& lines);

} // namespace meshslice::ui
