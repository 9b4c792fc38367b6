#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// English sentences and what another language says instead; values stand in both as {} or {0}, {1}, as fmt
/// has them.
using Sentences = std::map<std::string, std::string, std::less<>>;

/// The languages there are besides English, "zh_CN": files of resources/translations.
[[nodiscard]] std::vector<std::string> languages();
/// The sentences of one of them, read strictly.
[[nodiscard]] Result<Sentences> sentences_of(std::string_view language);

/// From now on the program speaks this language; English for "en" and for any that there is not. Called once,
/// before anything has been said: what was said stays as it is.
[[nodiscard]] Result<void> set_language(std::string_view language);
/// "en" until another one is set.
[[nodiscard]] std::string language();

/// The text of a document of the language, resources/translations/<name>_<language>.md; empty where it has
/// none.
[[nodiscard]] std::string_view document_in_language(std::string_view name);

/// While there is one, its thread says everything in English: what programs read is the same in every
/// language.
class InEnglish {
  public:
    InEnglish();
    ~InEnglish();
    InEnglish(const InEnglish&) = delete;
    InEnglish& operator=(const InEnglish&) = delete;
};

namespace language_detail {

/// What the language says instead; null where it says nothing else.
[[nodiscard]] const std::string* instead_of(std::string_view english);
/// Words that were put together, with the spaces that the language has between them.
[[nodiscard]] std::string spaced(std::string words);

} // namespace language_detail

/// A text of a table, such as a label: in the language, where it is among its sentences, or where each of the
/// sentences that it is made of is.
[[nodiscard]] std::string said(std::string_view english);

} // namespace meshslice
