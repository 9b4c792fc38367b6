#include "core/question/catalogue/evidence/far_off.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <cstddef>
#include <iterator>

namespace meshslice {
namespace {

/// Measured runs of what was asked are nearer to their plan than that.
constexpr double far = 2;

bool is_far(double measured, double planned) {
    return planned > 0 && (measured * far < planned || measured > planned * far);
}

std::string steps_words(const ProfiledStep& measured) {
    const double seconds = measured.whole.seconds;
    if (measured.steps == 0) {
        return say("The trace names no steps: all of its {} count as one.", seconds_text(seconds));
    }
    return measured.steps == 1
               ? said("One step of the trace is looked at.")
               : say("The trace has {} steps, together {}.", measured.steps, seconds_text(seconds));
}

/// Whether chips compute as much as the plan's do: if not, it is other work.
std::string work_words(const ProfiledStep& measured, const PredictedParts& parts) {
    const double planned = parts.multiply + parts.attention;
    const double computed =
        measured.a_step(measured.whole.of(DeviceWork::multiply) + measured.whole.of(DeviceWork::attention));
    if (computed <= 0) {
        return said("It has no kernel that is known to multiply.");
    }
    return is_far(computed, planned)
               ? say("A device multiplies and attends for {} a step and for {} in the plan: the model, its "
                     "number of layers, the batch or the sequence is likely another.",
                     seconds_text(computed), seconds_text(planned))
               : say("A device multiplies and attends for {} a step and for {} in the plan, so the work is "
                     "alike: what differs is what chips wait for.",
                     seconds_text(computed), seconds_text(planned));
}

} // namespace

std::string far_off_words(const ProfiledStep& measured, double seconds, const PredictedParts& parts,
                          const Plan& plan) {
    const double step = measured.a_step(measured.whole.seconds);
    if (!is_far(step, seconds)) {
        return {};
    }
    const std::size_t count = measured.devices.size();
    const std::string devices =
        std::ssize(measured.devices) == plan.chips() ? std::string()
        : count == 1
            ? say("It is of one device and the plan of {} chips: of a part of them, or of another run.",
                  plan.chips())
            : say("It is of {} devices and the plan of {} chips: of a part of them, or of another run.",
                  count, plan.chips());
    std::string words =
        step < seconds
            ? say("The plan's step takes {} times as long: the two are likely different runs.",
                  number_text(seconds / step))
            : say("The step takes {} times as long as the plan's: the two are likely different runs.",
                  number_text(step / seconds));
    for (const std::string& one : {steps_words(measured), devices, work_words(measured, parts)}) {
        words += one.empty() ? one : " " + one;
    }
    return words;
}

} // namespace meshslice
