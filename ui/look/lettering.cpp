#include "ui/look/lettering.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

namespace meshslice::ui {

QFont lettering(Lettering size, bool bold) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(static_cast<int>(size));
    font.setBold(bold);
    font.setItalic(false);
    return font;
}

double textWidth(const QFont& font, const QString& text) {
    return QFontMetricsF(font).horizontalAdvance(text);
}

QString firstFitting(const QFont& font, const QStringList& wishes, double width) {
    for (const QString& wish : wishes) {
        if (textWidth(font, wish) <= width) {
            return wish;
        }
    }
    return {};
}

QString fitted(const QFont& font, const QString& text, double width) {
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(text) <= width) {
        return text;
    }
    const QString cut = metrics.elidedText(text, Qt::ElideRight, width);
    return cut.size() < 2 || metrics.horizontalAdvance(cut) > width ? QString() : cut;
}

QStringList wrapped(const QFont& font, const QString& text, double width) {
    QStringList lines;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && textWidth(font, longer) <= width) {
            lines.back() = longer;
        } else {
            lines += word;
        }
    }
    return lines;
}

void drawFitted(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const QFont& font,
                const QString& text) {
    const QString shown = fitted(font, text, area.width());
    if (!shown.isEmpty()) {
        painter.setFont(font);
        painter.drawText(area, static_cast<int>(alignment) | Qt::TextSingleLine | Qt::TextDontClip, shown);
    }
}

} // namespace meshslice::ui
