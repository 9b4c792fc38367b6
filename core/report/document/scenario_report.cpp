#include "core/report/document/scenario_report.h"

#include "core/base/language.h"
#include "core/base/say.h"
#include "core/report/document/report_sections.h"

#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// What does not fit is said before anything else.
void add_head(Document& document, const Reported& reported) {
    if (!reported.summary) {
        document.answer = answer_words(reported);
        document.further = reported.answer->further;
        if (reported.answer->charts.size() == 1) { // whose words say the question in full
            document.how = reported.answer->charts.front().about;
        }
        if (reported.answer->fits && !reported.answer->fits()) {
            document.warnings.push_back(said("Not all of it fits into the memory of a chip."));
        }
        return;
    }
    const Summary& summary = *reported.summary;
    document.title = summary.of;
    document.how = summary.how;
    document.number = summary.number;
    document.answer = answer_words(reported);
    if (!summary.fits) {
        document.warnings.push_back(summary.fit + said("."));
    }
}

} // namespace

Result<Document> report_of(const Reported& reported) {
    const Answer& answer = *reported.answer;
    Document document{
        say("Report: {}", reported.kind), answer.about, {}, {}, {}, reported.made_by, language()};
    const auto add = [&](DocumentSection section) { document.sections.push_back(std::move(section)); };
    add({said("The question"), {question_table(reported)}});
    add_head(document, reported);
    DocumentSection pictures{said("Pictures"), {}};
    for (const NamedChart& one : answer.charts) {
        pictures.blocks.push_back(one.chart);
    }
    if (!reported.summary) { // of which bars of time and memory would be the first pictures
        add(std::exchange(pictures, {}));
    }
    Result<DocumentSection> trust = trust_section(reported);
    if (!trust) {
        return refuse(trust.error());
    }
    add(*std::move(trust));
    add(left_out_section(reported));
    if (reported.summary) {
        add({said("Where time and memory go"), bars_of(*reported.summary)});
    }
    add(changes_section(reported));
    DocumentSection ranked{said("Alternatives"), {}}, tables{said("Tables"), {}};
    const Result<void> added = add_tables(ranked, answer, TableKind::alternatives).and_then([&] {
        return add_tables(tables, answer, TableKind::numbers);
    });
    if (!added) {
        return refuse(added.error());
    }
    add(std::move(ranked));
    add(std::move(pictures));
    add(formulas_section(reported));
    if (std::string words = words_of(answer); !words.empty()) {
        tables.blocks.push_back(DocumentCode{said("All that the command line says"), std::move(words)});
    }
    add(std::move(tables));
    if (reported.machine) {
        add(numbers_section(*reported.machine));
    }
    if (!reported.again.empty()) {
        add({said("To make it again"), {DocumentCode{{}, reported.again}}});
    }
    std::erase_if(document.sections, [](const DocumentSection& one) { return one.blocks.empty(); });
    return document;
}

} // namespace meshslice
