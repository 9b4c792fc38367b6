#include "core/report/chart/training_chart.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/evidence/training/training_amounts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace meshslice {
namespace {

/// Of fewer runs nothing is said about eight of ten.
constexpr std::size_t least_for_band = 10;
constexpr double band_begins = 0.1, band_ends = 0.9;
constexpr double room_around = 1.4; ///< times the shortest and the longest step

std::string kind_of_run(const TrainingRow& row) {
    return row.experts > 0 ? "experts" : "dense";
}

/// "tp 8 x pp 4 x dp 16", with what is more than one.
std::string layout_of_run(const TrainingRow& row) {
    std::vector<std::string> parts;
    for (const auto& [name, size] : {std::pair("tp", row.tensor), std::pair("cp", row.context),
                                     std::pair("pp", row.pipeline), std::pair("ep", row.expert)}) {
        if (size > 1) {
            parts.push_back(fmt::format("{} {:.0f}", name, size));
        }
    }
    if (row.sharded > 1) {
        parts.push_back(fmt::format("fsdp {:.0f}", row.sharded));
    } else if (row.data > 1 || parts.empty()) {
        parts.push_back(fmt::format("dp {:.0f}", row.data));
    }
    return fmt::format("{}", fmt::join(parts, " x "));
}

std::string off_words(double error) {
    return error < 0 ? say("{} less", percent_text(-error)) : say("{} more", percent_text(error));
}

std::string run_lines(const PredictedTraining& one) {
    const TrainingRow& row = one.row();
    std::string lines =
        say("{} on {} {} ({})", row.model, std::llround(row.chips), row.hardware, row.framework) + "\n" +
        say("{}; batch {} x {} tokens, {}", layout_of_run(row), std::llround(row.batch),
            std::llround(row.sequence), row.precision) +
        "\n" +
        say("measured {} a step, predicted {} ({})", seconds_text(measured_step(row)),
            seconds_text(predicted_seconds(one)), off_words(step_error(one)));
    if (row.anchor) {
        lines += "\n" + said("so large that it is in no fit");
    }
    return row.source.empty() ? lines : lines + "\n" + row.source;
}

double value_at(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// "Half of 312 measured steps are predicted within 6%, eight of ten between 11% less and 14% more."
std::string finding_of_runs(const std::vector<double>& logs) {
    std::vector<double> sizes;
    for (const double one : logs) {
        sizes.push_back(std::abs(std::expm1(one)));
    }
    std::ranges::sort(sizes);
    if (sizes.size() < least_for_band) {
        return sizes.size() == 1 ? say("One measured step, predicted within {}", percent_text(sizes.front()))
                                 : say("{} measured steps, all predicted within {}", sizes.size(),
                                       percent_text(sizes.back()));
    }
    return say("Half of {} measured steps are predicted within {}, eight of ten between {} and {}",
               sizes.size(), percent_text(value_at(sizes, 0.5)),
               off_words(std::expm1(value_at(logs, band_begins))),
               off_words(std::expm1(value_at(logs, band_ends))));
}

/// The line of all predictions that are off by this factor, without a name, which would stand over marks,
/// within the square from `low` to `high`.
ChartSeries line_of_factor(double factor, double low, double high, bool dashed) {
    return rule({}, dashed ? Role::quietText : Role::text,
                {{std::max(low, low / factor), std::max(low, low * factor)},
                 {std::min(high, high / factor), std::min(high, high * factor)}},
                dashed);
}

} // namespace

std::vector<std::pair<std::string, std::size_t>> hardware_of(const std::vector<PredictedTraining>& rows) {
    std::map<std::string, std::size_t> counts;
    for (const PredictedTraining& one : rows) {
        ++counts[one.row().hardware];
    }
    std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
    std::ranges::stable_sort(all, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
    return all;
}

std::vector<std::size_t> shown_runs(const std::vector<PredictedTraining>& rows, const TrainingShown& shown) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const TrainingRow& row = rows[k].row();
        if (rows[k].scored() && (shown.hardware.empty() || shown.hardware == row.hardware) &&
            (shown.kind.empty() || shown.kind == kind_of_run(row))) {
            places.push_back(k);
        }
    }
    std::ranges::stable_sort(places, {}, [&](std::size_t k) {
        return std::ranges::find(shown.near, rows[k].row().id) - shown.near.begin();
    });
    return places;
}

Chart training_chart(const std::vector<PredictedTraining>& rows, const TrainingShown& shown) {
    const std::vector<std::size_t> places = shown_runs(rows, shown);
    if (places.empty()) {
        return {said("No measured run is of this kind on this hardware"), {}};
    }
    ChartSeries dense{said("dense models"), SeriesKind::points};
    dense.role = Role::compute;
    ChartSeries experts{said("models with experts"), SeriesKind::points};
    experts.role = Role::transferHorizontal;
    ChartSeries near{said("nearest to the plan"), SeriesKind::points};
    near.role = Role::text;
    near.emphasized = true;
    std::vector<double> logs;
    double low = measured_step(rows[places.front()].row()), high = low;
    for (const std::size_t k : places) {
        const PredictedTraining& one = rows[k];
        ChartPoint point{measured_step(one.row()), predicted_seconds(one)};
        point.detail = run_lines(one);
        point.item = static_cast<int>(k);
        low = std::min({low, point.x, point.y});
        high = std::max({high, point.x, point.y});
        logs.push_back(std::log(point.y / point.x));
        const bool marked = std::ranges::find(shown.near, one.row().id) != shown.near.end();
        (marked ? near : one.row().experts > 0 ? experts : dense).points.push_back(std::move(point));
    }
    std::ranges::sort(logs);
    low /= room_around;
    high *= room_around;
    ChartPanel panel;
    panel.x = {said("measured time of a step"), ChartUnit::seconds, true};
    panel.y = {said("predicted time of a step"), ChartUnit::seconds, true};
    panel.x.low = panel.y.low = low;
    panel.x.high = panel.y.high = high;
    panel.series.push_back(line_of_factor(1, low, high, false));
    if (logs.size() >= least_for_band) {
        for (const double share : {band_begins, band_ends}) {
            const double factor = std::exp(value_at(logs, share));
            panel.series.push_back(line_of_factor(factor, low, high, true));
        }
    }
    for (ChartSeries* one : {&dense, &experts, &near}) {
        if (!one->points.empty()) {
            panel.series.push_back(std::move(*one));
        }
    }
    return {finding_of_runs(logs),
            {std::move(panel)},
            {logs.size() >= least_for_band
                 ? said("Solid: as measured. Dashed: eight of ten predictions lie between.")
                 : said("The line: as measured.")}};
}

Table training_chart_table(const std::vector<PredictedTraining>& rows, const TrainingShown& shown) {
    Table table{"Measured training runs",
                {"model", "hardware", "chips", "layout", "measured_s", "predicted_s", "difference share",
                 "nearest to the plan", "source"},
                {}};
    for (const std::size_t k : shown_runs(rows, shown)) {
        const PredictedTraining& one = rows[k];
        const TrainingRow& row = one.row();
        const bool near = std::ranges::find(shown.near, row.id) != shown.near.end();
        table.rows.push_back({row.model, row.hardware, static_cast<std::int64_t>(std::llround(row.chips)),
                              layout_of_run(row), measured_step(row), predicted_seconds(one), step_error(one),
                              std::string(near ? "yes" : ""), row.source});
    }
    return table;
}

} // namespace meshslice
