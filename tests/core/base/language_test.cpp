#include "core/base/embedded_resources.h"
#include "core/base/say.h"
#include "core/base/text/sections.h"
#include "core/machine/edit.h"
#include "core/machine/fields.h"
#include "core/question/catalogue/study/study_file.h"
#include "core/report/words/glossary.h"
#include "core/report/words/headline.h"
#include "core/scenario/examples.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"
#include "core/step/training_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <locale>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Speaks Chinese for as long as there is one.
struct InChinese {
    InChinese() { EXPECT_TRUE(set_language("zh_CN")); }
    ~InChinese() { std::locale::global(std::locale::classic()); }
};

/// The literals of C++ sources, those that stand next to each other as one.
class Literals {
  public:
    explicit Literals(const std::string& source) {
        std::string joined;
        bool open = false;
        for (std::size_t k = 0; k < source.size(); ++k) {
            if (source.compare(k, 2, "//") == 0) {
                k = std::min(source.find('\n', k), source.size());
                continue;
            }
            if (source[k] == '\'' && k + 2 < source.size()) { // a character, or the mark in 10'000
                const std::size_t end = source[k + 1] == '\\' ? k + 3 : k + 2;
                k = end < source.size() && source[end] == '\'' ? end : k;
                continue;
            }
            if (source[k] == '"') {
                if (!open) {
                    begins_.push_back(k);
                }
                open = true;
                for (++k; k < source.size() && source[k] != '"'; ++k) {
                    if (source[k] != '\\') {
                        joined += source[k];
                        continue;
                    }
                    ++k;
                    joined += source[k] == 'n' ? '\n' : source[k] == 't' ? '\t' : source[k];
                }
            } else if (open && std::isspace(static_cast<unsigned char>(source[k])) == 0) {
                texts_.push_back(std::exchange(joined, {}));
                open = false;
            }
        }
        if (open) {
            texts_.push_back(joined);
        }
    }

    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
    /// Those that begin in [begin, end).
    [[nodiscard]] std::vector<std::string> within(std::size_t begin, std::size_t end) const {
        std::vector<std::string> found;
        for (std::size_t k = 0; k < texts_.size(); ++k) {
            if (begins_[k] >= begin && begins_[k] < end) {
                found.push_back(texts_[k]);
            }
        }
        return found;
    }

  private:
    std::vector<std::string> texts_;
    std::vector<std::size_t> begins_;
};

/// Where the parenthesis that opens at `open` closes.
std::size_t closing(const std::string& source, std::size_t open) {
    int depth = 0;
    for (std::size_t k = open; k < source.size(); ++k) {
        if (source[k] == '"') {
            for (++k; k < source.size() && source[k] != '"'; ++k) {
                k += source[k] == '\\' ? 1 : 0;
            }
        } else if (source[k] == '(') {
            ++depth;
        } else if (source[k] == ')' && --depth == 0) {
            return k;
        }
    }
    return source.size();
}

/// What a source hands to say(), said() and translated() as literals.
std::vector<std::string> said_in(const std::string& source) {
    const Literals literals(source);
    std::vector<std::string> found;
    static const std::regex call(R"((^|[^A-Za-z_:.>])(say|said|translated)\()");
    for (std::sregex_iterator it(source.begin(), source.end(), call), end; it != end; ++it) {
        const auto open = static_cast<std::size_t>(it->position() + it->length() - 1);
        const std::vector<std::string> inside = literals.within(open, closing(source, open));
        if ((*it)[2] != "say") {
            found.insert(found.end(), inside.begin(), inside.end());
        } else if (!inside.empty() && source.find_first_not_of(" \n", open + 1) == source.find('"', open)) {
            found.push_back(inside.front()); // the others are values
        }
    }
    return found;
}

std::map<std::string, std::string> sources(const std::vector<std::string>& rooms) {
    std::map<std::string, std::string> all;
    for (const std::string& room : rooms) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::filesystem::path(MESHSLICE_SOURCE_DIR) / room)) {
            const std::string ending = entry.path().extension().string();
            if (ending == ".cpp" || ending == ".h") {
                std::ifstream file(entry.path());
                all[entry.path().string()] = {std::istreambuf_iterator<char>(file), {}};
            }
        }
    }
    return all;
}

const Sentences& chinese() {
    static const Sentences all = sentences_of("zh_CN").value();
    return all;
}

