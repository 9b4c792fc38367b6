#include "app/arguments/manual_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace meshslice {
namespace {

/// A text that shows as it is: a backslash and a minus are themselves, and no line begins a request.
std::string shown(std::string_view text) {
    std::string out;
    bool begins = true;
    for (const char letter : text) {
        if (begins && (letter == '.' || letter == '\'')) {
            out += "\\&";
        }
        if (letter == '\\') {
            out += "\\e";
        } else if (letter == '-') {
            out += "\\-";
        } else {
            out += letter;
        }
        begins = letter == '\n';
    }
    return out;
}

std::string capitals(std::string words) {
    std::ranges::transform(words, words.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return words;
}

} // namespace

std::string roff(const ManualPage& page) {
    std::string out =
        fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n"
                    ".SH DESCRIPTION\n{}\n",
                    shown(capitals(page.program)), shown(page.version), shown(page.program), shown(page.name),
                    shown(page.synopsis), shown(page.description));
    for (const auto& [name, sentence] : page.entries) {
        out += fmt::format(".TP\n.B {}\n{}\n", shown(name), shown(sentence));
    }
    for (const auto& [heading, lines] : page.sections) {
        out += fmt::format(".SH \"{}\"\n.nf\n{}\n.fi\n", shown(capitals(heading)), shown(lines));
    }
    out += ".SH EXIT STATUS\n0: done. 1: a check found something wrong. 2: the input was wrong, or too large "
           "for this computer; one sentence on the standard error says what was expected. 70: an error of "
           "the program itself.\n";
    return page.see_also.empty() ? out
                                 : out + fmt::format(".SH SEE ALSO\n.BR {} (1)\n", shown(page.see_also));
}

} // namespace meshslice
