#include "core/report/path_table.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/words/resource_words.h"
#include "core/step/run/step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace meshslice {
namespace {

constexpr std::array in_order = {Activity::compute, Activity::transfer, Activity::sync, Activity::launch,
                                 Activity::copy};

Time time_of(const CauseTimes& causes, Activity activity) {
    Time time;
    for (const auto& of_place : causes.times) {
        time += of_place[static_cast<std::size_t>(activity)];
    }
    return time;
}

/// "+3.76 ms"; empty where both are the same.
std::string more_text(Time before, Time after) {
    return before == after  ? std::string()
           : after > before ? "+" + text(after - before)
                            : "\u2212" + text(before - after);
}

} // namespace

std::size_t path_length(const StepWhy& why) {
    std::size_t length = 0;
    for (const ProductWhy& product : why.products) {
        length += product.path ? product.path->events.size() : 0;
    }
    return length;
}

std::vector<PathPlace> path_places(const StepWhy& why, std::size_t most) {
    std::vector<PathPlace> places;
    places.reserve(std::min(most, path_length(why)));
    for (std::size_t gemm = 0; gemm < why.products.size(); ++gemm) {
        const std::size_t events =
            why.products[gemm].path ? why.products[gemm].path->events.size() : std::size_t{0};
        for (std::size_t event = 0; event < events && places.size() < most; ++event) {
            places.push_back({gemm, event});
        }
    }
    return places;
}

namespace {

/// The operation and its slice that an event is of; none where it has no bar.
std::optional<std::pair<OperationId, std::uint32_t>> deed_of(const Timeline& timeline,
                                                             const CriticalEvent& event) {
    if (event.row < 0) {
        return std::nullopt;
    }
    const Interval& interval = timeline.intervals(static_cast<std::size_t>(event.row))[event.index];
    return std::pair(interval.operation, static_cast<std::uint32_t>(interval.iteration));
}

} // namespace

std::vector<PathGroup> path_groups(const TrainingStep& step, const StepWhy& why) {
    std::vector<PathGroup> groups;
    for (std::size_t gemm = 0; gemm < why.products.size(); ++gemm) {
        const CriticalPath* path = why.products[gemm].path.get();
        const Timeline* timeline = step.gemms[gemm].timeline.get();
        std::optional<std::pair<OperationId, std::uint32_t>> of_last;
        bool fresh = true; // the first group of this GEMM
        for (std::size_t k = 0; path != nullptr && timeline != nullptr && k < path->events.size(); ++k) {
            const CriticalEvent& event = path->events[k];
            const auto deed = deed_of(*timeline, event);
            if (fresh || (deed != of_last && of_last)) {
                groups.push_back({gemm, k, 0, 0, {}});
                of_last.reset();
                fresh = false;
            }
            of_last = deed ? deed : of_last;
            PathGroup& last = groups.back();
            ++last.count;
            last.hops += event.activity == Activity::transfer ? 1 : 0;
            last.time = event.end - path->events[last.first].start;
        }
    }
    return groups;
}

Table path_group_table(const TrainingStep& step, const StepWhy& why, const std::vector<PathGroup>& groups) {
    Table table;
    table.title = "critical path";
    table.columns = {"start_s", "time_s", "what", "hops", "transfer_s", "sync_s"};
    for (const PathGroup& group : groups) {
        const GemmResult& gemm = step.gemms[group.gemm];
        const std::vector<CriticalEvent>& events = why.products[group.gemm].path->events;
        std::string what = gemm.title();
        Time moving;
        Time agreeing;
        for (std::size_t k = group.first; k < group.first + group.count; ++k) {
            const Time lasts = events[k].end - events[k].start;
            moving += events[k].activity == Activity::transfer ? lasts : Time(0);
            agreeing += events[k].activity == Activity::sync ? lasts : Time(0);
        }
        const CriticalEvent& last = events[group.first + group.count - 1];
        if (const auto deed = deed_of(*gemm.timeline, last)) {
            what = say("{}, {}", what, operation_words(gemm, deed->first));
            if (gemm.program && gemm.program->in_loop(deed->first) && gemm.timeline->iterations() > 1) {
                what =
                    say("{}, {}", what, say("slice {} of {}", deed->second + 1, gemm.timeline->iterations()));
            }
        }
        table.rows.push_back({in_seconds(gemm.start + events[group.first].start), in_seconds(group.time),
                              std::move(what), static_cast<std::int64_t>(group.hops), in_seconds(moving),
                              in_seconds(agreeing)});
    }
    return table;
}

