#pragma once

#include "core/base/language.h"

#include <QString>

#include <string_view>

namespace meshslice::ui {

/// The engine speaks UTF-8, widgets speak QString; this is the one bridge.
[[nodiscard]] inline QString words(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// A text of the engine's tables, such as a label, in the window's language.
[[nodiscard]] inline QString translated(std::string_view english) {
    return words(said(english));
}

/// Plain text as rich text, whose lines a tip breaks where it is too wide.
[[nodiscard]] inline QString tipParagraph(const QString& sentence) {
    return QStringLiteral("<p>%1</p>").arg(sentence.toHtmlEscaped());
}

} // namespace meshslice::ui
