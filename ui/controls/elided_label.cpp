#include "ui/controls/elided_label.h"

#include "ui/look/lettering.h"

#include <QEvent>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {

ElidedLabel::ElidedLabel(QWidget* parent, int most_lines) : QWidget(parent), most_lines_(most_lines) {}

void ElidedLabel::setText(const QString& text) {
    if (text == text_) {
        return;
    }
    text_ = text;
    setAccessibleName(text);
    renewTip();
    breakLines();
}

void ElidedLabel::setMore(const QString& more) {
    more_ = more;
    renewTip();
}

void ElidedLabel::renewTip() {
    setToolTip(text_.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text_.toHtmlEscaped()) + more_);
}

void ElidedLabel::breakLines() {
    // Until it has its place, it asks for one line.
    lines_ =
        testAttribute(Qt::WA_Resized) ? inLines(font(), text_, width(), most_lines_) : QStringList{text_};
    updateGeometry();
    update();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    breakLines();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        breakLines();
    }
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text_) + 2, minimumSizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    const int lines = std::max(1, static_cast<int>(lines_.size()));
    return {80, lines * fontMetrics().height() + 2};
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const int high = fontMetrics().height();
    const int top = (height() - static_cast<int>(lines_.size()) * high) / 2;
    for (qsizetype line = 0; line < lines_.size(); ++line) {
        painter.drawText(QRect(0, top + static_cast<int>(line) * high, width(), high),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, lines_[line]);
    }
}

} // namespace meshslice::ui