std::optional<std::size_t> row_of(const Timeline& timeline, const CriticalEvent& event) {
    if (event.row >= 0) {
        return static_cast<std::size_t>(event.row);
    }
    const std::vector<Row>& rows = timeline.rows();
    const auto row = std::ranges::find_if(rows, [&](const Row& one) {
        return one.chip == event.chip && one.is_core == (event.place == Place::core) &&
               (one.is_core || static_cast<std::size_t>(one.axis) == static_cast<std::size_t>(event.place));
    });
    return row == rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(row - rows.begin()));
}

std::string path_summary(const StepWhy& why) {
    const CauseTimes all = all_phases(why.times);
    const Time total = all.total();
    if (total == Time(0)) {
        return {};
    }
    std::string parts;
    for (const Activity activity : in_order) {
        if (const Time time = time_of(all, activity); time > Time(0)) {
            parts += fmt::format("{}{} {}", parts.empty() ? std::string() : said(", "),
                                 percent_text(ratio(time, total)), said(name(activity)));
        }
    }
    const Time waits = all_phases(why.exposed).total();
    if (waits == Time(0)) {
        return say("{}: {}; the core never waits", text(total), parts);
    }
    // The path is on cores or the core waits, or else it works on what is needed later.
    constexpr double worth_a_word = 0.005;
    Time on_cores;
    for (const Time time : all.times[static_cast<std::size_t>(Place::core)]) {
        on_cores += time;
    }
    const double aside = ratio(total - on_cores - waits, total);
    return aside < worth_a_word
               ? say("{}: {}; the core waits {} of the time", text(total), parts,
                     percent_text(ratio(waits, total)))
               : say("{}: {}; the core waits {} of the time, and for another {} it works while a link sets "
                     "the pace",
                     text(total), parts, percent_text(ratio(waits, total)), percent_text(aside));
}

std::string path_difference(const StepWhy& a, const StepWhy& b) {
    const CauseTimes of_a = all_phases(a.times);
    const CauseTimes of_b = all_phases(b.times);
    if (of_a.total() == Time(0) || of_b.total() == Time(0)) {
        return {};
    }
    std::string parts;
    for (const Activity activity : in_order) {
        const std::string more = more_text(time_of(of_a, activity), time_of(of_b, activity));
        if (!more.empty()) {
            parts += fmt::format("{}{} {}", parts.empty() ? std::string() : said(", "), more,
                                 said(name(activity)));
        }
    }
    const std::string all = more_text(of_a.total(), of_b.total());
    return parts.empty() ? std::string() : say("{}: {}", all.empty() ? text(Time(0)) : all, parts);
}

Table path_table(const TrainingStep& step, const StepWhy& why, const std::vector<PathPlace>& places) {
    Table table;
    table.title = "critical path";
    table.columns = {"start_s", "time_s", "chip", "resource", "kind", "operation", "slice", "layer", "pass"};
    for (const PathPlace& place : places) {
        const GemmResult& gemm = step.gemms[place.gemm];
        const Timeline& timeline = *gemm.timeline;
        const CriticalEvent& event = why.products[place.gemm].path->events[place.event];
        std::string resource(resource_words(event.place, timeline.torus()));
        std::string operation;
        std::string slice;
        if (event.row >= 0) {
            const auto row = static_cast<std::size_t>(event.row);
            const Interval& interval = timeline.intervals(row)[event.index];
            resource = resource_name(timeline.torus(), timeline.rows()[row]);
            operation = operation_words(gemm, interval.operation);
            if (gemm.program && gemm.program->in_loop(interval.operation)) {
                slice = say("{} of {}", interval.iteration + 1, timeline.iterations());
            }
        }
        table.rows.push_back({in_seconds(gemm.start + event.start), in_seconds(event.end - event.start),
                              place_text(timeline.torus(), event.chip), resource,
                              std::string(name(event.activity)), operation, slice, gemm.gemm.layer,
                              std::string(name(gemm.gemm.pass))});
    }
    return table;
}

} // namespace meshslice
