#include "ui/look/glossary.h"

#include "core/report/words/glossary.h"
#include "ui/look/words.h"

#include <QCoreApplication>

namespace meshslice::ui {
namespace {

QString sourceOf(const GlossaryEntry& entry) {
    return QCoreApplication::translate("meshslice::ui::Glossary", "Source: %1").arg(words(entry.source));
}

} // namespace

QStringList glossaryLines(const QString& word) {
    const GlossaryEntry* entry = glossary_entry(word.toStdString());
    return entry == nullptr ? QStringList()
                            : QStringList{words(entry->word), words(entry->text), sourceOf(*entry)};
}

QString glossaryParagraph(const QString& word) {
    const GlossaryEntry* entry = glossary_entry(word.toStdString());
    return entry == nullptr
               ? QString()
               : QStringLiteral("<p><b>%1</b>: %2</p>")
                     .arg(words(entry->word).toHtmlEscaped(), words(entry->text).toHtmlEscaped());
}

QString glossaryText() {
    QString page;
    for (const GlossaryEntry& entry : glossary()) {
        page += QStringLiteral("<p><b>%1</b><br>%2<br><i>%3</i></p>")
                    .arg(words(entry.word).toHtmlEscaped(), words(entry.text).toHtmlEscaped(),
                         sourceOf(entry).toHtmlEscaped());
    }
    return page;
}

} // namespace meshslice::ui
