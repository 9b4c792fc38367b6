#include "ui/controls/search_bar.h"

#include "ui/controls/window_keys.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace meshslice::ui {

SearchBar::SearchBar(const QString& name, const QString& example, const QString& tip, QWidget* parent)
    : QWidget(parent)
    , line_(new QLineEdit(this))
    , count_(new QLabel(this))
    , filter_(new QCheckBox(tr("Only these rows"), this)) {
    setAutoFillBackground(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    layout->setSpacing(8);
    line_->setPlaceholderText(example);
    line_->setAccessibleName(name);
    line_->setToolTip(tip);
    line_->setMinimumWidth(80);
    line_->installEventFilter(this);
    leaveKeysToWindow(line_);
    filter_->setToolTip(tr("Show only rows that have what is searched for"));
    layout->addWidget(line_, 1);
    layout->addWidget(count_);
    layout->addWidget(filter_);
    const auto button = [&](const QString& text, const QString& act_name, const auto& act) {
        auto* made = new QToolButton(this);
        made->setText(text);
        made->setAutoRaise(true);
        made->setToolTip(act_name);
        made->setAccessibleName(act_name);
        connect(made, &QToolButton::clicked, this, act);
        layout->addWidget(made);
    };
    button(QStringLiteral("\u2191"), tr("Previous"), [this] { emit nextAsked(false); });
    button(QStringLiteral("\u2193"), tr("Next"), [this] { emit nextAsked(true); });
    button(QStringLiteral("\u00d7"), tr("Close the search"), [this] { closeBar(); });
    connect(line_, &QLineEdit::textChanged, this, &SearchBar::wordsChanged);
    connect(filter_, &QCheckBox::toggled, this, &SearchBar::filterChanged);
    hide();
}

void SearchBar::open() {
    show();
    raise();
    line_->setFocus();
    line_->selectAll();
}

void SearchBar::closeBar() {
    hide();
    emit closed();
}

QString SearchBar::words() const {
    return line_->text();
}

void SearchBar::say(const QString& count) {
    count_->setText(count);
}

bool SearchBar::filters() const {
    return filter_->isChecked();
}

void SearchBar::setFilters(bool filters) {
    filter_->setChecked(filters);
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    const bool asks = event->type() == QEvent::ShortcutOverride;
    if (watched != line_ || (!asks && event->type() != QEvent::KeyPress)) {
        return QWidget::eventFilter(watched, event);
    }
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!enter && key->key() != Qt::Key_Escape) {
        return QWidget::eventFilter(watched, event);
    }
    if (asks) { // Escape is not for a run that is under way
        event->accept();
        return true;
    }
    if (enter) {
        emit nextAsked((key->modifiers() & Qt::ShiftModifier) == 0);
    } else {
        closeBar();
    }
    return true;
}

} // namespace meshslice::ui
