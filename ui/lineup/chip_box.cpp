#include "ui/lineup/chip_box.h"

#include "ui/look/words.h"

#include <QLineEdit>

#include <optional>

namespace meshslice::ui {
namespace {

/// The chip with the coordinates; none where there are too few, too many, or one is not on its axis.
std::optional<Chip> chipAt(const Torus& torus, const QString& text) {
    const QStringList parts = text.split(QLatin1Char(','));
    if (parts.size() != torus.axis_count()) {
        return std::nullopt;
    }
    Chip chip = 0;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        bool whole = false;
        const int at = parts[axis].trimmed().toInt(&whole);
        if (!whole || at < 0 || at >= torus.size(static_cast<Axis>(axis))) {
            return std::nullopt;
        }
        chip = chip * torus.size(static_cast<Axis>(axis)) + at;
    }
    return chip;
}

} // namespace

ChipBox::ChipBox(QWidget* parent) : QSpinBox(parent) {
    setPrefix(tr("chip "));
    setKeyboardTracking(false);
    setRange(0, 0);
}

void ChipBox::setTorus(const Torus& torus) {
    if (torus != torus_) {
        torus_ = torus;
        setRange(0, torus.chips() - 1);
        setValue(value()); // the same chip has other coordinates now
        lineEdit()->setText(prefix() + textFromValue(value()));
    }
}

QString ChipBox::textFromValue(int chip) const {
    return words(place_text(torus_, chip));
}

int ChipBox::valueFromText(const QString& text) const {
    const QString place = text.startsWith(prefix()) ? text.mid(prefix().size()) : text;
    return chipAt(torus_, place).value_or(value());
}

QValidator::State ChipBox::validate(QString& text, int& /*position*/) const {
    const QString place = text.startsWith(prefix()) ? text.mid(prefix().size()) : text;
    return chipAt(torus_, place) ? QValidator::Acceptable : QValidator::Intermediate;
}

} // namespace meshslice::ui
