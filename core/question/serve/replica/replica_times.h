#pragma once

#include "core/question/serve/replica/replica.h"
#include "core/serve/step_times.h"

#include <utility>

namespace meshslice {

/// What steps of a replica take, for a serving simulation: prompts and requests that decode, together in a
/// step. `batch` of the replica does not matter; its lengths say how full the cache is.
class ReplicaTimes final : public LawOfSteps {
  public:
    explicit ReplicaTimes(Replica replica)
        : LawOfSteps(replica.input, replica.output), replica_(std::move(replica)) {}

  private:
    [[nodiscard]] double step(const StepLoad& load) const override;

    Replica replica_;
};

} // namespace meshslice
