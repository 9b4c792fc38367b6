#pragma once

#include "core/base/result.h"
#include "core/count/count.h"
#include "core/torus/torus.h"

#include <array>
#include <cstdint>
#include <vector>

namespace meshslice {

/// A feed-forward network of experts that is spread over chips. Chip c has the tokens c * tokens to
/// (c + 1) * tokens - 1 and the experts c * E / chips to (c + 1) * E / chips - 1. A token goes to `routed`
/// different experts; each makes relu(x W1) W2 of it, and the token's chip adds them up by their weights.
struct ExpertLayer {
    std::int64_t tokens = 1;   ///< of a chip
    std::int64_t features = 1; ///< columns of x, rows of W1
    std::int64_t inner = 1;    ///< columns of W1, rows of W2
    std::int64_t experts = 1;
    std::int64_t routed = 1; ///< experts of a token

    bool operator==(const ExpertLayer&) const = default;
};

/// How the router spreads the tokens.
enum class TokenRouting : std::uint8_t {
    even,   ///< each expert gets as many tokens of each chip, where they divide
    skewed, ///< expert e is chosen in proportion to 1 / (e + 1)
    worst   ///< all tokens go to the first `routed` experts
};
inline constexpr std::array all_token_routings = {TokenRouting::even, TokenRouting::skewed,
                                                  TokenRouting::worst};

/// An expert of a token, and how much its result counts.
struct RoutedTo {
    std::int64_t expert = 0;
    std::int64_t weight = 1;

    bool operator==(const RoutedTo&) const = default;
};
/// By token, of all chips.
using TokenRoutes = std::vector<std::vector<RoutedTo>>;

/// Refuses what does not divide: experts by chips, and more experts of a token than there are.
[[nodiscard]] Result<TokenRoutes> route_tokens(const ExpertLayer& layer, TokenRouting routing,
                                               std::int64_t chips, std::uint32_t seed);

/// What dispatch moves, counted from the routes alone; combine moves the same the other way. A row is the
/// `features` numbers of one token for one expert, and is sent once for each of its experts.
struct ExpertCount {
    std::vector<std::int64_t> sent;     ///< rows that leave a chip, by chip
    std::vector<std::int64_t> received; ///< rows that come to it from others
    std::vector<std::int64_t> worked;   ///< rows of an expert, by expert
    std::int64_t leaving = 0;           ///< of all chips
    std::int64_t hops = 0;              ///< links that they cross, all rows together; 0 in a domain

    bool operator==(const ExpertCount&) const = default;
};
/// In a domain, where a chip sends to each of the others.
[[nodiscard]] ExpertCount count_experts(const ExpertLayer& layer, const TokenRoutes& routes,
                                        std::int64_t chips);
/// On a torus: along one axis after the other, by the shorter way round a ring.
[[nodiscard]] ExpertCount count_experts(const ExpertLayer& layer, const TokenRoutes& routes,
                                        const Torus& torus);

/// What came of a layer's execution.
struct ExpertRun {
    double largest_value = 0;       ///< of the result: above 0, or equal results say nothing
    double largest_error = 0;       ///< against the same network on one device, of any number
    ExpertCount dispatch, combine;  ///< what was moved, row by row; `worked` is that of dispatch
    std::vector<LinkTraffic> links; ///< of both, two bytes an element; none in a domain
};

/// Executes the layer on whole numbers that `seed` chooses, so that all sums are exact: every chip has only
/// its tokens and the weights of its experts, and gets other rows only by dispatch and combine.
[[nodiscard]] ExpertRun run_experts(const ExpertLayer& layer, const TokenRoutes& routes, std::int64_t chips,
                                    std::uint32_t seed);
/// The same on a torus, whose rings move the rows hop by hop in the steps of RingSchedule::all_to_all.
[[nodiscard]] ExpertRun run_experts(const ExpertLayer& layer, const TokenRoutes& routes, const Torus& torus,
                                    std::uint32_t seed);

} // namespace meshslice
