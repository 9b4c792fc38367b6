#include "core/report/document/report_sections.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/scenario/differences.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t most_paragraphs = 2; ///< more sentences are a list
constexpr std::size_t most_rows = 40;      ///< of a table, which a reader still looks through

DocumentBar bar_of(const std::vector<SummaryPart>& parts, std::string caption, bool bytes) {
    DocumentBar bar{std::move(caption), {}};
    for (const SummaryPart& part : parts) {
        bar.parts.push_back(
            {part.name, bytes ? bytes_text(part.amount) : seconds_text(part.amount), part.share, part.role});
        bar.whole += part.amount;
    }
    return bar;
}

std::string one_check(const Check& check) {
    const std::string verdict = !check.holds   ? said("not judged")
                                : *check.holds ? said("holds")
                                               : said("does not hold");
    return check.because.empty() ? say("{}: {}", check.what, verdict)
                                 : say("{}: {} ({})", check.what, verdict, check.because);
}

} // namespace

DocumentTable question_table(const Reported& reported) {
    DocumentTable table{{}, {}, {}, 2};
    std::vector<std::string> named;
    const auto add = [&](const std::string& name, const std::string& value) {
        const bool varied = std::ranges::find(reported.varied, name) != reported.varied.end();
        if (!value.empty() && !varied && std::ranges::find(named, name) == named.end()) {
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
    for (const auto& [name, value] : reported.answer->asked) {
        add(name, value);
    }
    std::string usual;
    for (const auto& [name, value] : reported.usual) {
        usual += (usual.empty() ? std::string() : said(", ")) + name + " " + value;
    }
    add(said("all else, as it begins"), usual);
    return table;
}

std::string band_words(const NumberBand& band) {
    const auto words = [&](double value) { return value_text(band.path, Tree(value)); };
    return say("{} to {}", words(band.low), words(band.high));
}

std::vector<DocumentBlock> bars_of(const Summary& summary) {
    return {bar_of(summary.time, said("Time"), false), bar_of(summary.memory, summary.fit, true)};
}

std::string answer_words(const Reported& reported) {
    std::string words;
    if (!reported.summary) {
        words = reported.answer->headline;
        words += words.empty() || words.ends_with('.') ? "" : said(".");
        for (const NumberBand& one : reported.answer->trust.bands) {
            words += said(" ") +
                     capitalized(say("{}: {} in eight of ten measured cases.", one.name, band_words(one)));
        }
        return words;
    }
    const Summary& summary = *reported.summary;
    words =
        summary.expected.empty() ? std::string() : summary.expected + said("; ") + summary.ideal + said(". ");
    words += summary.of_peak + said(". ");
    words += summary.fits ? summary.fit + said(". ") : std::string();
    return words + (summary.bound.empty() ? std::string() : capitalized(summary.bound) + said("."));
}

Result<void> add_tables(DocumentSection& section, const Answer& answer, TableKind kind) {
    for (const NamedTable& one : answer.tables) {
        if (one.kind != kind) {
            continue;
        }
        Result<Table> table = one.shown ? Result<Table>(*one.shown) : whole_table(one);
        if (!table) {
            return refuse(table.error());
        }
        if (table->title.empty()) {
            table->title = one.title.empty() ? one.name : one.title;
        }
        if (!one.says.empty()) {
            section.blocks.push_back(DocumentText{{one.says}});
        }
        section.blocks.push_back(document_table(*table, most_rows));
    }
    return {};
}

Result<DocumentSection> trust_section(const Reported& reported) {
    DocumentSection section{said("How far to trust it"), {}};
    const AnswerTrust& trust = reported.answer->trust;
    if (reported.summary && !reported.summary->warnings.empty()) {
        section.blocks.push_back(DocumentText{reported.summary->warnings, true});
    }
    if (!trust.bands.empty() && reported.trust.empty()) {
        section.blocks.push_back(document_table(
            band_table(trust.bands, said("Eight of ten measured cases lie between")), most_rows));
    }
    for (const std::vector<std::string>& sentences : {reported.trust, trust.sentences}) {
        if (sentences.size() > most_paragraphs) {
            section.blocks.push_back(DocumentList{sentences});
        } else if (!sentences.empty()) {
            section.blocks.push_back(DocumentText{sentences});
        }
    }
    for (const Table& table : trust.tables) {
        section.blocks.push_back(document_table(table, most_rows));
    }
    if (const Result<void> added = add_tables(section, *reported.answer, TableKind::evidence); !added) {
        return refuse(added.error());
    }
    DocumentList checks;
    std::ranges::transform(reported.answer->checks, std::back_inserter(checks.items), one_check);
    if (!checks.items.empty()) {
        section.blocks.push_back(std::move(checks));
    }
    if (section.blocks.empty()) {
        section.blocks.push_back(DocumentText{
            {reported.answer->confidence == Confidence::exact
                 ? said("It is counted, or worked out on real numbers: no model of a machine is in it.")
                 : said("It is modelled, and has no interval of its own: what was measured says nothing "
                        "about it "
                        "as a whole.")}});
    }
    return section;
}

DocumentSection left_out_section(const Reported& reported) {
    DocumentSection section{said("What is not counted, and what is assumed"), {}};
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
    const bool of_ideal =
        std::ranges::any_of(reported.findings, [](const Finding& one) { return !one.then.expected; });
    if (reported.summary && !reported.summary->ideal.empty() && of_ideal) {
        // Else a reader compares them with the expected time above.
        section.blocks.push_back(
            DocumentText{{say("Times of changes are ideal ones, by the machine's numbers. "
                              "Without a change: {}.",
                              reported.summary->ideal)}});
    }
    DocumentList list{{}, true};
    for (const Finding& one : reported.findings) {
        list.items.push_back(one.offer.sentence);
    }
    for (const Offer& one : reported.answer->offers) {
        list.items.push_back(one.sentence);
    }
    list.items.insert(list.items.end(), reported.answer->changes.begin(), reported.answer->changes.end());
    if (!list.items.empty()) {
        section.blocks.push_back(std::move(list));
    }
    for (const NamedChart& one : reported.charts) {
        section.blocks.push_back(one.chart);
    }
    return section;
}

DocumentSection formulas_section(const Reported& reported) {
    DocumentSection section{said("Formulas with their numbers"), {}};
    if (reported.summary && !reported.summary->formulas.empty()) {
        section.blocks.push_back(DocumentList{reported.summary->formulas});
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

} // namespace meshslice
