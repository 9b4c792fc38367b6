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
    const int gap = cells.size() > 3 ? 4 : 6;  // two variants and their difference need the room
    rows_ += QStringLiteral("<tr>");
    for (qsizetype i = 0; i < cells.size(); ++i) {
        const bool value = i > 0 && tag == QLatin1String("td") && cells[i].size() <= longest_unbroken &&
                           !cells[i].contains(QLatin1Char(' '));
        // Chinese may be broken anywhere, and would be after each character for the sake of the numbers.
        const bool squeezed = i == 0 && cells.size() > 3;
        rows_ += QStringLiteral("<%1%2 style='padding: 1px %3px 1px 0%4'>%5</%1>")
                     .arg(tag, squeezed ? QStringLiteral(" width='30%' align='left'")
                               : i == 0 ? QStringLiteral(" align='left'")
                                        : QStringLiteral(" align='right'"))
                     .arg(i + 1 < cells.size() ? gap : 0) // nothing is to the right of the last one
                     .arg(value ? QStringLiteral("; white-space: nowrap") : QString(), whole(cells[i]));
    }
    rows_ += QStringLiteral("</tr>");
}

} // namespace meshslice::ui
