#pragma once

class QKeyEvent;
class QLineEdit;

namespace meshslice::ui {

/// Whether a key is the window's although a line of text would take it: Ctrl+E, which on some systems goes to
/// the end of the line, exports the view.
[[nodiscard]] bool isWindowKey(const QKeyEvent& key);
/// Leaves such keys to the window while the cursor is in the line.
void leaveKeysToWindow(QLineEdit* line);

} // namespace meshslice::ui
