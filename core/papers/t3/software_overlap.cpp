#include "core/base/say.h"
#include "core/base/text.h"
#include "core/papers/t3/runs/simulated_case.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace meshslice {
namespace {

/// Of every GEMM and every collective. Assumed, from none to what a launch from the host takes at worst.
constexpr std::array software_launches = {Time(0), Time(2'000'000), Time(5'000'000), Time(10'000'000),
                                          Time(20'000'000)};
/// Compute units for the collective, as in Figure 6.
constexpr std::int64_t units_of_software = 8;

/// One ring by every way that there is, in seconds.
struct WaysOfOneRing {
    double sequential = 0, software = 0, software_on_units = 0, t3 = 0, t3_mca = 0;
};

Result<WaysOfOneRing> all_ways(const TensorCase& of, const Machine& hardware, Time launch,
                               const RunControl& control) {
    const Machine launched = with_launches(hardware, launch);
    SimulatedCase one = on_its_ring(of.gemm, "tp-ar");
    Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
    const auto parts = all_reduce_times(of.gemm, hardware);
    if (!parts) {
        return refuse(parts.error());
    }
    WaysOfOneRing ways;
    Result<void> failed;
    const auto run = [&](double& into, std::string_view algorithm, MemoryPolicy policy, std::int64_t units,
                         double gather) {
        if (!failed) {
            return;
        }
        one.algorithm = algorithm;
        schedule.arbitration = policy;
        schedule.units_for_communication = units;
        const auto time = simulated_seconds(one, launched, schedule, control);
        if (!time) {
            failed = refuse(time.error());
            return;
        }
        into = *time + gather;
    };
    // Wang's decomposition leaves every chip its share of the sum, which it has still to gather.
    const double gather = parts->gather + in_seconds(launch);
    run(ways.sequential, "tp-ar", MemoryPolicy::communication_aware, 0, 0);
    run(ways.software, "1d-tp", MemoryPolicy::communication_aware, 0, gather);
    run(ways.software_on_units, "1d-tp", MemoryPolicy::communication_aware, units_of_software, gather);
    run(ways.t3, "t3", MemoryPolicy::round_robin, 0, 0);
    run(ways.t3_mca, "t3", MemoryPolicy::communication_aware, 0, 0);
    return failed ? Result<WaysOfOneRing>(ways) : Result<WaysOfOneRing>(refuse(failed.error()));
}

Result<StudyResult> software_overlap(const StudyInputs& inputs, const RunControl& control) {
    if (inputs.hardware.cores.value <= units_of_software) {
        return refuse(say("{} has {} compute units; expected more than {}.", inputs.hardware.title,
                          inputs.hardware.cores.value, units_of_software));
    }
    const auto cases = tensor_cases(inputs, ModelSize::small);
    if (!cases) {
        return refuse(cases.error());
    }
    StudyResult result;
    double first_gain = 0, last_gain = 0; // of the software on the largest ring
    double first_t3 = 0, last_t3 = 0;
    const std::string model = cases->back().model;
    std::int64_t ring = 0;
    for (const TensorCase& one : *cases) {
        if (one.model != model || one.layer->name != "FC-2") {
            continue;
        }
        ring = one.gemm.chips;
        ChartPanel panel{say("{}, TP {}, {}", one.model, ring, one.layer->name),
                         {said("launch of a GEMM or a collective")},
                         {said("speed-up over one after the other"), ChartUnit::ratio}};
        const std::array<std::pair<std::string, Role>, 4> names = {
            {{said("1D TP step by step, then all-gather"), Role::transferVertical},
             {said("the same on 8 compute units"), Role::transferHorizontal},
             {said("T3"), Role::quietText},
             {said("T3-MCA"), Role::compute}}};
        for (const auto& [name, role] : names) {
            panel.series.push_back({name, SeriesKind::line});
            panel.series.back().role = role;
        }
        for (const Time launch : software_launches) {
            const auto ways = all_ways(one, inputs.hardware, launch, control);
            if (!ways) {
                return refuse(ways.error());
            }
            panel.x.categories.push_back(text(launch));
            panel.x.names.emplace_back(in_seconds(launch), text(launch));
            const std::array gains = {ways->software, ways->software_on_units, ways->t3, ways->t3_mca};
            for (std::size_t k = 0; k < gains.size(); ++k) {
                panel.series[k].values.emplace_back(ways->sequential / gains[k]);
            }
            last_gain = ways->sequential / ways->software;
            last_t3 = ways->sequential / ways->t3_mca;
            first_gain = launch == software_launches.front() ? last_gain : first_gain;
            first_t3 = launch == software_launches.front() ? last_t3 : first_t3;
        }
        result.panels.push_back(std::move(panel));
    }
    result.table = table("Software overlap against T3", result.panels);
    result.finding =
        say("On {} GPUs a software overlap gains {:.2f}× if launches are free and {:.2f}× with {} "
            "each; T3-MCA {:.2f}× and {:.2f}×",
            ring, first_gain, last_gain, text(software_launches.back()), first_t3, last_t3);
    result.note = said(
        "Simulated event by event; the paper has no such comparison. The software overlap is Wang's "
        "decomposition of 1D tensor parallelism: a partial GEMM and a SendRecv for every chunk, each "
        "launched, and the all-gather that leaves the sum on every chip as T3 does. Launch times are "
        "assumed, and the same for all. Its transfers share the memory with the GEMM by the same law "
        "as T3-MCA's. With 8 compute units the GEMM does without them and each SendRecv is as fast as they "
        "reach memory.");
    return result;
}

} // namespace

/// What hardware saves against doing the same in software, on the same ring.
const Study software_overlap_study{"t3-against-software",
                                   "Software overlap against T3",
                                   "What does T3 gain over an overlap that software launches step by step?",
                                   "3.2; its own comparison",
                                   software_overlap,
                                   {true, true, ClustersAsked::all},
                                   &t3_evaluation,
                                   Reading::simulated};

} // namespace meshslice
