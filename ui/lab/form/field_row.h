#pragma once

#include <initializer_list>
#include <utility>

class QWidget;

namespace meshslice::ui {

class WrappingRow;

/// Widgets next to each other above a picture of the lab, each with how much of the room left over it takes.
[[nodiscard]] WrappingRow* fieldRow(std::initializer_list<std::pair<QWidget*, int>> widgets);

} // namespace meshslice::ui
