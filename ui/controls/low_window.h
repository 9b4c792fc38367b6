#pragma once

class QWidget;

namespace meshslice::ui {

/// Whether the widget's window is so low, counted in lines of its text, that the strips above the picture
/// give up lines for it.
[[nodiscard]] bool isLow(const QWidget& widget);

} // namespace meshslice::ui
