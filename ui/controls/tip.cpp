#include "ui/controls/tip.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QWidget>

namespace meshslice::ui {

QString tipHtml(const QStringList& lines) {
    QString html = QStringLiteral("<p style='white-space:pre-wrap'>");
    for (qsizetype line = 0; line < lines.size(); ++line) {
        const QString words = lines[line].toHtmlEscaped();
        html += line == 0 ? QStringLiteral("<b>%1</b>").arg(words) : QString(QStringLiteral("<br>") + words);
    }
    return html + QStringLiteral("</p>");
}

void showTip(QHelpEvent* event, QWidget* picture, const QStringList& lines) {
    if (lines.isEmpty()) {
        QToolTip::hideText();
        event->ignore();
    } else {
        // Only for this pixel: the next one may be another bar.
        QToolTip::showText(event->globalPos(), tipHtml(lines), picture, QRect(event->pos(), QSize(1, 1)));
    }
}

} // namespace meshslice::ui
