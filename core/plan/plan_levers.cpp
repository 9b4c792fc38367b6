#include "core/plan/plan_levers.h"

#include "core/base/say.h"
#include "core/plan/step_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

constexpr double least_saved = 0.005;
constexpr double seconds_of_a_day = 86'400;

template <class Quantity>
void twice(Quantity& quantity) {
    quantity = Quantity(quantity.value() * 2);
}

Hardware with_twice_the_rates(Hardware hardware) {
    for (auto& peak : hardware.peak) {
        twice(peak.value);
    }
    twice(hardware.vector_rate.value);
    return hardware;
}

Hardware with_twice_the_memory_rate(Hardware hardware) {
    twice(hardware.hbm_bandwidth.value);
    return hardware;
}

template <class Level>
Hardware with_twice_the_level(Hardware hardware) {
    for (NetworkLevel& level : hardware.network.levels) {
        if (Level* its = std::get_if<Level>(&level); its != nullptr) {
            twice(its->bandwidth.value);
        }
    }
    return hardware;
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
    const auto add = [&](std::string what, const TrainingRun& run, const Hardware& hardware, double samples) {
        const Result<PlanReading> other = evaluate(run, hardware, plan, model.rules());
        const double saved = other ? 1 - other->time.total / samples / now : 0;
        if (saved >= least_saved) {
            levers.push_back({std::move(what), saved});
        }
    };
    const Hardware& own = model.hardware();
    add(said("twice the FLOP/s"), model.run(), with_twice_the_rates(own), 1);
    add(said("twice the bandwidth of HBM"), model.run(), with_twice_the_memory_rate(own), 1);
    add(said("twice the bandwidth of a link"), model.run(), with_twice_the_level<TorusLinks>(own), 1);
    add(said("twice the bandwidth of a fast domain"), model.run(), with_twice_the_level<SwitchedDomain>(own),
        1);
    add(said("twice the bandwidth of the slow network"), model.run(), with_twice_the_level<OuterNetwork>(own),
        1);
    TrainingRun larger = model.run();
    larger.batch *= 2;
    add(said("twice the batch"), larger, own, 2);
    std::ranges::stable_sort(levers, std::ranges::greater{}, &PlanLever::saved);
    return levers;
}

double days_for_tokens(const TrainingRun& run, double step, double tokens) {
    const double of_a_step = static_cast<double>(run.batch) * static_cast<double>(run.sequence);
    return std::ceil(tokens / of_a_step) * step / seconds_of_a_day;
}

} // namespace meshslice
