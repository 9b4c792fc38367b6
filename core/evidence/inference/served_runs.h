#pragma once

#include "core/evidence/inference/inference_rows.h"
#include "core/serve/step_times.h"

#include <map>
#include <vector>

namespace meshslice {

/// The law of a step, as a simulation of requests asks for it.
class LawStepTimes final : public StepTimes {
  public:
    /// A decode step is taken as straight in the cached tokens between the prompt's and the whole request's.
    LawStepTimes(const InferenceAsked& asked, const InferenceValues& values)
        : asked_(asked), values_(values) {}

    [[nodiscard]] double seconds(const StepLoad& load) const override;
    [[nodiscard]] DecodeLine decode_line(double batch) const override;

  private:
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