/// "{}" and "{1:.1e}" by the number of their value, whatever their order.
std::multimap<std::size_t, std::string> places(std::string text) {
    text = std::regex_replace(text, std::regex(R"(\{\{|\}\})"), "");
    std::multimap<std::size_t, std::string> found;
    static const std::regex place(R"(\{(\d*)(:[^}]*)?\})");
    std::size_t next = 0;
    for (std::sregex_iterator it(text.begin(), text.end(), place), end; it != end; ++it) {
        found.emplace((*it)[1].length() > 0 ? std::stoul((*it)[1].str()) : next++, (*it)[2].str());
    }
    return found;
}

bool has_han(std::string_view text) {
    // U+4E00 to U+9FFF are E4 B8 80 to E9 BF BF.
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0xe4 && byte <= 0xe9;
    });
}

TEST(Language, IsEnglishUntilAnotherIsSet) {
    EXPECT_EQ(language(), "en");
    EXPECT_EQ(say("S = {} to {}", 3, 6), "S = 3 to 6");
    EXPECT_EQ(said("batch"), "batch");
    EXPECT_THAT(languages(), testing::ElementsAre("zh_CN"));
    EXPECT_TRUE(set_language("tlh")); // there is none, so English stays
    EXPECT_EQ(language(), "en");
}

TEST(Language, SpeaksChineseAndLeavesNumbersAlone) {
    const InChinese chinese_now;
    EXPECT_EQ(language(), "zh_CN");
    EXPECT_EQ(say("S = {} to {}", 3, 6), "S = 3 到 6");
    EXPECT_EQ(said("batch"), "批大小");
    EXPECT_EQ(said("no such words"), "no such words");
    EXPECT_EQ(fmt::format("{:.1f}", 1.5), "1.5");
    std::ostringstream out;
    out << 1234567 << ' ' << 1.5;
    EXPECT_EQ(out.str(), "1234567 1.5");
}

TEST(Language, GoesBackToEnglish) {
    const InChinese chinese_now;
    for (const char* const other : {"en", "tlh"}) {
        ASSERT_TRUE(set_language("zh_CN"));
        EXPECT_EQ(said("batch"), "批大小");
        ASSERT_TRUE(set_language(other));
        EXPECT_EQ(language(), "en") << other;
        EXPECT_EQ(said("batch"), "batch") << other;
    }
}

TEST(Language, NamesOfVariantsAreStoredInEnglishAndShown) {
    for (const ExampleProject& example : example_projects()) {
        for (const Variant& variant : example.project.variants) {
            EXPECT_TRUE(std::ranges::all_of(variant.name, [](char c) { return c > 0; })) << variant.name;
        }
    }
    const InChinese chinese_now;
    EXPECT_EQ(Project().free_name(), "Variant 2");
    EXPECT_EQ(shown_name("Variant 2"), "方案 2");
    EXPECT_EQ(shown_name("sliced"), "切片");
    EXPECT_EQ(shown_name("A (sliced)"), "A (切片)");
    EXPECT_EQ(shown_name("batch"), "batch") << "somebody's own name";
    EXPECT_EQ(shown_name("Variant x"), "Variant x");
    const InEnglish for_programs;
    EXPECT_EQ(shown_name("A (sliced)"), "A (sliced)");
}

TEST(Language, ProgramsReadEnglish) {
    const InChinese chinese_now;
    {
        const InEnglish for_programs;
        EXPECT_EQ(said("batch"), "batch");
    }
    EXPECT_EQ(said("batch"), "批大小");
}

/// A help is put together of sentences that are translated once.
TEST(Language, SaysTextsOfKnownSentences) {
    const InChinese chinese_now;
    EXPECT_EQ(said("Read or written. Its size, of one chip."), "读或写。单个芯片的容量。");
    EXPECT_EQ(said("Read or written. Nobody translated this."), "Read or written. Nobody translated this.");
}

TEST(Language, ChineseHasSpacesNextToLatinLettersOnly) {
    EXPECT_EQ(language_detail::spaced("69%的通信"), "69% 的通信");
    EXPECT_EQ(language_detail::spaced("纵向链路 的同步"), "纵向链路的同步");
    EXPECT_EQ(language_detail::spaced("FSDP和Wang"), "FSDP 和 Wang");
    EXPECT_EQ(language_detail::spaced("32x8， S = 3"), "32x8，S = 3");
    EXPECT_EQ(language_detail::spaced("芯片 3,5  核心"), "芯片 3,5  核心");
    EXPECT_EQ(language_detail::spaced("B (sliced)少用"), "B (sliced) 少用");
    EXPECT_EQ(language_detail::spaced("one two"), "one two");
}

TEST(Language, FindsWhatIsSaid) {
    EXPECT_THAT(said_in(R"(x = say("a {} "
                               "b", said("c")); fmt::format("d"); // said("e")
                           y = said(k ? "f" : "g"); essay("h"); say(window, "i");)"),
                testing::UnorderedElementsAre("a {} b", "c", "f", "g"));
}

