#include "core/report/chart/transfer_chart.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/machine/machine.h"
#include "core/sharding/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace meshslice {
namespace {

/// In turn, of the ways.
constexpr std::array way_roles = {Role::transferHorizontal,
                                  Role::transferVertical,
                                  Role::transferThird,
                                  Role::compute,
                                  Role::slicing,
                                  Role::launch};

/// On a slice of more chips the ends of a way are known by their marks alone.
constexpr std::int64_t most_labelled = 64;

/// Where chips are drawn: along the axes of more than one chip, of which a torus has three at most.
struct SlicePlan {
    explicit SlicePlan(const NamedMesh& slice) {
        for (std::size_t axis = 0; axis < slice.axes.size(); ++axis) {
            if (slice.axes[axis].size > 1) {
                drawn.push_back(axis);
                sizes.push_back(static_cast<double>(slice.axes[axis].size));
                names.emplace_back(1, slice.axes[axis].name);
            }
        }
    }
    std::vector<std::size_t> drawn;
    std::vector<double> sizes;
    std::vector<std::string> names;

    [[nodiscard]] bool flat() const { return drawn.size() == 1; }
    [[nodiscard]] double across() const { return flat() ? sizes[0] : sizes[1]; }
    [[nodiscard]] double down() const { return flat() ? 1.0 : sizes[0]; }
    [[nodiscard]] double blocks() const { return drawn.size() > 2 ? sizes[2] : 1.0; }

    [[nodiscard]] std::pair<double, double> at(const GridPlace& place) const {
        const auto along = [&](std::size_t k) { return static_cast<double>(place[drawn[k]]); };
        const double block = drawn.size() > 2 ? along(2) : 0.0;
        return {along(flat() ? 0 : 1) + block * (across() + 1), down() - 1 - (flat() ? 0.0 : along(0))};
    }
};

/// Two marks where a way leaves the picture of its neighbours and comes back to it: from one chip to another,
/// by so much.
void add_gap(std::vector<ChartPoint>& points, const std::string& words, std::pair<double, double> from,
             std::pair<double, double> to, std::pair<double, double> by) {
    points.push_back({from.first + by.first, from.second + by.second, {}, words});
    points.push_back({to.first - by.first, to.second - (by.first == 0 ? 1 : -1) * by.second, {}, words});
    points.back().apart = true;
}

/// A way as a line that is broken where it goes round the end of a ring, and between places along a third
/// axis. `aside`: where another way has the same chips.
std::vector<ChartPoint> line_of(const GridWay& way, const SlicePlan& plan, double aside) {
    std::vector<ChartPoint> points;
    const auto hops = static_cast<int>(way.size()) - 1;
    const auto at = [&](std::size_t hop) {
        const auto [x, y] = plan.at(way[hop]);
        return std::pair(x, y + aside);
    };
    for (std::size_t hop = 0; hop < way.size(); ++hop) {
        const auto [x, y] = at(hop);
        if (hop > 0) {
            const auto [from_x, from_y] = at(hop - 1);
            const bool to_another_block =
                plan.drawn.size() > 2 && way[hop][plan.drawn[2]] != way[hop - 1][plan.drawn[2]];
            if (to_another_block) {
                const double step = from_x < x ? 0.35 : -0.35;
                add_gap(points, say("to the next place along {}", plan.names[2]), at(hop - 1), at(hop),
                        {step, 0.35});
            } else if (std::abs(from_x - x) + std::abs(from_y - y) > 1) {
                const double step_x = from_x == x ? 0 : from_x > x ? 0.4 : -0.4;
                const double step_y = from_y == y ? 0 : from_y > y ? 0.4 : -0.4;
                add_gap(points, said("round the end of the ring"), at(hop - 1), at(hop), {step_x, step_y});
            }
        }
        points.push_back({x, y, {}, say("{}, hop {} of {}", text(way[hop]), static_cast<int>(hop), hops)});
    }
    return points;
}

ChartPanel slice_panel(const TransferAsked& asked, const Transfer& found) {
    const SlicePlan plan(asked.slice);
    ChartPanel panel{say("{} chips", asked.slice.devices()), {}, {}};
    panel.x.label = plan.blocks() > 1 ? say("{}, once for each place along {}", plan.names[1], plan.names[2])
                                      : plan.names[plan.flat() ? 0 : 1];
    panel.x.low = -0.6;
    panel.x.high = plan.blocks() * (plan.across() + 1) - 1.4;
    panel.y.label = plan.flat() ? std::string() : plan.names[0];
    panel.y.low = -0.6;
    panel.y.high = plan.down() - 0.4;
    const auto place_names = [](double count, double first, double step) {
        std::vector<std::pair<double, std::string>> names;
        for (double k = 0; k < count; ++k) {
            names.emplace_back(first + step * k, fmt::format("{:.0f}", k));
        }
        return names;
    };
    for (double block = 0; block < plan.blocks(); ++block) {
        for (auto& one : place_names(plan.across(), block * (plan.across() + 1), 1)) {
            panel.x.names.push_back(std::move(one));
        }
    }
    panel.y.names = place_names(plan.down(), plan.down() - 1, -1);
    std::ranges::sort(panel.y.names);
    if (plan.flat()) {
        panel.y.names = {{0, " "}};
    }
    ChartSeries chips{asked.from == TransferAsked::From::chip ? said("chip")
                      : asked.from == TransferAsked::From::chips
                          ? say("chip with 1/{} of it", asked.slice.devices())
                          : say("chip whose host has 1/{} of it", asked.slice.devices()),
                      SeriesKind::points};
    chips.role = Role::quietText;
    for (std::int64_t chip = 0; chip < asked.slice.devices(); ++chip) {
        const GridPlace place = coordinates(asked.slice, chip);
        const auto [x, y] = plan.at(place);
        chips.points.push_back({x, y, {}, text(place), 0, -1, true});
    }
    panel.series.push_back(std::move(chips));
    for (std::size_t k = 0; k < found.ways.size(); ++k) {
        const auto alike =
            std::ranges::count(found.ways.begin(), found.ways.begin() + static_cast<long>(k), found.ways[k]);
        ChartSeries way{say("way {}", static_cast<int>(k) + 1), SeriesKind::line};
        way.points = line_of(found.ways[k], plan, 0.15 * static_cast<double>(alike));
        way.role = way_roles[k % way_roles.size()];
        way.emphasized = true;
        panel.series.push_back(std::move(way));
    }
    const auto mark = [&](std::string words, const GridPlace& place, Role role) {
        const auto [x, y] = plan.at(place);
        const std::string label = asked.slice.devices() > most_labelled ? std::string() : words;
        ChartSeries series{words, SeriesKind::points, {}, {{x, y, label, text(place)}}, role};
        series.emphasized = true;
        panel.series.push_back(std::move(series));
    };
    if (asked.from == TransferAsked::From::chip) {
        mark(said("from"), asked.source, Role::compute);
    }
    mark(said("to"), asked.target, Role::text);
    return panel;
}

ChartPanel stage_panel(const Transfer& found) {
    ChartPanel panel{said("Stages of the way (they overlap)"), {}, {said("time"), ChartUnit::seconds}};
    ChartSeries counts{said("the slowest, which counts"), SeriesKind::stack};
    counts.role = Role::text;
    ChartSeries waits{said("hidden by it"), SeriesKind::stack};
    waits.role = Role::quietText;
    for (const TransferStage& stage : found.stages) {
        panel.x.categories.push_back(stage.name);
        panel.x.details.push_back(stage.formula);
        const bool slowest = &stage == &found.slowest();
        counts.values.push_back(slowest ? std::optional(stage.seconds) : std::nullopt);
        waits.values.push_back(slowest ? std::nullopt : std::optional(stage.seconds));
    }
    panel.series = {std::move(counts), std::move(waits)};
    return panel;
}

} // namespace

