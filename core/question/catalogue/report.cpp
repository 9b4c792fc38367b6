// A document for people who were not there: what was asked, what came out, and how far to trust it.

#include "core/question/catalogue/report.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/other_answer.h"
#include "core/report/document/compared_report.h"
#include "core/report/document/scenario_report.h"
#include "core/report/document/summarized.h"
#include "core/report/paper/pdf.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* whose_key = "of";
constexpr const char* against_key = "against";
constexpr const char* file_flag = "file";
constexpr std::size_t most_findings = 6;

using OverPtr = std::shared_ptr<const Question>;

bool is_markdown(std::string_view file) {
    return file.ends_with(".md") || file.ends_with(".markdown");
}

/// In a shell, one word.
std::string quoted(const std::string& word) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/+%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
        return word;
    }
    std::string made = "'";
    for (const char letter : word) {
        made += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return made + "'";
}

/// The command line as it was typed, flags in the order of their names. In a window nothing was typed: the
/// scenario's file says it all.
std::string typed_again(const Asked& asked) {
    if (asked.speech != Speech::flags) {
        return asked.scenario == nullptr ? std::string() : write_scenario(*asked.scenario);
    }
    const SaidFields& said = asked.said;
    std::string line = "meshslice report";
    if (said.has(file_flag)) {
        line += " " + quoted(said.words(file_flag));
    }
    // What stands at a place of the question's own, such as the studies to reproduce.
    for (const auto& [flag, words] : said.flags) {
        if (!flag.starts_with("--") && flag != file_flag && !words.empty()) {
            line += " " + quoted(words);
        }
    }
    if (said.file) {
        line += " --scenario " + quoted(said.origin);
    }
    if (said.file && !said.variant.empty() && said.pinned.empty()) {
        line += " --variant " + quoted(said.variant);
    }
    for (const auto& [flag, words] : said.flags) {
        if (!flag.starts_with("--")) {
            continue;
        }
        // Several fields that are varied were typed one after the other.
        const std::string_view apart = flag == "--vary" ? "; " : "";
        for (std::string_view rest = words;;) {
            const std::size_t end = apart.empty() ? std::string_view::npos : rest.find(apart);
            const std::string one(rest.substr(0, end));
            line += " " + flag + (one.empty() ? std::string() : " " + quoted(one));
            if (end == std::string_view::npos) {
                break;
            }
            rest.remove_prefix(end + apart.size());
        }
    }
    return line;
}

/// The question's own values in words, those apart that are as they begin. What is needed, or says what is
/// asked, is never among these.
void take_own(const Question& over, const OwnValues& own, Reported& reported) {
    for (const QuestionField& field : over.fields) {
        const auto value = own.find(field.row.key);
        if (value == own.end() || std::holds_alternative<std::monostate>(value->second)) {
            continue;
        }
        const auto* const part = std::get_if<JsonPart>(&value->second);
        const std::string words = part != nullptr ? part->origin : text(field.row, value->second);
        const Result<FieldValue> first =
            field.first.empty() ? Result<FieldValue>(cancelled()) : parse(field.row, field.first, {});
        const bool usual = !field.needed && &field != &over.fields.front() &&
                           (words == field.first || (first && *first == value->second));
        (usual ? reported.usual : reported.own).emplace_back(said(field.row.name.c_str()), words);
    }
}

/// Names of the fields that a sweep goes through, which have no one value.
std::vector<std::string> varied_names(const Question& over, const OwnValues& own) {
    const auto vary = own.find("vary");
    const auto* const all =
        vary == own.end() ? nullptr : std::get_if<std::vector<std::string>>(&vary->second);
    std::vector<std::string> names;
    for (const std::string& words : all == nullptr ? std::vector<std::string>() : *all) {
        const std::string called = words.substr(0, words.find('='));
        const std::string flag = "--" + called;
        for (const Field<Scenario>& row : scenario_fields()) {
            if (row.flag == flag || row.key == called) {
                names.push_back(row.name);
            }
        }
        for (const QuestionField& field : over.fields) {
            if (field.row.flag == flag || field.row.key == called) {
                names.push_back(said(field.row.name.c_str()));
            }
        }
    }
    return names;
}

/// The machine of the scenario, or the chip that the question itself asks about.
std::optional<Machine> machine_of(const Question& over, const Scenario* scenario, const OwnValues& own) {
    if (scenario != nullptr) {
        return scenario->hardware;
    }
    if (over.field("hardware") == nullptr) {
        return std::nullopt;
    }
    const Result<Asked> asked = asked_with(over, own, Speech::file);
    const Result<Machine> chip = asked ? chip_of(*asked) : Result<Machine>(refuse(asked.error()));
    return chip ? std::optional(*chip) : std::nullopt;
}

