#include "ui/controls/more_button.h"

#include <QMenu>
#include <QStyleOptionToolButton>

namespace meshslice::ui {

MoreButton::MoreButton(const QString& name, QWidget* parent) : QToolButton(parent) {
    setText(QStringLiteral("…"));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(name);
    setToolTip(name);
    setMenu(new QMenu(this));
}

void MoreButton::initStyleOption(QStyleOptionToolButton* option) const {
    QToolButton::initStyleOption(option);
    option->features &= ~QStyleOptionToolButton::HasMenu; // the dots already say that there is more
}

QAction* MoreButton::addEntry(const QString& text, const std::function<void()>& act) {
    QAction* const entry = menu()->addAction(text);
    connect(entry, &QAction::triggered, this, act);
    return entry;
}

} // namespace meshslice::ui