std::string ends_text(const TransferAsked& asked) {
    const std::string to = text(asked.target);
    switch (asked.from) {
    case TransferAsked::From::chip: return say("{} to {}", text(asked.source), to);
    case TransferAsked::From::chips: return say("all chips to {}", to);
    case TransferAsked::From::hosts: break;
    }
    return say("all hosts to {}", to);
}

Chart transfer_chart(const TransferAsked& asked, const Transfer& found, const Machine& hardware) {
    Chart chart{say("{}, {} on {}: {}, bound by {}", bytes_text(asked.bytes), ends_text(asked),
                    hardware.title, seconds_text(found.seconds()), found.bound()),
                {slice_panel(asked, found), stage_panel(found)}};
    const std::string way = fmt::format("{} x {}", found.hops, text(hardware.sync.value));
    const std::string latency = seconds_text(found.latency), rest = seconds_text(found.slowest().seconds);
    chart.notes = {asked.from == TransferAsked::From::chip
                       ? say("First byte after {} = {}; all of it {} = {} later, by shortest ways alone.",
                             way, latency, found.slowest().formula, rest)
                       : say("The longest way takes {} = {}, and all of it {} = {} more.", way, latency,
                             found.slowest().formula, rest)};
    return chart;
}

Table transfer_table(const TransferAsked& asked, const Transfer& found) {
    Table table{ends_text(asked), {"part", "seconds", "formula"}, {}};
    for (const TransferStage& stage : found.stages) {
        table.rows.push_back({stage.name, stage.seconds, stage.formula});
    }
    return table;
}

} // namespace meshslice
