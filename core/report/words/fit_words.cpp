#include "core/report/words/fit_words.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace meshslice {
namespace {

std::string signed_percent(double share) {
    constexpr double in_times = 10; // from there on a percentage says nothing
    return share > in_times ? fmt::format("{:.0f}x", 1 + share) : deviation_text(share);
}

} // namespace

std::string fit_finding(const ProfiledStep& measured, const StepFit& fit) {
    return say(
        "Fitted to this step, the prediction goes from {} to {} of {} measured: its error was {} and is "
        "{}.",
        seconds_text(fit.before.seconds), seconds_text(fit.after.seconds),
        seconds_text(measured.a_step(measured.whole.seconds)),
        signed_percent(StepFit::error(measured, fit.before)),
        signed_percent(StepFit::error(measured, fit.after)));
}

std::vector<std::string> fit_limits(const ProfiledStep& measured, const StepFit& fit) {
    std::vector<std::string> sentences = fit.left;
    std::vector<std::string> limits;
    for (const StepConstant& one : fit.constants) {
        if (one.at_limit) {
            limits.push_back(fmt::format("{} {}", one.name, one.after));
        }
    }
    if (!limits.empty()) {
        sentences.push_back(say("At their limits, and what they govern is still longer than measured: {}.",
                                fmt::join(limits, said(", "))));
    }
    if (measured.whole.idle_s > 0) {
        sentences.push_back(say("Nothing runs for {} of the step; the plan has {} of bubble. No constant is "
                                "fitted to that.",
                                seconds_text(measured.a_step(measured.whole.idle_s)),
                                seconds_text(fit.after.idle)));
    }
    sentences.push_back(
        said("These constants are of this step: of this model, this plan and this software."));
    return sentences;
}

} // namespace meshslice
