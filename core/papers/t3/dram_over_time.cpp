#include "core/base/say.h"
#include "core/cost/workgroup_product.h"
#include "core/papers/t3/runs/fused_fluid.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr double stages_shown = 12;
constexpr double samples_a_stage = 12;

ChartPanel traffic_panel(std::string title, const FusedRun& run, double until) {
    ChartPanel panel{std::move(title), {said("time"), ChartUnit::seconds}, {said("DRAM traffic (GB/s)")}};
    constexpr std::array<std::pair<const char*, Role>, dram_streams> streams = {
        {{"GEMM reads", Role::quietText},
         {"GEMM writes", Role::compute},
         {"reduce-scatter reads", Role::transferVertical},
         {"reduce-scatter updates", Role::transferHorizontal}}};
    for (std::size_t k = 0; k < dram_streams; ++k) {
        if (run.moved[k] == 0) {
            continue;
        }
        ChartSeries series{said(streams[k].first), SeriesKind::line};
        series.role = streams[k].second;
        for (std::size_t s = 1; s < run.samples.size() && run.samples[s].time <= until; ++s) {
            const FluidSample &from = run.samples[s - 1], &to = run.samples[s];
            series.points.push_back(
                {(from.time + to.time) / 2, (to.moved[k] - from.moved[k]) / (to.time - from.time) / 1e9});
        }
        panel.series.push_back(std::move(series));
    }
    return panel;
}

/// Whether each stream moved what is counted, to a millionth.
bool as_counted(const FusedRun& run, const AllReducedGemm& gemm, const Machine& hardware) {
    const DramTraffic counted = dram_traffic(gemm, Reduction::fused);
    const double cost = hardware.stores().near_memory_cost.value;
    const std::array<double, dram_streams> expected = {
        workgroup_product(gemm.shape, hardware, gemm.type).read_bytes,
        cost * counted.of(DramSource::gemm_write), counted.of(DramSource::scatter_read),
        cost * counted.of(DramSource::scatter_write)};
    return std::ranges::equal(run.moved, expected, [](double ours, double theirs) {
        return std::abs(ours - theirs) <= 1e-6 * theirs;
    });
}

Result<StudyResult> dram_over_time(const StudyInputs& inputs, const RunControl& control) {
    const auto cases = tensor_cases(inputs, ModelSize::small);
    if (!cases) {
        return refuse(cases.error());
    }
    // T-NLG's on the smallest ring, which is the paper's; else the first model's.
    const auto is_fc2 = [](const TensorCase& one) { return one.layer->name == "FC-2"; };
    auto of = std::ranges::find_if(*cases, [&](const TensorCase& one) {
        return is_fc2(one) && one.model == model_preset("t-nlg")->title;
    });
    of = of == cases->end() ? std::ranges::find_if(*cases, is_fc2) : of;
    const auto parts = all_reduce_times(of->gemm, inputs.hardware);
    if (!parts) {
        return refuse(parts.error());
    }
    const double every = parts->stage / samples_a_stage;
    const auto alone = gemm_alone(of->gemm, inputs.hardware, every);
    const auto in_turn = fused_fluid(of->gemm, inputs.hardware, MemoryPolicy::round_robin, every);
    const auto fair = fused_fluid(of->gemm, inputs.hardware, MemoryPolicy::communication_aware, every);
    if (!alone || !in_turn || !fair) {
        return refuse(!alone ? alone.error() : !in_turn ? in_turn.error() : fair.error());
    }
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    const double until = stages_shown * parts->stage;
    StudyResult result;
    result.panels = {traffic_panel(said("GEMM alone"), *alone, until),
                     traffic_panel(said("T3, round robin"), *in_turn, until),
                     traffic_panel(said("T3-MCA"), *fair, until)};
    result.table = {"DRAM over time",
                    {"run", "time_s", "GEMM reads_bytes", "GEMM writes_bytes", "reduce-scatter reads_bytes",
                     "reduce-scatter updates_bytes"},
                    {}};
    for (const auto& [name, run] :
         {std::pair("alone", &*alone), std::pair("T3", &*in_turn), std::pair("T3-MCA", &*fair)}) {
        for (const FluidSample& one : run->samples) {
            result.table.rows.push_back(
                {std::string(name), one.time, one.moved[0], one.moved[1], one.moved[2], one.moved[3]});
        }
    }
    const bool counted =
        as_counted(*in_turn, of->gemm, inputs.hardware) && as_counted(*fair, of->gemm, inputs.hardware);
    const bool ordered = alone->end <= fair->end && fair->end <= in_turn->end;
    result.orderings = {
        {"fig17-phases", counted && ordered,
         say("ends after {:.0f}, {:.0f} and {:.0f} µs; every stream moves what is counted: {}",
             1e6 * alone->end, 1e6 * fair->end, 1e6 * in_turn->end, counted ? said("yes") : said("no")),
         Reading::simulated}};
    result.finding = say("{}: the GEMM ends after {:.0f} µs alone; with its reduce-scatter both end after "
                         "{:.0f} µs, communication-aware, and {:.0f} µs by round robin",
                         text(*of), 1e6 * alone->end, 1e6 * fair->end, 1e6 * in_turn->end);
    result.note = said("The first twelve stages: reads next to computation, then a burst of writes. An "
                       "update takes the time of two writes and is drawn as two. The paper's caption says 4K "
                       "tokens, its Table 2 8K; 8K are run.");
    return result;
}

} // namespace

/// Figure 17: DRAM traffic of FC-2 of T-NLG on eight GPUs.
const Study dram_over_time_study{"t3-dram-over-time",
                                 "DRAM traffic over time",
                                 "When does a GEMM that feeds its reduce-scatter access memory?",
                                 "6.1.2, Figure 17",
                                 dram_over_time,
                                 {true, true, ClustersAsked::all},
                                 &t3_evaluation,
                                 Reading::simulated};

} // namespace meshslice
