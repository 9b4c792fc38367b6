// Words that read as translated, words with two spellings, and what a plain sentence says instead. Read are
// the pages of the manual, and the comments and texts of all sources and resources.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;

/// The folders with sources and resources.
constexpr std::array folders = {"app", "core", "ui", "tests", "resources"};

/// What is not ours to write: files as earlier versions wrote them, and this list of words.
bool quoted(const fs::path& path) {
    const std::string name = path.generic_string();
    return name.find("/fixtures/") != std::string::npos || name.ends_with("tests/core/words_test.cpp");
}

struct Rule {
    std::string_view words;
    std::string_view instead;
    std::vector<std::string_view> unless_after = {};  ///< words that may follow
    std::vector<std::string_view> unless_before = {}; ///< words that may stand before it
    bool part = false;                                ///< whether it may be a part of a word
};

const std::vector<Rule>& rules() {
    /// "is no longer" and "there is no" are plain.
    static const std::vector<std::string_view> comparisons = {
        "better",   "closer",  "different", "earlier", "faster", "fewer", "further",
        "higher",   "larger",  "later",     "less",    "longer", "lower", "more",
        "narrower", "shorter", "slower",    "smaller", "wider",  "worse"};
    static const std::vector<Rule> all = {
        {"told", "say who says it: \"the line names\", \"distinguished\""},
        {"whoever", "who, or what"},
        {"nobody's", "not anybody's"},
        {"nor", "and no, or", {}, {"neither", "Neither"}},
        {"anew", "again"},
        {"beside", "next to"},
        {"would do", "is enough"},
        {"is no", "is not a", comparisons, {"there", "There"}},
        {"are no", "are not", comparisons, {"there", "There"}},
        {"was no", "was not a", comparisons, {"there", "There"}},
        {"were no", "were not", comparisons, {"there", "There"}},
        {"is of a", "has, names, belongs to a"},
        {"is of an", "has, names, belongs to an"},
        {"are of a", "have, name, belong to a"},
        {"was expected", "expected A or B", {}, {"what", "What"}},
        {"were expected", "expected A or B", {}, {"what", "What"}},
        {.words = "utilis", .instead = "utilization", .part = true},
        {.words = "optimise", .instead = "optimize", .part = true},
        {.words = "optimisa", .instead = "optimization", .part = true},
        {.words = "ynchronis", .instead = "synchronization", .part = true},
        {.words = "erialis", .instead = "serialize", .part = true},
        {.words = "mphasise", .instead = "emphasize", .part = true},
    };
    return all;
}

bool letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '\'' || c == '_';
}

/// Where the words stand in the text as whole words, from `from` on.
std::size_t find_words(std::string_view text, std::string_view words, std::size_t from) {
    for (std::size_t at = text.find(words, from); at != std::string_view::npos;
         at = text.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || !letter(text[at - 1])) && (end == text.size() || !letter(text[end]))) {
            return at;
        }
    }
    return std::string_view::npos;
}

bool allowed(const Rule& rule, std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(std::min(at + rule.words.size() + 1, text.size()));
    const std::string_view sentence = text.substr(0, at).substr(text.substr(0, at).rfind(". ") + 1);
    return std::ranges::any_of(rule.unless_after,
                               [&](std::string_view word) { return find_words(rest, word, 0) == 0; }) ||
           std::ranges::any_of(rule.unless_before, [&](std::string_view word) {
               return find_words(sentence, word, 0) != std::string_view::npos;
           });
}

/// What breaks a rule in these texts, with the words around it.
std::vector<std::string> findings(std::string_view file, const std::vector<std::string>& texts) {
    std::vector<std::string> found;
    for (const std::string& text : texts) {
        for (const Rule& rule : rules()) {
            const auto next = [&](std::size_t from) {
                return rule.part ? text.find(rule.words, from) : find_words(text, rule.words, from);
            };
            for (std::size_t at = 0; (at = next(at)) != std::string::npos; ++at) {
                if (!allowed(rule, text, at)) {
                    const std::size_t begin = at < 30 ? 0 : at - 30;
                    found.push_back(fmt::format("{}: \"...{}...\" ({}: {})", file, text.substr(begin, 70),
                                                rule.words, rule.instead));
                }
            }
        }
    }
    return found;
}

