#include "core/report/words/column_words.h"

#include "core/base/json/tree.h"
#include "core/base/say.h"

#include <array>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

/// An abbreviation of programs in words; what is none is a word already.
std::string one_word(const std::string& name) {
    const std::array<std::pair<std::string_view, std::string>, 12> words = {
        {{"ttft", said("time to first token")},
         {"tpot", said("time per output token")},
         {"e2e", said("whole request")},
         {"tp", said("tensor (tp)")},
         {"dp", said("data (dp)")},
         {"pp", said("pipeline (pp)")},
         {"ep", said("experts (ep)")},
         {"cp", said("context (cp)")},
         {"p95", said("(95 in 100)")},
         {"hbm", "HBM"},
         {"flop", "FLOP"},
         {"mfu", "MFU"}}};
    for (const auto& [key, meant] : words) {
        if (name == key) {
            return meant;
        }
    }
    return name;
}

/// Names that are translated as a whole; among other words these would stand in another language.
std::string whole_name(const std::string& name) {
    return name == "number"   ? said("number")
           : name == "answer" ? said("answer")
           : name == "from"   ? said("from")
           : name == "to"     ? said("to")
                              : name;
}

} // namespace

std::string words_of_column(const std::string& column) {
    if (const std::size_t slash = column.rfind('/'); slash != std::string::npos) {
        const std::string whole = words_of_column(column.substr(0, slash)), part = column.substr(slash + 1);
        const bool only_unit = !unit_of(part).empty() && words_of_name(part) == part;
        return only_unit ? whole : whole + said(": ") + words_of_column(part);
    }
    std::string words, word;
    for (const char letter : whole_name(words_of_name(column)) + " ") {
        if (letter != ' ') {
            word += letter;
            continue;
        }
        words += (words.empty() || word.empty() ? "" : " ") + one_word(word);
        word.clear();
    }
    return words;
}

} // namespace meshslice
