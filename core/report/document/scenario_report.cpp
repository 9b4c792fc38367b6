#include "core/report/document/scenario_report.h"

#include "core/base/language.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/scenario/differences.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_rows = 40; ///< of a table, which a reader still looks through

/// As a sentence begins; of letters of English alone.
std::string capitalized(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') {
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    }
    return words;
}

/// What everybody asks first, and what is not as it is at first.
DocumentTable question_table(const Reported& reported) {
    DocumentTable table{{}, {}, {}, 2};
    std::vector<std::string> named;
    const auto add = [&](const std::string& name, const std::string& value) {
        if (!value.empty() && std::ranges::find(named, name) == named.end()) {
            named.push_back(name);
            table.rows.push_back({name, value});
        }
    };
    if (reported.scenario != nullptr) {
        const Scenario& scenario = *reported.scenario;
        for (const char* key :
             {"model", "hardware", "mesh", "planning.chips", "batch", "planning.batch", "sequence"}) {
            const Field<Scenario>* const row = field_of(scenario_fields(), key);
            const bool no_torus = key == std::string("mesh") && !is_torus(scenario.hardware);
            if (row == nullptr || !row->applies(scenario) || no_torus) {
                continue;
            }
            const std::string value = text(*row, row->get(scenario));
            const bool idle = !row->word.empty() && value == row->word; // as another row says
            add(row->name, idle                             ? std::string()
                           : key == std::string("model")    ? scenario.model.title
                           : key == std::string("hardware") ? scenario.hardware.title
                                                            : value);
        }
        Scenario usual = default_scenario();
        usual.compare = scenario.compare; // which the answer may leave out
        for (const Difference& one : differences(usual, scenario)) {
            add(one.name, one.to);
        }
    }
    for (const auto& [name, value] : reported.own) {
        add(name, value);
    }
    return table;
}

DocumentBar bar_of(const std::vector<SummaryPart>& parts, std::string caption, bool bytes) {
    DocumentBar bar{std::move(caption), {}};
    for (const SummaryPart& part : parts) {
        bar.parts.push_back(
            {part.name, bytes ? bytes_text(part.amount) : seconds_text(part.amount), part.share, part.role});
    }
    return bar;
}

void add_summary(Document& document, const Reported& reported) {
    const Summary& summary = *reported.summary;
    document.title = summary.of;
    document.number = summary.number;
    const std::string both =
        summary.expected.empty() ? std::string() : summary.expected + said("; ") + summary.ideal + said(". ");
    document.answer = both + summary.of_peak + ". " + summary.fit +
                      (summary.bound.empty() ? "." : ". " + capitalized(summary.bound) + ".");
    if (!summary.warnings.empty()) {
        document.sections.front().blocks.push_back(DocumentText{summary.warnings, true});
    }
}

std::string one_check(const Check& check) {
    const std::string verdict = !check.holds   ? said("not judged")
                                : *check.holds ? said("holds")
                                               : said("does not hold");
    return check.because.empty() ? say("{}: {}", check.what, verdict)
                                 : say("{}: {} ({})", check.what, verdict, check.because);
}

DocumentSection trust_section(const Reported& reported) {
    DocumentSection section{said("How far to trust it"), {}};
    if (!reported.trust.empty()) {
        section.blocks.push_back(DocumentText{reported.trust});
    }
    DocumentList checks;
    std::ranges::transform(reported.answer->checks, std::back_inserter(checks.items), one_check);
    if (!checks.items.empty()) {
        section.blocks.push_back(std::move(checks));
    }
    std::vector<std::string> left_out = reported.answer->notes;
    if (reported.summary && !reported.summary->not_counted.empty()) {
        left_out.insert(left_out.begin(), reported.summary->not_counted);
    }
    if (!left_out.empty()) {
        section.blocks.push_back(DocumentList{std::move(left_out)});
    }
    return section;
}

DocumentSection changes_section(const Reported& reported) {
    DocumentSection section{said("What would change it"), {}};
    DocumentList list{{}, true};
    for (const Finding& one : reported.findings) {
        list.items.push_back(one.offer.sentence);
    }
    for (const Offer& one : reported.answer->offers) {
        list.items.push_back(one.sentence);
    }
    if (!list.items.empty()) {
        section.blocks.push_back(std::move(list));
    }
    for (const NamedChart& one : reported.charts) {
        section.blocks.push_back(one.chart);
    }
    return section;
}

DocumentSection numbers_section(const Machine& machine) {
    DocumentSection section{said("Where the machine's numbers come from"), {}};
    DocumentTable table{machine.title, {said("number"), said("value"), said("source")}, {}, 3};
    for (const Field<Machine>& number : machine_numbers()) {
        if (!number.applies(machine) || !number.source) {
            continue;
        }
        Machine read = machine; // whose source is asked for by reference
        const std::string value = text(number, number.get(machine));
        const std::string source = number.source(read);
        if (!value.empty() && !source.empty()) {
            table.rows.push_back({said(number.name), value, source});
        }
    }
    section.blocks.push_back(std::move(table));
    return section;
}

Result<void> add_tables(DocumentSection& section, const Answer& answer) {
    for (const NamedTable& one : answer.tables) {
        Result<Table> table = whole_table(one);
        if (!table) {
            return refuse(table.error());
        }
        if (table->title.empty()) {
            table->title = one.title.empty() ? one.name : one.title;
        }
        section.blocks.push_back(document_table(*table, most_rows));
    }
    return {};
}

} // namespace

Result<Document> report_of(const Reported& reported) {
    const Answer& answer = *reported.answer;
    Document document{say("Report: {}", reported.kind),
                      answer.about,
                      {},
                      answer.headline,
                      {},
                      reported.made_by,
                      language()};
    document.sections.push_back({said("The question"), {question_table(reported)}});
    if (reported.summary) {
        add_summary(document, reported);
    }
    document.sections.push_back(trust_section(reported));
    if (reported.summary) {
        DocumentSection parts{said("Where time and memory go"), {}};
        parts.blocks.push_back(bar_of(reported.summary->time, said("Time"), false));
        parts.blocks.push_back(bar_of(reported.summary->memory, reported.summary->fit, true));
        document.sections.push_back(std::move(parts));
    }
    document.sections.push_back(changes_section(reported));
    DocumentSection pictures{said("Pictures"), {}};
    for (const NamedChart& one : answer.charts) {
        pictures.blocks.push_back(one.chart);
    }
    document.sections.push_back(std::move(pictures));
    DocumentSection tables{said("Tables"), {}};
    if (const Result<void> added = add_tables(tables, answer); !added) {
        return refuse(added.error());
    }
    tables.blocks.push_back(DocumentCode{said("All that the command line says"), words_of(answer)});
    document.sections.push_back(std::move(tables));
    if (reported.scenario != nullptr) {
        document.sections.push_back(numbers_section(reported.scenario->hardware));
    }
    if (!reported.again.empty()) {
        document.sections.push_back({said("To make it again"), {DocumentCode{{}, reported.again}}});
    }
    std::erase_if(document.sections, [](const DocumentSection& one) { return one.blocks.empty(); });
    return document;
}

} // namespace meshslice
