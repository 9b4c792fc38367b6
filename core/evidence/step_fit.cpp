#include "core/evidence/step_fit.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/edit.h"
#include "core/plan/search/chosen_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr double least_share_left = 1e-3; ///< of a constant, that a fit may leave
constexpr double close_enough = 1e-3;     ///< a part that is met within this share
constexpr int most_rounds = 6;
constexpr int halvings = 24;

/// One kind of work: its part of the step, and the numbers of the machine that govern it.
struct FittedKind {
    double PredictedParts::*part;
    std::string name;     ///< for people
    std::string in_files; ///< in English
    double measured = 0;  ///< seconds of a step
    std::vector<const Field<Machine>*> numbers;
};

double value_of_number(const Machine& machine, const Field<Machine>& number) {
    return std::get<double>(number.get(machine));
}

/// A number with its own start: attention begins with the share of large products.
double start_of(const Machine& machine, const Field<Machine>& number) {
    const double value = value_of_number(machine, number);
    return value > 0 ? value : machine.effective_fraction.value;
}

std::vector<const Field<Machine>*> network_numbers(const Machine& machine) {
    std::vector<const Field<Machine>*> numbers;
    for (int axis = 0; axis < machine.network.torus_axes(); ++axis) {
        numbers.push_back(&link_number(axis));
    }
    for (const char* const key : {"domain_efficiency", "network_efficiency"}) {
        if (machine_number(key).applies(machine)) {
            numbers.push_back(&machine_number(key));
        }
    }
    return numbers;
}

class StepFitter {
  public:
    StepFitter(const ProfiledStep& measured, const PlanQuestion& question, const Plan& plan,
               const RunControl& control)
        : question_(question), plan_(plan), control_(control), first_(question.machine) {
        const DeviceUse& use = measured.whole;
        const auto a_step = [&](double sum) { return measured.a_step(sum); };
        kinds_ = {{&PredictedParts::multiply,
                   said("multiplication"),
                   "multiplication",
                   a_step(use.of(DeviceWork::multiply)),
                   {&machine_number("effective_fraction_of_peak")}},
                  {&PredictedParts::attention,
                   said("attention"),
                   "attention",
                   a_step(use.of(DeviceWork::attention)),
                   {&machine_number("attention_fraction_of_peak")}},
                  {&PredictedParts::other,
                   said("other kernels"),
                   "other kernels",
                   a_step(use.of(DeviceWork::other) + use.of(DeviceWork::copy)),
                   {&machine_number("hbm_bandwidth_in_bytes_per_s")}},
                  {&PredictedParts::exposed, said("communication, exposed"), "exposed communication",
                   a_step(use.of(DeviceWork::communication)), network_numbers(first_)}};
    }

