#include "core/explain/remedies.h"

#include "core/cost/operation_cost.h"
#include "core/explain/recorded_run.h"
#include "core/scenario/choices.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/path/critical_path.h"
#include "core/tune/tune.h"

#include <algorithm>

namespace meshslice {
namespace {

/// Faster links than these, a thousand times, are as good as no transfers at all.
constexpr std::int64_t most_percent = 100'000;

Machine with_faster_links(const Machine& hardware, std::int64_t percent) {
    Machine faster = hardware;
    for (int axis = 0; axis < faster.network.torus_axes(); ++axis) {
        Bandwidth& bandwidth = faster.network.torus_links(axis).bandwidth.value;
        bandwidth = Bandwidth(bandwidth.value() * (1 + static_cast<double>(percent) / 100));
    }
    return faster;
}

void try_faster_links(Remedies& found, const Program& program, const Scenario& scenario) {
    const auto enough = [&](std::int64_t percent) {
        const Machine faster = with_faster_links(scenario.hardware, percent);
        return compute_sets_the_pace(program, faster, scenario.assume.schedule,
                                     estimate(program, faster, scenario.assume.schedule));
    };
    if (!enough(most_percent)) {
        const Machine fastest = with_faster_links(scenario.hardware, most_percent);
        const Estimate by = estimate(program, fastest, scenario.assume.schedule);
        const auto& busy = by.busy;
        found.copies_slices = by.copy > Time(0);
        found.overheads_outlast_compute =
            *std::max_element(busy.begin(), busy.begin() + core_engine) > busy[core_engine];
        return;
    }
    std::int64_t too_slow = -1;
    std::int64_t fast_enough = most_percent;
    while (fast_enough - too_slow > 1) {
        const std::int64_t middle = too_slow + (fast_enough - too_slow) / 2;
        (enough(middle) ? fast_enough : too_slow) = middle;
    }
    found.faster_links_percent = fast_enough;
}

/// Links more than four times as fast are not a remedy: between two generations of chips it is about twice.
constexpr std::int64_t most_bought_percent = 300;
/// What of a run's time the core may still wait in the steady state where its transfers are hidden.
constexpr double hidden_but_for = 0.005;

/// Whether faster links do what the closed form says: of a few iterations it knows less.
void try_whether_they_hide(Remedies& found, const Program& program, const Scenario& scenario,
                           const std::stop_token& stop) {
    const std::int64_t percent = found.faster_links_percent.value_or(0);
    const Schedule& schedule = scenario.assume.schedule;
    if (percent == 0 || percent > most_bought_percent || staged(schedule, scenario.hardware)) {
        return;
    }
    const Machine faster = with_faster_links(scenario.hardware, percent);
    const auto run = simulate(program, faster, schedule, {}, {stop, nullptr});
    if (!run || (*run)->stored_intervals() > most_explained_intervals) {
        return;
    }
    const CriticalPath path = critical_path(program, faster, schedule, {}, **run, {stop});
    const Time waits = path.exposed[static_cast<std::size_t>(Phase::steady)].total();
    found.faster_links_hide_transfers = ratio(waits, (*run)->end()) <= hidden_but_for;
}

/// Whether the slices need more memory than a chip has, where those of the scenario do not.
bool no_longer_fits(const Scenario& scenario, const Algorithm& algorithm, std::int64_t slices,
                    const std::stop_token& stop) {
    const auto fits = [&](const Scenario& one) {
        const auto step = estimated_step(one, std::string(algorithm.id), {}, stop);
        return step && step->fits();
    };
    Scenario other = scenario;
    other.plan.slices = slices;
    return !fits(other) && fits(scenario);
}

} // namespace

bool compute_sets_the_pace(const Program& program, const Machine& hardware, const Schedule& schedule,
                           const Estimate& estimate) {
    if (program.iterations < 2) {
        return false;
    }
    Time multiplies;
    Time alone; // what the core would be busy if nothing else used its memory
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (place(program.operations[id]) == Place::core) {
            const Time once = operation_cost(program, program.operations[id], hardware, schedule).total();
            multiplies += program.in_loop(id) ? once : Time(0);
            alone += once * program.runs(id);
        }
    }
    // In every further iteration the multiplications share the memory with what the links do.
    const Time shared = estimate.busy[core_engine] - alone;
    multiplies += Time(shared.value() / (program.iterations - 1));
    return multiplies > Time(0) && estimate.steady <= multiplies;
}

Remedies remedies(const GemmResult& result, const Scenario& scenario, const Algorithm& algorithm,
                  const std::stop_token& stop) {
    Remedies found;
    try_faster_links(found, *result.program, scenario);
    if (scenario.assume.faults.none()) {
        try_whether_they_hide(found, *result.program, scenario, stop);
        found.slower = slower_part({&result}, scenario, stop);
    }
    if (!takes(algorithm, OptionId::slices) || !scenario.plan.slices || !scenario.assume.faults.none()) {
        return found;
    }
    const Torus& torus = result.program->torus;
    const GemmOptions given = gemm_options(scenario);
    const auto best = best_options(algorithm, result.gemm.shape, result.gemm.dataflow, torus, given,
                                   std::nullopt, scenario.hardware, scenario.assume.schedule);
    if (!best || best->slices == result.options.slices) {
        return found;
    }
    const auto program = algorithm.write(result.gemm.shape, result.gemm.dataflow, torus, *best);
    if (!program) {
        return found;
    }
    const Estimate other = estimate(*program, scenario.hardware, scenario.assume.schedule);
    if (other.total >= result.estimate.total || no_longer_fits(scenario, algorithm, best->slices, stop)) {
        return found;
    }
    // The closed form may be off by more than that.
    const auto run = simulate(*program, scenario.hardware, scenario.assume.schedule, {}, {stop, nullptr});
    if (run && (*run)->end() < result.timeline->end()) {
        found.slices = best->slices;
        found.time_with_slices = (*run)->end();
        found.slices_make_compute_set_the_pace =
            compute_sets_the_pace(*program, scenario.hardware, scenario.assume.schedule, other);
    }
    return found;
}

} // namespace meshslice
