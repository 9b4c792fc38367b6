#pragma once

#include <QString>

#include <vector>

class QMenuBar;

namespace meshslice::ui {

class View;

/// The keys of the program as rich text: the actions of the menus as they are bound now, then the keys of
/// each view.
[[nodiscard]] QString keysText(const QMenuBar& menus, const std::vector<View*>& views);
[[nodiscard]] QString aboutText();

} // namespace meshslice::ui
