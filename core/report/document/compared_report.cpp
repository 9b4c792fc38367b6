#include "core/report/document/compared_report.h"

#include "core/base/language.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/comparison.h"
#include "core/report/document/report_sections.h"
#include "core/report/document/summarized.h"
#include "core/report/summary/expected_words.h"
#include "core/report/words/column_words.h"
#include "core/scenario/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_numbers = 40; ///< that differ, in a table

/// A number that both are compared by, with what measured runs leave open.
struct MainNumber {
    std::string name, path, words;
    double value = 0;
    std::optional<NumberBand> band = {};
};
/// The same number of both.
struct MainNumbers {
    MainNumber a, b;
};

/// A value of an answer; counts to the last digit.
std::string words_at(const Answer& answer, const std::string& path) {
    const Tree& found = *answer.values.at(path);
    const auto* const count = std::get_if<std::int64_t>(&found.value());
    return words_of_cell(path, count != nullptr ? Table::Cell(*count) : Table::Cell(*found.number()));
}

std::string words_of_value(const std::string& path, double value) {
    return value_text(path, Tree(value));
}

/// What an answer says at a path; none where it says nothing there.
std::optional<MainNumber> number_of(const Reported& one, const std::string& path) {
    const std::vector<NumberBand>& bands = one.answer->trust.bands;
    const auto band = std::ranges::find(bands, path, &NumberBand::path);
    if (band != bands.end()) {
        return MainNumber{band->name, path, words_of_value(path, band->value), band->value, *band};
    }
    const std::optional<double> value = number_at(one.answer->values, path);
    return value ? std::optional(MainNumber{words_of_column(path), path, words_at(*one.answer, path), *value})
                 : std::nullopt;
}

/// Time where there is one, else the first number of the answer.
std::optional<MainNumber> main_number(const Reported& one) {
    const std::vector<NumberBand>& bands = one.answer->trust.bands;
    if (one.summary) {
        const double value = one.summary->seconds;
        const bool its = !bands.empty() && bands.front().value == value;
        return MainNumber{said("time"), "time_s", seconds_text(value), value,
                          its ? std::optional(bands.front()) : std::nullopt};
    }
    if (!bands.empty()) {
        return number_of(one, bands.front().path);
    }
    const std::vector<std::string> paths = number_paths(one.answer->values);
    const auto time =
        std::ranges::find_if(paths, [](const std::string& path) { return unit_of(path) == "s"; });
    const auto found = time == paths.end() ? paths.begin() : time;
    return found == paths.end() ? std::nullopt : number_of(one, *found);
}

/// A's number and the same of B, or B's and the same of A; none where they share neither.
std::optional<MainNumbers> main_numbers(const Reported& a, const Reported& b) {
    const std::optional<MainNumber> of_a = main_number(a), of_b = main_number(b);
    if (of_a && of_b && of_a->path == of_b->path) {
        return MainNumbers{*of_a, *of_b};
    }
    const std::optional<MainNumber> same_of_b = of_a ? number_of(b, of_a->path) : std::nullopt;
    if (same_of_b) {
        return MainNumbers{*of_a, *same_of_b};
    }
    const std::optional<MainNumber> same_of_a = of_b ? number_of(a, of_b->path) : std::nullopt;
    return same_of_a ? std::optional(MainNumbers{*same_of_a, *of_b}) : std::nullopt;
}

/// How many tokens both take a second, where both are asked for the same and say so.
std::optional<MainNumbers> token_rates(const Reported& a, const Reported& b) {
    constexpr const char* path = "tokens_per_s";
    const std::optional<MainNumber> main_a = main_number(a), main_b = main_number(b);
    if (!main_a || !main_b || main_a->path != main_b->path) {
        return std::nullopt;
    }
    const auto rate = [&](const Reported& one) -> std::optional<MainNumber> {
        const double summed = one.summary ? one.summary->tokens_per_s : 0;
        const std::optional<double> value =
            summed > 0 ? std::optional(summed) : number_at(one.answer->values, path);
        return value ? std::optional(MainNumber{said("tokens/s"), path, number_text(*value), *value})
                     : std::nullopt;
    };
    const std::optional<MainNumber> of_a = rate(a), of_b = rate(b);
    return of_a && of_b ? std::optional(MainNumbers{*of_a, *of_b}) : std::nullopt;
}