TEST(Language, EverySentenceIsTranslated) {
    for (const auto& [path, text] : sources({"core", "ui"})) {
        if (path.ends_with("core/base/say.h") || path.find("calibrat") != std::string::npos) {
            continue; // calibration.cpp has a said() of its own
        }
        for (const std::string& sentence : said_in(text)) {
            const bool words = std::regex_search(sentence, std::regex("[A-Za-z]{2}"));
            EXPECT_TRUE(!words || chinese().contains(sentence)) << path << ": " << sentence;
        }
    }
}

TEST(Language, TranslationsHaveTheValuesOfTheirSentence) {
    for (const auto& [english, other] : chinese()) {
        EXPECT_EQ(places(english), places(other)) << english << " | " << other;
        const bool numbered = other.find("{0") != std::string::npos || other.find("{1") != std::string::npos;
        EXPECT_FALSE(numbered && other.find("{}") != std::string::npos) << other << ": some are numbered";
    }
}

/// The rows of the tables that the form and the command line are made of, as the form shows them.
TEST(Language, EveryFieldIsTranslated) {
    const InChinese chinese_now;
    // Units, names and what the form takes as it is.
    const std::set<std::string> alike = {"",   "µs",      "Cannon",    "Wang",  "MeshSlice", "M",  "N",
                                         "K",  "TFLOP/s", "GB/s",      "GB",    "MiB",       "us", "ns",
                                         "s",  "bf16",    "fp32",      "int8",  "B/s",       "B",  "FLOP/s",
                                         "OS", "GEMM",    "unbounded", "tokens"};
    const auto expect = [&](const std::string& text, const std::string& key) {
        const bool number = text.find_first_not_of("0123456789") == std::string::npos;
        const bool formula = text.find(" = ") != std::string::npos && text.size() < 16;
        EXPECT_TRUE(number || formula || alike.contains(text) || has_han(said(text))) << key << ": " << text;
    };
    for (const Field<Scenario>& field : scenario_fields()) {
        expect(field.name, field.key);
        if (field.label.empty()) {
            continue;
        }
        for (const std::string& text : {field.label, field.help, field.group, field.word_label,
                                        field.form_unit.empty() ? field.unit : field.form_unit}) {
            expect(text, field.key);
        }
        for (const FieldChoice& choice : field.choices) {
            // Presets and algorithms have names; what tells of an algorithm is its first two notes.
            for (std::size_t k = 0; k < std::min<std::size_t>(2, choice.notes.size()); ++k) {
                expect(choice.notes[k], field.key);
            }
            if (field.kind == FieldKind::choice && choice.notes.empty()) {
                expect(choice.label.empty() ? choice.word : choice.label, field.key);
            }
        }
    }
}

/// What is shown of the studies that are files; what was published stays as it is.
std::vector<std::string> texts_of_studies() {
    std::vector<std::string> texts;
    for (const EmbeddedFile& file : embedded_studies()) {
        if (file.name.find('/') == std::string_view::npos) {
            continue;
        }
        const StudyFile study = read_study_file(file.text, std::string(file.name)).value();
        for (const std::string& text : {study.title, study.question, study.note, study.number_name}) {
            if (!text.empty()) {
                texts.push_back(text);
            }
        }
    }
    return texts;
}

TEST(Language, EveryStudyOfAFileIsTranslated) {
    for (const std::string& text : texts_of_studies()) {
        EXPECT_TRUE(chinese().contains(text)) << text;
    }
}

