#include "ui/details/rich_text.h"

namespace meshslice::ui {

QString heading(const QString& title) {
    return QStringLiteral("<h4>%1</h4>").arg(title);
}

QString paragraph(const QString& sentence) {
    return QStringLiteral("<p>%1</p>").arg(sentence);
}

QString whole(QString text) {
    return text.replace(QChar(0x2009), QChar(QChar::Nbsp));
}

void Lines::add(const QString& tag, const QStringList& cells) {
    rows_ += QStringLiteral("<tr>");
    for (qsizetype i = 0; i < cells.size(); ++i) {
        rows_ += QStringLiteral("<%1 align='%2' style='padding: 1px 6px 1px 0'>%3</%1>")
                     .arg(tag, i == 0 ? QStringLiteral("left") : QStringLiteral("right"), cells[i]);
    }
    rows_ += QStringLiteral("</tr>");
}

} // namespace meshslice::ui
