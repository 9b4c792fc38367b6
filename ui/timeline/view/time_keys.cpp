#include "ui/timeline/view/time_keys.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace meshslice::ui {

std::optional<TimeStep> timeStep(int key) {
    switch (key) {
    case Qt::Key_W: return TimeStep{TimeMove::zoom, 1 / zoom_step};
    case Qt::Key_S: return TimeStep{TimeMove::zoom, zoom_step};
    case Qt::Key_A:
    case Qt::Key_Left: return TimeStep{TimeMove::pan, -pan_step};
    case Qt::Key_D:
    case Qt::Key_Right: return TimeStep{TimeMove::pan, pan_step};
    case Qt::Key_Up: return TimeStep{TimeMove::rows, -1};
    case Qt::Key_Down: return TimeStep{TimeMove::rows, 1};
    case Qt::Key_PageUp: return TimeStep{TimeMove::pages, -1};
    case Qt::Key_PageDown: return TimeStep{TimeMove::pages, 1};
    case Qt::Key_F: return TimeStep{TimeMove::fit};
    case Qt::Key_Home: return TimeStep{TimeMove::whole};
    default: return std::nullopt;
    }
}

TimeStep timeStep(const QWheelEvent& event) {
    // Alt and, on some desktops, Shift turn the wheel's vertical movement into a horizontal one.
    const QPoint turned = event.angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (event.modifiers() & Qt::ControlModifier) {
        return {TimeMove::zoom, std::pow(zoom_step, -notches)};
    }
    if ((event.modifiers() & Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y())) {
        return {TimeMove::pan, -notches * pan_step};
    }
    return {TimeMove::rows, -notches};
}

TimeRange moved(TimeRange range, const TimeStep& step, Time around, TimeRange whole) {
    if (step.move == TimeMove::zoom) {
        return zoomed(range, std::clamp(around, range.begin, range.end), step.by, whole);
    }
    const double by = step.move == TimeMove::pan ? static_cast<double>(length(range).value()) * step.by : 0;
    return panned(range, Time(std::llround(by)), whole);
}

} // namespace meshslice::ui
