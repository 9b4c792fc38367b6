#include "core/plan/search/advice/plan_levers.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/faster.h"
#include "core/plan/evaluate/step_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr double least_share = 0.005;
constexpr double seconds_of_a_day = 86'400;

/// What is said of a rate that is twice as high, or half.
struct ScaledRate {
    MachineRate rate;
    const char* twice; ///< to be said()
    const char* half;
};
constexpr std::array scaled_rates = {
    ScaledRate{MachineRate::compute, "twice the FLOP/s", "half the FLOP/s"},
    ScaledRate{MachineRate::memory, "twice the bandwidth of HBM", "half the bandwidth of HBM"},
    ScaledRate{MachineRate::latency, "half the latency", "twice the latency"},
    ScaledRate{MachineRate::links, "twice the bandwidth of a link", "half the bandwidth of a link"},
    ScaledRate{MachineRate::domains, "twice the bandwidth of a fast domain",
               "half the bandwidth of a fast domain"},
    ScaledRate{MachineRate::network, "twice the bandwidth of the slow network",
               "half the bandwidth of the slow network"}};
static_assert(scaled_rates.size() == all_machine_rates.size(), "each has its words");

/// Seconds of the plan's step in another run or on other chips; none where it is not a plan there.
std::optional<double> step_time(const TrainingRun& run, const Machine& hardware, const Plan& plan,
                                ModelRules rules) {
    const Result<PlanModel> model = PlanModel::of(run, hardware, rules);
    if (!model || !check_plan(run, plan, model->units(), rules)) {
        return std::nullopt;
    }
    const Result<LayerCost> layer = model->layer_or_refusal(plan, model->block(plan));
    return layer ? std::optional(model->reading(plan, *layer).time.total) : std::nullopt;
}

} // namespace

std::string part_name(const StepPart& part, const Plan& plan) {
    if (part.time != &PlanTime::data || plan.strategy != TensorStrategy::two_d || plan.tensor2 == 1) {
        return said(part.name);
    }
    return plan.data == 1 ? said("context-parallel communication of weights")
                          : said("data- and context-parallel communication");
}

std::vector<PlanLever> plan_levers(const PlanModel& model, const Plan& plan) {
    const double now = model.reading(plan, model.layer(plan)).time.total;
    std::vector<PlanLever> levers;
    const auto add = [&](const char* what, const TrainingRun& run, const Machine& hardware, double samples) {
        const std::optional<double> other = step_time(run, hardware, plan, model.rules());
        const double saved = other ? 1 - *other / samples / now : 0;
        if (saved >= least_share) {
            levers.push_back({said(what), saved});
        }
    };
    for (const ScaledRate& rate : scaled_rates) {
        // A torus has no fast domains: nothing has to be tuned again to know what these would save.
        if (const Machine other = faster(model.hardware(), rate.rate, 2); other != model.hardware()) {
            add(rate.twice, model.run(), other, 1);
        }
    }
    TrainingRun larger = model.run();
    larger.batch *= 2;
    add("twice the batch", larger, model.hardware(), 2);
    std::ranges::stable_sort(levers, std::ranges::greater{}, &PlanLever::saved);
    return levers;
}

std::vector<PlanLoss> plan_losses(const PlanModel& model, const Plan& plan) {
    const double now = model.reading(plan, model.layer(plan)).time.total;
    std::vector<PlanLoss> losses;
    for (const ScaledRate& rate : scaled_rates) {
        const Machine slower = faster(model.hardware(), rate.rate, 0.5);
        if (slower == model.hardware()) {
            continue;
        }
        const std::optional<double> other = step_time(model.run(), slower, plan, model.rules());
        const double more = other ? *other / now - 1 : 0;
        if (more >= least_share) {
            losses.push_back({said(rate.half), more});
        }
    }
    std::ranges::stable_sort(losses, std::ranges::greater{}, &PlanLoss::more);
    return losses;
}

double days_for_tokens(const TrainingRun& run, double step, double tokens) {
    const double of_a_step = static_cast<double>(run.batch) * static_cast<double>(run.sequence);
    return std::ceil(tokens / of_a_step) * step / seconds_of_a_day;
}

std::string days_text(double days) {
    return days < 1 ? seconds_text(days * seconds_of_a_day) : say("{} days", number_text(days));
}

} // namespace meshslice
