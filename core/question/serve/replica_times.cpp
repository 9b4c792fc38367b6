#include "core/question/serve/replica_times.h"

#include <algorithm>
#include <utility>

namespace meshslice {

ReplicaTimes::ReplicaTimes(Replica replica)
    : replica_(std::move(replica)), context_(middle_context(replica_)) {}

DecodeLine ReplicaTimes::decode_line(double batch) const {
    Replica one = replica_;
    one.batch = batch;
    const double none = step_seconds(one, ServedPhase::decode, 0);
    const double some = step_seconds(one, ServedPhase::decode, context_);
    return {none, std::max(some - none, 0.0) / (batch * context_)};
}

double ReplicaTimes::seconds(const StepLoad& load) const {
    const DecodeLine line = load.decoding > 0 ? decode_line(load.decoding) : DecodeLine();
    if (!(load.prompt_tokens > 0)) {
        return line.start + line.per_token * load.cached;
    }
    // All tokens of the step are rows of the same products: the weights are read once. As one prompt of so
    // many tokens, with the keys that its own ones see in place of all, and the cache that the others read
    // besides.
    Replica one = replica_;
    one.batch = 1;
    one.input = load.prompt_tokens + load.decoding;
    const ServedOperations costs = step_costs(one, ServedPhase::prefill, 0);
    const double keys = one.input * one.input / 2;
    double all = line.per_token * load.cached;
    for (const ServedOperation& cost : costs) {
        all += cost.name == "attention" ? cost.seconds * load.prompt_keys / keys : cost.seconds;
    }
    return all;
}

} // namespace meshslice