/// "14% less", "1.50 times as much", "nearly the same"; empty where there is nothing to compare with.
std::string change_words(const MainNumbers& both) {
    constexpr double twice = 2;
    constexpr double printed = 0.0005; // of a share as percent
    const double a = both.a.value, b = both.b.value;
    if (a == b) {
        return said("the same");
    }
    if (a <= 0 || b < 0) {
        return {};
    }
    const double ratio = b / a;
    return std::abs(ratio - 1) < printed ? said("nearly the same")
           : ratio >= twice              ? say("{} times as much", number_text(ratio))
           : ratio > 1                   ? say("{} more", percent_text(ratio - 1))
                                         : say("{} less", percent_text(1 - ratio));
}

/// The numbers of the answers as a whole, in words; where they have none, all.
Table numbers_for_people(const Answer& a, const Answer& b) {
    Table table = differing_numbers(a, b, "A", "B");
    const auto inner = [](const std::vector<Table::Cell>& row) {
        return std::get<std::string>(row.front()).find('/') != std::string::npos;
    };
    if (!std::ranges::all_of(table.rows, inner)) {
        std::erase_if(table.rows, inner);
    }
    for (std::vector<Table::Cell>& row : table.rows) {
        const std::string path = std::get<std::string>(row.front());
        row[0] = words_of_column(path);
        row[1] = words_at(a, path);
        row[2] = words_at(b, path);
    }
    table.title.clear();
    return table;
}

/// What is expected of the plan that an answer puts first; none where it is about something else.
std::optional<ExpectedStep> expected_of(const Reported& one) {
    const Summarized* const plans = plans_of(*one.answer);
    const RankedPlan* const first = plans == nullptr ? nullptr : plans->first_plan();
    return first == nullptr ? std::nullopt : std::optional(expected_of(plans->plans->question, *first));
}

/// How well the ratio of two numbers is known: of plans as their ties are judged, else by the bands, as if
/// the errors of both had nothing in common.
KnownRatio ratio_known_of(const Reported& a, const Reported& b, const MainNumbers& both) {
    const std::optional<ExpectedStep> of_a = expected_of(a), of_b = expected_of(b);
    if (of_a && of_b && of_a->known() && of_b->known()) {
        return known_ratio(*of_a, *of_b);
    }
    const auto half = [](const NumberBand& band) { return half_of(band.value, band.low, band.high); };
    return independent_ratio(half(*both.a.band), half(*both.b.band));
}

/// The end of a range of ratios; 1 says that both may be the same, so that an end near it has more digits.
std::string end_words(double ratio) {
    constexpr int most_digits = 6;
    std::string words = number_text(ratio);
    for (int digits = 3; words == number_text(1) && digits <= most_digits; ++digits) {
        const std::string longer = fmt::format("{:.{}f}", ratio, digits);
        words = std::stod(longer) == 1 ? words : longer;
    }
    return words;
}

bool is_step_time(const MainNumber& one) {
    return one.path == "time_s" || one.path == "expected_s";
}

/// What the ratio of one run on two machines is not known by; empty of two runs, and on one machine.
std::string one_run_words(const KnownRatio& known) {
    return known.one_run
               ? said(" ") + said("Both are one run, which shares at least as much; what another number of "
                                  "its machine changes was not measured.")
               : std::string();
}