    Result<StepFit> fit(const std::string& source) {
        StepFit made;
        const Result<PredictedParts> before = parts_on(first_);
        if (!before) {
            return refuse(before.error());
        }
        made.before = *before;
        choose(made);
        std::vector<double> factors(kinds_.size(), 1);
        for (int round = 0; round < most_rounds; ++round) {
            double moved = 0;
            for (std::size_t k = 0; k < kinds_.size(); ++k) {
                const Result<double> factor = factor_of(k, factors);
                if (!factor) {
                    return refuse(factor.error());
                }
                moved = std::max(moved, std::abs(std::log(*factor / factors[k])));
                factors[k] = *factor;
            }
            if (moved < close_enough) {
                break;
            }
        }
        Result<Machine> fitted = taken(factors, source);
        if (!fitted) {
            return refuse(fitted.error());
        }
        made.machine = *std::move(fitted);
        const Result<PredictedParts> after = parts_on(made.machine);
        if (!after) {
            return refuse(after.error());
        }
        made.after = *after;
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            const FittedKind& kind = kinds_[k];
            for (const Field<Machine>* number : kind.numbers) {
                made.constants.push_back({kind.name, said(number->name), text(*number, number->get(first_)),
                                          text(*number, number->get(made.machine)),
                                          made.after.*kind.part > kind.measured * (1 + 10 * close_enough)});
            }
        }
        return made;
    }

  private:
    /// Drops kinds that the step, or its prediction, does not have.
    void choose(StepFit& made) {
        std::erase_if(kinds_, [&](const FittedKind& kind) {
            const double predicted = made.before.*kind.part;
            if (kind.measured > 0 && predicted > 0 && !kind.numbers.empty()) {
                return false;
            }
            if (kind.measured > 0 || predicted > 0) {
                made.left.push_back(say("{}: {} measured and {} predicted, which no efficiency explains.",
                                        kind.name, seconds_text(kind.measured), seconds_text(predicted)));
            }
            return true;
        });
    }

    [[nodiscard]] Result<PredictedParts> parts_on(const Machine& machine) const {
        if (control_.stop.stop_requested()) {
            return cancelled();
        }
        PlanQuestion question = question_;
        question.machine = machine;
        const Result<PlanModel> model = plan_model(question);
        if (!model) {
            return refuse(model.error());
        }
        if (const Result<void> sound = model->check(plan_); !sound) {
            return refuse(sound.error());
        }
        return predicted_parts(*model, {plan_, model->reading(plan_, model->layer(plan_))});
    }

    /// So many times a number at most: up to its preset's, or to all of a share.
    [[nodiscard]] double most_factor(const FittedKind& kind) const {
        double most = 1e9;
        const std::optional<Machine> preset = origin(first_);
        for (const Field<Machine>* number : kind.numbers) {
            const double now = start_of(first_, *number);
            const bool share = number->highest <= 1;
            const double theirs = share                                ? 1
                                  : preset && number->applies(*preset) ? value_of_number(*preset, *number)
                                                                       : now;
            most = std::min(most, std::max(theirs, now) / now);
        }
        return most;
    }

    /// The machine with all numbers so many times what they were; sources as they are.
    [[nodiscard]] Result<Machine> scaled(const std::vector<double>& factors) const {
        Machine machine = first_;
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            for (const Field<Machine>* number : kinds_[k].numbers) {
                if (const auto set = number->set(machine, start_of(first_, *number) * factors[k]); !set) {
                    return refuse(set.error());
                }
            }
        }
        return machine;
    }

    /// The factor of a kind with which its part is as measured, with those of the others as they are.
    Result<double> factor_of(std::size_t kind, std::vector<double> factors) {
        const FittedKind& its = kinds_[kind];
        double high = most_factor(its), low = high * least_share_left;
        const auto part = [&](double factor) -> Result<double> {
            factors[kind] = factor;
            return scaled(factors)
                .and_then([&](const Machine& machine) { return parts_on(machine); })
                .map([&](const PredictedParts& parts) { return parts.*its.part; });
        };
        const Result<double> fastest = part(high);
        if (!fastest || *fastest >= its.measured) {
            return fastest.map([&](double) { return high; });
        }
        for (int k = 0; k < halvings && high / low > 1 + close_enough / 10; ++k) {
            const double middle = std::sqrt(low * high);
            const Result<double> seconds = part(middle);
            if (!seconds) {
                return seconds;
            }
            (*seconds > its.measured ? low : high) = middle;
        }
        return std::sqrt(low * high);
    }

    /// By edits, so that name and title say what differs; each with where it comes from.
    [[nodiscard]] Result<Machine> taken(const std::vector<double>& factors, const std::string& source) const {
        Machine machine = first_;
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            for (const Field<Machine>* number : kinds_[k].numbers) {
                const double value = start_of(first_, *number) * factors[k];
                const std::string before = fmt::format("{:.4g}", value_of_number(machine, *number));
                if (const auto edited = edit(machine, *number, value); !edited) {
                    return refuse(edited.error());
                }
                number->source(machine) = fmt::format("Fitted to {}, to its time of {}; before it was {}",
                                                      source, kinds_[k].in_files, before);
            }
        }
        if (!check_name(machine.title)) { // which lists what was edited
            machine.title = short_title(machine);
        }
        return checked(machine);
    }

    const PlanQuestion& question_;
    const Plan& plan_;
    const RunControl& control_;
    Machine first_;
    std::vector<FittedKind> kinds_;
};

} // namespace

Result<StepFit> fit_to_step(const ProfiledStep& measured, const PlanQuestion& question, const Plan& plan,
                            const std::string& source, const RunControl& control) {
    if (measured.trace->predicted) {
        return refuse(say("{} is a prediction of MeshSlice Explorer; a fit needs a measurement.", source));
    }
    if (measured.steps == 0) {
        return refuse(say("{} has no marks of steps; a fit needs the time of one step.", source));
    }
    return StepFitter(measured, question, plan, control).fit(source);
}

} // namespace meshslice
