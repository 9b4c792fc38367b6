#include "core/base/language.h"

#include "core/base/embedded_resources.h"
#include "core/base/json_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <locale>

namespace meshslice {
namespace {

constexpr std::string_view file_begin = "core_";
constexpr std::string_view file_end = ".json";

/// What the program speaks, where the standard library keeps such things: in the global locale. Numbers and
/// all else of the locale stay what they are.
class Language : public std::locale::facet {
  public:
    static std::locale::id id; // NOLINT: the standard library asks for it

    Language(std::string name, Sentences sentences)
        : name_(std::move(name)), sentences_(std::move(sentences)) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const Sentences& sentences() const { return sentences_; }

  private:
    std::string name_;
    Sentences sentences_;
};

std::locale::id Language::id;

thread_local int english_only = 0;

/// None while English is spoken. A facet lives as long as a locale has it: the global one, to the end.
const Language* spoken() {
    const std::locale now;
    return std::has_facet<Language>(now) ? &std::use_facet<Language>(now) : nullptr;
}

} // namespace

std::vector<std::string> languages() {
    std::vector<std::string> names;
    for (const EmbeddedFile& file : embedded_translations()) {
        if (file.name.starts_with(file_begin) && file.name.ends_with(file_end)) {
            names.emplace_back(
                file.name.substr(file_begin.size(), file.name.size() - file_begin.size() - file_end.size()));
        }
    }
    return names;
}

Result<Sentences> sentences_of(std::string_view language) {
    const std::string name = std::string(file_begin).append(language).append(file_end);
    for (const EmbeddedFile& file : embedded_translations()) {
        if (file.name == name) {
            const Result<nlohmann::json> parsed = parse_json(file.text, name);
            if (!parsed) {
                return refuse(parsed.error());
            }
            Sentences sentences;
            for (const auto& [english, other] : parsed->items()) {
                if (!other.is_string()) {
                    return refuse(fmt::format("{}: \"{}\" is no text.", name, english));
                }
                sentences.emplace(english, other.get<std::string>());
            }
            return sentences;
        }
    }
    return refuse(fmt::format("There is no {}.", name));
}

Result<void> set_language(std::string_view language) {
    const std::vector<std::string> all = languages();
    if (std::ranges::find(all, language) == all.end()) {
        return {};
    }
    Result<Sentences> sentences = sentences_of(language);
    if (!sentences) {
        return refuse(sentences.error());
    }
    // The locale counts how many have the facet, and deletes it.
    std::locale::global(
        std::locale(std::locale(), new Language(std::string(language), std::move(*sentences))));
    return {};
}

std::string language() {
    const Language* other = spoken();
    return other == nullptr ? "en" : other->name();
}

InEnglish::InEnglish() {
    ++english_only;
}

InEnglish::~InEnglish() {
    --english_only;
}

const std::string* language_detail::instead_of(std::string_view english) {
    const Language* other = english_only > 0 ? nullptr : spoken();
    if (other == nullptr) {
        return nullptr;
    }
    const auto found = other->sentences().find(english);
    return found == other->sentences().end() ? nullptr : &found->second;
}

std::string said(std::string_view english) {
    const std::string* other = language_detail::instead_of(english);
    return other == nullptr ? std::string(english) : *other;
}

} // namespace meshslice
