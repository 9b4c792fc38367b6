#include "core/lesson/lesson_quantity.h"

#include "core/base/text.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

namespace meshslice {
namespace {

/// "time_s, estimated_s, ...": the numbers of an object.
std::string numbers_listed(const Tree& values) {
    std::vector<std::string> keys;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (values.items()[k].number()) {
            keys.push_back(values.names()[k]);
        }
    }
    return fmt::format("{}", fmt::join(keys, ", "));
}

/// The scenario with these words for its fields; without words a field stays.
Result<Scenario> with_flags(Scenario scenario, const SaidFields::Flags& flags) {
    for (const Field<Scenario>& row : scenario_fields()) {
        const auto words = flags.find(row.flag);
        if (row.flag.empty() || words == flags.end() || words->second.empty()) {
            continue;
        }
        const Result<void> set = parse(row, words->second, row.flag).and_then([&](const FieldValue& value) {
            return row.set(scenario, value);
        });
        if (!set) {
            return refuse(set.error());
        }
    }
    return checked(scenario);
}

Result<double> value(const QuestionNumber& asked, const RunControl& control, const Questions& questions) {
    const Question* const question = question_of(questions, asked.question);
    if (question == nullptr) {
        return refuse(fmt::format("There is no question \"{}\" here.", shortened(asked.question)));
    }
    Result<Asked> read = asked_with(*question, asked.own, Speech::file);
    Result<Scenario> scenario = asked.scenario.value_or(default_scenario());
    if (read && asked.scenario) {
        read->scenario = &*asked.scenario;
        read->said.file = true;
        read->said.read = [&](const SaidFields::Flags& instead) {
            return with_flags(*asked.scenario, instead);
        };
        if (question->scenario
                .read) { // The question's own fields change it: a number of chips, another mesh.
            scenario = question->scenario.read(*read);
            read->scenario = scenario ? &*scenario : read->scenario;
        }
    }
    if (!scenario) {
        return refuse(scenario.error());
    }
    const Result<Tree> values = read ? numbers_of(*read, control) : Result<Tree>(refuse(read.error()));
    if (!values) {
        return refuse(values.error());
    }
    const Tree* const found = value_at(*read, *values, asked.path);
    const std::optional<double> number = found == nullptr ? std::nullopt : found->number();
    return number && std::isfinite(*number)
               ? Result<double>(*number)
               : refuse(fmt::format("There is no number \"{}\" of {}; {} --json lists what there is, such as "
                                    "{}.",
                                    shortened(asked.path), question->id, question->id,
                                    numbers_listed(*values)));
}

} // namespace

Result<double> value_of(const LessonQuantity& quantity, const RunControl& control,
                        const Questions& questions) {
    const Result<double> upper = value(quantity.of, control, questions);
    if (!upper || quantity.over.empty()) {
        return upper;
    }
    const Result<double> lower = value_of(quantity.over.front(), control, questions);
    if (!lower) {
        return lower;
    }
    if (*lower == 0) {
        return refuse("What it is divided by is 0.");
    }
    return *upper / *lower;
}

} // namespace meshslice
