#pragma once

class QScrollArea;
class QWidget;

namespace meshslice::ui {

/// A frame around `page`, which takes its size, or is scrolled where the page needs more. Tab goes past the
/// frame to the page.
[[nodiscard]] QScrollArea* makeScrolling(QWidget* page, QWidget* parent = nullptr);

} // namespace meshslice::ui