/// What a report says of one answer; the scenario is null where the question uses none. `alone`: of no other,
/// with room for pictures of what would change it.
Result<Reported> reported_of(const Question& over, const Answer& answer, const Scenario* scenario,
                             const OwnValues& own, bool alone, const RunControl& control) {
    Reported reported{.kind = said(over.title.c_str()),
                      .scenario = scenario,
                      .varied = varied_names(over, own),
                      .machine = machine_of(over, scenario, own),
                      .answer = &answer,
                      .made_by = say("Made by MeshSlice Explorer {}.", MESHSLICE_VERSION)};
    take_own(over, own, reported);
    if (const auto* const more = dynamic_cast<const Summarized*>(answer.detail.get())) {
        reported.summary = more->summary();
        reported.trust = more->trust();
        Result<std::vector<Finding>> findings = more->findings(most_findings, control);
        if (!findings) {
            return refuse(findings.error());
        }
        reported.findings = *std::move(findings);
        if (!alone) {
            return reported;
        }
        const Result<Sensitivity> numbers = more->sensitivity(control);
        if (!numbers) {
            return refuse(numbers.error());
        }
        reported.charts.push_back({"tornado", sensitivity_chart(*numbers, sensitivity_finding(*numbers))});
    }
    return reported;
}

/// What makes a document again: of what is asked, and of B where that is not in it.
struct MadeAgain {
    std::string first, second = {};
};

/// All of an answer, also what comes only once all its rows have been pulled.
Result<Answer> whole(Result<Answer> answer) {
    return answer && answer->whole ? answer->whole() : std::move(answer);
}

/// About what was asked alone, or about it and another answer.
Result<Document> document_of(const Asked& asked, const Question& over, const Answer& answer,
                             const OtherAnswer* other, const MadeAgain& again, const RunControl& control) {
    Result<Reported> reported =
        reported_of(over, answer, asked.scenario, asked.own, other == nullptr, control);
    if (!reported) {
        return refuse(reported.error());
    }
    reported->again = again.first;
    if (other == nullptr) {
        return report_of(*reported);
    }
    Result<Reported> second = reported_of(over, other->answer, other->scenario ? &*other->scenario : nullptr,
                                          other->own, false, control);
    if (!second) {
        return refuse(second.error());
    }
    second->again = again.second;
    return report_of_both(*reported, *second, other->first, other->name);
}

bool is_html(std::string_view file) {
    return file.ends_with(".html") || file.ends_with(".htm");
}

bool is_pdf(std::string_view file) {
    return file.ends_with(".pdf");
}

/// About the variant that a project compares with, A, and the one that it shows, B, by their names.
Result<Document> document_of_variants(const Asked& shown, const Question& over, const Answer& answer,
                                      const MadeAgain& again, const RunControl& control) {
    const Result<SaidVariant> pinned = shown.said.of_variant(shown.said.pinned);
    if (!pinned) {
        return refuse(fmt::format("\"{}\": {}", shortened(shown.said.pinned), pinned.error().sentence));
    }
    Asked first = shown;
    first.scenario = pinned->scenario.get();
    first.said = pinned->said;
    first.said.flags = shown.said.flags; // without those of the report
    first.said.pinned.clear();
    for (const auto& [key, value] : pinned->own) {
        if (key != whose_key && over.field(key) != nullptr) {
            first.own[key] = value;
        }
    }
    const Result<Answer> its = whole(over.answer(first, control));
    if (!its) {
        return refuse(fmt::format("\"{}\": {}", shortened(shown.said.pinned), its.error().sentence));
    }
    OtherAnswer second{shown.own, {}, shown.said.pinned, shown.said.variant, answer};
    if (shown.scenario != nullptr) {
        second.scenario = *shown.scenario;
    }
    return document_of(first, over, *its, &second, again, control);
}

/// As the file's name says.
Result<std::string> text_of(const Document& document, std::string_view file) {
    return is_pdf(file)        ? pdf(document)
           : is_markdown(file) ? Result<std::string>(markdown(document))
                               : Result<std::string>(html(document));
}

/// Refuses a file that has no name, or one that says no format.
Result<void> checked_file(const Asked& asked, const Question& over) {
    const std::string named = asked.said.words(file_flag);
    if (named.empty()) {
        return refuse(
            say("The report has no file. Write the name of one that ends with .html, .pdf or .md, such "
                "as \"meshslice report {}.html --of {}\", or - to print Markdown.",
                over.id, over.id));
    }
    if (named != "-" && !is_html(named) && !is_pdf(named) && !is_markdown(named)) {
        return refuse(
            fmt::format("The report's file is \"{}\"; expected a name that ends with .html, .pdf or .md.",
                        shortened(named)));
    }
    return {};
}

