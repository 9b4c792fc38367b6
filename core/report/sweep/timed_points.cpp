#include "core/report/sweep/timed_points.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/report/sweep/sweep_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace meshslice {
namespace {

double utilization(const SweepPoint& point) {
    return point.number("flop_utilization").value_or(0);
}
double time_in_s(const SweepPoint& point) {
    return point.number("time_s").value_or(0);
}
std::string printed_utilization(const SweepPoint& point) {
    return percent_text(utilization(point));
}
std::string printed_time(const SweepPoint& point) {
    return seconds_text(time_in_s(point));
}

/// Those of the points that are as good as the best by what is printed.
std::vector<const SweepPoint*> best_points(const std::vector<const SweepPoint*>& points,
                                           double (*badness)(const SweepPoint&),
                                           std::string (*printed)(const SweepPoint&)) {
    const SweepPoint& first =
        **std::ranges::min_element(points, {}, [&](const SweepPoint* one) { return badness(*one); });
    std::vector<const SweepPoint*> all;
    std::ranges::copy_if(points, std::back_inserter(all),
                         [&](const SweepPoint* one) { return printed(*one) == printed(first); });
    return all;
}

constexpr std::size_t most_named = 3;

/// "batch 8", "batch 8; batch 16", "batch 8; batch 16; batch 32; and 4 more".
std::string named(const Sweep& sweep, const std::vector<const SweepPoint*>& points) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < std::min(points.size(), most_named); ++k) {
        words.push_back(point_words(sweep, *points[k]));
    }
    if (points.size() > most_named) {
        words.push_back(say("and {} more", points.size() - most_named));
    }
    return fmt::format("{}", fmt::join(words, said("; ")));
}

/// Of points that run and fit, at least one.
std::string finding_of_points(const Sweep& sweep, const std::vector<const SweepPoint*>& points, bool alike) {
    if (alike) {
        std::vector<std::string> names;
        for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
            names.push_back(say("the {}", sweep.name(k)));
        }
        return say("No difference is made by {}: {}, {} of peak.", listed(names, "or"),
                   printed_time(*points.front()), printed_utilization(*points.front()));
    }
    const auto busiest = best_points(
        points, [](const SweepPoint& one) { return -utilization(one); }, printed_utilization);
    std::string words = say("Highest FLOP utilization: {} with {}.", printed_utilization(*busiest.front()),
                            named(sweep, busiest));
    const auto flop = [](const SweepPoint* one) { return one->number("flop"); };
    if (std::ranges::any_of(points, [&](const auto* one) { return flop(one) != flop(points.front()); })) {
        return words; // A time says nothing where another amount of work is done in it.
    }
    const auto fastest = best_points(points, time_in_s, printed_time);
    const std::string time = printed_time(*fastest.front());
    if (fastest == busiest) {
        return words + said(" ") +
               (fastest.size() == 1 ? say("It is also the fastest: {}.", time)
                                    : say("They are also the fastest: {}.", time));
    }
    return words + said(" ") + say("Fastest: {} with {}.", time, named(sweep, fastest));
}

/// "Plans, GPT-3 175B on H100: 3 values of the batch": without what varies.
std::string title_of_points(const Sweep& sweep, const std::string& counts) {
    const auto varies = [&](std::string_view key) {
        return std::ranges::find(sweep.fields, key, &Vary::key) != sweep.fields.end();
    };
    std::string what = sweep.over->title;
    if (!varies("model") && !sweep.scenario.gemm) {
        what = say("{}, {}", what, sweep.scenario.model.title);
    }
    if (!varies("hardware")) {
        what = say("{} on {}", what, sweep.scenario.hardware.title);
    }
    return say("{}: {}", what, counts);
}

} // namespace

void add_words_column(SweptQuestion& shown, const char* path) {
    for (std::vector<PointColumn>* columns : {&shown.text, &shown.table}) {
        columns->push_back({path, [path](const SweepPoint& point) {
                                const Tree* const found = point.numbers.at(path);
                                return Table::Cell(found == nullptr ? std::string()
                                                                    : value_text(path, *found));
                            }});
    }
}

SweptQuestion timed_points(const std::string& when) {
    SweptQuestion all;
    all.columns = {"time_s", "flop_utilization", "memory_bytes", "fits"};
    all.text = {
        {"time", printed_time},
        {"of peak", printed_utilization},
        {"memory", [](const SweepPoint& one) { return bytes_text(one.number("memory_bytes").value_or(0)); }}};
    all.table = {{"time_s", time_in_s},
                 {"FLOP utilization", utilization},
                 {"memory_bytes", [](const SweepPoint& one) {
                      return Table::Cell(std::int64_t{std::llround(one.number("memory_bytes").value_or(0))});
                  }}};
    all.measures = {{"flop_utilization", said("FLOP utilization" + when), ChartUnit::share, Better::more},
                    {"time_s", said("time" + when), ChartUnit::seconds, Better::less}};
    all.finding = finding_of_points;
    all.title = title_of_points;
    return all;
}

} // namespace meshslice
