#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/papers/t3/runs/simulated_case.h"
#include "core/papers/t3/studies.h"
#include "core/simulate/engine/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace meshslice {
namespace {

constexpr std::array<std::int64_t, 6> megabytes = {6, 12, 24, 48, 96, 192}; // as in the paper
constexpr std::int64_t chips = 4;
/// Simulation and closed form are the same as long as nothing but the rounding of steps, to whole
/// picoseconds, is between them.
constexpr double most_rounding = 10e-12; // seconds

/// From the first to the last that the link does for the reduce-scatter of a run of "tp-ar".
Result<double> scatter_seconds(const AllReducedGemm& gemm, const Machine& hardware, Reduction reduction,
                               const RunControl& control) {
    const SimulatedCase one = on_its_ring(gemm, "tp-ar");
    const auto program = algorithm(one.algorithm).and_then([&](const Algorithm* of) {
        return of->write(one.shape, Dataflow::LS, one.torus, {});
    });
    if (!program) {
        return refuse(program.error());
    }
    Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
    schedule.reduction = reduction;
    const auto run = simulate(*program, hardware, schedule, {}, {control.stop, nullptr});
    if (!run) {
        return refuse(run.error());
    }
    std::optional<Time> begins;
    Time ends;
    for (std::size_t row = 0; row < (*run)->rows().size(); ++row) {
        for (const Interval& interval : (*run)->intervals(row)) {
            if (std::holds_alternative<ReduceScatter>(program->operations[interval.operation])) {
                begins = std::min(begins.value_or(interval.start), interval.start);
                ends = std::max(ends, interval.end);
            }
        }
    }
    return in_seconds(ends - begins.value_or(ends));
}

Result<StudyResult> reduce_scatter_alone(const StudyInputs& inputs, const RunControl& control) {
    ChartPanel panel{
        said("Ring reduce-scatter on 4 GPUs"), {said("MB of an array")}, {said("time"), ChartUnit::seconds}};
    struct Way {
        Reduction reduction;
        Role role, role_of_form;
        ChartSeries simulated, closed_form;
    };
    std::array<Way, 2> ways = {{{Reduction::by_units,
                                 Role::compute,
                                 Role::quietText,
                                 {said("added up by compute units, simulated")},
                                 {said("added up by compute units, closed form")}},
                                {Reduction::near_memory,
                                 Role::transferHorizontal,
                                 Role::transferVertical,
                                 {said("added up near memory, simulated")},
                                 {said("added up near memory, closed form")}}}};
    double apart = 0; // seconds
    for (const std::int64_t size : megabytes) {
        // Two bytes each; the GEMM before it hardly matters.
        const AllReducedGemm gemm{{size * 500, 1000, 1}, chips, DataType::bf16};
        const auto parts = all_reduce_times(gemm, inputs.hardware);
        if (!parts) {
            return refuse(parts.error());
        }
        for (Way& way : ways) {
            const auto run = scatter_seconds(gemm, inputs.hardware, way.reduction, control);
            if (!run) {
                return refuse(run.error());
            }
            const bool near = way.reduction == Reduction::near_memory;
            const double form = near ? parts->scatter_near_memory : parts->scatter;
            way.simulated.values.emplace_back(*run);
            way.closed_form.values.emplace_back(form);
            apart = std::max(apart, std::abs(*run - form));
        }
        panel.x.categories.push_back(fmt::to_string(size));
    }
    // Of the smallest array and the largest, µs.
    const auto first = [](const Way& way) { return 1e6 * way.simulated.values.front().value_or(0); };
    const auto last = [](const Way& way) { return 1e6 * way.simulated.values.back().value_or(0); };
    const std::string agreement =
        apart <= most_rounding ? say("simulation and closed form agree to {:.0f} ps", std::ceil(1e12 * apart))
                               : say("simulation and closed form are up to {:.3g} µs apart", 1e6 * apart);
    StudyResult result;
    result.finding =
        say("A reduce-scatter of 6 to 192 MB on 4 chips ({}) takes {:.1f} to {:.0f} µs added up by "
            "compute units and {:.1f} to {:.0f} µs near memory; {}",
            inputs.hardware.title, first(ways[0]), last(ways[0]), first(ways[1]), last(ways[1]), agreement);
    for (Way& way : ways) {
        way.simulated.role = way.role;
        way.closed_form.role = way.role_of_form;
        panel.series.push_back(std::move(way.simulated));
        panel.series.push_back(std::move(way.closed_form));
    }
    result.panels = {std::move(panel)};
    result.table = table("Reduce-scatter by itself", result.panels);
    result.note =
        say("In Figure 14 the paper's simulator is within 6% of what four MI210 take (geometric mean). The "
            "measured times are in a picture that is lost, so this study ({}) is held to its closed form "
            "instead.",
            inputs.hardware.title);
    return result;
}

} // namespace

/// Section 5.1.1, Figure 14: the arrays of the paper's validation, without what it measured.
const Study reduce_scatter_alone_study{
    "t3-rs-validation",
    "A reduce-scatter by itself",
    "How long does a reduce-scatter take, and does the simulator agree with the "
    "closed form?",
    "5.1.1, Figure 14",
    reduce_scatter_alone,
    {true, true, ClustersAsked::none},
    &t3_evaluation,
    Reading::simulated};

} // namespace meshslice
