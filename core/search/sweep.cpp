#include "core/search/sweep.h"

#include "core/base/concurrently.h"
#include "core/base/say.h"
#include "core/machine/edit.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t most_points = 65'536;
constexpr std::string_view hardware_key = "hardware";

/// Empty where the field has an effect.
std::string no_effect(const Field<Scenario>& field, const Scenario& scenario) {
    const std::string why = field.objection ? field.objection(scenario) : std::string();
    return why.empty() ? why : say("The {} has no effect. {}", said(field.name), why);
}

/// Refused where a field has no effect in any of the points.
Result<void> has_effects(const Sweep& sweep) {
    const bool varies_hardware =
        std::ranges::find(sweep.fields, hardware_key, &Vary::key) != sweep.fields.end();
    for (const Vary& vary : sweep.fields) {
        const Field<Scenario>& field = scenario_field(vary.key);
        if (sweep.depth == Depth::estimate && (field.tags & of_what_if) != 0u) {
            return refuse(say("The {} has no effect on an estimate, which assumes a machine without "
                              "faults; it needs a simulation.",
                              field.name));
        }
        const bool factors = std::ranges::any_of(
            vary.values, [](const FieldValue& value) { return std::holds_alternative<Factor>(value); });
        if (Scenario preset = sweep.scenario; factors && !varies_hardware && field.applies(preset)) {
            if (const Result<void> taken = field.set(preset, Factor{1.0}); !taken) {
                return refuse(taken.error());
            }
        }
        std::string first;
        for (std::size_t point = 0; point < sweep.size(); ++point) {
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

/// A point that does not run says why; refused only when cancelled.
Result<SweepPoint> point_of(const Sweep& sweep, std::size_t index, const std::stop_token& stop,
                            unsigned threads) {
    SweepPoint point;
    point.values = values_at(sweep, index);
    const Result<Scenario> scenario = scenario_at(sweep, index);
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        point.results.push_back(scenario ? scenario_field(sweep.fields[k].key).get(*scenario)
                                         : point.values[k]);
    }
    const auto read = [&](const Scenario& valid) {
        return sweep.depth == Depth::estimate
                   ? estimated_step(valid, valid.plan.algorithm, {}, stop)
                   : training_step(valid, valid.plan.algorithm, sweep.depth, {stop, nullptr}, threads);
    };
    const Result<TrainingStep> step = scenario.and_then(read);
    if (!step) {
        if (step.error().kind == Error::Kind::cancelled) {
            return refuse(step.error());
        }
        point.objection = step.error().sentence;
        return point;
    }
    point.time = step->time;
    point.flop = step->flop;
    point.utilization = step->utilization;
    point.compute = step->usage.compute;
    point.exposed = step->usage.exposed;
    point.hidden_share = step->hidden_share();
    point.memory = step->memory.bytes();
    point.capacity = step->capacity;
    point.fits = step->fits();
    const auto slices = [](const GemmResult& one) { return one.options.slices; };
    const auto [least, most] = std::ranges::minmax_element(step->gemms, {}, slices);
    point.least_slices = slices(*least);
    point.most_slices = slices(*most);
    return point;
}

/// Points that are done, handed over in their order.
class InOrder {
  public:
    InOrder(std::size_t from, std::size_t size, const TakePoint& take)
        : waiting_(size - from), from_(from), next_(from), take_(take) {}

    void add(std::size_t index, SweepPoint point) {
        const std::scoped_lock lock(mutex_);
        waiting_[index - from_] = std::move(point);
        while (next_ - from_ < waiting_.size() && waiting_[next_ - from_]) {
            take_(*waiting_[next_ - from_]);
            waiting_[next_ - from_].reset();
            ++next_;
        }
    }

  private:
    std::mutex mutex_;
    std::vector<std::optional<SweepPoint>> waiting_;
    std::size_t from_;
    std::size_t next_;
    const TakePoint& take_;
};

} // namespace

Result<void> checked(const Sweep& sweep) {
    if (sweep.fields.empty() || sweep.fields.size() > 2) {
        return refuse(say("{} fields vary; expected one or two.", sweep.fields.size()));
    }
    if (sweep.fields.size() == 2 && sweep.fields[0].key == sweep.fields[1].key) {
        return refuse(say("The {} varies twice; expected two different fields.",
                          scenario_field(sweep.fields[0].key).name));
    }
    if (sweep.size() > most_points) {
        return refuse(say("The sweep has {} points; expected at most {}.", sweep.size(), most_points));
    }
    return has_effects(sweep);
}

std::size_t Sweep::size() const {
    std::size_t points = fields.empty() ? 0 : 1;
    for (const Vary& field : fields) {
        points *= field.values.size();
    }
    return points;
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
            if (fields[k].key != field.key) {
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
    for (const Vary& vary : sweep.fields) {
        const bool factors = scenario_field(vary.key).factors;
        values.push_back(factors ? FieldValue(Factor{1.0}) : vary.values.front());
    }
    // As it is where one of them does not run.
    Scenario shared = with_values(sweep.scenario, sweep.fields, values).value_or(sweep.scenario);
    shared.compare.clear(); // One algorithm runs, and a field of the other has no effect.
    return shared;
}

Result<Scenario> scenario_at(const Sweep& sweep, std::size_t point) {
    Result<Scenario> scenario = with_values(sweep.scenario, sweep.fields, values_at(sweep, point));
    if (!scenario) {
        return scenario;
    }
    scenario->compare.clear();
    for (const Vary& vary : sweep.fields) {
        if (const std::string why = no_effect(scenario_field(vary.key), *scenario); !why.empty()) {
            return refuse(why);
        }
    }
    return checked(*scenario);
}

Result<void> run_sweep(const Sweep& sweep, const TakePoint& take, std::size_t from, const RunControl& control,
                       unsigned threads) {
    if (const Result<void> valid = checked(sweep); !valid) {
        return valid;
    }
    const std::size_t size = sweep.size();
    if (from >= size) {
        return {};
    }
    // Points that are simulated take all cores, and much of the memory, each.
    const bool alone = sweep.depth == Depth::simulate;
    InOrder ordered(from, size, take);
    std::atomic<std::size_t> done = from;
    const auto take_one = [&](std::size_t index) {
        Result<SweepPoint> point = control.stop.stop_requested()
                                       ? Result<SweepPoint>(cancelled())
                                       : point_of(sweep, from + index, control.stop, alone ? threads : 1);
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

} // namespace meshslice
