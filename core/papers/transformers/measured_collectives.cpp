#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/papers/transformers/measured_gathers.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

constexpr std::int64_t gathering = 32;        ///< GPUs
constexpr double large_volume = 128e6;        ///< bytes
constexpr double small_volume = 32e6;         ///< bytes
constexpr double agrees_within = 0.25;        ///< on average
constexpr double volumes_of_figure = 1 << 20; ///< bytes; what is smaller is latency alone

/// Of a server of Perlmutter: four A100, each with a NIC and four third-generation NVLinks to every other, of
/// 25 GB/s one way. With so many of them in the group, its rings use the links among those.
Machine perlmutter(std::int64_t near) {
    Machine machine = in_domains(*machine_preset("a100-nvs4"), 4);
    machine.network.levels.front().bandwidth.value =
        Bandwidth(100e9 * static_cast<double>(std::max<std::int64_t>(1, near - 1)));
    return machine;
}

double measured_time(const MeasuredGather& of, std::int64_t near) {
    return near == 1 ? of.s1 : near == 2 ? of.s2 : of.s4;
}

Result<StudyResult> published_collectives(const StudyInputs& /*inputs*/, const RunControl& control) {
    constexpr std::array nears = {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}};
    constexpr std::array roles = {Role::transferVertical, Role::transferHorizontal, Role::compute};
    ChartPanel panel{said("All-gather on 32 A100"),
                     {said("volume"), ChartUnit::bytes},
                     {said("time"), ChartUnit::seconds}};
    panel.x.logarithmic = panel.y.logarithmic = true;
    StudyResult result;
    result.table = {
        "All-gathers on 32 A100", {"gpus_of_server", "bytes", "measured_s", "ours_s", "deviation"}, {}};
    std::array<double, nears.size()> deviation{};
    std::string words, small_words;
    double worst_small = 0;
    bool small_below = true;
    for (std::size_t k = 0; k < nears.size(); ++k) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const auto network = LevelLaws::of(perlmutter(nears[k]), ModelRules::exact);
        if (!network) {
            return refuse(network.error());
        }
        ChartSeries measured{say("measured, {} of a server", nears[k])};
        ChartSeries ours{say("{} of a server", nears[k]), SeriesKind::line};
        measured.role = ours.role = roles[k];
        measured.hollow = true;
        measured.source = transformers_paper().citation;
        int large = 0;
        for (const MeasuredGather& one : measured_gathers) {
            const double its = measured_time(one, nears[k]);
            const double time =
                network->seconds(Collective::all_gather, one.bytes, {gathering, {nears[k]}, {}});
            const double off = time / its - 1;
            result.table.rows.push_back({nears[k], one.bytes, its, time, off});
            if (one.bytes < volumes_of_figure) {
                continue;
            }
            measured.points.push_back({one.bytes, its});
            ours.points.push_back({one.bytes, time});
            if (one.bytes >= large_volume) {
                deviation[k] += std::abs(off);
                ++large;
            } else if (one.bytes < small_volume) {
                small_below = small_below && off < 0;
                worst_small = std::min(worst_small, off);
            }
        }
        deviation[k] /= large;
        words += fmt::format("{}{}: {:.1f}%", words.empty() ? "" : ", ", say("{} of a server", nears[k]),
                             100 * deviation[k]);
        panel.series.push_back(std::move(measured));
        panel.series.push_back(std::move(ours));
    }
    const auto speed = [&](double MeasuredGather::*slow, double MeasuredGather::*fast) {
        const MeasuredGather& last = measured_gathers.back();
        return last.*slow / (last.*fast);
    };
    const double two = speed(&MeasuredGather::s1, &MeasuredGather::s2);
    const double four = speed(&MeasuredGather::s2, &MeasuredGather::s4);
    result.orderings = {
        {"figA1-agrees", std::ranges::all_of(deviation, [](double one) { return one < agrees_within; }),
         say("mean deviations from 128 MB on: {}", words), Reading::estimated},
        {"figA1-more-of-a-server", two > 1 && four > 1,
         say("at 8.6 GB, 2 of a server are {:.2f} times as fast as 1, 4 are {:.2f} times as fast as 2", two,
             four),
         Reading::estimated},
        {"figA1-small", small_below && worst_small < -0.5,
         say("from 1 to 17 MB the formula is up to {:.0f}% too fast", -100 * worst_small),
         Reading::estimated}};
    result.panels = {std::move(panel)};
    result.finding =
        say("From 128 MB on the formula is {:.1f}% off with four GPUs of a server, {:.1f}% with one; from "
            "1 to 17 MB it is up to {:.1f} times too fast",
            100 * deviation[2], 100 * deviation[0], 1 / (1 + worst_small));
    result.note =
        said("Small messages take two to three times as long as any of the rules has it: plans with many "
             "small collectives are better on paper than they are. An all-gather is the same by both "
             "rules.");
    return result;
}

} // namespace

/// Figure A1: the formula of a collective against measured times.
const Study measured_collectives_study{"collectives",
                                       "Collectives against measurements",
                                       "How far is the time of a collective from what was measured?",
                                       "B, Figure A1",
                                       published_collectives,
                                       {false, false, ClustersAsked::none},
                                       &transformers_evaluation,
                                       Reading::estimated};

} // namespace meshslice
