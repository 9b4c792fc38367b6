#include "core/report/chart/calibration_chart.h"

#include "core/base/say.h"
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
                     {said("measured time"), ChartUnit::seconds, true},
                     {said("deviation of the fit"), ChartUnit::share}};
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
    ChartSeries met{said("as measured"), SeriesKind::rule};
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
        point.detail = say("{}\nmeasured {}, fitted {}; line {} of the file", one.of,
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

/// "12 collectives are met within 1.50%, 0.40% on average".
std::string finding(const FitQuality& quality, bool gemms) {
    const std::size_t count = quality.fitted.size();
    const std::string what = count == 1 ? (gemms ? said("1 GEMM is") : said("1 collective is"))
                             : gemms    ? say("{} GEMMs are", count)
                                        : say("{} collectives are", count);
    return say("{} met within {:.2f}%, {:.2f}% on average", what, 100 * quality.largest_deviation,
               100 * quality.mean_deviation);
}

} // namespace

Chart calibration_chart(const Calibration& calibration) {
    const Measurements& measured = calibration.measured;
    Chart chart;
    if (calibration.collectives) {
        std::vector<Sample> samples;
        for (const Collective kind : all_collectives) {
            for (std::size_t k = 0; k < measured.collectives.size(); ++k) {
                const MeasuredCollective& row = measured.collectives[k];
                if (row.operation == kind) {
                    samples.push_back({said(spaced(file_name(kind))),
                                       say("{} chips, {}", row.chips, si_text(row.bytes, "B")), row.line,
                                       row.seconds, calibration.collectives->quality.fitted[k]});
                }
            }
        }
        chart.title = finding(calibration.collectives->quality, false);
        chart.panels.push_back(panel_of(say("Collectives of {}", measured.collectives_from), samples));
    }
    if (calibration.gemms) {
        std::vector<Sample> samples;
        for (std::size_t k = 0; k < measured.gemms.size(); ++k) {
            const MeasuredGemm& row = measured.gemms[k];
            samples.push_back(
                {"GEMM", text(row.shape), row.line, row.seconds, calibration.gemms->quality.fitted[k]});
        }
        chart.title +=
            (chart.title.empty() ? std::string() : said("; ")) + finding(calibration.gemms->quality, true);
        chart.panels.push_back(panel_of(say("GEMMs of {}", measured.gemms_from), samples));
    }
    std::string fitted;
    for (const auto& [name, value, unit] : fitted_constants(calibration.collectives, calibration.gemms)) {
        fitted += fmt::format("{}{} {}", fitted.empty() ? said("Fitted: ") : said(", "), said(spaced(name)),
                              si_text(value.value, unit));
    }
    chart.notes.push_back(fitted + said("."));
    chart.notes.push_back(say("All other constants: {}.", calibration.base));
    if (calibration.collectives) {
        chart.notes.push_back(say("Collectives: launch + steps x synchronization + bytes moved / bandwidth, "
                                  "rings {}.",
                                  said(measured.ring == RingMode::both_ways ? "both ways" : "one way")));
    }
    if (calibration.gemms) {
        chart.notes.push_back(say("GEMMs: launch + FLOP / rate, {}.", name(measured.type)));
    }
    return chart;
}

} // namespace meshslice
