#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A word of the screens and exports, explained.
struct GlossaryEntry {
    std::string word;
    std::vector<std::string> also; ///< other names of it: "S" and "slice count" of "slice"
    std::string text;              ///< one to three sentences
    std::string source;            ///< where it comes from

    bool operator==(const GlossaryEntry&) const = default;
};

/// All entries of resources/docs/glossary.md, or of the language's own, in its order.
[[nodiscard]] const std::vector<GlossaryEntry>& glossary();

/// The entry of a word or of one of its other names; where none is spelt exactly so, upper and lower case are
/// alike. Null where there is none.
[[nodiscard]] const GlossaryEntry* glossary_entry(std::string_view word);

} // namespace meshslice
