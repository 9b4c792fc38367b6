#include "core/evidence/own_step.h"

#include "core/base/say.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t most_gap_parts = 3;

/// Every part of a step so many times as long.
StepSeconds stretched(StepSeconds step, double times) {
    for (double StepSeconds::*part :
         {&StepSeconds::compute, &StepSeconds::experts, &StepSeconds::exchanges, &StepSeconds::head,
          &StepSeconds::gathers, &StepSeconds::bubble, &StepSeconds::transfers, &StepSeconds::data,
          &StepSeconds::optimizer, &StepSeconds::stragglers, &StepSeconds::total, &StepSeconds::hidden}) {
        step.*part *= times;
    }
    return step;
}

} // namespace

std::vector<GapPart> named_parts(const StepSeconds& step) {
    return {{said("compute, HBM and launches"), step.compute, 1},
            {said("experts' GEMMs, dispatch and combine"), step.experts, 1},
            {said("tensor- and context-parallel exchanges"), step.exchanges, 1},
            {said("output head"), step.head, 1},
            {said("gathers of weights"), step.gathers, 1},
            {said("pipeline bubble"), step.bubble, 1},
            {said("transfers that fill and drain the pipeline"), step.transfers, 1},
            {said("exchange of gradients"), step.data, 1},
            {said("optimizer and adding up gradients"), step.optimizer, 1},
            {said("stragglers"), step.stragglers, 1}};
}

OwnStep own_step(double measured_s, const ExpectedStep& expected) {
    OwnStep made;
    made.seconds = measured_s;
    made.expected = expected.seconds;
    made.ratio = measured_s / expected.seconds;
    made.inside = measured_s >= expected.low && measured_s <= expected.high;
    made.hidden = expected.parts.hidden;
    made.to_others = ratio_of(expected, expected);
    const ExpectedStep again = narrowed(expected, made);
    made.low = again.low;
    made.high = again.high;
    for (GapPart part : named_parts(expected.parts)) {
        if (part.seconds > 0 && part.seconds + made.gap() > 0) {
            part.times = (part.seconds + made.gap()) / part.seconds;
            made.parts.push_back(std::move(part));
        }
    }
    std::ranges::stable_sort(made.parts, std::greater(), &GapPart::seconds);
    made.parts.resize(std::min(made.parts.size(), most_gap_parts));
    return made;
}

ExpectedStep narrowed(const ExpectedStep& other, const OwnStep& own) {
    if (!other.known()) {
        return other;
    }
    ExpectedStep made = other;
    made.seconds *= own.ratio;
    made.parts = stretched(other.parts, own.ratio);
    made.low = (other.cut() ? other.low_by_errors : other.low) * own.ratio;
    made.low_by_errors = 0;
    made.closest.reset(); // what was measured of this run says more than what was of others
    made.high = other.high * own.ratio;
    if (own.to_others) {
        made.low = std::max(made.low, made.seconds / own.to_others->least_times());
        made.high = std::min(made.high, made.seconds * own.to_others->least_times());
    }
    cut_at_ideal(made);
    return made;
}

std::optional<OwnStep> own_step_of(const PlanAnswer& answer, const std::optional<double>& measured_s) {
    if (!measured_s) {
        return std::nullopt;
    }
    const ExpectedStep expected = expected_of(answer.question, answer.chosen());
    return expected.known() ? std::optional(own_step(*measured_s, expected)) : std::nullopt;
}

ExpectedStep corrected_of(const PlanAnswer& answer, const RankedPlan& plan,
                          const std::optional<double>& measured_s) {
    const ExpectedStep expected = expected_of(answer.question, plan);
    const std::optional<OwnStep> own = own_step_of(answer, measured_s);
    return own ? narrowed(expected, *own) : expected;
}

} // namespace meshslice
