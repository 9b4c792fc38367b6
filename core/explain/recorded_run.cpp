#include "core/explain/recorded_run.h"

#include "core/base/say.h"

namespace meshslice {

Result<Conditions> recorded_conditions(const GemmResult& gemm, const std::string& algorithm,
                                       const StepConditions& made) {
    if (!gemm.timeline) {
        return refuse(say("The step was estimated, not simulated; only a simulation has a record."));
    }
    if (!gemm.program || gemm.program->operations.size() != gemm.timeline->operations().size()) {
        return refuse(say("The program of this run is not known."));
    }
    if (staged(made.assume.schedule, made.machine)) {
        return refuse(said("What waits for what is not known for GPUs yet."));
    }
    if (gemm.timeline->stored_intervals() > most_explained_intervals) {
        return refuse(say("The run recorded too many intervals to look into: {}; at most {}.",
                          gemm.timeline->stored_intervals(), most_explained_intervals));
    }
    if (algorithm.empty()) { // what the lab runs: a program that is not an algorithm of a scenario
        return conditions(gemm.program->torus, made.assume.faults);
    }
    return meshslice::algorithm(algorithm).and_then(
        [&](const Algorithm* known) { return conditions_on(made.mesh, made.assume.faults, *known); });
}

} // namespace meshslice
