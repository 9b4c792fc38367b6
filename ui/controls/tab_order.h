#pragma once

#include <initializer_list>

class QWidget;

namespace meshslice::ui {

/// The Tab key goes from each of the widgets of a window to the next, whatever order they were made in.
void tabInOrder(std::initializer_list<QWidget*> widgets);

} // namespace meshslice::ui
