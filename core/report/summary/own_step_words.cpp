#include "core/report/summary/own_step_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/report/summary/expected_words.h"

#include <fmt/format.h>

#include <utility>

namespace meshslice {
namespace {

std::string off_words(const OwnStep& own) {
    const std::string measured = seconds_text(own.seconds);
    const std::string times = fmt::format("{:.2f}x", own.ratio);
    const std::string expected = seconds_text(own.expected);
    return own.inside ? say("Measured: {} a step, {} the expected {}, inside the interval.", measured, times,
                            expected)
                      : say("Measured: {} a step, {} the expected {}, outside the interval.", measured, times,
                            expected);
}

/// Of a longer step alone: what was expected to be hidden may not be.
std::string hidden_words(const OwnStep& own) {
    if (own.gap() <= 0 || own.hidden < own.gap()) {
        return {};
    }
    return said(" ") + say("Or {} of the {} of communication that is expected to be hidden is exposed.",
                           percent_text(own.gap() / own.hidden), seconds_text(own.hidden));
}

std::string gap_words(const OwnStep& own) {
    if (own.parts.empty()) {
        return said("No part alone is long enough to explain the gap.");
    }
    std::vector<std::string> parts;
    for (const GapPart& one : own.parts) {
        parts.push_back(say("{}: {} as long as its {}", one.name, fmt::format("{:.2f}x", one.times),
                            seconds_text(one.seconds)));
    }
    return say("What one part alone would have to take to explain it: {}.", listed(parts)) +
           hidden_words(own);
}

} // namespace

std::vector<std::string> own_step_sentences(const OwnStep& own) {
    std::string corrected =
        say("Corrected by it, other plans of this run take {} / {} = {} of what measured "
            "runs say, and this one {} to {} in eight of ten.",
            seconds_text(own.seconds), seconds_text(own.expected), fmt::format("{:.2f}x", own.ratio),
            seconds_text(own.low), seconds_text(own.high));
    if (own.to_others) {
        corrected += said(" ") + ratio_words(*own.to_others);
    }
    return {off_words(own), gap_words(own), std::move(corrected)};
}

std::string unused_step_words(double measured_s, const ExpectedStep& expected) {
    return say("Measured: {} a step. It corrects nothing, as nothing is expected of its plan. {}",
               seconds_text(measured_s), expected.reason);
}

std::string own_step_lines(const std::optional<OwnStep>& own) {
    std::string lines;
    for (const std::string& one : own ? own_step_sentences(*own) : std::vector<std::string>()) {
        lines += one + "\n";
    }
    return lines;
}

Tree own_step_values(const OwnStep& own) {
    Tree values = {{"measured_s", own.seconds},
                   {"expected_s", own.expected},
                   {"ratio", own.ratio},
                   {"time_low_s", own.low},
                   {"time_high_s", own.high},
                   {"hidden_s", own.hidden},
                   {"inside", own.inside},
                   {"paired_spread", own.to_others ? Tree(own.to_others->least_times() - 1) : Tree()},
                   {"gap_parts", Tree::array()}};
    for (const GapPart& one : own.parts) {
        values["gap_parts"].push_back(
            {{"part", one.name}, {"expected_s", one.seconds}, {"times", one.times}});
    }
    return values;
}

} // namespace meshslice
