#pragma once

#include "core/base/run_control.h"
#include "core/machine/machine.h"
#include "core/question/serve/replica.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

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
};

/// With this split. Refuses heads that do not split, and what served_chip() does.
[[nodiscard]] Result<Replica> replica_of(const ServingAsked& asked, std::int64_t tensor);
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

    [[nodiscard]] double of(const ServedTimes& times) const;
    [[nodiscard]] bool met(const ServedTimes& times) const;
};
/// "ttft_p95<500ms,tpot<30ms"; refuses other quantities. Percentiles are taken as the quantity itself: all
/// requests of a static batch are alike.
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
