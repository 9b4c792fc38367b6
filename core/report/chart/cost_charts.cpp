#include "core/report/chart/cost_charts.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

constexpr int points_a_decade = 3;
/// In turn, of the lines of a chart.
constexpr std::array line_roles = {Role::compute,          Role::transferHorizontal,
                                   Role::transferVertical, Role::transferThird,
                                   Role::slicing,          Role::launch};

/// From one value to another, so many a decade; both ends are in it.
std::vector<double> spread(double low, double high) {
    const double decades = std::log10(high / low);
    const int count = std::max(2, static_cast<int>(std::ceil(decades * points_a_decade)) + 1);
    std::vector<double> all;
    for (int k = 0; k < count; ++k) {
        all.push_back(low * std::pow(10, decades * k / (count - 1)));
    }
    return all;
}

/// The same through one more value, if it is between them.
std::vector<double> spread_through(double low, double high, double value) {
    std::vector<double> all = spread(low, high);
    const auto place = std::ranges::lower_bound(all, value);
    if (value > low && value < high && *place != value) {
        all.insert(place, value);
    }
    return all;
}

ChartSeries line(std::string name, Role role, std::vector<ChartPoint> points) {
    return {std::move(name), SeriesKind::line, {}, std::move(points), role};
}

std::string tokens_text(double rows) {
    return rows >= 1e6 ? number_text(rows) : fmt::format("{:.0f}", std::ceil(rows));
}

std::string bound_text(const RooflineLevel& level) {
    return level.roofline.bound_by_compute() ? said("compute") : level.name;
}

/// "compute bounds from 245 tokens on"
std::string critical_words(const RooflineLevel& level) {
    const std::optional<double>& critical = level.roofline.critical_rows;
    return !critical        ? say("{} bounds every batch", level.name)
           : *critical == 0 ? said("compute bounds every batch")
                            : say("compute bounds from {} tokens on", tokens_text(*critical));
}

/// "[256, 4096] · [4096, 16384]".
std::string shape_words(const RooflineGemm& gemm) {
    return fmt::format("[{0:.0f}, {1:.0f}] · [{2}{1:.0f}, {3:.0f}]", gemm.rows, gemm.inner,
                       gemm.weights_of_each_row ? fmt::format("{:.0f}, ", gemm.rows) : std::string(),
                       gemm.columns);
}

/// The batches of the chart: the one that is asked about, and around it those where something changes.
std::pair<double, double> batches(const RooflineOnChip& asked) {
    double low = std::min(asked.gemm.rows, 1.0), high = std::max(asked.gemm.rows * 8, 4096.0);
    for (const RooflineLevel& level : asked.levels(asked.gemm.rows)) {
        if (const auto critical = level.roofline.critical_rows; critical && *critical > 0) {
            high = std::max(high, *critical * 4);
        }
    }
    return {low, high};
}

/// "1 kB", "10 kB": at every decade.
std::vector<std::pair<double, std::string>> decades_of_bytes() {
    constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::vector<std::pair<double, std::string>> names;
    double at = 1;
    for (const char* const unit : units) {
        for (const int digits : {1, 10, 100}) {
            names.emplace_back(at, fmt::format("{}\u2009{}", digits, unit));
            at *= 10;
        }
    }
    return names;
}

/// "X: a ring of 16 chips, links of 45 GB/s each way."
std::string axis_words(const CollectiveCosts& costs, const UsedAxis& one) {
    std::string words = one.axis.ring ? say("{}: a ring of {} chips, links of {} each way", one.name,
                                            one.axis.chips, text(one.axis.link))
                                      : say("{}: an open line of {} chips, links of {} each way", one.name,
                                            one.axis.chips, text(one.axis.link));
    if (one.axis.one_way) {
        words += said(", used one way");
    }
    if (!one.axis.ring && !one.closes) {
        words += said("; ") + why_open(costs.hardware, one);
    }
    return words + said(".");
}

} // namespace

std::vector<RooflineLevel> RooflineOnChip::levels(double rows) const {
    RooflineGemm of = gemm;
    of.rows = rows;
    std::vector<RooflineLevel> all;
    for (const auto& [name, rate] : memories) {
        all.push_back({name, rate, gemm_roofline(of, peak(), rate)});
    }
    for (RooflineLevel& level : network_levels(of, hardware, peak())) {
        level.name = say("weights over {}", level.name);
        all.push_back(std::move(level));
    }
    return all;
}

