#include "ui/controls/window_keys.h"

#include <QKeyEvent>
#include <QLineEdit>

namespace meshslice::ui {
namespace {

class WindowKeys : public QObject {
  public:
    using QObject::QObject;

    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        // A line that accepts the override keeps the key from the window's shortcuts.
        if (event->type() != QEvent::ShortcutOverride || !isWindowKey(*static_cast<QKeyEvent*>(event))) {
            return false;
        }
        event->ignore();
        return true;
    }
};

} // namespace

bool isWindowKey(const QKeyEvent& key) {
    const auto modifiers = key.modifiers() & ~Qt::KeypadModifier;
    return key.key() == Qt::Key_E &&
           (modifiers == Qt::ControlModifier || modifiers == (Qt::ControlModifier | Qt::ShiftModifier));
}

void leaveKeysToWindow(QLineEdit* line) {
    line->installEventFilter(new WindowKeys(line));
}

} // namespace meshslice::ui
