#include "core/report/document/compared_report.h"

#include "core/base/language.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/comparison.h"
#include "core/report/document/report_sections.h"
#include "core/scenario/differences.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_numbers = 40; ///< that differ, in a table

/// The number that both are compared by, with what measured runs leave open.
struct MainNumber {
    std::string name, path;
    double value = 0;
    std::optional<NumberBand> band;

    [[nodiscard]] std::string words() const { return value_text(path, Tree(value)); }
};

/// Time where there is one, else the first number of the answer.
std::optional<MainNumber> main_number(const Reported& one) {
    const std::vector<NumberBand>& bands = one.answer->trust.bands;
    const std::optional<NumberBand> band = bands.empty() ? std::nullopt : std::optional(bands.front());
    if (one.summary) {
        const bool its = band && band->value == one.summary->seconds;
        return MainNumber{said("time"), "time_s", one.summary->seconds, its ? band : std::nullopt};
    }
    if (band) {
        return MainNumber{band->name, band->path, band->value, band};
    }
    const std::vector<std::string> paths = number_paths(one.answer->values);
    const auto seconds =
        std::ranges::find_if(paths, [](const std::string& path) { return unit_of(path) == "s"; });
    const auto found = seconds == paths.end() ? paths.begin() : seconds;
    return found == paths.end()
               ? std::nullopt
               : std::optional(
                     MainNumber{words_of_name(*found), *found, *number_at(one.answer->values, *found), {}});
}

/// "14% less", "1.50 times as much", "the same".
std::string change_words(double a, double b) {
    constexpr double twice = 2;
    if (a == b || a == 0) {
        return a == b ? said("the same") : std::string();
    }
    const double ratio = b / a;
    return ratio >= twice ? say("{} times as much", number_text(ratio))
           : ratio > 1    ? say("{} more", percent_text(ratio - 1))
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
        const auto value = [&](const Answer& one) {
            return words_of_cell(path, *number_at(one.values, path));
        };
        row[0] = words_of_column(path);
        row[1] = value(a);
        row[2] = value(b);
    }
    table.title.clear();
    return table;
}

/// Whether the two are farther apart than they may be off.
std::string verdict(const MainNumber& a, const MainNumber& b) {
    if (a.value == b.value) {
        return said("Both come out the same.");
    }
    if (!a.band || !b.band) {
        return !a.band && !b.band ? said("No measured runs say how far off either may be, so it is open "
                                         "whether the difference "
                                         "is larger than that.")
                                  : say("No measured runs say how far off {} may be, so it is open whether "
                                        "the difference is "
                                        "larger than that.",
                                        a.band ? "B" : "A");
    }
    const std::string both = say("A {}, B {}", band_words(*a.band), band_words(*b.band));
    const bool apart = a.band->high < b.band->low || b.band->high < a.band->low;
    return apart
               ? say("The difference is larger than the bands of eight in ten measured cases: {}.", both)
               : say("The bands of eight in ten measured cases overlap: {}. By them alone the two cannot be "
                     "distinguished.",
                     both);
}

/// What was asked of one and not of the other.
DocumentTable differences_table(const Reported& a, const Reported& b) {
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
    return table;
}

DocumentTable answers_table(const Reported& a, const Reported& b, const std::optional<MainNumber>& of_a,
                            const std::optional<MainNumber>& of_b) {
    DocumentTable table{{}, {said("what"), "A", "B", said("B against A")}, {}, 4};
    const auto add = [&](const std::string& what, const std::string& first, const std::string& second,
                         const std::string& change = {}) {
        if (!first.empty() || !second.empty()) {
            table.rows.push_back({what, first, second, change});
        }
    };
    const auto band = [](const std::optional<MainNumber>& one) {
        return one && one->band ? band_words(*one->band) : said("not known");
    };
    if (of_a && of_b) {
        add(of_a->name, of_a->words(), of_b->words(), change_words(of_a->value, of_b->value));
        add(said("eight of ten measured cases"), band(of_a), band(of_b));
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

/// The changes alone: pictures of both would be long.
DocumentSection changes_of(const Reported& one) {
    Reported short_one = one;
    short_one.charts.clear();
    return changes_section(short_one);
}

DocumentSection time_and_memory(const Reported& a, const Reported& b) {
    DocumentSection section{said("Where time and memory go"), {}};
    for (const auto& [name, one] : {std::pair("A", &a), std::pair("B", &b)}) {
        for (DocumentBlock& block : one->summary ? bars_of(*one->summary) : std::vector<DocumentBlock>()) {
            auto& bar = std::get<DocumentBar>(block);
            bar.caption = say("{}: {}", name, bar.caption);
            section.blocks.push_back(std::move(block));
        }
    }
    return section;
}

std::string title_of(const Reported& one) {
    return one.summary ? one.summary->of : one.answer->about;
}

void add_head(Document& document, const Reported& a, const Reported& b, const std::optional<MainNumber>& of_a,
              const std::optional<MainNumber>& of_b, const std::string& names) {
    document.title =
        title_of(a) == title_of(b) ? title_of(a) : say("{}, against {}", title_of(a), title_of(b));
    document.how = names;
    for (const auto& [name, one] : {std::pair("A", &a), std::pair("B", &b)}) {
        if (one->summary && !one->summary->fits) {
            document.warnings.push_back(say("{}: {}.", name, one->summary->fit));
        } else if (!one->summary && one->answer->fits && !one->answer->fits()) {
            document.warnings.push_back(say("{}: {}", name, said("Does not fit into the memory of a chip.")));
        }
    }
    if (of_a && of_b) {
        document.number = capitalized(say("{} of B: {}", of_b->name, change_words(of_a->value, of_b->value)));
        document.answer = say("A: {} {}; B: {} {}.", of_a->name, of_a->words(), of_b->name, of_b->words()) +
                          said(" ") + verdict(*of_a, *of_b);
    } else {
        document.answer = a.answer->headline + said("; ") + b.answer->headline;
    }
}

} // namespace

Result<Document> report_of_both(const Reported& a, const Reported& b, const std::string& a_name,
                                const std::string& b_name) {
    const std::optional<MainNumber> of_a = main_number(a), of_b = main_number(b);
    Document document{say("Report: {}, A and B", a.kind), {}, {}, {}, {}, a.made_by, language()};
    const auto add = [&](DocumentSection section) { document.sections.push_back(std::move(section)); };
    add_head(document, a, b, of_a, of_b, say("A: {}. B: {}.", a_name, b_name));
    add({said("What differs"), {differences_table(a, b)}});
    add({said("Both answers"), {answers_table(a, b, of_a, of_b)}});
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
    add_of_both(document, changes_of(a), changes_of(b));
    add({said("Numbers that differ"),
         {document_table(numbers_for_people(*a.answer, *b.answer), most_numbers)}});
    add({said("The question, as A has it"), {question_table(a)}});
    if (a.machine && b.machine) {
        add_of_both(document, numbers_section(*a.machine), numbers_section(*b.machine));
    }
    if (!a.again.empty()) {
        add({said("To make it again"), {DocumentCode{{}, a.again}}});
    }
    std::erase_if(document.sections, [](const DocumentSection& one) { return one.blocks.empty(); });
    return document;
}

} // namespace meshslice
