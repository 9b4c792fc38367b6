#include "core/plan/search/training_bill.h"

#include <cmath>

namespace meshslice {
namespace {

constexpr double hour = 3600, day = 24 * hour; ///< s
constexpr double kilowatt_hour = 3.6e6;        ///< J
constexpr double usual_tokens = 1e9;

} // namespace

double billed_tokens(const PlanQuestion& question) {
    return question.tokens ? static_cast<double>(*question.tokens) : usual_tokens;
}

TrainingBill training_bill(const PlanQuestion& question, double step_s) {
    const double tokens = static_cast<double>(question.batch) * static_cast<double>(question.sequence);
    const auto chips = static_cast<double>(question.chips);
    // A training has whole steps; of a billion tokens without one, the part of a step counts.
    const double steps =
        question.tokens ? std::ceil(billed_tokens(question) / tokens) : billed_tokens(question) / tokens;
    const double seconds = steps * step_s;
    const TrainingPrices& prices = question.prices;
    TrainingBill made;
    made.days = seconds / day;
    made.chip_hours = chips * seconds / hour;
    made.energy = chips * seconds * question.machine.power.value * prices.overhead;
    made.cost = made.chip_hours * prices.chip_hour.value_or(0) +
                made.energy / kilowatt_hour * prices.energy.value_or(0);
    made.token_rate = tokens / step_s / chips;
    return made;
}

} // namespace meshslice
