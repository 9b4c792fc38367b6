// A document for people who were not there: what was asked, what came out, and how far to trust it.

#include "core/question/catalogue/report.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/document/scenario_report.h"
#include "core/report/document/summarized.h"
#include "core/report/paper/pdf.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* whose_key = "of";
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
    for (const auto& [flag, words] : said.flags) {
        if (flag.starts_with("--")) {
            line += " " + flag + (words.empty() ? std::string() : " " + quoted(words));
        }
    }
    return line;
}

Result<Document> document_of(const Asked& asked, const Question& over, const Answer& answer,
                             const RunControl& control) {
    Reported reported{.kind = said(over.title.c_str()),
                      .scenario = asked.scenario,
                      .answer = &answer,
                      .again = typed_again(asked),
                      .made_by = say("Made by MeshSlice Explorer {}.", MESHSLICE_VERSION)};
    for (const QuestionField& field : over.fields) {
        const auto own = asked.own.find(field.row.key);
        if (own == asked.own.end() || std::holds_alternative<std::monostate>(own->second)) {
            continue;
        }
        const auto* const part = std::get_if<JsonPart>(&own->second);
        reported.own.emplace_back(said(field.row.name.c_str()),
                                  part != nullptr ? part->origin : text(field.row, own->second));
    }
    if (const auto* const more = dynamic_cast<const Summarized*>(answer.detail.get())) {
        reported.summary = more->summary();
        reported.trust = more->trust();
        Result<std::vector<Finding>> findings = more->findings(most_findings, control);
        if (!findings) {
            return refuse(findings.error());
        }
        reported.findings = *std::move(findings);
        const Result<Sensitivity> numbers = more->sensitivity(control);
        if (!numbers) {
            return refuse(numbers.error());
        }
        reported.charts.push_back({"tornado", sensitivity_chart(*numbers, sensitivity_finding(*numbers))});
    }
    return report_of(reported);
}

bool is_html(std::string_view file) {
    return file.ends_with(".html") || file.ends_with(".htm");
}

bool is_pdf(std::string_view file) {
    return file.ends_with(".pdf");
}

/// As the file's name says.
Result<std::string> text_of(const Document& document, std::string_view file) {
    return is_pdf(file)        ? pdf(document)
           : is_markdown(file) ? Result<std::string>(markdown(document))
                               : Result<std::string>(html(document));
}

Result<Answer> answer_report(const OverPtr& over, const Asked& asked, const RunControl& control) {
    const std::string named = asked.said.words(file_flag);
    if (!named.empty() && named != "-" && !is_html(named) && !is_pdf(named) && !is_markdown(named)) {
        return refuse(
            fmt::format("The report's file is \"{}\"; expected a name that ends with .html, .pdf or .md.",
                        shortened(named)));
    }
    const Asked its = asked_over(asked, *over, {whose_key});
    Result<Answer> answer = over->answer(its, control);
    if (!answer) {
        return answer;
    }
    Result<Document> document = document_of(asked, *over, *answer, control);
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
        {text_flag("--of", "COMMAND: what is asked, with its flags, such as plan (default: simulate)")}};
    for (const QuestionField& field : over->fields) {
        if (field.row.flag != "--trace-chips") { // of a file that a report does not write
            question.fields.push_back(field);
        }
    }
    question.scenario = over->scenario;
    question.answer = [over](const Asked& asked, const RunControl& control) {
        return answer_report(over, asked, control);
    };
    question.files = {
        {AnswerFile::Of::text, "report", file_flag,
         "FILE.html|FILE.pdf|FILE.md: the document; without it, or with -, it is printed as Markdown"}};
    question.says_fit = over->says_fit;
    return question;
}

} // namespace

Result<std::string> report_text(const Question& over, const OwnTexts& texts, const Scenario& scenario,
                                std::string_view file, const RunControl& control, const OwnValues& own) {
    Result<Asked> asked = asked_of(over, texts, Speech::form);
    if (!asked) {
        return refuse(asked.error());
    }
    for (const auto& [key, value] : own) {
        asked->own[key] = value;
    }
    asked->scenario = over.uses.none() ? nullptr : &scenario;
    return over.answer(*asked, control).and_then([&](const Answer& answer) {
        return document_of(*asked, over, answer, control).and_then([&](const Document& document) {
            return text_of(document, file);
        });
    });
}

Question report_question() {
    Question question = report_over(std::make_shared<const Question>(simulate_question()));
    question.over = [](const Question& other) {
        return report_over(std::make_shared<const Question>(other));
    };
    question.examples = {"report.html --model llama-3-8b --machine tpu-v5e --mesh 4x4 --batch 16",
                         "plan.pdf --of plan --model llama-3-70b --machine h100 --chips 64 --batch 64",
                         "--of roofline --gemm 128x8192x8192"};
    return question;
}

} // namespace meshslice
