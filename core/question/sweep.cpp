#include "core/question/sweep.h"

#include "core/base/concurrently.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/nearest.h"
#include "core/machine/edit.h"
#include "core/question/sweep_workers.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

constexpr std::size_t most_kept_points = 65'536, most_handed_over = 1'000'000'000;
constexpr std::string_view hardware_key = "hardware";

/// Empty where the field has an effect.
std::string no_effect(const Field<Scenario>& field, const Scenario& scenario) {
    const std::string why = field.objection ? field.objection(scenario) : std::string();
    return why.empty() ? why : say("The {} has no effect. {}", said(field.name), why);
}

bool takes_factor(const Field<Scenario>& field, Scenario preset, Result<void>& taken) {
    taken = field.applies(preset) ? field.set(preset, Factor{1.0}) : Result<void>();
    return taken.has_value();
}

/// Points among which a field may have an effect: all, or, of too many, each value of a field with the first
/// value and the last one of the other.
std::vector<std::size_t> points_to_look_at(const Sweep& sweep) {
    std::vector<std::size_t> points;
    if (sweep.kept_whole()) {
        points.resize(sweep.size());
        std::iota(points.begin(), points.end(), std::size_t{0});
        return points;
    }
    const std::size_t rows = sweep.fields.front().values.size(), in_row = sweep.size() / rows;
    for (std::size_t row = 0; row < rows; ++row) {
        points.insert(points.end(), {row * in_row, row * in_row + in_row - 1});
    }
    for (std::size_t k = 0; k < in_row; ++k) {
        points.insert(points.end(), {k, (rows - 1) * in_row + k});
    }
    return points;
}

/// Refused where a field of the scenario has no effect in any of the points that are looked at.
Result<void> has_effects(const Sweep& sweep) {
    const bool varies_hardware =
        std::ranges::find(sweep.fields, hardware_key, &Vary::key) != sweep.fields.end();
    for (const Vary& vary : sweep.fields) {
        if (vary.own) {
            continue; // Whether it has one is for the question to say.
        }
        const Field<Scenario>& field = scenario_field(vary.key);
        const auto& swept = sweep.over->swept;
        if (const std::string why = swept && swept->objection ? swept->objection(field) : std::string();
            !why.empty()) {
            return refuse(why);
        }
        const bool factors = std::ranges::any_of(
            vary.values, [](const FieldValue& value) { return std::holds_alternative<Factor>(value); });
        if (Result<void> taken; factors && !varies_hardware && !takes_factor(field, sweep.scenario, taken)) {
            return taken;
        }
        std::string first;
        for (const std::size_t point : points_to_look_at(sweep)) {
            Result<Scenario> scenario = with_values(sweep.scenario, sweep.fields, values_at(sweep, point));
            std::string why;
            if (scenario) {
                scenario->compare.clear();
                why = no_effect(field, *scenario);
            }
            if (why.empty()) { // It has one, or the point says why it does not run.
                first.clear();
                break;
            }
            first = first.empty() ? why : first;
        }
        if (!first.empty()) {
            return refuse(first);
        }
    }
    return {};
}

/// The question of a point, without its scenario.
Result<Asked> asked_at(const Sweep& sweep, const std::vector<FieldValue>& values) {
    OwnValues own = sweep.own;
    SaidFields said = sweep.said;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const FieldRow& row = sweep.row(k);
        if (sweep.fields[k].own) {
            own[row.key] = values[k];
        }
        said.flags[row.flag] = text(row, values[k]);
    }
    return asked_with(*sweep.over, std::move(own), sweep.speech).map([&](Asked asked) {
        asked.said = std::move(said);
        return asked;
    });
}