/// Whether the two are farther apart than their ratio may be off: that of tokens/s, where one has more to do.
std::string verdict(const Reported& a, const Reported& b, const MainNumbers& both) {
    if (both.a.value == both.b.value) {
        return said("Both come out the same.");
    }
    if (!both.a.band || !both.b.band) {
        return !both.a.band && !both.b.band
                   ? said("No measured runs say how far off either may be, so it is open whether the "
                          "difference is larger than that.")
                   : say("No measured runs say how far off {} may be, so it is open whether the difference "
                         "is larger than that.",
                         both.a.band ? "B" : "A");
    }
    if (both.a.band->low <= 0 || both.b.band->low <= 0) {
        return said("A band begins at zero, so that measured runs leave open how far apart the two are.");
    }
    const std::optional<MainNumbers> rates = token_rates(a, b);
    constexpr double alike = 1e-6; // of the tokens of both
    const bool other_work =
        rates && is_step_time(both.a) &&
        std::abs(rates->a.value * both.a.value / (rates->b.value * both.b.value) - 1) > alike;
    const MainNumbers& judged = other_work ? *rates : both;
    const KnownRatio known = ratio_known_of(a, b, both);
    const double ratio = judged.b.value / judged.a.value;
    const bool time = unit_of(judged.a.path) == "s";
    const bool longer = time && known.not_less && ratio >= 1;
    const bool shorter = time && known.not_more && ratio <= 1;
    const double least = ratio / known.times, most = ratio * known.times;
    const std::string low = end_words(longer ? std::max(least, 1.0) : least),
                      high = end_words(shorter ? std::min(most, 1.0) : most);
    const std::string range =
        known.pairs ? say("{} to {} in eight of ten measured cases", low, high)
                    : say("{} to {} in eight of ten cases, if the errors of A and B have nothing in common",
                          low, high);
    const bool apart = std::max(ratio, 1 / ratio) > known.times;
    const std::string end =
        apart     ? said("so measured runs tell the two apart.")
        : longer  ? said("and B cannot be faster: it is the same plan, and each number of its "
                          "machine is the same as A's or slower. Measured runs cannot tell "
                          "how much longer it takes.")
        : shorter ? said("and B cannot be slower: it is the same plan, and each number of its "
                         "machine is the same as A's or faster. Measured runs cannot tell "
                         "how much less time it takes.")
        : time    ? said("so measured runs cannot tell which takes longer.")
                  : said("so measured runs cannot tell which has more.");
    const std::string words =
        say("In {}, B is {} times A ({}), {}", judged.a.name, end_words(ratio), range, end);
    const std::string why =
        known.pairs ? ratio_words(*known.pairs) + one_run_words(known)
                    : say("The bands are A {}, B {}.", band_words(*both.a.band), band_words(*both.b.band));
    return words + said(" ") + why;
}

/// What was asked of one and not of the other.
DocumentBlock differences_of(const Reported& a, const Reported& b) {
    DocumentTable table{{}, {said("what"), "A", "B"}, {}, 3};
    if (a.scenario != nullptr && b.scenario != nullptr) {
        Scenario other = *b.scenario;
        other.compare = a.scenario->compare; // no part of the answer
        for (const Difference& one : differences(*a.scenario, other)) {
            table.rows.push_back({one.name, one.from, one.to});
        }
    }
    const auto value = [](const Reported& one, const std::string& name) {
        for (const auto* const values : {&one.own, &one.usual}) {
            const auto found = std::ranges::find(*values, name, &std::pair<std::string, std::string>::first);
            if (found != values->end()) {
                return found->second;
            }
        }
        return said("none");
    };
    std::vector<std::string> names;
    for (const Reported* one : {&a, &b}) {
        for (const auto& [name, text] : one->own) { // what is as it begins in both does not differ
            if (std::ranges::find(names, name) == names.end() && value(a, name) != value(b, name)) {
                names.push_back(name);
                table.rows.push_back({name, value(a, name), value(b, name)});
            }
        }
    }
    return table.rows.empty() ? DocumentBlock(DocumentText{{said("Nothing differs.")}})
                              : DocumentBlock(std::move(table));
}

