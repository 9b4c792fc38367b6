#pragma once

#include "ui/timeline/view/timeline_geometry.h"

#include <QKeyEvent>
#include <QWheelEvent>

#include <cstdint>
#include <optional>

namespace meshslice::ui {

inline constexpr double zoom_step = 1.4; ///< a key press, or a notch of the wheel
inline constexpr double pan_step = 0.12; ///< of the visible range

/// What a key or the wheel asks of any picture of time.
enum class TimeMove : std::uint8_t { zoom, pan, rows, pages, fit, whole };
struct TimeStep {
    TimeMove move = TimeMove::zoom;
    /// Zoom: by what the range grows. Pan: the share of the range. Rows and pages: how many, down. Of the
    /// wheel, in notches.
    double by = 0;
};
/// W and S zoom, A and D or left and right pan, up and down scroll or select rows, Page Up and Page Down
/// pages of them, F fits, Home shows all. None for other keys.
[[nodiscard]] std::optional<TimeStep> timeStep(int key);
/// With Ctrl zoom, with Shift pan, else rows.
[[nodiscard]] TimeStep timeStep(const QWheelEvent& event);
/// The range zoomed around a time, or panned, within the whole; itself where the step asks for neither.
[[nodiscard]] TimeRange moved(TimeRange range, const TimeStep& step, Time around, TimeRange whole);

} // namespace meshslice::ui