/// The scenario of a point, as its question reads it.
Result<Scenario> read_scenario_at(const Sweep& sweep, const std::vector<FieldValue>& values,
                                  const Asked& asked) {
    const ScenarioUse& use = sweep.over->scenario;
    Result<Scenario> scenario =
        (use.read && asked.said.read ? use.read(asked) : Result<Scenario>(sweep.scenario))
            .and_then([&](const Scenario& read) { return with_values(read, sweep.fields, values); });
    if (!scenario) {
        return scenario;
    }
    scenario->compare.clear();
    for (const Vary& vary : sweep.fields) {
        const std::string why = vary.own ? std::string() : no_effect(scenario_field(vary.key), *scenario);
        if (!why.empty()) {
            return refuse(why);
        }
    }
    if (use.only != 0) { // Nothing depends on the shape of the mesh.
        take_a_mesh(*scenario);
    }
    return checked(*scenario);
}

/// A point and what is asked there.
struct BegunPoint {
    SweepPoint point;
    Result<Asked> asked;
    Result<Scenario> scenario;
};
BegunPoint begin_point(const Sweep& sweep, std::size_t index) {
    SweepPoint point;
    point.values = values_at(sweep, index);
    point.results = point.values;
    Result<Asked> asked = asked_at(sweep, point.values);
    Result<Scenario> scenario = !asked                     ? Result<Scenario>(refuse(asked.error()))
                                : !sweep.over->uses.none() ? read_scenario_at(sweep, point.values, *asked)
                                                           : Result<Scenario>(sweep.scenario);
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        if (scenario && !sweep.fields[k].own) {
            point.results[k] = scenario_field(sweep.fields[k].key).get(*scenario);
        }
    }
    return {std::move(point), std::move(asked), std::move(scenario)};
}

/// A point without an answer says why; refused only when cancelled.
Result<SweepPoint> point_of(const Sweep& sweep, std::size_t index, const RunControl& control) {
    auto [point, asked, scenario] = begin_point(sweep, index);
    const bool scenarios = !sweep.over->uses.none();
    const Result<Tree> numbers = scenario.and_then([&, &asked = asked](const Scenario& valid) {
        asked->scenario = scenarios ? &valid : nullptr;
        const auto& swept = sweep.over->swept;
        return swept && swept->numbers ? swept->numbers(*asked, control) : numbers_of(*asked, control);
    });
    if (numbers) {
        point.numbers = *numbers;
        return point;
    }
    if (numbers.error().kind == Error::Kind::cancelled) {
        return refuse(numbers.error());
    }
    point.objection = numbers.error().sentence;
    return point;
}

/// Points that are done, handed over in their order.
class InOrder {
  public:
    InOrder(std::size_t from, const TakePoint& take) : next_(from), take_(take) {}

    void add(std::size_t index, SweepPoint point) {
        const std::scoped_lock lock(mutex_);
        waiting_.emplace(index, std::move(point));
        for (auto next = waiting_.find(next_); next != waiting_.end(); next = waiting_.find(next_)) {
            take_(next->second);
            waiting_.erase(next);
            ++next_;
        }
    }

  private:
    std::mutex mutex_;
    std::map<std::size_t, SweepPoint> waiting_; ///< for those before them
    std::size_t next_;
    const TakePoint& take_;
};

std::vector<std::string> names_of_fields(const Question& question) {
    std::vector<std::string> names;
    const auto add = [&](const FieldRow& row) {
        const std::string name = row.flag.starts_with("--") ? row.flag.substr(2) : row.key;
        if (uses_field(question, row) && std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    };
    for (const QuestionField& field : question.fields) {
        add(field.row);
    }
    for (const Field<Scenario>& field : scenario_fields()) {
        add(field);
    }
    return names;
}

} // namespace

std::string unknown_field(const Question& question, std::string_view name) {
    const std::vector<std::string> names = names_of_fields(question);
    const std::vector<std::string> likely = likely_names(name, names);
    return likely.empty() ? say("expected one of {}.", listed(names, "or"))
                          : say("did you mean {}?", listed(likely, "or"));
}

std::string unknown_number(const SweepPoint& point, std::string_view path) {
    constexpr std::size_t most_named = 12;
    std::vector<std::string> paths = number_paths(point.numbers);
    const std::vector<std::string> likely = likely_names(path, paths);
    if (!likely.empty()) {
        return say("did you mean {}?", listed(likely, "or"));
    }
    const bool all = paths.size() <= most_named;
    std::stable_partition(paths.begin(), paths.end(),
                          [](const std::string& one) { return one.find('/') == std::string::npos; });
    paths.resize(std::min(paths.size(), most_named));
    return all ? say("expected one of {}.", listed(paths, "or"))
               : say("expected one such as {}.", fmt::format("{}", fmt::join(paths, ", ")));
}

