#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace meshslice {

enum class RequestEnd {
    finished, ///< its last token is out
    refused,  ///< with its output it would never fit into the cache
    lost,     ///< every server that could take it is away for good
};

/// What became of a request. Times in seconds; -1: it never came to that.
struct RequestOutcome {
    double arrival = 0;
    double started = 0; ///< a step works on it for the first time
    double first = 0;   ///< its first token is out
    double last = 0;    ///< its last one is, or it was refused
    std::int64_t input = 0, output = 0;
    std::int64_t reused = 0;      ///< tokens of the prompt that were in the cache when it started
    std::int32_t server = -1;     ///< that put out the last token
    std::int32_t preemptions = 0; ///< for want of room
    std::int32_t restarts = 0;    ///< after a server failed
    RequestEnd end = RequestEnd::lost;

    [[nodiscard]] double queue() const { return started - arrival; }
    [[nodiscard]] double ttft() const { return first - arrival; }
    [[nodiscard]] double e2e() const { return last - arrival; }
    /// Of a request with one token out: 0.
    [[nodiscard]] double tpot() const {
        return output > 1 ? (last - first) / static_cast<double>(output - 1) : 0;
    }

    bool operator==(const RequestOutcome&) const = default;
};

/// What was on a server for a time: one step with prompts, or equal steps that only decode.
struct ServerStretch {
    double start = 0, end = 0; ///< s
    std::int32_t server = 0;
    std::int32_t steps = 1;
    std::int64_t decoding = 0;      ///< requests
    std::int64_t prompt_tokens = 0; ///< 0: decodes only
    std::int32_t prompts = 0;
    double prompt_keys = 0, cached = 0; ///< that prompts and requests that decode see in the first step

    bool operator==(const ServerStretch&) const = default;
};

/// What a request does, or waits for.
enum class RequestStage : std::uint8_t {
    waiting,   ///< for a step to begin with its prompt, or for room where it decodes
    prefill,   ///< parts of its prompt are computed
    decode,    ///< it gets its tokens
    preempted, ///< it had to go for want of room, and waits to come back
    transfer,  ///< its cache goes over to the server that decodes
};
/// A request in one stage, on the server that it waits for or is at work on.
struct RequestStretch {
    double start = 0, end = 0; ///< s
    std::int64_t request = 0;  ///< in ServingResult::requests
    std::int32_t server = -1;
    RequestStage stage = RequestStage::waiting;

    bool operator==(const RequestStretch&) const = default;
};

/// A cache on its way from a server of prompts to one that decodes.
struct TransferStretch {
    double start = 0, end = 0; ///< s
    std::int32_t from = 0, to = 0;
    std::int64_t tokens = 0;

    bool operator==(const TransferStretch&) const = default;
};

/// What a server did.
struct ServerTotals {
    double busy = 0;                                            ///< s in steps
    double alive = 0;                                           ///< s it was there
    double starting = 0;                                        ///< s more that it took to start
    std::int64_t steps = 0, prompt_steps = 0, decode_steps = 0; ///< a step may be of both kinds
    std::int64_t prompt_tokens = 0, output_tokens = 0; ///< computed, again after a preemption too; put out
    double decode_batch = 0;                           ///< requests that decoded, summed over the steps
    std::int64_t most_cache = 0;                       ///< tokens in whole pages, at most

    bool operator==(const ServerTotals&) const = default;
};

/// Everything that happened.
struct ServingResult {
    std::vector<RequestOutcome> requests; ///< in the order of their arrival
    std::vector<ServerTotals> servers;    ///< through the pools
    std::vector<ServerStretch> stretches; ///< by end; up to ServingOptions::most_stretches
    std::vector<TransferStretch> transfers;
    std::vector<RequestStretch> stages; ///< by end, as many
    std::int64_t stretches_left_out = 0, stages_left_out = 0;
    double begin = 0, end = 0; ///< s: first arrival; where the last request ended or was lost

    bool operator==(const ServingResult&) const = default;
};

/// What times are asked of a service; infinity: not asked.
struct ServiceGoal {
    double ttft = std::numeric_limits<double>::infinity(); ///< s, for each of these
    double tpot = std::numeric_limits<double>::infinity();
    double e2e = std::numeric_limits<double>::infinity();

    bool operator==(const ServiceGoal&) const = default;
};

/// Of a time over requests, in seconds. A percentile between two requests lies straight between them.
struct TimeSpread {
    double mean = 0, p50 = 0, p95 = 0, p99 = 0, most = 0;

    bool operator==(const TimeSpread&) const = default;
};

/// What servers put out while they are neither filling up nor running empty: from the end of the first
/// request that finished to the arrival of the last one.
struct SteadyRates {
    double from = 0, to = 0; ///< s; equal where no request ended before the last one came
    double tokens_per_s = 0; ///< the tokens after the first one of a request taken as evenly spread
    double requests_per_s = 0;

    [[nodiscard]] bool any() const { return to > from; }
    bool operator==(const SteadyRates&) const = default;
};

struct ServingSummary {
    std::int64_t requests = 0, finished = 0, refused = 0, lost = 0;
    TimeSpread queue, ttft, tpot, e2e; ///< of finished requests; tpot of those with two tokens or more
    double seconds = 0;                ///< from first arrival to last token
    double requests_per_s = 0, tokens_per_s = 0;
    SteadyRates steady = {};
    double good_share = 0, good_per_s = 0; ///< finished within the goal: of all requests, and in a second
    double utilization = 0;                ///< share of the time that servers are in steps
    double decode_batch = 0;               ///< mean of the steps that decode
    std::int64_t steps = 0, preemptions = 0, restarts = 0;
    double reused_share = 0; ///< of the prompts' tokens, found in a cache
    /// The queue grows as long as requests come, so that means say how many were simulated and nothing else.
    bool saturated = false;

    bool operator==(const ServingSummary&) const = default;
};

/// Leaves out the first `skipped` requests, where the servers were still empty.
[[nodiscard]] ServingSummary summarize(const ServingResult& result, const ServiceGoal& goal = {},
                                       std::int64_t skipped = 0);

/// A queue that grows at a steady rate is 5/3 as long in the last third of the requests as in the middle one;
/// one that does not is as long in both, and is empty now and then. So: it grew by more than 4/3, and in the
/// last third every request had to wait.
[[nodiscard]] bool queue_grows(const ServingResult& result);

} // namespace meshslice
