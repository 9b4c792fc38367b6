// What a step and the memory of a chip consist of, and the frontier, as charts.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/serve/serve_text.h"
#include "core/question/serve/replica/served_step_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {

std::string served_formula(const Served& served, ServedPhase phase, const ServedOperation& cost) {
    const InferenceChip& chip = served.one.chip.chip;
    const std::string computing =
        fmt::format("{} / {}", si_text(cost.flop, "FLOP"),
                    si_text(cost.compute > 0 ? cost.flop / cost.compute : chip.peak_16, "FLOP/s"));
    const std::string reading =
        fmt::format("{} / {}", bytes_text(cost.bytes),
                    si_text(cost.memory > 0 ? cost.bytes / cost.memory : chip.memory_rate, "B/s"));
    switch (cost.bound) {
    case ServedBound::compute: return computing;
    case ServedBound::memory: return reading;
    case ServedBound::link:
        return served.one.exchanges != nullptr ? said("several collectives, and latencies")
               : cost.bytes > 0
                   ? say("{} / {}, and latencies", bytes_text(cost.bytes), si_text(chip.link_rate, "B/s"))
                   : said("one chip: none");
    case ServedBound::overhead:
        return phase == ServedPhase::decode ? said("launches of each layer") : said("launches");
    }
    return {};
}

std::vector<std::pair<std::string, double>> served_memory_parts(const ServedMemory& memory) {
    return {{said("weights"), memory.weights},
            {said("KV cache"), memory.cache},
            {said("activations"), memory.activations},
            {said("runtime"), memory.runtime}};
}

Role served_role(std::size_t kind) {
    constexpr std::array<Role, served_operations> roles = {
        Role::compute, Role::transferThird,      Role::backward,
        Role::slicing, Role::transferHorizontal, Role::launch};
    return roles[kind];
}

std::string chips_of_replica(const Served& served, std::int64_t tensor) {
    return chips_text(static_cast<double>(served.asked.replica_chips(tensor)));
}

namespace {

double sum_of(const ServedOperations& costs) {
    return std::accumulate(costs.begin(), costs.end(), 0.0,
                           [](double sum, const ServedOperation& one) { return sum + one.seconds; });
}

/// What the bars show; the answer's own sentence stands above them.
std::string step_chart_title(const Served& served) {
    std::vector<std::string> words;
    if (served.prefills()) {
        words.push_back(say("all prompts take {}, bound by {}", seconds_text(sum_of(served.prefill)),
                            served_bound_word(bound_of(served.prefill))));
    }
    if (served.decodes()) {
        words.push_back(say("a step of decode takes {}, bound by {}", seconds_text(sum_of(served.decode)),
                            served_bound_word(bound_of(served.decode))));
    }
    return capitalized(fmt::format("{}", fmt::join(words, said("; "))));
}

} // namespace

/// A bar of a decode step and one of a prefill, each in its own panel as their times differ a lot.
Chart served_step_chart(const Served& served) {
    Chart chart{step_chart_title(served), {}};
    const auto add = [&](ServedPhase phase, const ServedOperations& costs, const std::string& title) {
        ChartPanel panel{title};
        panel.x = {said("time of a step"), ChartUnit::seconds};
        panel.y.categories = {phase == ServedPhase::prefill ? said("prefill") : said("decode step")};
        for (std::size_t kind = 0; kind < costs.size(); ++kind) {
            if (costs[kind].seconds > 0) {
                ChartSeries series{operation_word(kind), SeriesKind::stack};
                series.values = {costs[kind].seconds};
                series.role = served_role(kind);
                series.details = {fmt::format("{}: {}", name(costs[kind].bound),
                                              served_formula(served, phase, costs[kind]))};
                panel.series.push_back(std::move(series));
            }
        }
        chart.panels.push_back(std::move(panel));
    };
    if (served.decodes()) {
        add(ServedPhase::decode, served.decode, said("A token more of each request"));
    }
    if (served.prefills()) {
        add(ServedPhase::prefill, served.prefill, said("All prompts"));
    }
    if (std::optional<ChartPanel> changed = served.decodes() ? changed_steps(served) : std::nullopt) {
        chart.panels.push_back(*std::move(changed));
    }
    return chart;
}

Chart served_memory_chart(const Served& served) {
    ChartPanel panel{said("Memory of a chip")};
    panel.x = {said("memory of a chip"), ChartUnit::bytes};
    panel.y.categories = {said("one chip")};
    constexpr std::array<Role, 4> roles = {Role::compute, Role::backward, Role::slicing, Role::launch};
    std::size_t part = 0;
    for (const auto& [what, bytes] : served_memory_parts(served.memory)) {
        ChartSeries series{what, SeriesKind::stack};
        series.values = {bytes};
        series.role = roles[part++];
        panel.series.push_back(std::move(series));
    }
    panel.x.high = std::max(served.memory.total(), served.one.chip.chip.memory) * 1.02;
    return {served.fits() ? say("{} of {} are taken", bytes_text(served.memory.total()),
                                bytes_text(served.one.chip.chip.memory))
                          : say("{} are needed, and a chip has {}", bytes_text(served.memory.total()),
                                bytes_text(served.one.chip.chip.memory)),
            {std::move(panel), memory_by_batch(served)}};
}

Chart serving_frontier_chart(const Served& served) {
    ChartPanel panel;
    panel.x = {said("tokens/s of a user"), ChartUnit::none};
    panel.y = {said("tokens/s of a chip"), ChartUnit::none};
    std::map<std::int64_t, ChartSeries> splits;
    constexpr std::array<Role, 5> roles = {Role::compute, Role::transferHorizontal, Role::backward,
                                           Role::slicing, Role::transferVertical};
    int item = 0;
    for (const ServingPoint& one : served.points) {
        ChartSeries& series = splits[one.tensor];
        if (series.name.empty()) {
            series = {say("{} a replica", chips_of_replica(served, one.tensor)), SeriesKind::line};
            series.role = roles[(splits.size() - 1) % roles.size()];
        }
        ChartPoint point{one.times.per_user, one.times.per_chip};
        point.detail = say("batch {}, first token after {}, {} of memory", one.batch,
                           seconds_text(one.times.ttft), bytes_text(one.memory));
        point.open = !one.fits;
        point.item = item++;
        series.points.push_back(std::move(point));
    }
    for (auto& [tensor, series] : splits) {
        panel.series.push_back(std::move(series));
    }
    if (!served.measured_points.empty()) {
        ChartSeries measured{said("measured"), SeriesKind::points};
        measured.role = Role::text;
        measured.hollow = true;
        measured.source = said("the measured rows that come with the program");
        for (const NearRow& row : served.measured_points) {
            ChartPoint point{row.per_user, row.per_chip};
            point.detail = say("{}, {}, batch {}, {} and {} tokens", row.engine, chips_text(row.tensor),
                               row.batch, row.input, row.output);
            measured.points.push_back(std::move(point));
        }
        panel.series.push_back(std::move(measured));
    }
    return {say("A larger batch gives a chip more tokens/s, and a user fewer"), {std::move(panel)}};
}

} // namespace meshslice
