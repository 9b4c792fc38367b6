#pragma once

#include "core/evidence/inference/inference_rows.h"
#include "core/serve/step_times.h"

#include <map>
#include <vector>

namespace meshslice {

/// A step of the simulation, as the law of a step takes it.
[[nodiscard]] inline StepBatch batch_of(const StepLoad& load) {
    return {load.prompt_tokens, load.prompt_keys, load.prompts,
            load.prompts_ended, load.decoding,    load.cached};
}

/// The law of a step, as a simulation of requests asks for it.
class LawStepTimes final : public LawOfSteps {
  public:
    LawStepTimes(const InferenceAsked& asked, const InferenceValues& values)
        : LawOfSteps(asked.input, asked.output), asked_(asked), values_(values) {}

  private:
    [[nodiscard]] double step(const StepLoad& load) const override;

    InferenceAsked asked_;
    InferenceValues values_;
};

/// Tokens that fit into the cache of a replica, next to weights and what runtime and links take, in so large
/// a share of the memory.
[[nodiscard]] double cache_room(const InferenceAsked& asked, double share, const InferenceValues& values);

/// Results of a row whose requests come one by one: clients that each wait for their last token, or all at
/// once. All clients start together, and there are ten requests for each, fewer from 400 clients on.
[[nodiscard]] InferenceResults served_results(const InferenceRow& row, const InferenceValues& values);

/// The same without simulation, of clients: a steady state in which each request sees the others' prompts
/// come once. For fits, which ask often.
[[nodiscard]] InferenceResults steady_results(const InferenceRow& row, const InferenceValues& values);

/// Results of rows, where those of a log are requests of one simulated run.
class RunResults {
  public:
    [[nodiscard]] InferenceResults of(const InferenceRow& row, const InferenceValues& values);

  private:
    std::map<const ReplayedLog*, std::vector<InferenceResults>> logs_;
};

} // namespace meshslice
