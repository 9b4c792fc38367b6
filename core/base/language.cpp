#include "core/base/language.h"

#include "core/base/embedded_resources.h"
#include "core/base/json/json_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <locale>

namespace meshslice {
namespace {

constexpr std::string_view file_begin = "core_";
constexpr std::string_view file_end = ".json";
constexpr std::string_view english_name = "en";

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

/// Of a text in UTF-8: how many bytes its first letter has, and the letter's number.
struct Letter {
    std::size_t bytes = 1;
    char32_t number = 0;

    /// A Chinese character.
    [[nodiscard]] bool han() const {
        return (number >= 0x4e00 && number <= 0x9fff) || (number >= 0x3400 && number <= 0x4dbf);
    }
    /// A sign as wide as one: it brings its own space.
    [[nodiscard]] bool wide_sign() const {
        return (number >= 0x3000 && number <= 0x303f) || (number >= 0xff00 && number <= 0xffef) ||
               number == 0x201c || number == 0x201d;
    }
    /// A Latin letter, a digit or what belongs to a number.
    [[nodiscard]] bool latin() const {
        return number < 0x80 && (std::isalnum(static_cast<int>(number)) != 0 || number == '%');
    }
};

Letter letter_of(std::string_view text) {
    const auto byte = [&](std::size_t k) {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
    };
    const unsigned first = byte(0);
    const std::size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    char32_t number = bytes == 1 ? first : first & (0xffu >> (bytes + 1));
    for (std::size_t k = 1; k < bytes; ++k) {
        number = (number << 6) | (byte(k) & 0x3fu);
    }
    return {std::min(bytes, text.size()), number};
}

/// None while English is spoken. A facet lives as long as a locale has it: the global one, until another
/// language is set.
const Language* spoken() {
    const std::locale now;
    return std::has_facet<Language>(now) && std::use_facet<Language>(now).name() != english_name
               ? &std::use_facet<Language>(now)
               : nullptr;
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
                    return refuse(fmt::format("{}: \"{}\" is not text.", name, english));
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
    const bool known = std::ranges::find(all, language) != all.end();
    Result<Sentences> sentences = known ? sentences_of(language) : Result<Sentences>(Sentences());
    if (!sentences) {
        return refuse(sentences.error());
    }
    // The locale counts how many have the facet, and deletes it.
    std::locale::global(std::locale(
        std::locale(), new Language(std::string(known ? language : english_name), std::move(*sentences))));
    return {};
}

std::string language() {
    const Language* other = spoken();
    return other == nullptr ? std::string(english_name) : other->name();
}

std::string_view document_in_language(std::string_view name) {
    const Language* other = spoken();
    if (other != nullptr) {
        const std::string file = fmt::format("{}_{}.md", name, other->name());
        for (const EmbeddedFile& one : embedded_translations()) {
            if (one.name == file) {
                return one.text;
            }
        }
    }
    return {};
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

/// A space between Chinese and Latin letters, none between Chinese ones or next to signs that are as wide.
std::string language_detail::spaced(std::string words) {
    std::string made;
    made.reserve(words.size() + 16);
    Letter last;
    std::size_t spaces = 0;
    for (std::string_view rest = words; !rest.empty();) {
        const Letter letter = letter_of(rest);
        if (letter.number == ' ') {
            ++spaces;
            rest.remove_prefix(1);
            continue;
        }
        const bool wide = last.han() || last.wide_sign();
        if ((wide && (letter.han() || letter.wide_sign())) || (last.wide_sign() && letter.number != 0) ||
            (letter.wide_sign() && last.number != 0)) {
            spaces = 0;
        } else if (spaces == 0 && ((last.han() && (letter.latin() || letter.number == '(')) ||
                                   ((last.latin() || last.number == ')') && letter.han()))) {
            spaces = 1;
        }
        made.append(std::exchange(spaces, 0), ' ').append(rest.substr(0, letter.bytes));
        last = letter;
        rest.remove_prefix(letter.bytes);
    }
    return made.append(spaces, ' ');
}

std::string said(std::string_view english) {
    if (const std::string* other = language_detail::instead_of(english)) {
        return *other;
    }
    // Sentence by sentence; one of the file may be several.
    std::string all;
    for (std::string_view rest = english; !rest.empty();) {
        const std::string* own = nullptr;
        std::size_t end = 0;
        while (own == nullptr && end < rest.size()) {
            end = std::min(rest.find(". ", end), rest.size() - 1) + 1;
            own = language_detail::instead_of(rest.substr(0, end));
        }
        if (own == nullptr) {
            return std::string(english);
        }
        all += *own;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return all;
}

} // namespace meshslice
