#pragma once

#include <initializer_list>

class QWidget;

namespace meshslice::ui {

/// The Tab key goes from each of the widgets to the next, as they stand on the screen, whenever they were
/// made.
void tabInOrder(std::initializer_list<QWidget*> widgets);

} // namespace meshslice::ui
