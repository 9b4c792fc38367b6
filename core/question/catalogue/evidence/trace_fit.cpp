#include "core/question/catalogue/evidence/trace_fit.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/words/fit_words.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

std::string trace_source(const Asked& asked) {
    const std::string name = std::filesystem::path(asked.text(measured_file_keys::file)).filename().string();
    return asked.has(measured_file_keys::step)
               ? fmt::format("{}, step {}", name, asked.number(measured_file_keys::step))
               : name;
}

Paragraph constant_lines(const StepFit& fit) {
    Paragraph lines{{}, {{say("fitted to"), say("constant"), say("before"), say("fitted")}}, 2, false};
    for (const StepConstant& one : fit.constants) {
        lines.lines.push_back({one.part, one.name, one.before, one.after});
    }
    return lines;
}

Paragraph part_lines(const ProfiledStep& measured, const StepFit& fit) {
    Paragraph lines{{}, {{"", say("measured"), say("predicted"), say("fitted")}}, 1, false};
    const std::vector<ComparedPart> before = compared_parts(measured, fit.before);
    const std::vector<ComparedPart> after = compared_parts(measured, fit.after);
    for (std::size_t k = 0; k < before.size(); ++k) {
        lines.lines.push_back({before[k].name, seconds_text(before[k].measured),
                               seconds_text(before[k].predicted), seconds_text(after[k].predicted)});
    }
    return lines;
}

} // namespace

Result<void> add_fit(const ProfiledStep& measured, const PredictedStep& predicted, const Asked& asked,
                     Answer& answer, const RunControl& control) {
    const Result<StepFit> fit =
        fit_to_step(measured, predicted.question, predicted.plan, trace_source(asked), control);
    if (!fit) {
        return refuse(fit.error());
    }
    Tree constants = Tree::array();
    for (const StepConstant& one : fit->constants) {
        constants.push_back({{"part", one.part},
                             {"constant", one.name},
                             {"before", one.before},
                             {"fitted", one.after},
                             {"at_limit", one.at_limit}});
    }
    answer.values["fit"] = {{"time_before_s", fit->before.seconds},
                            {"time_fitted_s", fit->after.seconds},
                            {"error_before", StepFit::error(measured, fit->before)},
                            {"error_fitted", StepFit::error(measured, fit->after)},
                            {"constants", std::move(constants)}};
    answer.words.push_back({"\n" + fit_finding(measured, *fit) + "\n"});
    answer.words.push_back(part_lines(measured, *fit));
    answer.words.push_back({"\n"});
    answer.words.push_back(constant_lines(*fit));
    for (const std::string& sentence : fit_limits(measured, *fit)) {
        answer.words.push_back({sentence + "\n"});
    }
    Machine machine = fit->machine;
    const std::string stem = std::filesystem::path(asked.said.words("--out")).stem().string();
    if (check_name(stem)) {
        machine.name = stem;
    }
    answer.texts.push_back({"machine", [file = write_machine(machine)](std::ostream& out) {
                                out << file;
                                return Result<void>();
                            }});
    return {};
}

} // namespace meshslice