bool SweepPoint::fits() const {
    const Tree* const said = numbers.find("fits");
    const auto* const fits = said == nullptr ? nullptr : std::get_if<bool>(&said->value());
    return fits == nullptr || *fits;
}

std::optional<double> SweepPoint::number(std::string_view path) const {
    return runs() ? number_at(numbers, path) : std::nullopt;
}

bool uses_field(const Question& question, const FieldRow& row) {
    if (!can_vary(row)) {
        return false;
    }
    const QuestionField* const own = question.field(row.key);
    if (own != nullptr && &own->row == &row) {
        return true;
    }
    const ScenarioUse& use = question.scenario;
    const bool taken = use.only == 0 ? (row.tags & of_plans) == 0 : (row.tags & use.only) != 0;
    return !question.uses.none() && taken && std::ranges::find(use.without, row.flag) == use.without.end();
}

Result<Vary> parse_vary(const Question& question, const Scenario& scenario, std::string_view words,
                        const ReadFile& read_file) {
    const std::string_view name = words.substr(0, words.find('='));
    for (const QuestionField& field : question.fields) {
        if (is_called(field.row, name) && uses_field(question, field.row)) {
            return name_and_values(words).and_then([&](const auto& parts) {
                return parse_values(field.row, parts.second, {}, read_file).map([](Vary vary) {
                    vary.own = true;
                    return vary;
                });
            });
        }
    }
    const Field<Scenario>* found = nullptr;
    for (const Field<Scenario>& field : scenario_fields()) {
        const bool called = is_called(field, name) && uses_field(question, field);
        if (called && (found == nullptr || (!found->applies(scenario) && field.applies(scenario)))) {
            found = &field;
        }
    }
    if (found == nullptr) {
        return refuse(say("\"{}\" cannot vary; {}", shortened(name), unknown_field(question, name)));
    }
    return name_and_values(words).and_then(
        [&](const auto& parts) { return parse_values(*found, parts.second, {}, read_file); });
}

namespace {

Result<void> checked_size(const Sweep& sweep, std::size_t most) {
    if (sweep.fields.empty() || sweep.fields.size() > 2) {
        return refuse(say("{} fields vary; expected one or two.", sweep.fields.size()));
    }
    if (sweep.fields.size() == 2 && sweep.fields[0].key == sweep.fields[1].key) {
        return refuse(say("The {} varies twice; expected two different fields.", sweep.name(0)));
    }
    if (sweep.size() > most) {
        return refuse(say("The sweep has {} points; expected at most {}.", sweep.size(), most));
    }
    return has_effects(sweep);
}

} // namespace

Result<void> checked(const Sweep& sweep) {
    return checked_size(sweep, most_kept_points);
}
Result<void> checked_to_hand_over(const Sweep& sweep) {
    return checked_size(sweep, most_handed_over);
}

bool Sweep::operator==(const Sweep& other) const {
    return over->id == other.over->id && fields == other.fields && own == other.own &&
           number == other.number && scenario == other.scenario;
}

const FieldRow& Sweep::row(std::size_t which) const {
    const Vary& vary = fields[which];
    return vary.own ? over->field(vary.key)->row : scenario_field(vary.key);
}

std::string Sweep::name(std::size_t which) const {
    std::string name = meshslice::said(row(which).name);
    const auto lower = [](char letter) { return letter >= 'a' && letter <= 'z'; };
    if (name.size() > 1 && name[0] >= 'A' && name[0] <= 'Z' && lower(name[1])) {
        name[0] = static_cast<char>(name[0] - 'A' + 'a'); // Those of forms begin with a capital.
    }
    return name;
}

std::vector<std::string> Sweep::words(std::size_t which) const {
    return value_words(row(which), fields[which].values);
}

