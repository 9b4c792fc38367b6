#include "core/report/summary/expected_words.h"

#include "core/base/listing.h"
#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

/// An interval that reaches further is wide: the nearest measured runs are unlike.
constexpr double wide = 0.35;

} // namespace

std::string expected_words(const ExpectedStep& expected) {
    if (!expected.known()) {
        return expected.reason;
    }
    const std::string words =
        say("Expected by measured runs: {} a step, eight of ten from {} to {}.",
            seconds_text(expected.seconds), seconds_text(expected.low), seconds_text(expected.high));
    return expected.width() > wide
               ? words + said(" ") + said("That is wide: the nearest measured runs differ much from it.")
               : words;
}

std::string near_words(const MeasuredNearby& near) {
    const std::string of = say("{} on {} {} ({})", near.model, near.chips, near.hardware, near.framework);
    const std::string measured = seconds_text(near.measured_s);
    const std::string ours = seconds_text(near.measured_s * (1 + near.error));
    const std::string off = percent_text(std::abs(near.error));
    return near.error < 0 ? say("{}: measured {} a step, expected {} ({} less)", of, measured, ours, off)
                          : say("{}: measured {} a step, expected {} ({} more)", of, measured, ours, off);
}

std::vector<std::string> near_sentences(const std::vector<MeasuredNearby>& near, std::size_t most) {
    if (near.empty()) {
        return {said("No measured run that comes with the program is near this one.")};
    }
    std::vector<std::string> sentences;
    for (std::size_t k = 0; k < std::min(most, near.size()); ++k) {
        sentences.push_back(near_words(near[k]));
    }
    return sentences;
}

void add_expected(Tree& values, const ExpectedStep& expected) {
    if (!expected.known()) {
        values["not_expected"] = expected.reason;
        return;
    }
    values["expected_s"] = expected.seconds;
    values["time_low_s"] = expected.low;
    values["time_high_s"] = expected.high;
    values["nearest"] = Tree::array();
    for (const MeasuredNearby& one : expected.nearest) {
        values["nearest"].push_back({{"id", one.id},
                                     {"model", one.model},
                                     {"hardware", one.hardware},
                                     {"framework", one.framework},
                                     {"chips", one.chips},
                                     {"measured_s", one.measured_s},
                                     {"expected_s", one.measured_s * (1 + one.error)},
                                     {"source", one.source}});
    }
}

std::optional<FastestExpected> fastest_expected(const std::vector<ExpectedStep>& ranked) {
    FastestExpected found;
    std::size_t known = 0;
    for (std::size_t k = 0; k < ranked.size(); ++k) {
        if (!ranked[k].known()) {
            continue;
        }
        if (known == 0 || ranked[k].seconds < ranked[found.fastest].seconds) {
            found.fastest = k;
        }
        ++known;
    }
    if (known < 2) {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < ranked.size(); ++k) {
        if (k != found.fastest && ranked[k].known() && ranked[k].seconds <= ranked[found.fastest].high) {
            found.alike.push_back(k);
        }
    }
    return found;
}

std::string fastest_expected_words(const std::vector<ExpectedStep>& ranked) {
    const std::optional<FastestExpected> found = fastest_expected(ranked);
    if (!found) {
        return {};
    }
    const std::string fastest = say("By measured runs plan {} is expected to be the fastest, {}",
                                    found->fastest + 1, seconds_text(ranked[found->fastest].seconds));
    if (found->alike.empty()) {
        return say("{}; its interval leaves out all others.", fastest);
    }
    std::vector<std::string> others;
    for (const std::size_t one : found->alike) {
        others.push_back(std::to_string(one + 1));
    }
    return others.size() == 1 ? say("{}; plan {} may be as fast.", fastest, others.front())
                              : say("{}; plans {} may be as fast.", fastest, listed(others));
}

std::string expected_lines(const ExpectedStep& expected) {
    constexpr std::size_t most = 3;
    std::string lines = expected_words(expected) + "\n";
    if (expected.known()) {
        for (const std::string& one : near_sentences(expected.nearest, most)) {
            lines += "  " + one + "\n";
        }
    }
    return lines;
}

} // namespace meshslice
