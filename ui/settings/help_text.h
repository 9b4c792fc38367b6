#pragma once

#include <QString>

class QMenuBar;

namespace meshslice::ui {

/// The keys of the program as rich text: the actions of the menus as they are bound now, then the keys of
/// the pictures.
[[nodiscard]] QString keysText(const QMenuBar& menus);
[[nodiscard]] QString aboutText();

} // namespace meshslice::ui