Result<Answer> answer_report(const OverPtr& over, const Asked& asked, const RunControl& control) {
    if (const Result<void> sound = checked_file(asked, *over); !sound) {
        return refuse(sound.error());
    }
    Asked its = asked_over(asked, *over, {whose_key, against_key});
    its.own.erase(whose_key); // which says the question; one over another is asked with that already
    Result<Answer> answer = whole(over->answer(its, control));
    if (!answer) {
        return answer;
    }
    std::optional<OtherAnswer> other;
    if (asked.has(against_key)) {
        Result<OtherAnswer> found =
            other_answer(over, its, asked.text(against_key), asked.called(against_key), control);
        if (!found) {
            return refuse(found.error());
        }
        other = *std::move(found);
        Result<Answer> all = whole(std::move(other->answer));
        if (!all) {
            return refuse(all.error());
        }
        other->answer = *std::move(all);
    }
    const MadeAgain again{typed_again(asked)};
    const bool of_variants = !other && !asked.said.pinned.empty();
    Result<Document> document =
        of_variants ? document_of_variants(its, *over, *answer, again, control)
                    : document_of(its, *over, *answer, other ? &*other : nullptr, again, control);
    if (!document) {
        return refuse(document.error());
    }
    const std::string typed = asked.said.words(file_flag);
    const std::string file = typed == "-" ? std::string() : typed;
    answer->headline = file.empty() ? answer->headline : say("The report is in {}.", file);
    Result<std::string> text = text_of(*document, file.empty() ? "-.md" : file);
    if (!text) {
        return refuse(text.error());
    }
    const auto made = std::make_shared<const std::string>(*std::move(text));
    answer->words = {{file.empty() ? *made : answer->headline + "\n"}};
    answer->texts.insert(answer->texts.begin(), {"report",
                                                 [made](std::ostream& out) {
                                                     out << *made;
                                                     return Result<void>();
                                                 },
                                                 static_cast<std::int64_t>(made->size())});
    return answer;
}

Question report_over(const OverPtr& over) {
    Question question{
        "report",
        said("Report"),
        "",
        "Writes a document about an answer, for a review: HTML, PDF or Markdown",
        over->uses,
        {text_flag(
             "--of",
             "COMMAND: what is asked, with its flags, such as plan (default: what the file of --scenario "
             "is about, else simulate); sweep/plan, sensitivity/plan or trace/plan of one that asks "
             "another"),
         text_flag("--against",
                   "NAME=VALUE|FILE: a report about two, A as it is asked and B with another value, "
                   "such as batch=256 or \"mesh=8x8; batch=256\", or as the scenario file says")}};
    for (const QuestionField& field : over->fields) {
        // Without the chips of a file that a report does not write, and without what a report is asked
        // itself.
        const bool its_own = field.row.key == whose_key || field.row.key == against_key;
        if (field.row.flag != "--trace-chips" && !its_own) {
            question.fields.push_back(field);
        }
    }
    question.scenario = over->scenario;
    question.kept = over->kept;
    question.answer = [over](const Asked& asked, const RunControl& control) {
        return answer_report(over, asked, control);
    };
    question.files = {{AnswerFile::Of::text, "report", file_flag,
                       "FILE.html|FILE.pdf|FILE.md: the document; with - it is printed as Markdown"}};
    question.says_fit = over->says_fit;
    return question;
}

} // namespace

Result<std::string> report_text(const Question& over, const OwnTexts& texts, const Scenario& scenario,
                                std::string_view file, const RunControl& control, const OwnValues& own,
                                const std::optional<ReportedAgainst>& against) {
    Result<Asked> asked = asked_of(over, texts, Speech::form);
    if (!asked) {
        return refuse(asked.error());
    }
    for (const auto& [key, value] : own) {
        asked->own[key] = value;
    }
    asked->scenario = over.uses.none() ? nullptr : &scenario;
    Result<Answer> answer = whole(over.answer(*asked, control));
    if (!answer) {
        return refuse(answer.error());
    }
    std::optional<OtherAnswer> other;
    if (against && !over.uses.none()) {
        Asked second = *asked;
        second.scenario = &against->scenario;
        Result<Answer> its = whole(over.answer(second, control));
        if (!its) {
            return refuse(its.error());
        }
        other =
            OtherAnswer{asked->own, against->scenario, against->first_name, against->name, *std::move(its)};
    }
    const MadeAgain again{typed_again(*asked), other ? write_scenario(against->scenario) : std::string()};
    return document_of(*asked, over, *answer, other ? &*other : nullptr, again, control)
        .and_then([&](const Document& document) { return text_of(document, file); });
}

Question report_question() {
    Question question = report_over(std::make_shared<const Question>(simulate_question()));
    question.over = [](const Question& other) {
        return report_over(std::make_shared<const Question>(other));
    };
    question.examples = {"report.html --model llama-3-8b --machine tpu-v5e --mesh 4x4 --batch 16",
                         "plan.pdf --of plan --model llama-3-70b --machine h100 --chips 64 --batch 64",
                         "- --of roofline --gemm 128x8192x8192",
                         "sweep.html --of sweep/plan --model llama-3-8b --machine h100 --chips 16 --vary "
                         "batch=16,32,64",
                         "step.html trace.json --of trace"};
    return question;
}

} // namespace meshslice
