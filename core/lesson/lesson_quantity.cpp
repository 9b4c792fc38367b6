#include "core/lesson/lesson_quantity.h"

#include "core/base/text.h"
#include "core/cost/sharded_plans.h"
#include "core/explain/why.h"
#include "core/report/step_json.h"
#include "core/sharding/resharding.h"
#include "core/sharding/shards.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

namespace meshslice {
namespace {

/// What a key stands for; none where there is no such number in this case, such as a critical batch that no
/// batch reaches.
template <class Answer>
struct AskedNumber {
    std::string_view key;
    std::optional<double> (*of)(const Answer& answer);
};

template <class Numbers>
std::vector<std::string_view> keys_of_numbers(const Numbers& numbers) {
    std::vector<std::string_view> keys;
    std::ranges::transform(numbers, std::back_inserter(keys), [](const auto& one) { return one.key; });
    return keys;
}

/// `numbers` has the key: the reader of the file has asked.
template <class Numbers, class Answer>
Result<double> number_asked(const Numbers& numbers, const std::string& key, const Answer& answer) {
    for (const auto& one : numbers) {
        if (one.key == key) {
            const std::optional<double> value = one.of(answer);
            if (value && std::isfinite(*value)) {
                return *value;
            }
        }
    }
    return refuse(fmt::format("There is no number \"{}\" here.", shortened(key)));
}

std::optional<double> local_side(const Shards& one, std::size_t dimension) {
    return dimension < one.local.size() ? std::optional(static_cast<double>(one.local[dimension]))
                                        : std::nullopt;
}
constexpr std::array<AskedNumber<Shards>, 7> shards_numbers = {
    {{"bytes", [](const Shards& one) { return std::optional(one.bytes); }},
     {"bytes_per_device", [](const Shards& one) { return std::optional(one.bytes_per_device); }},
     {"bytes_in_all", [](const Shards& one) { return std::optional(one.bytes_in_all); }},
     {"copies", [](const Shards& one) { return std::optional(static_cast<double>(one.copies)); }},
     {"local_shape/0", [](const Shards& one) { return local_side(one, 0); }},
     {"local_shape/1", [](const Shards& one) { return local_side(one, 1); }},
     {"local_shape/2", [](const Shards& one) { return local_side(one, 2); }}}};

constexpr std::array<AskedNumber<CostedPlan>, 8> plan_numbers = {
    {{"least_in_s", [](const CostedPlan& one) { return std::optional(one.least_s()); }},
     {"most_in_s", [](const CostedPlan& one) { return std::optional(one.most_s()); }},
     {"compute_in_s", [](const CostedPlan& one) { return std::optional(one.compute_s); }},
     {"hbm_in_s", [](const CostedPlan& one) { return std::optional(one.memory_s); }},
     {"exchange_in_s", [](const CostedPlan& one) { return std::optional(one.exchange_s); }},
     {"received_bytes_per_chip", [](const CostedPlan& one) { return std::optional(one.received); }},
     {"held_bytes_per_chip", [](const CostedPlan& one) { return std::optional(one.held); }},
     {"flop_per_chip", [](const CostedPlan& one) { return std::optional(one.flop); }}}};

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
    const Result<TrainingStep> step = training_step(scenario, scenario.algorithm, Depth::simulate, control);
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
    const std::optional<double> number = number_at(*values, asked.path);
    return number && std::isfinite(*number)
               ? Result<double>(*number)
               : refuse(fmt::format("There is no number \"{}\" here.", shortened(asked.path)));
}

Result<double> value(const ShardsQuantity& asked, const RunControl& /*control*/,
                     const Questions& /*questions*/) {
    const Result<Shards> found = shards(asked.array, asked.mesh, asked.sizes, asked.bits);
    return found ? number_asked(shards_numbers, asked.key, *found) : Result<double>(refuse(found.error()));
}

Result<double> value(const PlanQuantity& asked, const RunControl& /*control*/,
                     const Questions& /*questions*/) {
    const Result<ShardedPlans> found =
        sharded_plans(asked.gemm, asked.mesh, asked.sizes, asked.kind, asked.hardware);
    if (!found) {
        return refuse(found.error());
    }
    const std::vector<CostedPlan>& plans = found->plans;
    const auto chosen =
        asked.plan.empty() ? plans.begin() : std::ranges::find(plans, asked.plan, [&](const CostedPlan& one) {
            return text(one.plan, asked.gemm, asked.mesh);
        });
    if (chosen == plans.end()) {
        return refuse(
            fmt::format("{} has no plan \"{}\"; the best one is \"{}\", and shard lists the others.",
                        text(asked.gemm, asked.mesh), shortened(asked.plan),
                        text(plans.front().plan, asked.gemm, asked.mesh)));
    }
    return number_asked(plan_numbers, asked.key, *chosen);
}

} // namespace

std::vector<std::string_view> shards_keys() {
    return keys_of_numbers(shards_numbers);
}
std::vector<std::string_view> plan_keys() {
    return keys_of_numbers(plan_numbers);
}

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
