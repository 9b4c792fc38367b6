#pragma once

#include "core/base/run_control.h"
#include "core/question/serve/frontier.h"
#include "core/question/serve/replica/layout.h"
#include "core/question/serve/replica/replica.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// A step of one phase under a layout, of all requests on all chips: the same for each layout.
struct SharedStep {
    ServingLayout layout;
    std::int64_t replicas = 1;
    double batch = 1; ///< requests of a replica
    ServedOperations costs = {};
    double seconds = 0;
    double per_chip = 0; ///< tokens/s: of prompts, or put out
    double memory = 0;   ///< bytes of a chip
    bool fits = true;
    ServedBound bound = ServedBound::compute;
};

/// Layouts of both phases, the quickest that fits first; what does not fit comes last.
struct ServingShardings {
    std::int64_t chips = 1;
    double requests = 1;
    std::vector<SharedStep> prefill, decode;
    /// Chips of a replica from which links take longer than arithmetic in a prefill, and than reading weights
    /// in a decode step, as the quickest 1D layouts have them; 0: no exchange.
    double prefill_limit = 0, decode_limit = 0;
};

/// All layouts of so many requests on so many chips: replicas of each possible split, each with its share of
/// the requests, whose tokens up to eight groups of chips may divide. Of replicas without groups of attention
/// and without stages.
[[nodiscard]] Result<ServingShardings> serving_shardings(const ServingAsked& asked, std::int64_t chips,
                                                         double requests, const RunControl& control);

/// Seconds that the links take in a layer for so many rows, by the machine's laws without what an engine
/// adds: 1D an all-reduce after attention and after the feed-forward network; 2D gathers and scatters of the
/// rows over one part of the chips and of the columns over the others.
struct LayerExchange {
    std::int64_t chips = 1;
    double one_dimension = 0, two_dimensions = 0; ///< s
    std::int64_t across = 1;                      ///< of the best 2D layout
};
/// Over the possible numbers of chips, of each that 2D can have; none but on a torus.
[[nodiscard]] Result<std::vector<LayerExchange>> layer_exchanges(const ServingAsked& asked, double rows);

} // namespace meshslice
