#pragma once

#include "core/explain/slower_part.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace meshslice {

/// What would change the bound: found by the closed form, of a healthy machine; other slices and a slower
/// part are tried out.
struct Remedies {
    /// The least whole percentage by which all links would have to be faster for the core to set the pace of
    /// the steady state: 0 where it does already. None where no link speed is enough, or there is no steady
    /// state.
    std::optional<std::int64_t> faster_links_percent;
    /// Such links, up to four times as fast as now, hide the transfers of the steady state in a simulation
    /// too: the core then waits for next to nothing in it.
    bool faster_links_hide_transfers = false;
    /// No link speed is enough because the launches and synchronizations of an axis alone last longer than
    /// the multiplications; otherwise because the parts wait for each other.
    bool overheads_outlast_compute = false;
    bool copies_slices = false; ///< among them: where chips are modelled tile by tile
    /// The slice count with the shortest estimate, where a simulation with it ends sooner than the given
    /// one's. None where a chip's memory holds the step with the given one and not with this.
    std::optional<std::int64_t> slices;
    Time time_with_slices; ///< of one copy, simulated
    bool slices_make_compute_set_the_pace = false;
    std::optional<SlowerPart> slower; ///< a slower part with which it ends sooner

    bool operator==(const Remedies&) const = default;
};

/// Whether the core sets the pace of the loop's steady state by the closed form: an iteration lasts as long
/// as its multiplications. False where there is no steady state.
[[nodiscard]] bool compute_sets_the_pace(const Program& program, const Machine& hardware,
                                         const Schedule& schedule, const Estimate& estimate);

/// For a GEMM of a step that was simulated for the scenario. Slice counts are tried only where the scenario
/// gives one (else the GEMM has the best already) and no faults, slower parts only without faults.
[[nodiscard]] Remedies remedies(const GemmResult& result, const Scenario& scenario,
                                const Algorithm& algorithm, const std::stop_token& stop = {});

} // namespace meshslice
