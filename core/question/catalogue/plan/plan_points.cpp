#include "core/question/catalogue/plan/plan_points.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/evidence/training/step_ratio.h"
#include "core/report/summary/expected_words.h"
#include "core/report/sweep/sweep_table.h"
#include "core/report/sweep/timed_points.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {
namespace {

std::string expected_cell(const SweepPoint& point) {
    const auto expected = point.number("expected_s");
    return expected ? say("{}, {} to {}", seconds_text(*expected),
                          seconds_text(point.number("time_low_s").value_or(0)),
                          seconds_text(point.number("time_high_s").value_or(0)))
                    : std::string();
}

/// How well the ratio of a point's expected time to that of a point like it is known.
std::optional<StepRatio> ratio_at(const SweepPoint& point) {
    const auto times = point.number("ratio_known_times"), pairs = point.number("ratio_pairs"),
               groups = point.number("ratio_groups"), wider = point.number("ratio_wider");
    if (!times || !pairs || !groups || !wider) {
        return std::nullopt;
    }
    return StepRatio{
        std::log(*times), *wider, std::llround(*pairs), std::llround(*groups), true, true, true, true};
}

/// Whether measured runs tell two points apart that are plans of one model on one machine, judged by what is
/// expected of both.
std::string apart_words(const Measure& judged, const SweepPoint& one, const SweepPoint& other) {
    const Tree *const like = one.numbers.at("measured_like"), *const other_like =
                                                                  other.numbers.at("measured_like");
    const std::optional<StepRatio> ratio = ratio_at(one), other_ratio = ratio_at(other);
    const auto seconds = one.number("expected_s"), other_seconds = other.number("expected_s");
    const bool comparable = judged.path.starts_with("expected") && like != nullptr && other_like != nullptr &&
                            *like == *other_like && one.number("flop") == other.number("flop");
    if (!comparable || !ratio || !other_ratio || !seconds || !other_seconds) {
        return {};
    }
    const StepRatio& known = ratio->half >= other_ratio->half ? *ratio : *other_ratio;
    const bool apart = std::max(*seconds / *other_seconds, *other_seconds / *seconds) > known.least_times();
    return (apart ? said("Measured runs tell the two apart.")
                  : said("Measured runs cannot tell the two apart.")) +
           said(" ") + ratio_words(known);
}

/// What points show by ideal times, as other questions have it, and before that, on a line of its own, by
/// expected ones, where points do the same work; those without an expected time are named.
std::string finding_of_plans(const Sweep& sweep, const std::vector<const SweepPoint*>& points,
                             const std::string& ideal) {
    if (sweep.number.starts_with("expected")) {
        return {}; // asked for alone
    }
    const auto expected = [](const SweepPoint* one) { return one->number("expected_s"); };
    const auto flop = [](const SweepPoint* one) { return one->number("flop"); };
    std::vector<const SweepPoint*> known;
    std::vector<std::string> unknown;
    for (const SweepPoint* one : points) {
        if (expected(one)) {
            known.push_back(one);
        } else {
            unknown.push_back(point_words(sweep, *one));
        }
    }
    const std::string by_ideal = say("By ideal times: {}", ideal);
    const bool same_work =
        std::ranges::all_of(points, [&](const SweepPoint* one) { return flop(one) == flop(points.front()); });
    if (known.empty()) {
        return by_ideal;
    }
    if (!same_work) {
        const auto share = [](const SweepPoint* one) { return one->number("expected_flop_utilization"); };
        const SweepPoint& best = **std::ranges::max_element(known, {}, share);
        const std::string none =
            unknown.empty() ? std::string() : "\n" + say("No expected time: {}.", listed(unknown));
        return say("Highest expected FLOP utilization: {} with {}.", percent_text(share(&best).value_or(0)),
                   point_words(sweep, best)) +
               none + "\n" + by_ideal;
    }
    const SweepPoint& fastest = **std::ranges::min_element(known, {}, expected);
    const std::string first =
        unknown.empty() ? say("Expected to be the fastest: {} with {}.", expected_cell(fastest),
                              point_words(sweep, fastest))
                        : say("Expected to be the fastest of those with an expected time: {} with {}.\nNo "
                              "expected time, and so not in that order: {}.",
                              expected_cell(fastest), point_words(sweep, fastest), listed(unknown));
    return first + "\n" + by_ideal;
}

} // namespace

SweptQuestion shown_plan_points() {
    SweptQuestion all = timed_points();
    all.columns.insert(all.columns.begin() + 1, {"expected_s", "time_low_s", "time_high_s"});
    all.columns.insert(all.columns.end(), {"chips", "plan"});
    all.text.front().name = "ideal";
    all.text.insert(all.text.begin(), {"expected, eight of ten", expected_cell});
    all.text[2].name = "of peak, ideal";
    all.text.insert(all.text.begin() + 1,
                    {"of peak", [](const SweepPoint& point) {
                         const auto share = point.number("expected_flop_utilization");
                         return Table::Cell(share ? percent_text(*share) : std::string());
                     }});
    all.table.front().name = "ideal_s";
    all.table[1].name = "ideal FLOP utilization";
    all.table.insert(all.table.begin(), {"expected FLOP utilization", [](const SweepPoint& point) {
                                             const auto share = point.number("expected_flop_utilization");
                                             return share ? Table::Cell(*share) : Table::Cell(std::string());
                                         }});
    for (const char* path : {"time_high_s", "time_low_s", "expected_s"}) {
        all.table.insert(all.table.begin(), {path, [path](const SweepPoint& point) {
                                                 const auto number = point.number(path);
                                                 return number ? Table::Cell(*number)
                                                               : Table::Cell(std::string());
                                             }});
    }
    all.measures = {
        {"expected_flop_utilization", said("expected FLOP utilization"), ChartUnit::share, Better::more},
        {"expected_s", said("expected time"), ChartUnit::seconds, Better::less},
        {"flop_utilization", said("FLOP utilization, ideal"), ChartUnit::share, Better::more},
        {"time_s", said("ideal time"), ChartUnit::seconds, Better::less}};
    all.cause = {"waits_share", said("the share of the expected time in which chips wait for others"),
                 ChartUnit::share};
    all.apart = apart_words;
    all.finding = [ideal = all.finding](const Sweep& sweep, const std::vector<const SweepPoint*>& points,
                                        bool alike) {
        return finding_of_plans(sweep, points, ideal(sweep, points, alike));
    };
    add_words_column(all, "plan");
    return all;
}

} // namespace meshslice