Chart batch_chart(const RooflineOnChip& asked) {
    const std::vector<RooflineLevel> here = asked.levels(asked.gemm.rows);
    const auto [low, high] = batches(asked);
    const double peak = asked.peak();
    ChartPanel panel{{},
                     {said("batch of one chip (tokens)"), ChartUnit::none, true},
                     {said("FLOP/s of one chip"), ChartUnit::flop_rate, true}};
    panel.x.low = low;
    panel.x.high = high;
    panel.y.high = peak * 1.6;
    double lowest = peak / 8;
    for (const RooflineLevel& level : here) {
        lowest = std::min(lowest, level.roofline.flop_per_s / 2);
    }
    panel.y.low = lowest;
    panel.series.push_back(rule(say("peak of {}: {}", name(asked.compute), si_text(peak, "FLOP/s")),
                                Role::text, {{low, peak}, {high, peak}}));
    ChartSeries critical{said("critical batch"), SeriesKind::points};
    critical.role = Role::quietText;
    for (std::size_t k = 0; k < here.size(); ++k) {
        const std::optional<double> bends = here[k].roofline.critical_rows;
        const double end = std::clamp(bends.value_or(high), low, high); // then it is the peak
        std::vector<ChartPoint> points;
        for (const double rows : spread_through(low, end, asked.gemm.rows)) {
            const RooflineLevel level = asked.levels(rows)[k];
            if (level.roofline.flop_per_s >= lowest) {
                points.push_back({rows,
                                  level.roofline.flop_per_s,
                                  {},
                                  say("{} of the peak; {}", percent_text(level.roofline.flop_per_s / peak),
                                      critical_words(level))});
            }
        }
        panel.series.push_back(line(fmt::format("{}: {}", here[k].name, si_text(here[k].bytes_per_s, "B/s")),
                                    line_roles[k % line_roles.size()], std::move(points)));
        panel.series.back().emphasized = k == 0;
        if (bends && *bends > low) {
            critical.points.push_back({*bends, peak, tokens_text(*bends),
                                       fmt::format("{}: {}", here[k].name, critical_words(here[k]))});
        }
    }
    panel.series.push_back(std::move(critical));
    panel.series.push_back(rule(say("this batch: {}", tokens_text(asked.gemm.rows)), Role::quietText,
                                {{asked.gemm.rows, lowest}, {asked.gemm.rows, peak}}, true));
    const RooflineLevel& chip = here.front();
    ChartSeries own{said("this GEMM"), SeriesKind::points};
    own.role = Role::text;
    own.emphasized = true;
    own.points = {
        {asked.gemm.rows,
         chip.roofline.flop_per_s,
         {},
         say("{} of the peak; {}", percent_text(chip.roofline.flop_per_s / peak), critical_words(chip))}};
    panel.series.push_back(std::move(own));
    const double margin = chip.roofline.bound_by_compute() ? chip.roofline.intensity / chip.roofline.ridge
                                                           : chip.roofline.ridge / chip.roofline.intensity;
    const std::string factor = number_text(margin);
    Chart chart{factor == "1" ? say("{} on {}: just bound by {}; {}", shape_words(asked.gemm),
                                    asked.hardware.title, bound_text(chip), critical_words(chip))
                              : say("{} on {}: bound by {}, {}× from balance; {}", shape_words(asked.gemm),
                                    asked.hardware.title, bound_text(chip), factor, critical_words(chip)),
                {std::move(panel)}};
    chart.notes = {say("{} over {} through {}: {} FLOP per byte; its ridge is at {}. At least {} if all "
                       "transfers are hidden, {} if none are.",
                       si_text(asked.gemm.flop(), "FLOP"), bytes_text(chip.roofline.bytes), chip.name,
                       number_text(chip.roofline.intensity), number_text(chip.roofline.ridge),
                       seconds_text(chip.roofline.least_s()), seconds_text(chip.roofline.most_s()))};
    return chart;
}

Table level_table(const RooflineOnChip& asked) {
    Table table{shape_words(asked.gemm) + ", " + asked.hardware.title,
                {"level", "bandwidth_bytes_per_s", "moved_bytes", "intensity_flop_per_byte",
                 "ridge_flop_per_byte", "critical batch", "reached_flop_per_s", "transfer_s", "compute_s",
                 "bound"},
                {}};
    for (const RooflineLevel& level : asked.levels(asked.gemm.rows)) {
        const GemmRoofline& its = level.roofline;
        table.rows.push_back(
            {level.name, level.bytes_per_s, its.bytes, its.intensity, its.ridge,
             its.critical_rows ? Table::Cell(*its.critical_rows) : Table::Cell(std::string()), its.flop_per_s,
             its.transfer_s, its.compute_s, bound_text(level)});
    }
    return table;
}