DocumentTable answers_table(const Reported& a, const Reported& b, const std::optional<MainNumbers>& both) {
    DocumentTable table{{}, {said("what"), "A", "B", said("B against A")}, {}, 4};
    const auto add = [&](const std::string& what, const std::string& first, const std::string& second,
                         const std::string& change = {}) {
        if (!first.empty() || !second.empty()) {
            table.rows.push_back({what, first, second, change});
        }
    };
    const auto add_numbers = [&](const MainNumbers& of) {
        add(of.a.name, of.a.words, of.b.words, change_words(of));
    };
    const auto band = [](const MainNumber& one) {
        return one.band ? band_words(*one.band) : said("not known");
    };
    if (both) {
        add_numbers(*both);
        add(said("eight of ten measured cases"), band(both->a), band(both->b));
    }
    if (const std::optional<MainNumbers> rates = token_rates(a, b)) {
        add_numbers(*rates);
    }
    if (a.summary && b.summary) {
        add(said("how"), a.summary->how, b.summary->how);
        add(said("of the peak"), a.summary->of_peak, b.summary->of_peak);
        add(said("memory"), a.summary->fit, b.summary->fit);
        if (!a.summary->fits || !b.summary->fits) {
            const std::size_t row = table.rows.size() - 1;
            if (!a.summary->fits) {
                table.marked.emplace_back(row, 1);
            }
            if (!b.summary->fits) {
                table.marked.emplace_back(row, 2);
            }
        }
        add(said("bound"), a.summary->bound, b.summary->bound);
    } else {
        add(said("answer"), a.answer->headline, b.answer->headline);
    }
    return table;
}

/// A section of each, or one where both say the same.
void add_of_both(Document& document, DocumentSection a, DocumentSection b) {
    if (a.blocks.empty() && b.blocks.empty()) {
        return;
    }
    if (a == b) {
        document.sections.push_back(std::move(a));
        return;
    }
    for (auto [name, section] : {std::pair("A", std::move(a)), std::pair("B", std::move(b))}) {
        section.title = say("{}: {}", name, section.title);
        document.sections.push_back(std::move(section));
    }
}

DocumentSection time_and_memory(const Reported& a, const Reported& b) {
    DocumentSection section{said("Where time and memory go"), {}};
    const auto bars = [](const char* name, const Reported& one) {
        std::vector<DocumentBar> all;
        for (DocumentBlock& block : one.summary ? bars_of(*one.summary) : std::vector<DocumentBlock>()) {
            all.push_back(std::get<DocumentBar>(std::move(block)));
            all.back().caption = say("{}: {}", name, all.back().caption);
        }
        return all;
    };
    std::vector<DocumentBar> of_a = bars("A", a), of_b = bars("B", b);
    for (std::size_t k = 0; k < std::max(of_a.size(), of_b.size()); ++k) {
        std::vector<DocumentBar*> pair; // time with time, memory with memory, on one scale
        for (std::vector<DocumentBar>* all : {&of_a, &of_b}) {
            if (k < all->size()) {
                pair.push_back(&(*all)[k]);
            }
        }
        const double longest = (*std::ranges::max_element(pair, {}, &DocumentBar::whole))->whole;
        for (DocumentBar* bar : pair) {
            bar->length = longest > 0 ? bar->whole / longest : 1;
            section.blocks.emplace_back(std::move(*bar));
        }
    }
    return section;
}

std::string title_of(const Reported& one) {
    return one.summary ? one.summary->of : one.answer->about;
}