/// Every sentence of the file is one of the sources or of the tables.
TEST(Language, NoTranslationIsWithoutUse) {
    std::set<std::string> used;
    for (const auto& [path, text] : sources({"core", "ui"})) {
        const Literals literals(text);
        for (const std::string& literal : literals.texts()) {
            used.insert(literal);
            // Columns are shown without their unit, labels with a capital; help has several sentences.
            std::string spaced_out =
                std::regex_replace(literal, std::regex("_(s|bytes|flop|flop_per_s|flop_per_byte|ps)$"), "");
            spaced_out = std::regex_replace(spaced_out, std::regex("_"), " ");
            used.insert(spaced_out.substr(0, spaced_out.find_last_not_of(' ') + 1));
            for (std::size_t begin = 0; begin < literal.size();) {
                const std::size_t end = std::min(literal.find(". ", begin), literal.size());
                std::string one = literal.substr(begin, std::min(end + 1, literal.size()) - begin);
                one.erase(0,
                          one.find_first_not_of(' ') == std::string::npos ? 0 : one.find_first_not_of(' '));
                used.insert(one);
                begin = end + 2;
            }
        }
    }
    const auto use_texts = [&](const FieldRow& row) {
        used.insert({row.name, row.label, row.unit, row.help});
        for (std::size_t begin = 0; begin < row.help.size();) {
            const std::size_t end = std::min(row.help.find(". ", begin), row.help.size());
            used.insert(row.help.substr(begin, std::min(end + 1, row.help.size()) - begin));
            begin = end + 2;
        }
    };
    for (const Field<Scenario>& field : scenario_fields()) {
        use_texts(field);
    }
    for (const Field<Machine>& number : machine_numbers()) {
        use_texts(number);
    }
    const Scenario scenario = default_scenario();
    for (const MachineFact& fact : facts(scenario.hardware)) {
        used.insert(fact.label);
    }
    for (const char* const built : {"peak bf16", "peak int8", "difference time"}) {
        used.insert(built);
    }
    for (const EmbeddedFile& file : embedded_examples()) {
        const Project project = read_project(file.text, std::string(file.name)).value();
        for (const Variant& variant : project.variants) {
            used.insert(variant.name);
        }
    }
    for (const std::string& text : texts_of_studies()) {
        used.insert(text);
    }
    for (const auto& [english, other] : chinese()) {
        EXPECT_TRUE(used.contains(english)) << english;
    }
}

std::vector<std::string> numbers_in(const Section& section) {
    std::string text;
    for (const std::string& line : section.lines) {
        text += line + " ";
    }
    std::vector<std::string> numbers;
    static const std::regex number(R"(\d+(\.\d+)?)");
    for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
        numbers.push_back(it->str());
    }
    std::ranges::sort(numbers);
    return numbers;
}

/// Chinese counts things that English calls "a", so a number may stand there once more.
TEST(Language, ExamplesSayTheSameNumbers) {
    const InChinese chinese_now;
    std::map<std::string, Section> english;
    for (const EmbeddedFile& file : embedded_docs()) {
        for (const Section& section : sections(file.name == "examples.md" ? file.text : std::string_view())) {
            english[section.title] = section;
        }
    }
    const std::vector<Section> other = sections(document_in_language("examples"));
    EXPECT_EQ(other.size(), english.size());
    for (const Section& section : other) {
        ASSERT_TRUE(english.contains(section.title)) << section.title;
        const std::vector<std::string> wanted = numbers_in(english[section.title]);
        const std::vector<std::string> there = numbers_in(section);
        EXPECT_TRUE(std::ranges::includes(there, wanted)) << section.title;
    }
}

/// Every word of the English glossary finds its entry in the Chinese one.
TEST(Language, TheGlossaryHasEveryEntry) {
    const InChinese chinese_now;
    std::set<std::string> names;
    std::string also;
    for (const Section& section : sections(document_in_language("glossary"))) {
        names.insert(section.title);
        for (const std::string& line : section.lines) {
            if (line.starts_with("Also: ")) {
                also = line.substr(6);
                for (std::size_t begin = 0; begin < also.size();) {
                    const std::size_t end = std::min(also.find("; ", begin), also.size());
                    const auto [place, fresh] = names.insert(also.substr(begin, end - begin));
                    EXPECT_TRUE(fresh) << *place << " twice";
                    begin = end + 2;
                }
            }
        }
    }
    std::size_t entries = 0;
    for (const EmbeddedFile& file : embedded_docs()) {
        for (const Section& section : sections(file.name == "glossary.md" ? file.text : std::string_view())) {
            EXPECT_TRUE(names.contains(section.title)) << section.title;
            ++entries;
        }
    }
    EXPECT_EQ(sections(document_in_language("glossary")).size(), entries);
}

/// "MeshSlice 32x8, S = 3 to 6: one block 61.7 ms, 66% of peak; ..."
TEST(Language, TheHeadlineIsChinese) {
    const InChinese chinese_now;
    const std::string line =
        headline(training_step(default_scenario(), "meshslice", Depth::estimate).value());
    EXPECT_TRUE(line.starts_with("MeshSlice 32x8，S = 3 到 6：放不下：每芯片 57.6/32.0")) << line;
    EXPECT_THAT(line, HasSubstr("；单块 61.7"));
    EXPECT_THAT(line, HasSubstr("，峰值的 66%；"));
    EXPECT_THAT(line, HasSubstr("的通信被掩盖；"));
    EXPECT_TRUE(line.ends_with("较均衡（延迟影响最大）")) << line;
}

} // namespace
} // namespace meshslice
