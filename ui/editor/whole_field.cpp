#include "ui/editor/whole_field.h"

#include "core/base/parse.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QLineEdit>
#include <QWheelEvent>

#include <algorithm>
#include <cstdlib>

namespace meshslice::ui {
namespace {

constexpr std::int64_t most_by_arrows = std::int64_t{1} << 40;

} // namespace

WholeField::WholeField(Arrows arrows, QWidget* parent) : QAbstractSpinBox(parent), arrows_(arrows) {
    setFocusPolicy(Qt::StrongFocus);
    setKeyboardTracking(true);
    lineEdit()->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    lineEdit()->setText(QString::number(value_));
    connect(lineEdit(), &QLineEdit::textEdited, this, &WholeField::readText);
    connect(lineEdit(), &QLineEdit::returnPressed, this, &WholeField::left);
}

void WholeField::show(std::int64_t value) {
    value_ = value;
    const auto typed = parse_whole(lineEdit()->text().toStdString());
    if (!hasFocus() || !typed || *typed != value) {
        revert();
    }
}

void WholeField::revert() {
    if (lineEdit()->text() != QString::number(value_)) {
        lineEdit()->setText(QString::number(value_));
    }
}

void WholeField::readText(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty()) {
        return; // about to type something else
    }
    if (const auto value = parse_whole(trimmed.toStdString())) {
        value_ = *value;
        emit edited(*value);
    } else {
        emit garbled(
            tr("“%1” is not a whole number; write digits only, for example %2.").arg(trimmed).arg(value_));
    }
}

void WholeField::stepBy(int steps) {
    std::int64_t next = value_;
    const int times = arrows_ == Arrows::by_two ? 1 : std::abs(steps); // Page Up means ten steps: not 2^10
    for (int i = 0; i < times; ++i) {
        const std::int64_t up = arrows_ == Arrows::by_two ? next * 2 : next + 1;
        const std::int64_t down = arrows_ == Arrows::by_two ? next / 2 : next - 1;
        next = std::clamp<std::int64_t>(steps > 0 ? up : down, 1, most_by_arrows);
    }
    if (next != value_) {
        value_ = next;
        revert();
        selectAll();
        emit edited(value_);
    }
}

QAbstractSpinBox::StepEnabled WholeField::stepEnabled() const {
    return StepUpEnabled | (value_ > 1 ? StepDownEnabled : StepNone);
}

// Everything may be typed: a letter that silently does not appear explains nothing.
QValidator::State WholeField::validate(QString& /*input*/, int& /*position*/) const {
    return QValidator::Acceptable;
}

bool WholeField::event(QEvent* event) {
    // Undo is the scenario's, not the text's: otherwise Ctrl+Z would mean another thing in every field.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QAbstractSpinBox::event(event);
}

void WholeField::focusOutEvent(QFocusEvent* event) {
    QAbstractSpinBox::focusOutEvent(event);
    emit left();
}

void WholeField::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

QSize WholeField::sizeHint() const {
    QSize size = QAbstractSpinBox::sizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000000000")) + 32);
    return size;
}

QSize WholeField::minimumSizeHint() const {
    QSize size = QAbstractSpinBox::minimumSizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000")) + 28);
    return size;
}

} // namespace meshslice::ui
