#include "core/base/say.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <array>

namespace meshslice {
namespace {

constexpr std::array<std::int64_t, 5> rings = {4, 8, 16, 32, 64};

Result<StudyResult> near_memory(const StudyInputs& inputs, const RunControl& control) {
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    const auto cases = tensor_cases(inputs, ModelSize::small);
    if (!cases) {
        return refuse(cases.error());
    }
    ChartPanel panel{said("Ring reduce-scatter"),
                     {said("chips")},
                     {said("speed-up by near-memory reduction"), ChartUnit::ratio}};
    panel.y.low = 1;
    panel.x.where = "on {} chips";
    StudyResult result;
    bool falls = true, last_step_only = true;
    const TensorCase& of = cases->front(); // arrays of other sizes gain alike, except for the latency
    ChartSeries series{of.model, SeriesKind::line};
    series.role = Role::compute;
    double before = 10;
    for (const std::int64_t chips : rings) {
        AllReducedGemm gemm = of.gemm;
        gemm.chips = chips;
        const auto parts = all_reduce_times(gemm, inputs.hardware);
        if (!parts) {
            return refuse(parts.error());
        }
        const double gain = parts->scatter / parts->scatter_near_memory;
        const double last =
            3 * gemm.chunk_bytes() /
            (inputs.hardware.hbm_bandwidth.value.value() * inputs.hardware.stores().reduction_share.value);
        falls = falls && gain < before;
        last_step_only = last_step_only && parts->scatter - parts->scatter_near_memory < last * (1 + 1e-9);
        before = gain;
        series.values.emplace_back(gain);
        if (chips == 8 || chips == 16) {
            result.claims.push_back(
                outcome(t3_paper(), fmt::format("nmc-rs-tp{}", chips), gain, Reading::estimated));
        }
    }
    panel.series = {std::move(series)};
    for (const std::int64_t chips : rings) {
        panel.x.categories.push_back(fmt::to_string(chips));
    }
    result.panels = {std::move(panel)};
    result.table = table("Reduce-scatter by near-memory reduction", result.panels);
    result.orderings = {
        {"nmc-only-final", last_step_only && falls,
         say("what is saved is the last, local sum on every ring, so the gain falls with the ring: {}",
             falls ? said("yes") : said("no")),
         Reading::estimated}};
    result.finding =
        say("Near-memory reduction makes a reduce-scatter {:.1f}% faster on 8 GPUs and {:.1f}% on 16",
            100 * (result.claims[0].ours - 1), 100 * (result.claims[1].ours - 1));
    result.note = said("The share of the bandwidth that a reduction by compute units reaches is fitted to "
                       "these two numbers.");
    return result;
}

} // namespace

/// Section 6.1.1: a reduce-scatter by itself, summed up by compute units and near memory.
const Study near_memory_study{"t3-near-memory",
                              "Near-memory reduction",
                              "How much faster is a reduce-scatter that memory sums up by itself?",
                              "6.1.1",
                              near_memory,
                              {true, true, ClustersAsked::none},
                              &t3_evaluation,
                              Reading::estimated};

} // namespace meshslice
