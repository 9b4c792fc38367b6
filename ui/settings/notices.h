#pragma once

#include <QString>

class QWidget;

namespace meshslice::ui {

/// Says in a box next to the window what went wrong. Blocks nothing but the window, and waits for nobody.
void say(QWidget* window, const QString& title, const QString& sentence);

} // namespace meshslice::ui
