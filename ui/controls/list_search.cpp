#include "ui/controls/list_search.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>

namespace meshslice::ui {

ListSearch::ListSearch(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool ListSearch::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) {
        return false;
    }
    auto* closed = qobject_cast<QComboBox*>(watched);
    auto* open = qobject_cast<QAbstractItemView*>(watched);
    const bool is_list = closed != nullptr ? !closed->isEditable()
                                           : open != nullptr && open->window()->windowType() == Qt::Popup;
    if (!is_list) {
        return false;
    }
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool typing =
        searched_ == watched && typed_.isValid() && typed_.elapsed() < QApplication::keyboardInputInterval();
    const bool space = key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier;
    if (!key->text().isEmpty() && key->text().front().isPrint() && (typing || !space)) {
        searched_ = watched;
        typed_.start();
    }
    if (!space || !typing) {
        return false;
    }
    if (open != nullptr) {
        open->keyboardSearch(key->text());
    } else {
        QKeyEvent letter(event->type(), Qt::Key_unknown, Qt::NoModifier, key->text());
        QApplication::sendEvent(closed, &letter);
    }
    return true;
}

} // namespace meshslice::ui
