#include "ui/controls/low_window.h"

#include <QWidget>

namespace meshslice::ui {

bool isLow(const QWidget& widget) {
    constexpr int least_lines = 32;
    return widget.window()->height() < least_lines * widget.fontMetrics().height();
}

} // namespace meshslice::ui
