#include "core/base/say.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

/// The collective's compute units; the GEMM has the others. How much longer an all-reduce takes on them is
/// the paper's own number.
constexpr std::array<std::int64_t, 2> collectives_units = {8, 16};
constexpr std::array<const char*, 2> printed_slow_downs = {"fig6-ar-slowdown-8", "fig6-ar-slowdown-16"};

/// On so many compute units, with all of the links: its memory accesses go no faster than they do.
double all_reduce_on(const AllReducedGemm& gemm, const Machine& hardware, std::int64_t units) {
    const double by_units = static_cast<double>(units) * hardware.stores().unit_bandwidth.value.value();
    const double memory = hardware.hbm_bandwidth.value.value();
    const double chunk = gemm.chunk_bytes();
    const auto steps = static_cast<double>(gemm.chips - 1);
    const auto step = [&](double accesses) {
        return std::max(chunk / hardware.network.link_bandwidth(0).value(),
                        accesses * chunk / std::min(memory, by_units)) +
               in_seconds(hardware.stores().link_flight.value);
    };
    const double last = 3 * chunk / std::min(memory * hardware.stores().reduction_share.value, by_units);
    return step(2) + (steps - 1) * step(3) + last + steps * step(2);
}

double gemm_on(const AllReduceTimes& parts, const Machine& hardware, std::int64_t units) {
    const double faster = static_cast<double>(units) / static_cast<double>(hardware.cores.value);
    return parts.compute / faster + (parts.gemm - parts.compute);
}

Result<StudyResult> unit_split(const StudyInputs& inputs, const RunControl& control) {
    const std::int64_t units = inputs.hardware.cores.value;
    if (units <= collectives_units.back()) {
        return refuse(say("{} has {} compute units; expected more than {}.", inputs.hardware.title, units,
                          collectives_units.back()));
    }
    auto cases = tensor_cases(inputs, ModelSize::small);
    if (!cases) {
        return refuse(cases.error());
    }
    const std::int64_t ring =
        std::ranges::min(*cases, {}, [](const TensorCase& one) { return one.gemm.chips; }).gemm.chips;
    std::vector<double> ideal, slower_gemm;
    std::array<std::vector<double>, collectives_units.size()> split, split_by_bandwidth, slower_collective;
    for (const TensorCase& one : *cases) {
        const std::string_view layer = one.layer->name;
        if (one.gemm.chips != ring || (layer != "OP" && layer != "FC-2")) {
            continue;
        }
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const auto parts = all_reduce_times(one.gemm, inputs.hardware);
        if (!parts) {
            return refuse(parts.error());
        }
        const double alone = all_reduce_on(one.gemm, inputs.hardware, units);
        ideal.push_back((parts->gemm + alone) / std::max(parts->gemm, alone));
        for (std::size_t k = 0; k < split.size(); ++k) {
            const double product = gemm_on(*parts, inputs.hardware, units - collectives_units[k]);
            const double collective = all_reduce_on(one.gemm, inputs.hardware, collectives_units[k]);
            const double printed = *outcome(t3_paper(), printed_slow_downs[k], 0, Reading::estimated).paper;
            split[k].push_back((parts->gemm + alone) / std::max(product, printed * alone));
            split_by_bandwidth[k].push_back((parts->gemm + alone) / std::max(product, collective));
            slower_collective[k].push_back(collective / alone);
        }
        slower_gemm.push_back(gemm_on(*parts, inputs.hardware, units - collectives_units[1]) / parts->gemm);
    }
    const double best = geometric_mean(ideal);
    const double few = geometric_mean(split[0]), more = geometric_mean(split[1]);
    ChartPanel panel{say("TP {}", ring),
                     {said("compute units, GEMM and all-reduce")},
                     {said("speed-up over one after the other"), ChartUnit::ratio}};
    panel.y.low = 1;
    panel.x.categories = {said("ideal"), fmt::format("{}-8", units - 8), fmt::format("{}-16", units - 16)};
    panel.series = {
        {said("with the paper's slow-downs of the all-reduce"), SeriesKind::points, {best, few, more}},
        {said("by the bandwidth of a compute unit"),
         SeriesKind::points,
         {best, geometric_mean(split_by_bandwidth[0]), geometric_mean(split_by_bandwidth[1])}},
        {said("published")}};
    panel.series[0].role = Role::compute;
    panel.series[1].role = Role::transferHorizontal;
    panel.series[2].role = Role::text;
    panel.series[2].hollow = true;
    panel.series[2].source = t3_paper().citation;
    StudyResult result;
    const auto claim = [&](const char* id, double ours) {
        result.claims.push_back(outcome(t3_paper(), id, ours, Reading::estimated));
        return result.claims.back().paper;
    };
    panel.series[2].values = {claim("fig6-ideal", best), claim("fig6-72-8", few), claim("fig6-64-16", more)};
    claim("fig6-relative-72-8", few / best);
    claim("fig6-relative-64-16", more / best);
    claim("fig6-gemm-slowdown-64", geometric_mean(slower_gemm));
    for (std::size_t k = 0; k < printed_slow_downs.size(); ++k) {
        claim(printed_slow_downs[k], geometric_mean(slower_collective[k]));
    }
    result.panels = {std::move(panel)};
    result.table = table("Compute units split between GEMM and all-reduce", result.panels);
    result.orderings = {{"fig6-order", best > more && more > few && few > 1,
                         fmt::format("{:.2f}, {:.2f}, {:.2f}", best, more, few), Reading::estimated}};
    result.finding = say("Compute units of its own cost the collective's overlap: {:.2f}× and {:.2f}× with 8 "
                         "and 16 of them, {:.2f}× if they were free",
                         few, more, best);
    result.note = said(
        "Each runs alone on its compute units, as in the paper: memory contention is left out. How much "
        "longer "
        "an all-reduce takes on 8 and on 16 units is the paper's number, because one bandwidth of a compute "
        "unit, fitted to the first, gives 2% instead of 7% for the second. The paper's \"Attn.\" is read as "
        "OP.");
    return result;
}

} // namespace

/// Figure 6: what is left of an overlap when the collective takes compute units from the GEMM.
const Study unit_split_study{"t3-unit-split",
                             "Compute units for the collective",
                             "What does an overlap gain when the collective needs compute units of its own?",
                             "3.2.1, Figure 6",
                             unit_split,
                             {true, true, ClustersAsked::all},
                             &t3_evaluation,
                             Reading::estimated};

} // namespace meshslice
