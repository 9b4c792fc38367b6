#pragma once

#include "core/base/run_control.h"
#include "core/machine/machine.h"
#include "core/question/serve/replica/replica.h"
#include "core/serve/deployment.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// So many times the numbers of the chip's data sheet.
struct SheetScale {
    double arithmetic = 1, memory_rate = 1, memory = 1, links = 1;
};

/// A deployment on a machine, before its split is known.
struct ServingAsked {
    ServedModel model;
    Machine machine;
    std::string engine;
    Efficiency efficiency = Efficiency::measured;
    std::int64_t chips = 0;  ///< in all; 0: those of one replica
    std::int64_t tensor = 0; ///< of a replica; 0: the fewest that hold it
    std::int64_t batch = 1, input = 1, output = 1;
    double weight_bytes = 2, cache_bytes = 2;
    std::int64_t bits = 16;
    bool integers = false;     ///< weights are whole numbers
    bool bits_are_said = true; ///< else the weights say how they are multiplied
    std::int64_t data = 1, stages = 1;
    /// Of ServingLayout; 1: not so. With `weights_across`, `tensor` is said.
    std::int64_t weights_across = 1, cache_across = 1, context = 1;
    std::int64_t expert_groups = 0; ///< 0: one for each chip where `data` is more than one, else one
    std::int64_t drafts = 0;        ///< tokens that a step checks for each request besides its own
    double acceptance = 0;          ///< share of the drafts that are taken; 0: as fitted
    double shared = 0;              ///< share of a prompt that others begin with too
    std::int64_t prefixes = 1;      ///< such beginnings, each as frequent
    std::int64_t prefill_chips = 0, decode_chips = 0; ///< of pools for one phase each; 0: one for both
    Routing routing = Routing::least_loaded;

    double fail_every = 0;      ///< s between failures of a server; 0: none
    std::int64_t autoscale = 0; ///< servers at most; 0: as many as there are
    double start_delay = 60;    ///< s

    SheetScale scale = {};

    [[nodiscard]] bool apart() const { return prefill_chips > 0; }
    /// Chips of a replica with so many that a request attends on.
    [[nodiscard]] std::int64_t replica_chips(std::int64_t tensor) const {
        return tensor * data * stages * context;
    }
    [[nodiscard]] ServingLayout layout(std::int64_t tensor) const {
        return {tensor, weights_across, std::max(weights_across, cache_across), context};
    }
};

/// Tokens that a request puts out in a step that checks so many drafts, each of which is taken with this
/// probability if the one before it was (Leviathan et al., arXiv:2211.17192, equation 1).
[[nodiscard]] double accepted_tokens(double drafts, double acceptance);
/// The acceptance that makes so many tokens of so many drafts.
[[nodiscard]] double acceptance_of(double drafts, double accepted);

/// With this split. Refuses heads that do not split, and what served_chip() does.
[[nodiscard]] Result<Replica> replica_of(const ServingAsked& asked, std::int64_t tensor);
/// The most chips that share weights without being asked to: those that one switch joins, or of a torus 256.
[[nodiscard]] std::int64_t widest_split(const Machine& machine);
/// The splits that may be chosen: powers of two that divide chips and heads, up to those of a unit.
[[nodiscard]] std::vector<std::int64_t> possible_splits(const ServingAsked& asked);
/// As asked, or the smallest that fits; where none does, the largest.
[[nodiscard]] Result<Replica> chosen_replica(const ServingAsked& asked);

/// What a static batch comes to.
struct ServedTimes {
    double ttft = 0, tpot = 0;  ///< s
    double e2e = 0;             ///< s
    double per_chip = 0;        ///< tokens/s put out by a chip, prefill and decode in turn
    double per_user = 0;        ///< tokens/s of a request while it decodes
    double decode_per_chip = 0; ///< tokens/s of a chip that decodes alone
    double prompt_per_chip = 0; ///< prompts' tokens/s of a chip that prefills alone

    /// Requests/s that a replica prefills, or decodes, when it does nothing else.
    double prefilled = 0, decoded = 0;
};
[[nodiscard]] ServedTimes served_times(const Replica& one);

/// One choice of split and batch.
struct ServingPoint {
    std::int64_t tensor = 1, batch = 1;
    ServedTimes times;
    double memory = 0; ///< bytes of a chip
    bool fits = true;
    bool best = false; ///< no other that fits has more of both tokens/s of a chip and of a user
};
/// All possible splits, or the asked one, over batches up to what fits and a half more. Refused where no
/// split can be had.
[[nodiscard]] Result<std::vector<ServingPoint>> serving_frontier(const ServingAsked& asked,
                                                                 const RunControl& control);

/// "ttft<500ms": one of a goal's conditions.
struct ServingLimit {
    std::string quantity; ///< "ttft", "tpot", "e2e" in s; "tokens_per_s_per_user"
    bool below = true;
    double value = 0;
    int percentile = 0; ///< of requests that come in time: 50, 95, 99; 0: not said

    [[nodiscard]] double of(const ServedTimes& times) const;
    [[nodiscard]] bool met(const ServedTimes& times) const;
};
/// "ttft_p95<500ms,tpot<30ms"; refuses other quantities. Percentiles mean nothing for a static batch, whose
/// requests are all alike.
[[nodiscard]] Result<std::vector<ServingLimit>> parse_goal(const std::string& words);

/// The fewest chips of a replica that meet a goal, with the batch of most tokens/s; and the next split.
struct ServingAdvice {
    std::vector<ServingPoint> meeting; ///< the best of each split that meets it, the cheapest first
    ServingPoint nearest;              ///< where none does: the one that misses by the smallest factor
    std::string missed;                ///< its quantity
};
[[nodiscard]] ServingAdvice serving_advice(const std::vector<ServingPoint>& points,
                                           const std::vector<ServingLimit>& limits);

} // namespace meshslice