/// The comments and string literals of a source: lines of a comment that follow each other are one text, and
/// so are literals.
std::vector<std::string> texts_of_source(std::string_view code) {
    std::vector<std::string> texts;
    bool joined = false; // nothing but white space since the last text
    bool comment = false;
    const auto add = [&](std::string_view text, bool is_comment) {
        if (joined && comment == is_comment) {
            texts.back() += (is_comment ? " " : "") + std::string(text);
        } else {
            texts.emplace_back(text);
        }
        joined = true;
        comment = is_comment;
    };
    for (std::size_t at = 0; at < code.size();) {
        const std::string_view rest = code.substr(at);
        if (rest.starts_with("//")) {
            std::size_t begin = rest.find_first_not_of('/');
            begin += begin != std::string_view::npos && rest.substr(begin).starts_with("< ") ? 1 : 0;
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            std::string_view line = rest.substr(std::min(begin, end), end - std::min(begin, end));
            line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
            add(line, true);
            at += end;
        } else if (rest.starts_with("R\"")) {
            const std::string closing = ")" + std::string(rest.substr(2, rest.find('(') - 2)) + "\"";
            at += std::min(rest.find(closing), rest.size() - closing.size()) + closing.size();
            joined = false;
        } else if (rest.front() == '"' || rest.front() == '\'') {
            std::size_t end = 1;
            while (end < rest.size() && rest[end] != rest.front() && rest[end] != '\n') {
                end += rest[end] == '\\' ? 2 : 1;
            }
            const bool separator =
                rest.front() == '\'' && at > 0 && std::isdigit(static_cast<unsigned char>(code[at - 1])) != 0;
            if (rest.front() == '"') {
                add(rest.substr(1, std::min(end, rest.size()) - 1), false);
            }
            at += separator ? 1 : end + 1;
        } else {
            joined = joined && std::isspace(static_cast<unsigned char>(rest.front())) != 0;
            ++at;
        }
    }
    return texts;
}

/// The paragraphs of a page, without its blocks of code and what is marked as code in a line.
std::vector<std::string> texts_of_page(std::string_view markdown) {
    std::vector<std::string> texts(1);
    bool code = false;
    while (!markdown.empty()) {
        const std::size_t end = std::min(markdown.find('\n'), markdown.size());
        const std::string_view line = markdown.substr(0, end);
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
        if (line.starts_with("```")) {
            code = !code;
        } else if (!code && !line.starts_with("    ")) {
            bool marked = false;
            for (const char c : line) {
                marked = marked != (c == '`');
                if (!marked && c != '`') {
                    texts.back() += c;
                }
            }
            texts.back() += ' ';
        }
        if (line.empty() || line.starts_with("|") || line.starts_with("- ")) {
            texts.emplace_back();
        }
    }
    return texts;
}

std::string content(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Words, AreFoundWhereTheyAre) {
    EXPECT_THAT(texts_of_source("int a; // one\n// two\nf(\"x\" \"y\"); /// three\nint b; // four\n"),
                ElementsAre("one two", "xy", "three", "four"));
    EXPECT_THAT(texts_of_page("a `b` c\nd\n\n```\ne\n```\nf\n"), ElementsAre("a  c d  ", "f "));
    EXPECT_THAT(findings("a.md", {"The user is told.", "It is no chip.", "There is no chip.",
                                  "It is no longer so.", "Neither this nor that.", "Nor that, nor this.",
                                  "folder", "of another; is of a kind", "A or B was expected.",
                                  "It says what was expected.", "an optimiser", "optimistic"}),
                ElementsAre(testing::HasSubstr("told"), testing::HasSubstr("is no"),
                            testing::HasSubstr("nor"), testing::HasSubstr("is of a"),
                            testing::HasSubstr("was expected"), testing::HasSubstr("optimise")));
}

TEST(Words, PagesAreInPlainEnglish) {
    const fs::path root = MESHSLICE_SOURCE_DIR;
    std::vector<fs::path> pages = {root / "README.md", root / "CHANGELOG.md"};
    for (const auto& entry : fs::recursive_directory_iterator(root / "resources/docs")) {
        if (entry.path().extension() == ".md") {
            pages.push_back(entry.path());
        }
    }
    for (const fs::path& page : pages) {
        EXPECT_THAT(findings(fs::relative(page, root).generic_string(), texts_of_page(content(page))),
                    IsEmpty());
    }
}

TEST(Words, SourcesAreInPlainEnglish) {
    const fs::path root = MESHSLICE_SOURCE_DIR;
    for (const char* folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string ending = entry.path().extension().string();
            if ((ending == ".h" || ending == ".cpp" || ending == ".json") && !quoted(entry.path())) {
                EXPECT_THAT(findings(fs::relative(entry.path(), root).generic_string(),
                                     texts_of_source(content(entry.path()))),
                            IsEmpty());
            }
        }
    }
}

} // namespace
} // namespace meshslice
