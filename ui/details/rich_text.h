#pragma once

#include "core/base/text.h"
#include "ui/look/words.h"

#include <QString>
#include <QStringList>

namespace meshslice::ui {

/// The parts that the details are made of, as rich text.
[[nodiscard]] QString heading(const QString& title);
[[nodiscard]] QString paragraph(const QString& sentence);

/// A number and its unit stay on one line: a thin space may be broken at. (The narrow no-break space would be
/// right, but Qt reads it as any white space in rich text.)
[[nodiscard]] QString whole(QString text);
template <class Quantity>
[[nodiscard]] QString shown(Quantity quantity) {
    return whole(words(text(quantity)));
}

/// The same for all that is not a sentence: no white space in it is broken at.
[[nodiscard]] QString unbroken(QString text);

/// Rows of a name and right-aligned values. A value is never broken within itself, whatever room there is; of
/// several, with spaces between them, each.
class Lines {
  public:
    void head(const QStringList& cells) { add(QStringLiteral("th"), cells); }
    void add(const QStringList& cells) { add(QStringLiteral("td"), cells); }
    [[nodiscard]] QString html() const {
        // Qt rounds each column up: all of the width would be a pixel too much at some widths.
        return QStringLiteral("<table width='99%' cellspacing='0'>%1</table>").arg(rows_);
    }

  private:
    void add(const QString& tag, const QStringList& cells);

    QString rows_;
};

} // namespace meshslice::ui
