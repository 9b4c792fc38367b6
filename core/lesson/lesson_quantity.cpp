#include "core/lesson/lesson_quantity.h"

#include "core/base/text.h"
#include "core/explain/why.h"
#include "core/report/step_json.h"
#include "core/step/training_step.h"

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

Result<double> value(const RunQuantity& asked, const RunControl& control, const Questions& /*questions*/) {
    const Scenario& scenario = asked.scenario;
    const Result<TrainingStep> step =
        training_step(scenario, scenario.plan.algorithm, Depth::simulate, control);
    if (!step) {
        return refuse(step.error());
    }
    const bool compares = asked.key.starts_with("compared_with/") && !scenario.compare.empty();
    const Result<TrainingStep> other =
        compares ? training_step(scenario, scenario.compare, Depth::simulate, control)
                 : Result<TrainingStep>();
    if (!other) {
        return refuse(other.error());
    }
    const TrainingStep* const compared = compares ? &*other : nullptr;
    Tree values = step_values(*step, nullptr, compared);
    if (!number_at(values, asked.key)) { // some say what they say only once it is known why
        const Result<StepWhy> reasons = why(*step, scenario, control.stop);
        if (!reasons) {
            return refuse(reasons.error());
        }
        values = step_values(*step, &*reasons, compared);
    }
    const std::optional<double> number = number_at(values, asked.key);
    if (!number || !std::isfinite(*number)) {
        return refuse(
            fmt::format("The run has no number \"{}\"; simulate --json lists what there is, such as "
                        "{}.",
                        shortened(asked.key), numbers_listed(values)));
    }
    return *number;
}

Result<double> value(const QuestionNumber& asked, const RunControl& control, const Questions& questions) {
    const Question* const question = question_of(questions, asked.question);
    if (question == nullptr) {
        return refuse(fmt::format("There is no question \"{}\" here.", shortened(asked.question)));
    }
    Result<Asked> read = asked_with(*question, asked.own, Speech::file);
    if (read && asked.scenario) {
        read->scenario = &*asked.scenario;
        read->said.file = true;
    }
    const Result<Tree> values = read ? question->numbers(*read, control) : Result<Tree>(refuse(read.error()));
    if (!values) {
        return refuse(values.error());
    }
    const Tree* const found = value_at(*read, *values, asked.path);
    const std::optional<double> number = found == nullptr ? std::nullopt : found->number();
    return number && std::isfinite(*number)
               ? Result<double>(*number)
               : refuse(fmt::format("There is no number \"{}\" here.", shortened(asked.path)));
}

} // namespace

Result<double> value_of(const LessonQuantity& quantity, const RunControl& control,
                        const Questions& questions) {
    const Result<double> upper =
        std::visit([&](const auto& asked) { return value(asked, control, questions); }, quantity.of);
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
