#pragma once

#include "core/question/serve/replica.h"
#include "core/serve/step_times.h"

namespace meshslice {

/// What steps of a replica take, for a serving simulation: prompts and requests that decode, one after the
/// other in a step. `batch` of the replica does not matter; its lengths say how full the cache is in a step
/// in the middle, up to which decode steps are taken to be straight in it.
class ReplicaTimes final : public StepTimes {
  public:
    explicit ReplicaTimes(Replica replica);

    [[nodiscard]] double seconds(const StepLoad& load) const override;
    [[nodiscard]] DecodeLine decode_line(double batch) const override;

  private:
    Replica replica_;
    double context_ = 1024; ///< tokens, up to which a decode step is taken to be straight in its cache
};

} // namespace meshslice
