#include "core/report/summary/expected_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/evidence/own_step.h"
#include "core/plan/search/plan_ranking.h"
#include "core/report/plan/plan_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace meshslice {
namespace {

/// An interval that reaches further is wide: the nearest measured runs are unlike.
constexpr double wide = 0.35;
constexpr std::size_t most_near_lines = 3;
/// |ln| of how many times as fast: a difference of a fifth is said.
constexpr double unlike_from = 0.2;

/// Of two times that are nearly the same, "1.012".
std::string times_text(double times) {
    return fmt::format("{:.3f}", times);
}

/// How the first plan stands to others: to the last of the `alike` first ones, or else to the second, where
/// there is one. `alone`: no split that is not shown may be as fast.
std::string alike_words(const ExpectedStep& first, const ExpectedStep* other, std::size_t alike, bool alone) {
    const std::string more = other == nullptr ? "" : percent_text(other->seconds / first.seconds - 1);
    const std::string words =
        other == nullptr      ? said("By expected time plan 1 is the first.")
        : alike == 1 && alone ? say("By expected time plan 1 is the fastest: the next takes {} more.", more)
        : alike == 1
            ? say("By expected time plan 1 is the first: the next that is shown takes {} more.", more)
        : alike == 2
            ? say("By expected time plans 1 and 2 cannot be distinguished: plan 2 takes {} more.", more)
            : say("By expected time plans 1 to {} cannot be distinguished: they take at most {} more than "
                  "plan 1.",
                  alike, more);
    return words + said(" ") + known_ratio_words(known_ratio(first, other == nullptr ? first : *other));
}

} // namespace

std::string cut_words(const ExpectedStep& expected) {
    return expected.cut()
               ? say("The interval is cut at the ideal time, {}, as nothing is expected below what "
                     "this plan takes by the machine's numbers and the overlap that is asked for; "
                     "by the errors of measured runs alone it would begin at {}.",
                     seconds_text(expected.ideal), seconds_text(expected.low_by_errors))
               : std::string();
}

std::string closest_words(const ExpectedStep& expected) {
    if (!expected.closest) {
        return {};
    }
    const ClosestToIdeal& closest = *expected.closest;
    const std::string here = times_text(expected.seconds / expected.ideal);
    const std::string run = say("{} on {} {}, {} ({})", closest.model, closest.chips, closest.hardware,
                                closest.recipe, closest.framework);
    const std::string its = times_text(closest.times);
    return closest.experts
               ? say("No measured run of a model with experts is known to have come this close to its ideal "
                     "time: {} times it is expected here. Of {} runs the closest took at most {} times its "
                     "own: {}.",
                     here, closest.runs, its, run)
               : say("No measured run of a model without experts is known to have come this close to its "
                     "ideal time: {} times it is expected here. Of {} runs the closest took at most {} times "
                     "its own: {}.",
                     here, closest.runs, its, run);
}

std::string caveats(const ExpectedStep& expected) {
    std::string words;
    for (const std::string& one : {closest_words(expected), cut_words(expected)}) {
        words += one.empty() ? one : said(" ") + one;
    }
    if (expected.width() > wide) {
        words += said(" ") + said("The interval is wide: the nearest measured runs differ much from it.");
    }
    const std::pair<double, std::string> links[] = {
        {expected.inside_times, say("Its fast links are {} times as fast as those of the measured machines.",
                                    number_text(expected.inside_times))},
        {expected.outside_times, say("Its network is {} times as fast as those of the measured machines.",
                                     number_text(expected.outside_times))},
        {expected.memory_times, say("Its HBM is {} times as fast as that of the measured machines.",
                                    number_text(expected.memory_times))},
        {expected.peak_times,
         say("Its peak is {} times that of the measured machines.", number_text(expected.peak_times))}};
    bool unlike = false;
    for (const auto& [times, sentence] : links) {
        if (std::abs(std::log(times)) > unlike_from) {
            words += said(" ") + sentence;
            unlike = true;
        }
    }
    if (unlike) {
        words += said(" ") + said("What that changes is not in the interval.");
    }
    if (expected.adapters && std::ranges::none_of(expected.nearest, &MeasuredNearby::adapters)) {
        words += said(" ") + said("No measured run near it trains adapters.");
    }
    return words;
}

std::string expected_words(const ExpectedStep& expected) {
    if (!expected.known()) {
        return expected.reason;
    }
    return say("Expected by measured runs: {} a step, eight of ten from {} to {}.",
               seconds_text(expected.seconds), seconds_text(expected.low), seconds_text(expected.high)) +
           caveats(expected);
}

