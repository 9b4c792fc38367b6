#include "ui/look/glossary.h"

#include "core/report/words/glossary.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

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

QString glossaryText(const QString& typed) {
    // By how well an entry fits: its name begins so, another name of it, its name has it, its text.
    std::array<QString, 4> pages;
    const QString wanted = typed.trimmed();
    const auto has = [&](const std::string& text) {
        return words(text).contains(wanted, Qt::CaseInsensitive);
    };
    const auto begins = [&](const std::string& text) {
        return words(text).startsWith(wanted, Qt::CaseInsensitive);
    };
    for (const GlossaryEntry& entry : glossary()) {
        const std::size_t fits = begins(entry.word)                        ? 0
                                 : std::ranges::any_of(entry.also, begins) ? 1
                                 : has(entry.word)                         ? 2
                                 : has(entry.text)                         ? 3
                                                                           : pages.size();
        if (fits < pages.size()) {
            pages[fits] += QStringLiteral("<p><b>%1</b><br>%2<br><i>%3</i></p>")
                               .arg(words(entry.word).toHtmlEscaped(), words(entry.text).toHtmlEscaped(),
                                    sourceOf(entry).toHtmlEscaped());
        }
    }
    return pages[0] + pages[1] + pages[2] + pages[3];
}

} // namespace meshslice::ui
