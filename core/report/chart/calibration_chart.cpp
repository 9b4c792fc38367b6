#include "core/report/chart/calibration_chart.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

constexpr const char* gemm_series = "GEMM";

/// One measured time and what it was of.
struct Sample {
    std::string series;
    std::string of; ///< "8 chips, 4.19 MB"
    std::int64_t line = 0;
    double measured = 0;
    double fitted = 0;

    [[nodiscard]] double deviation() const { return (fitted - measured) / measured; }
};

ChartPanel panel_of(std::string title, const std::vector<Sample>& samples) {
    ChartPanel panel{std::move(title),
                     {"measured time", ChartUnit::seconds, true},
                     {"deviation of the fit", ChartUnit::share}};
    double widest = 0;
    auto [shortest, longest] = std::pair(samples.front().measured, samples.front().measured);
    for (const Sample& one : samples) {
        widest = std::max(widest, std::abs(one.deviation()));
        shortest = std::min(shortest, one.measured);
        longest = std::max(longest, one.measured);
    }
    panel.x.low = shortest / 1.5;
    panel.x.high = longest * 1.5;
    panel.y.high = std::max(1.2 * widest, 0.001);
    panel.y.low = -*panel.y.high;
    ChartSeries met{"as measured", SeriesKind::rule};
    met.points = {{*panel.x.low, 0}, {*panel.x.high, 0}};
    panel.series.push_back(std::move(met));
    for (const Sample& one : samples) {
        auto series = std::ranges::find(panel.series, one.series, &ChartSeries::name);
        if (series == panel.series.end()) {
            // Operations differ by shape: the colours of links stand for their directions.
            const Role role = one.series == gemm_series ? Role::compute : Role::text;
            panel.series.push_back({one.series, SeriesKind::points, {}, {}, role});
            series = panel.series.end() - 1;
        }
        ChartPoint point{one.measured, one.deviation()};
        point.detail = fmt::format("{}\nmeasured {}, fitted {}; line {} of the file", one.of,
                                   si_text(one.measured, "s"), si_text(one.fitted, "s"), one.line);
        series->points.push_back(std::move(point));
    }
    return panel;
}

/// "all gather" of "all_gather".
std::string spaced(std::string_view name) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string finding(const FitQuality& quality, const char* what) {
    const std::size_t count = quality.fitted.size();
    return fmt::format("{} {}{} met within {:.2f}%, {:.2f}% on average", count, what,
                       count == 1 ? " is" : "s are", 100 * quality.largest_deviation,
                       100 * quality.mean_deviation);
}

} // namespace

Chart calibration_chart(const Calibration& calibration) {
    const Measurements& measured = calibration.measured;
    Chart chart;
    if (calibration.collectives) {
        std::vector<Sample> samples;
        for (const LaunchKind kind :
             {LaunchKind::all_gather, LaunchKind::reduce_scatter, LaunchKind::send_receive}) {
            for (std::size_t k = 0; k < measured.collectives.size(); ++k) {
                const MeasuredCollective& row = measured.collectives[k];
                if (row.operation == kind) {
                    samples.push_back({spaced(name(kind)),
                                       fmt::format("{} chips, {}", row.chips, si_text(row.bytes, "B")),
                                       row.line, row.seconds, calibration.collectives->quality.fitted[k]});
                }
            }
        }
        chart.title = finding(calibration.collectives->quality, "collective");
        chart.panels.push_back(
            panel_of(fmt::format("Collectives of {}", measured.collectives_from), samples));
    }
    if (calibration.gemms) {
        std::vector<Sample> samples;
        for (std::size_t k = 0; k < measured.gemms.size(); ++k) {
            const MeasuredGemm& row = measured.gemms[k];
            samples.push_back(
                {"GEMM", text(row.shape), row.line, row.seconds, calibration.gemms->quality.fitted[k]});
        }
        chart.title += (chart.title.empty() ? "" : "; ") + finding(calibration.gemms->quality, "GEMM");
        chart.panels.push_back(panel_of(fmt::format("GEMMs of {}", measured.gemms_from), samples));
    }
    std::string fitted;
    for (const auto& [name, value, unit] : fitted_constants(calibration.collectives, calibration.gemms)) {
        fitted += fmt::format("{}{} {}", fitted.empty() ? "Fitted: " : ", ", spaced(name),
                              si_text(value.value, unit));
    }
    chart.notes.push_back(fitted + ".");
    chart.notes.push_back(fmt::format("All other constants: {}.", calibration.base));
    if (calibration.collectives) {
        chart.notes.push_back(
            fmt::format("Collectives: launch + steps x synchronisation + bytes moved / bandwidth, "
                        "rings {}.",
                        measured.ring == RingMode::both_ways ? "both ways" : "one way"));
    }
    if (calibration.gemms) {
        chart.notes.push_back(fmt::format("GEMMs: launch + FLOP / rate, {}.", name(measured.type)));
    }
    return chart;
}

} // namespace meshslice
