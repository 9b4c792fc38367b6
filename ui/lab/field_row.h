#pragma once

#include <initializer_list>
#include <utility>

class QHBoxLayout;
class QWidget;

namespace meshslice::ui {

/// Widgets next to each other above a picture of the lab, each with how much of the room left over it takes.
[[nodiscard]] QHBoxLayout* fieldRow(std::initializer_list<std::pair<QWidget*, int>> widgets);

} // namespace meshslice::ui