void add_head(Document& document, const Reported& a, const Reported& b,
              const std::optional<MainNumbers>& both, const std::string& names) {
    document.title =
        title_of(a) == title_of(b) ? title_of(a) : say("{}, against {}", title_of(a), title_of(b));
    document.how = names;
    for (const auto& [name, one] : {std::pair("A", &a), std::pair("B", &b)}) {
        if (one->summary && !one->summary->fits) {
            document.warnings.push_back(say("{}: {}.", name, one->summary->fit));
        } else if (!one->summary && one->answer->fits && !one->answer->fits()) {
            document.warnings.push_back(
                say("{}: {}", name, said("Not all of it fits into the memory of a chip.")));
        }
    }
    if (!both) {
        document.answer = a.answer->headline + said("; ") + b.answer->headline;
        for (const auto& [name, one] : {std::pair("A", &a), std::pair("B", &b)}) {
            for (const std::string& further : one->answer->further) {
                document.further.push_back(say("{}: {}", name, further));
            }
        }
        return;
    }
    if (const std::string change = change_words(*both); !change.empty()) {
        document.number = capitalized(say("{} of B: {}", both->b.name, change));
    }
    document.answer =
        say("A: {} {}; B: {} {}.", both->a.name, both->a.words, both->b.name, both->b.words) + said(" ");
    if (const std::optional<MainNumbers> rates = token_rates(a, b)) { // where one has more to do
        document.answer += say("Tokens/s: A {}, B {}.", rates->a.words, rates->b.words) + said(" ");
    }
    document.answer += verdict(a, b, *both);
}

/// What makes it again: a command line about both, or a file of each.
DocumentSection again_section(const Reported& a, const Reported& b) {
    DocumentSection section{said("To make it again"), {}};
    for (const auto& [name, one] : {std::pair("A", &a), std::pair("B", &b)}) {
        if (one->again.empty()) {
            continue;
        }
        if (!a.again.empty() && !b.again.empty()) {
            section.blocks.push_back(DocumentText{{say("The scenario of {}:", name)}});
        }
        section.blocks.push_back(DocumentCode{{}, one->again});
    }
    return section;
}

} // namespace

Result<Document> report_of_both(const Reported& a, const Reported& b, const std::string& a_name,
                                const std::string& b_name) {
    const std::optional<MainNumbers> numbers = main_numbers(a, b);
    Document document{say("Report: {}, A and B", a.kind), {}, {}, {}, {}, a.made_by, language()};
    const auto add = [&](DocumentSection section) { document.sections.push_back(std::move(section)); };
    add_head(document, a, b, numbers, say("A: {}. B: {}.", a_name, b_name));
    add({said("What differs"), {differences_of(a, b)}});
    add({said("Both answers"), {answers_table(a, b, numbers)}});
    Result<DocumentSection> trust_a = trust_section(a), trust_b = trust_section(b);
    if (!trust_a || !trust_b) {
        return refuse(trust_a ? trust_b.error() : trust_a.error());
    }
    add_of_both(document, *std::move(trust_a), *std::move(trust_b));
    add_of_both(document, left_out_section(a), left_out_section(b));
    add(time_and_memory(a, b));
    DocumentSection pictures{said("Pictures"), {}};
    for (const NamedChart& one : charts_of_both(*a.answer, *b.answer, "A", "B")) {
        pictures.blocks.push_back(one.chart);
    }
    add(std::move(pictures));
    add_of_both(document, formulas_section(a), formulas_section(b));
    add_of_both(document, changes_section(a), changes_section(b));
    if (const Table differing = numbers_for_people(*a.answer, *b.answer); !differing.rows.empty()) {
        add({said("Numbers that differ"), {document_table(differing, most_numbers)}});
    }
    add({said("The question, as A has it"), {question_table(a)}});
    if (a.machine && b.machine) {
        add_of_both(document, numbers_section(*a.machine), numbers_section(*b.machine));
    }
    add(again_section(a, b));
    std::erase_if(document.sections, [](const DocumentSection& one) { return one.blocks.empty(); });
    return document;
}

} // namespace meshslice
