#include "core/question/serve/replica/replica_times.h"

#include "core/evidence/inference/served_runs.h"

namespace meshslice {

double ReplicaTimes::step(const StepLoad& load) const {
    return step_seconds(replica_, batch_of(load));
}

} // namespace meshslice
