#include "core/report/words/glossary.h"

#include "core/base/embedded_resources.h"
#include "core/base/language.h"
#include "core/base/text/sections.h"

#include <algorithm>
#include <cctype>

namespace meshslice {
namespace {

constexpr std::string_view also_line = "Also: ";
constexpr std::string_view source_line = "Source: ";

GlossaryEntry entry_of(const Section& section) {
    GlossaryEntry entry{section.title, {}, {}, {}};
    for (const std::string& line : section.lines) {
        const std::string_view words = line;
        if (words.starts_with(also_line)) {
            for (std::string_view rest = words.substr(also_line.size()); !rest.empty();) {
                const std::size_t end = std::min(rest.find("; "), rest.size());
                entry.also.emplace_back(rest.substr(0, end));
                rest.remove_prefix(std::min(end + 2, rest.size()));
            }
        } else if (words.starts_with(source_line)) {
            entry.source = words.substr(source_line.size());
        } else {
            entry.text += (entry.text.empty() ? std::string() : said(" ")) + line;
        }
    }
    return entry;
}

std::string lower(std::string_view word) {
    std::string small(word);
    std::ranges::transform(small, small.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return small;
}

template <class Same>
const GlossaryEntry* find_entry(const Same& same) {
    const auto found = std::ranges::find_if(glossary(), [&](const GlossaryEntry& entry) {
        return same(entry.word) || std::ranges::any_of(entry.also, same);
    });
    return found == glossary().end() ? nullptr : &*found;
}

} // namespace

const std::vector<GlossaryEntry>& glossary() {
    static const std::vector<GlossaryEntry> all = [] {
        std::string_view text = document_in_language("glossary");
        for (const EmbeddedFile& file : embedded_docs()) {
            text = text.empty() && file.name == "glossary.md" ? file.text : text;
        }
        std::vector<GlossaryEntry> entries;
        for (const Section& section : sections(text)) {
            entries.push_back(entry_of(section));
        }
        return entries;
    }();
    return all;
}

const GlossaryEntry* glossary_entry(std::string_view word) {
    const GlossaryEntry* exact = find_entry([&](const std::string& name) { return name == word; });
    return exact ? exact : find_entry([&](const std::string& name) { return lower(name) == lower(word); });
}

} // namespace meshslice
