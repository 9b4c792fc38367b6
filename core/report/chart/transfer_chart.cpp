#include "core/report/chart/transfer_chart.h"

#include "core/base/say.h"
#include "core/base/text.h"
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

/// Where chips are drawn.
struct SlicePlan {
    const NamedMesh& slice;

    [[nodiscard]] double size(std::size_t axis) const {
        return axis < slice.axes.size() ? static_cast<double>(slice.axes[axis].size) : 1.0;
    }
    [[nodiscard]] bool flat() const { return slice.axes.size() == 1; }
    [[nodiscard]] double across() const { return flat() ? size(0) : size(1); }
    [[nodiscard]] double down() const { return flat() ? 1.0 : size(0); }
    [[nodiscard]] double blocks() const { return size(2); }

    [[nodiscard]] std::pair<double, double> at(const ChipPlace& place) const {
        const auto row = flat() ? 0.0 : static_cast<double>(place[0]);
        const auto column = static_cast<double>(flat() ? place[0] : place[1]);
        const double block = place.size() > 2 ? static_cast<double>(place[2]) : 0.0;
        return {column + block * (across() + 1), down() - 1 - row};
    }
};

/// A way as a line that is broken where it goes round the end of a ring.
std::vector<ChartPoint> line_of(const TransferRoute& route, const SlicePlan& plan) {
    std::vector<ChartPoint> points;
    const auto hops = static_cast<int>(route.size()) - 1;
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
        const auto [x, y] = plan.at(route[hop]);
        ChartPoint point{x, y, {}, say("{}, hop {} of {}", text(route[hop]), static_cast<int>(hop), hops)};
        if (hop > 0) {
            const auto [from_x, from_y] = plan.at(route[hop - 1]);
            std::int64_t apart = 0;
            bool to_another_block = false;
            for (std::size_t axis = 0; axis < route[hop].size(); ++axis) {
                const std::int64_t steps = std::abs(route[hop][axis] - route[hop - 1][axis]);
                apart += steps;
                to_another_block = to_another_block || (axis == 2 && steps > 0);
            }
            if (apart > 1 && !to_another_block) {
                const double step_x = from_x == x ? 0 : from_x > x ? 0.4 : -0.4;
                const double step_y = from_y == y ? 0 : from_y > y ? 0.4 : -0.4;
                points.push_back({from_x + step_x, from_y + step_y, {}, said("round the end of the ring")});
                points.push_back({x - step_x, y - step_y, {}, said("round the end of the ring")});
                points.back().apart = true;
            }
            point.apart = to_another_block;
        }
        points.push_back(std::move(point));
    }
    return points;
}

ChartPanel slice_panel(const TransferAsked& asked, const Transfer& found) {
    const SlicePlan plan{asked.slice};
    const auto name = [&](std::size_t axis) { return std::string(1, asked.slice.axes[axis].name); };
    ChartPanel panel{say("{} chips", asked.slice.devices()), {}, {}};
    panel.x.label = plan.blocks() > 1 ? say("{}, once for each place along {}", name(1), name(2))
                                      : name(plan.flat() ? 0 : 1);
    panel.x.low = -0.6;
    panel.x.high = plan.blocks() * (plan.across() + 1) - 1.4;
    panel.y.label = plan.flat() ? std::string() : name(0);
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
    ChartSeries chips{said("chip"), SeriesKind::points};
    chips.role = Role::quietText;
    for (std::int64_t chip = 0; chip < asked.slice.devices(); ++chip) {
        const ChipPlace place = coordinates(asked.slice, chip);
        const auto [x, y] = plan.at(place);
        chips.points.push_back({x, y, {}, text(place), 0, -1, true});
    }
    panel.series.push_back(std::move(chips));
    for (std::size_t k = 0; k < found.routes.size(); ++k) {
        panel.series.push_back({say("way {}", static_cast<int>(k) + 1),
                                SeriesKind::line,
                                {},
                                line_of(found.routes[k], plan),
                                way_roles[k % way_roles.size()]});
        panel.series.back().emphasised = true;
    }
    const auto mark = [&](std::string words, const ChipPlace& place, Role role) {
        const auto [x, y] = plan.at(place);
        ChartSeries series{words, SeriesKind::points, {}, {{x, y, words, text(place)}}, role};
        series.emphasised = true;
        panel.series.push_back(std::move(series));
    };
    if (asked.from == TransferAsked::From::chip) {
        mark(said("from"), asked.source, Role::compute);
    }
    mark(said("to"), asked.target, Role::text);
    return panel;
}

ChartPanel stage_panel(const Transfer& found) {
    ChartPanel panel{said("Parts of the way, all at work at once"), {}, {said("time"), ChartUnit::seconds}};
    ChartSeries counts{said("the slowest, which counts"), SeriesKind::stack};
    counts.role = Role::transferHorizontal;
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

Chart transfer_chart(const TransferAsked& asked, const Transfer& found, const Hardware& hardware) {
    Chart chart{say("{}, {} on {}: {}, bound by {}", bytes_text(asked.bytes), ends_text(asked),
                    hardware.title, seconds_text(found.seconds()), found.slowest().name),
                {slice_panel(asked, found), stage_panel(found)}};
    chart.notes = {say("First byte after {} x {} = {}; all of it {} = {} later.", found.hops,
                       text(hardware.sync.value), seconds_text(found.latency), found.slowest().formula,
                       seconds_text(found.slowest().seconds))};
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
