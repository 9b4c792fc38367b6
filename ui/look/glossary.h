#pragma once

#include <QString>
#include <QStringList>

namespace meshslice::ui {

/// The glossary's entry of a label, legend entry or column: the word, what it means and its source, as lines
/// of a tip. Empty where it has none.
[[nodiscard]] QStringList glossaryLines(const QString& word);
/// The same as a paragraph of rich text, for tips of widgets.
[[nodiscard]] QString glossaryParagraph(const QString& word);
/// The glossary as rich text: all of it, or the entries that have the words, those that are called so first.
[[nodiscard]] QString glossaryText(const QString& words = {});

} // namespace meshslice::ui
