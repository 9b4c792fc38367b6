#include "ui/editor/number_field.h"

#include "ui/controls/window_keys.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr double most_by_arrows = 0x1p40;

QString plain(double number) {
    return QString::number(number, 'g', 15);
}

} // namespace

NumberField::NumberField(Meaning meaning, Step step, QWidget* parent)
    : QAbstractSpinBox(parent), meaning_(std::move(meaning)), step_(std::move(step)) {
    setFocusPolicy(Qt::StrongFocus);
    setKeyboardTracking(true);
    lineEdit()->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberField::readText);
    connect(lineEdit(), &QLineEdit::returnPressed, this, [this] {
        emit left();
        revert(); // to its plain form: "x2" typed on would be twice what it has become
    });
}

void NumberField::show(const QString& number) {
    shown_ = number;
    const bool typing = hasFocus() && (reading_ || meaning_(lineEdit()->text()) == number);
    if (!typing) {
        revert();
    }
}

void NumberField::revert() {
    if (lineEdit()->text() != shown_) {
        lineEdit()->setText(shown_);
    }
}

void NumberField::readText(const QString& text) {
    const QScopedValueRollback reading(reading_, true);
    emit edited(text.trimmed());
    showMeaning(text);
}

void NumberField::showMeaning(const QString& text) {
    const std::optional<QString> number = meaning_(text);
    const bool expression = number && *number != text.trimmed();
    QToolTip::showText(mapToGlobal(QPoint(0, height() / 2)),
                       expression ? QStringLiteral("= %1").arg(*number) : QString(), this);
}

void NumberField::stepBy(int steps) {
    const QString next = step_(shown_, steps);
    if (next != shown_) {
        shown_ = next;
        revert();
        selectAll();
        emit edited(next);
    }
}

QAbstractSpinBox::StepEnabled NumberField::stepEnabled() const {
    return StepUpEnabled | (step_(shown_, -1) != shown_ ? StepDownEnabled : StepNone);
}

// Everything may be typed: a letter that silently does not appear explains nothing.
QValidator::State NumberField::validate(QString& /*input*/, int& /*position*/) const {
    return QValidator::Acceptable;
}

bool NumberField::event(QEvent* event) {
    // Undo is the scenario's, not the text's: otherwise Ctrl+Z would mean another thing in every field.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) || isWindowKey(*key)) {
            event->ignore();
            return true;
        }
    }
    return QAbstractSpinBox::event(event);
}

void NumberField::focusOutEvent(QFocusEvent* event) {
    QAbstractSpinBox::focusOutEvent(event);
    emit left();
}

void NumberField::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = lineEdit()->createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!actions().isEmpty()) {
        menu->addSeparator();
        menu->addActions(actions());
    }
    menu->popup(event->globalPos());
}

void NumberField::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

QSize NumberField::sizeHint() const {
    QSize size = QAbstractSpinBox::sizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000000000")) + 32);
    return size;
}

QSize NumberField::minimumSizeHint() const {
    QSize size = QAbstractSpinBox::minimumSizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000")) + 28);
    return size;
}

QString steppedByOne(const QString& shown, int steps) {
    const double number = shown.toDouble();
    const double least = std::min(number, 1.0); // the arrows lead to 0 only where the keyboard has led
    return plain(std::clamp(number + steps, least, most_by_arrows));
}

// Page Up means ten steps: not 2^10.
QString steppedByTwo(const QString& shown, int steps) {
    const double number = shown.toDouble();
    const auto half = static_cast<double>(static_cast<long long>(number) / 2);
    return plain(std::clamp(steps > 0 ? number * 2 : half, 1.0, most_by_arrows));
}

} // namespace meshslice::ui