std::string near_words(const MeasuredNearby& near) {
    const std::string work = say("{} x {} tokens", near.batch, near.sequence);
    const std::string trained = near.adapters      ? work + said(", ") + said("adapters")
                                : near.fine_tuning ? work + said(", ") + said("fine-tuning")
                                                   : work;
    const std::string model =
        near.cut_layers > 0 ? say("{} cut to {} layers", near.model, near.cut_layers) : near.model;
    const std::string of = say("{} on {} {}, {}, {} ({})", model, near.chips, near.hardware, trained,
                               near.recipe, near.framework);
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
    if (expected.cut()) {
        values["time_low_cut_at"] = "ideal";
        values["time_low_by_errors_s"] = expected.low_by_errors;
    }
    if (const std::optional<ClosestToIdeal>& closest = expected.closest) {
        values["closest_to_ideal"] = {{"id", closest->id},
                                      {"model", closest->model},
                                      {"hardware", closest->hardware},
                                      {"framework", closest->framework},
                                      {"chips", closest->chips},
                                      {"recipe", closest->recipe},
                                      {"runs", closest->runs},
                                      {"times_ideal", closest->times},
                                      {"times_ideal_expected", expected.seconds / expected.ideal}};
    }
    values["nearest"] = Tree::array();
    for (const MeasuredNearby& one : expected.nearest) {
        values["nearest"].push_back({{"id", one.id},
                                     {"model", one.model},
                                     {"hardware", one.hardware},
                                     {"framework", one.framework},
                                     {"chips", one.chips},
                                     {"batch", one.batch},
                                     {"sequence", one.sequence},
                                     {"recipe", one.recipe},
                                     {"layers_left", one.cut_layers > 0 ? Tree(one.cut_layers) : Tree()},
                                     {"adapters", one.adapters},
                                     {"measured_s", one.measured_s},
                                     {"expected_s", one.measured_s * (1 + one.error)},
                                     {"source", one.source}});
    }
}

std::string ratio_words(const StepRatio& ratio) {
    std::vector<std::string> shared;
    for (const auto& [one, name] :
         {std::pair(ratio.model, said("the model")), std::pair(ratio.chip, said("the chip")),
          std::pair(ratio.numbers, said("the number format")),
          std::pair(ratio.software, said("the software"))}) {
        if (one) {
            shared.push_back(name);
        }
    }
    const std::string off = percent_text(ratio.least_times() - 1);
    const std::string words =
        shared.empty()
            ? say("By {} pairs of measured runs in {} groups, the ratio of two such times is off by "
                  "at most {} in eight of ten.",
                  ratio.pairs, ratio.groups, off)
            : say("By {} pairs of measured runs in {} groups that share {}, the ratio of two such "
                  "times is off by at most {} in eight of ten.",
                  ratio.pairs, ratio.groups, listed(shared), off);
    constexpr double printed = 1.05; // less is not worth a sentence
    return ratio.wider < printed
               ? words
               : words + said(" ") +
                     say("That is {} times as wide as these pairs show, as the nearest measured run is not "
                         "just like them.",
                         number_text(ratio.wider));
}

