#include "core/question/other_answer.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/sweep.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// "mesh=8x8" and "batch=256" of "mesh=8x8; batch=256".
std::vector<std::string> parts_of(std::string_view words) {
    std::vector<std::string> parts;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(';'), words.size());
        std::string part(words.substr(0, end));
        part.erase(0, part.find_first_not_of(' '));
        part.erase(part.find_last_not_of(' ') + 1);
        if (!part.empty()) {
            parts.push_back(std::move(part));
        }
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return parts;
}

/// "batch 256, mesh 8x8".
std::string named(const Sweep& sweep, const std::vector<std::vector<std::string>>& values) {
    std::string words;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        const std::string& value = values[k].front();
        words += (words.empty() ? std::string() : said(", ")) +
                 fmt::format("{} {}", sweep.name(k), value.empty() ? said("none") : value);
    }
    return words;
}

Result<OtherAnswer> with_values_of(const std::shared_ptr<const Question>& question, const Asked& asked,
                                   const std::string& words, const std::string& who,
                                   const RunControl& control) {
    const Scenario scenario = asked.scenario == nullptr ? default_scenario() : *asked.scenario;
    Sweep other{question, {}, scenario, asked.own, {}, asked.said, asked.speech};
    std::vector<std::vector<std::string>> now, then;
    for (const std::string& part : parts_of(words)) {
        Result<Vary> vary = parse_vary(*question, scenario, part, read_text_file);
        if (!vary) {
            return refuse(fmt::format("{}: {}", who, vary.error().sentence));
        }
        if (vary->values.size() != 1) {
            return refuse(say("{} has {} values of {}; expected one, such as batch=256.", who,
                              vary->values.size(), part));
        }
        other.fields.push_back(*std::move(vary));
    }
    if (const Result<void> sound = checked(other); !sound) {
        return refuse(fmt::format("{}: {}", who, sound.error().sentence));
    }
    OtherAnswer made{asked.own};
    for (std::size_t k = 0; k < other.fields.size(); ++k) {
        const Vary& vary = other.fields[k];
        const FieldValue value = vary.own ? asked.value(vary.key) : scenario_field(vary.key).get(scenario);
        now.push_back(value_words(other.row(k), {value}));
        then.push_back(other.words(k));
        if (vary.own) {
            made.own[vary.key] = vary.values.front();
        }
    }
    made.first = named(other, now);
    made.name = named(other, then);
    if (asked.scenario != nullptr) {
        Result<Scenario> its = scenario_at(other, 0);
        if (!its) {
            return refuse(fmt::format("{}: {}", who, its.error().sentence));
        }
        made.scenario = *std::move(its);
    }
    return answer_at(other, 0, control).map([&](Answer answer) {
        made.answer = std::move(answer);
        return std::move(made);
    });
}

Result<OtherAnswer> of_file(const std::shared_ptr<const Question>& question, const Asked& asked,
                            const std::string& path, const std::string& who, const RunControl& control) {
    if (asked.scenario == nullptr) {
        return refuse(say("{} is a file; expected a value such as batch=256, as {} has no scenario.", who,
                          question->id));
    }
    const Result<Variant> variant =
        read_text_file(path)
            .and_then([&](const std::string& text) { return read_project(text, path); })
            .and_then([](const Project& project) { return variant_of(project, {}); });
    if (!variant) {
        return refuse(fmt::format("{}: {}", who, variant.error().sentence));
    }
    const Scenario& scenario = variant->scenario;
    Asked other = asked;
    other.scenario = &scenario;
    for (const Field<Scenario>& field : scenario_fields()) { // the file says them
        other.said.flags.erase(field.flag);
    }
    other.said.file = true;
    other.said.origin = path;
    other.said.read = [its = scenario](const SaidFields::Flags&) { return Result<Scenario>(its); };
    return question->answer(other, control).map([&](Answer answer) {
        if (path == asked.said.origin && !asked.said.variant.empty()) { // two variants of one file
            return OtherAnswer{asked.own, scenario, asked.said.variant, variant->name, std::move(answer)};
        }
        const std::string first = asked.said.file ? asked.said.origin : said("what is asked");
        return OtherAnswer{asked.own, scenario, first, path, std::move(answer)};
    });
}

} // namespace

Result<OtherAnswer> other_answer(const std::shared_ptr<const Question>& question, const Asked& asked,
                                 const std::string& words, const std::string& who,
                                 const RunControl& control) {
    return words.find('=') == std::string::npos && looks_like_a_file(words)
               ? of_file(question, asked, words, who, control)
               : with_values_of(question, asked, words, who, control);
}

} // namespace meshslice