std::size_t Sweep::size() const {
    std::size_t points = fields.empty() ? 0 : 1;
    for (const Vary& field : fields) {
        points *= field.values.size();
    }
    return points;
}

bool Sweep::kept_whole() const {
    return size() <= most_kept_points;
}

std::vector<FieldValue> values_at(const Sweep& sweep, std::size_t point) {
    std::vector<FieldValue> values(sweep.fields.size());
    for (std::size_t k = sweep.fields.size(); k-- > 0;) {
        const std::vector<FieldValue>& all = sweep.fields[k].values;
        values[k] = all[point % all.size()];
        point /= all.size();
    }
    return values;
}

Result<Scenario> with_values(const Scenario& scenario, const std::vector<Vary>& fields,
                             const std::vector<FieldValue>& values) {
    Scenario next = scenario;
    for (const Field<Scenario>& field : scenario_fields()) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (fields[k].own || fields[k].key != field.key) {
                continue;
            }
            Result<void> set = field.set(next, values[k]);
            if (set && field.key == hardware_key) {
                set = edit_alike(next.hardware, scenario.hardware);
            }
            if (!set) {
                return refuse(set.error());
            }
        }
    }
    return next;
}

Scenario shared_by_points(const Sweep& sweep) {
    std::vector<FieldValue> values;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        values.push_back(sweep.row(k).factors ? FieldValue(Factor{1.0}) : sweep.fields[k].values.front());
    }
    // As it is where one of them does not run.
    Scenario shared = with_values(sweep.scenario, sweep.fields, values).value_or(sweep.scenario);
    shared.compare.clear(); // One algorithm runs, and a field of the other has no effect.
    return shared;
}

Result<Scenario> scenario_at(const Sweep& sweep, std::size_t point) {
    const std::vector<FieldValue> values = values_at(sweep, point);
    return asked_at(sweep, values).and_then([&](const Asked& asked) {
        return read_scenario_at(sweep, values, asked);
    });
}

SweepPoint point_without_answer(const Sweep& sweep, std::size_t point) {
    return begin_point(sweep, point).point;
}

Result<Answer> answer_at(const Sweep& sweep, std::size_t point, const RunControl& control) {
    const std::vector<FieldValue> values = values_at(sweep, point);
    Result<Asked> asked = asked_at(sweep, values);
    if (!asked) {
        return refuse(asked.error());
    }
    const bool scenarios = !sweep.over->uses.none();
    const Result<Scenario> scenario =
        scenarios ? read_scenario_at(sweep, values, *asked) : Result<Scenario>(sweep.scenario);
    if (!scenario) {
        return refuse(scenario.error());
    }
    asked->scenario = scenarios ? &*scenario : nullptr;
    return sweep.over->answer(*asked, control);
}

Result<void> run_sweep(const Sweep& sweep, const TakePoint& take, std::size_t from, const RunControl& control,
                       unsigned threads) {
    if (const Result<void> valid = checked_to_hand_over(sweep); !valid) {
        return valid;
    }
    const std::size_t size = sweep.size();
    if (from >= size) {
        return {};
    }
    const bool alone = !sweep.over->swept || !sweep.over->swept->together;
    InOrder ordered(from, take);
    std::atomic<std::size_t> done = from;
    const auto take_one = [&](std::size_t index) {
        Result<SweepPoint> point =
            control.stop.stop_requested()
                ? Result<SweepPoint>(cancelled())
                : point_of(sweep, from + index, {control.stop, nullptr, control.memory});
        if (!point) {
            return false;
        }
        ordered.add(from + index, *std::move(point));
        const double share = static_cast<double>(++done) / static_cast<double>(size);
        if (control.progress) {
            control.progress->store(share);
        }
        return true;
    };
    if (!for_each_concurrently(size - from, alone ? 1 : threads, take_one)) {
        return cancelled();
    }
    return {};
}

Result<SweepPoint> answered_point(const Sweep& sweep, std::size_t point, const RunControl& control) {
    return point_of(sweep, point, control);
}

} // namespace meshslice
