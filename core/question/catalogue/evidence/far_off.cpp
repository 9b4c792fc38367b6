#include "core/question/catalogue/evidence/far_off.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

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

/// The part of a step that differs most from the plan's, the whole step apart.
std::string largest_difference(const ProfiledStep& measured, const PredictedParts& parts) {
    const std::vector<ComparedPart> all = compared_parts(measured, parts);
    const auto differs = [](const ComparedPart& one) { return std::abs(one.measured - one.predicted); };
    return std::ranges::max_element(all.begin() + 1, all.end(), {}, differs)->name;
}

/// Whether chips compute about as long as the plan's do: if not, it is other work.
std::string work_words(const ProfiledStep& measured, const PredictedParts& parts) {
    const double planned = parts.multiply + parts.attention;
    const double computed =
        measured.a_step(measured.whole.of(DeviceWork::multiply) + measured.whole.of(DeviceWork::attention));
    if (computed <= 0) {
        return said("The trace has no kernel that is known to multiply.");
    }
    if (planned <= 0) {
        return {};
    }
    return is_far(computed, planned)
               ? say("A device multiplies and attends for {} a step and for {} in the plan: likely the "
                     "model, its number of layers, the batch or the sequence differs.",
                     seconds_text(computed), seconds_text(planned))
               : say("A device multiplies and attends for {} a step and for {} in the plan, so the work may "
                     "be the same: the largest difference is in \"{}\".",
                     seconds_text(computed), seconds_text(planned), largest_difference(measured, parts));
}

/// How many devices the trace has, where the plan has another number of chips.
std::string devices_words(const ProfiledStep& measured, const Plan& plan) {
    const std::size_t count = measured.devices.size();
    const auto chips = static_cast<std::size_t>(plan.chips());
    if (count == chips) {
        return {};
    }
    if (count > chips) {
        return chips == 1
                   ? say("The trace has {} devices and the plan has one chip: likely it is another run.",
                         count)
                   : say("The trace has {} devices and the plan has {} chips: likely it is another run.",
                         count, chips);
    }
    return count == 1
               ? say("The trace has one device and the plan has {} chips: it covers a part of them, or "
                     "it is another run.",
                     chips)
               : say("The trace has {} devices and the plan has {} chips: it covers a part of them, or "
                     "it is another run.",
                     count, chips);
}

} // namespace

std::string far_off_words(const ProfiledStep& measured, double seconds, const PredictedParts& parts,
                          const Plan& plan) {
    const double step = measured.a_step(measured.whole.seconds);
    if (!is_far(step, seconds)) {
        return {};
    }
    std::string words =
        step < seconds
            ? say("The plan's step takes {} times as long: the two are likely different runs.",
                  number_text(seconds / step))
            : say("The step takes {} times as long as the plan's: the two are likely different runs.",
                  number_text(step / seconds));
    for (const std::string& one :
         {steps_words(measured), devices_words(measured, plan), work_words(measured, parts)}) {
        words += one.empty() ? one : " " + one;
    }
    return words;
}

} // namespace meshslice
