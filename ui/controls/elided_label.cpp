#include "ui/controls/elided_label.h"

#include <QFontMetrics>
#include <QPainter>

namespace meshslice::ui {

void ElidedLabel::setText(const QString& text) {
    if (text == text_) {
        return;
    }
    text_ = text;
    setAccessibleName(text);
    renewTip();
    updateGeometry();
    update();
}

void ElidedLabel::setMore(const QString& more) {
    more_ = more;
    renewTip();
}

void ElidedLabel::renewTip() {
    setToolTip(text_.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(text_.toHtmlEscaped()) + more_);
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text_) + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const {
    return {80, fontMetrics().height() + 2};
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text_, Qt::ElideRight, width()));
}

} // namespace meshslice::ui