std::string known_ratio_words(const KnownRatio& known) {
    return known.pairs ? ratio_words(*known.pairs)
                       : say("Too few pairs like them were measured: if the errors of two such times have "
                             "nothing in common, their ratio is off by at most {} in eight of ten.",
                             percent_text(known.times - 1));
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
        if (k != found.fastest && ranked[k].known() && may_be_as_fast(ranked[found.fastest], ranked[k])) {
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
    const std::string fastest = say("Of these, by measured runs, plan {} is expected to be the fastest, {}",
                                    found->fastest + 1, seconds_text(ranked[found->fastest].seconds));
    if (found->alike.empty()) {
        return say("{}; measured runs tell it from the others.", fastest);
    }
    std::vector<std::string> others;
    for (const std::size_t one : found->alike) {
        others.push_back(std::to_string(one + 1));
    }
    return others.size() == 1 ? say("{}; plan {} may be as fast.", fastest, others.front())
                              : say("{}; plans {} may be as fast.", fastest, listed(others));
}

std::vector<std::size_t> by_expected_time(const std::vector<RankedPlan>& plans,
                                          const std::vector<ExpectedStep>& expected) {
    std::vector<std::size_t> places(plans.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, {}, [&](std::size_t k) {
        const bool ranked = plans[k].reading.fits && expected[k].known();
        return std::pair(ranked ? 0 : plans[k].reading.fits ? 1 : 2, ranked ? expected[k].seconds : 0);
    });
    return places;
}

std::size_t alike_by_expected_time(const std::vector<RankedPlan>& plans,
                                   const std::vector<ExpectedStep>& expected) {
    const std::vector<std::size_t> places = by_expected_time(plans, expected);
    const auto within = [&](std::size_t k) {
        return plans[k].reading.fits && expected[k].known() &&
               may_be_as_fast(expected[places.front()], expected[k]);
    };
    return static_cast<std::size_t>(std::ranges::find_if_not(places, within) - places.begin());
}

std::size_t splits_alike(const std::vector<double>& splits, const std::vector<RankedPlan>& plans,
                         const std::vector<ExpectedStep>& expected) {
    if (splits.empty() || alike_by_expected_time(plans, expected) == 0) {
        return 0;
    }
    // A plan's own expected time over the one that the search had: what the user's measurement made of it.
    const std::size_t first = by_expected_time(plans, expected).front();
    const double searched = plans[first].expected;
    const double times = searched > 0 && std::isfinite(searched) ? expected[first].seconds / searched : 1;
    ExpectedStep other = expected[first]; // a split of the same kind
    return static_cast<std::size_t>(std::ranges::count_if(splits, [&](double seconds) {
        const double longer = seconds * times / expected[first].seconds;
        other.seconds = expected[first].seconds * longer;
        other.low = expected[first].low * longer;
        other.high = expected[first].high * longer;
        return may_be_as_fast(expected[first], other);
    }));
}

std::string by_expected_time_words(const std::vector<RankedPlan>& plans,
                                   const std::vector<ExpectedStep>& expected,
                                   const std::vector<double>& splits) {
    const std::size_t alike = alike_by_expected_time(plans, expected);
    if (alike == 0) {
        return said("No plan that fits has an expected time, so plans are ranked by ideal time.");
    }
    std::size_t known = 0, fit = 0;
    for (std::size_t k = 0; k < plans.size(); ++k) {
        fit += plans[k].reading.fits ? 1 : 0;
        known += plans[k].reading.fits && expected[k].known() ? 1 : 0;
    }
    const std::vector<std::size_t> places = by_expected_time(plans, expected);
    std::set<decltype(split(Plan()))> shown;
    for (std::size_t k = 0; k < alike; ++k) {
        shown.insert(split(plans[places[k]].plan));
    }
    const std::size_t all = splits_alike(splits, plans, expected);
    const std::size_t more = all > shown.size() ? all - shown.size() : 0;
    const ExpectedStep& first = expected[places.front()];
    const ExpectedStep* const other = known == 1 ? nullptr : &expected[places[alike == 1 ? 1 : alike - 1]];
    std::string words = known == 1 && more == 0
                            ? say("Plan 1 alone has an expected time, {}.", seconds_text(first.seconds))
                            : alike_words(first, other, alike, more == 0);
    if (more > 0) {
        words += said(" ") + (more == 1 ? said("One more split that is not shown may be as fast.")
                                        : say("{} more splits that are not shown may be as fast.", more));
    }
    if (fit > known) {
        words += said(" ") + (fit == known + 1
                                  ? say("Plan {} has no expected time.", fit)
                                  : say("Plans {} to {} have no expected time, and stand in the order of "
                                        "ideal times.",
                                        known + 1, fit));
    }
    return words;
}

std::string ideal_order_words(const PlanQuestion& question) {
    const std::string why = why_none_expected(question);
    return why.empty() || question.split.rank == PlanOrder::ideal
               ? std::string()
               : say("Ranked by ideal time, as none is expected: {}", why);
}

std::string ideal_first_words(const RankedPlan& first, const PlanSearch& found,
                              const PlanQuestion& question) {
    if (found.frontier.empty() || found.frontier.front().plan == first.plan) {
        return {};
    }
    const RankedPlan& ideal = found.frontier.front();
    const ExpectedStep expected = expected_of(question, ideal);
    const std::string its = say("The machine's numbers allow {} at best, with {}",
                                seconds_text(ideal.reading.time.total), plan_name(ideal.plan));
    return expected.known() ? say("{}; of that plan {} is expected.", its, seconds_text(expected.seconds))
                            : say("{}; nothing is expected of it.", its);
}

std::string expected_lines(const ExpectedStep& expected) {
    std::string lines = expected_words(expected) + "\n";
    if (expected.known()) {
        for (const std::string& one : near_sentences(expected.nearest, most_near_lines)) {
            lines += "  " + one + "\n";
        }
    }
    return lines;
}

std::string nearest_lines(const ExpectedStep& expected) {
    const std::string first = caveats(expected); // begins with a blank
    std::string lines = (first.empty() ? first : first.substr(1) + "\n") +
                        said("Measured runs nearest to it, each with its own batch:") + "\n";
    for (const std::string& one : near_sentences(expected.nearest, most_near_lines)) {
        lines += "  " + one + "\n";
    }
    return lines;
}

} // namespace meshslice