Chart achieved_chart(const CollectiveCosts& costs, double bytes) {
    const OfSize here = costs.of(bytes);
    const double low = std::min(1e3, bytes / 2), high = std::max(1e10, bytes * 2);
    const double limit = here.bound.on_wire / here.bound.bandwidth;
    const double bend = costs.latency_bound_below();
    ChartPanel panel{{},
                     {said("size of the whole array"), ChartUnit::bytes, true},
                     {said("achieved: bytes on a chip's links over time"), ChartUnit::byte_rate, true}};
    panel.x.low = low;
    panel.x.high = high * 1.2; // the last name has room
    panel.x.names = decades_of_bytes();
    std::vector<ChartPoint> by_book, modelled;
    for (const double size : spread_through(low, high, bytes)) {
        const OfSize one = costs.of(size);
        by_book.push_back({size, one.bound.achieved(), {}, seconds_text(one.bound.seconds())});
        if (one.modelled && *one.modelled > 0) {
            modelled.push_back({size, one.bound.on_wire / *one.modelled, {}, seconds_text(*one.modelled)});
        }
    }
    const bool behind_switches = costs.axes.empty();
    const bool ends_above = !modelled.empty() && modelled.back().y > by_book.back().y;
    panel.y.high = limit * 1.8;
    panel.y.low = std::min(by_book.front().y, modelled.empty() ? limit : modelled.front().y) / 2;
    // Its name stands where the lines are still low.
    panel.series.push_back(rule(say("without latency: {}", si_text(limit, "B/s")), Role::text,
                                {{low, limit}, {std::clamp(bend, low * 10, high), limit}}, true));
    panel.series.push_back(line(said("the scaling book's formula"), Role::compute, std::move(by_book)));
    panel.series.back().emphasized = true;
    if (!modelled.empty()) {
        panel.series.push_back(line(behind_switches
                                        ? said("with every level's efficiency and the latency of all steps")
                                        : said("with launches and every step's synchronization"),
                                    Role::transferHorizontal, std::move(modelled)));
    }
    panel.series.push_back(rule(say("this size: {}", bytes_text(bytes)), Role::quietText,
                                {{bytes, *panel.y.low}, {bytes, limit}}, true));
    Chart chart{{}, {std::move(panel)}};
    chart.notes = {behind_switches
                       ? say("time = {}; latency bounds below {}.", here.bound.formula(), bytes_text(bend))
                       : say("time = {}; {} a hop; latency bounds below {}.", here.bound.formula(),
                             seconds_text(costs.hop()), bytes_text(bend))};
    if (ends_above) {
        chart.notes.push_back(
            said("Large arrays end above the book's formula, which counts the bytes that a chip "
                 "has already."));
    }
    std::string along;
    for (const UsedAxis& one : costs.axes) {
        chart.notes.push_back(axis_words(costs, one));
        along += fmt::format("{}{}={}", along.empty() ? "" : ", ", one.name, one.axis.chips);
    }
    const std::string bound = here.bound.bound_by_latency() ? said("latency") : said("bandwidth");
    if (!behind_switches) {
        chart.title = say("{} of {} along {} on {}: {}, bound by {}", name(costs.what), bytes_text(bytes),
                          along, costs.hardware.title, seconds_text(here.bound.seconds()), bound);
        return chart;
    }
    for (const LevelTakes& level : costs.on_levels(bytes).levels) {
        chart.notes.push_back(level_words(costs.hardware.network.levels[level.level], level.places) +
                              said("."));
    }
    chart.title = say("{} of {} among {} chips on {}: {}, bound by {}", name(costs.what), bytes_text(bytes),
                      costs.chips, costs.hardware.title, seconds_text(here.bound.seconds()), bound);
    return chart;
}

Table size_table(const CollectiveCosts& costs) {
    Table table{say("{} on {}", name(costs.what), costs.hardware.title),
                {"bytes", "time_s", "bound", "achieved_bytes_per_s", "modelled_s"},
                {}};
    for (const OfSize& one : costs.sizes()) {
        table.rows.push_back({one.bytes, one.bound.seconds(),
                              one.bound.bound_by_latency() ? said("latency") : said("bandwidth"),
                              one.bound.achieved(),
                              one.modelled ? Table::Cell(*one.modelled) : Table::Cell(std::string())});
    }
    return table;
}

} // namespace meshslice
