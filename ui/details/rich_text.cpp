#include "ui/details/rich_text.h"

#include <utility>

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

QString unbroken(QString text) {
    return whole(std::move(text)).replace(QLatin1Char(' '), QChar(QChar::Nbsp));
}

void Lines::add(const QString& tag, const QStringList& cells) {
    constexpr qsizetype longest_unbroken = 16; // "1.23 GB", "+12.3 points"
    rows_ += QStringLiteral("<tr>");
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const bool value = i > 0 && tag == QLatin1String("td") && cells[i].size() <= longest_unbroken &&
                           !cells[i].contains(QLatin1Char(' '));
        rows_ += QStringLiteral("<%1 align='%2' style='padding: 1px 6px 1px 0%3'>%4</%1>")
                     .arg(tag, i == 0 ? QStringLiteral("left") : QStringLiteral("right"),
                          value ? QStringLiteral("; white-space: nowrap") : QString(), whole(cells[i]));
    }
    rows_ += QStringLiteral("</tr>");
}

} // namespace meshslice::ui
