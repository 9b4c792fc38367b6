#include "core/execute/expert_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// 16 tokens a chip, two experts each: 32 rows of 4 numbers leave for 8 experts.
const ExpertLayer small_layer{.tokens = 16, .features = 4, .inner = 6, .experts = 8, .routed = 2};

std::int64_t sum_of(const std::vector<std::int64_t>& rows) {
    return std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
}

std::int64_t bytes_of(const std::vector<LinkTraffic>& links) {
    return std::accumulate(links.begin(), links.end(), std::int64_t{0},
                           [](std::int64_t sum, const auto& one) { return sum + one.bytes.value(); });
}

/// The result is that of the dense network, and what was moved is what the routes say.
void expect_as_dense_and_counted(const ExpertRun& run, const ExpertCount& counted, const std::string& what) {
    EXPECT_EQ(run.largest_error, 0) << what;
    EXPECT_GT(run.largest_value, 0) << what;
    EXPECT_EQ(run.dispatch, counted) << what;
    EXPECT_EQ(run.combine.sent, counted.received) << what;
    EXPECT_EQ(run.combine.received, counted.sent) << what;
    EXPECT_EQ(run.combine.leaving, counted.leaving) << what;
    EXPECT_EQ(run.combine.hops, counted.hops) << what;
}

TEST(ExpertLayer, EqualsTheDenseNetworkUnderEveryRouting) {
    const std::vector<Torus> tori = {
        Torus::create(std::vector<std::int32_t>{8}).value(),
        Torus::create(std::vector<std::int32_t>{4, 2}).value(),
        Torus::create(std::vector<std::int32_t>{2, 2, 2}).value(),
        Torus::create(std::vector<TorusAxis>{{.size = 4, .wraps = false}, {.size = 2, .wraps = false}})
            .value()};
    for (const TokenRouting routing : all_token_routings) {
        for (std::uint32_t seed = 1; seed <= 50; ++seed) {
            const TokenRoutes routes = route_tokens(small_layer, routing, 8, seed).value();
            const std::string what =
                "routing " + std::to_string(static_cast<int>(routing)) + ", seed " + std::to_string(seed);
            expect_as_dense_and_counted(run_experts(small_layer, routes, 8, seed),
                                        count_experts(small_layer, routes, 8), what + ", domain");
            for (const Torus& torus : tori) {
                const ExpertRun run = run_experts(small_layer, routes, torus, seed);
                const ExpertCount counted = count_experts(small_layer, routes, torus);
                expect_as_dense_and_counted(run, counted, what + ", " + mesh_text(torus));
                // Dispatch and combine, 4 numbers a row, 2 bytes each.
                EXPECT_EQ(bytes_of(run.links), 2 * counted.hops * 4 * 2) << what << mesh_text(torus);
            }
        }
    }
}

/// Of 32 rows that a chip of four has, 8 are for its own two experts, and 24 leave: 3/4, as (ep - 1) / ep.
TEST(ExpertLayer, EvenRoutingSendsAllButOneShareOfTheRows) {
    const TokenRoutes routes = route_tokens(small_layer, TokenRouting::even, 4, 7).value();
    const ExpertRun run = run_experts(small_layer, routes, 4, 7);
    EXPECT_EQ(run.dispatch.sent, std::vector<std::int64_t>(4, 24));
    EXPECT_EQ(run.dispatch.received, std::vector<std::int64_t>(4, 24));
    EXPECT_EQ(run.dispatch.leaving, 96);
    EXPECT_EQ(run.dispatch.worked, std::vector<std::int64_t>(8, 16)); // 4 x 32 rows over 8 experts
}

/// On a ring of four, a link carries the 8 rows for the neighbour and, over two hops each, half of the 8 for
/// the chip across: 16 rows, 128 bytes in dispatch and as many in combine.
TEST(ExpertLayer, EveryLinkOfARingCarriesTheSame) {
    const Torus ring = Torus::create(std::vector<std::int32_t>{4}).value();
    const TokenRoutes routes = route_tokens(small_layer, TokenRouting::even, 4, 7).value();
    const ExpertRun run = run_experts(small_layer, routes, ring, 7);
    ASSERT_EQ(run.links.size(), 8U);
    for (const LinkTraffic& one : run.links) {
        EXPECT_EQ(one.bytes.value(), 256);
    }
    EXPECT_EQ(run.dispatch.hops, 128);
}

/// The first two experts lie on the first chip: it keeps its 32 rows and gets those of the three others.
TEST(ExpertLayer, WorstRoutingSendsEverythingToOneChip) {
    const TokenRoutes routes = route_tokens(small_layer, TokenRouting::worst, 4, 7).value();
    const ExpertRun run = run_experts(small_layer, routes, 4, 7);
    EXPECT_EQ(run.dispatch.received, (std::vector<std::int64_t>{96, 0, 0, 0}));
    EXPECT_EQ(run.dispatch.sent, (std::vector<std::int64_t>{0, 32, 32, 32}));
    EXPECT_EQ(run.dispatch.worked, (std::vector<std::int64_t>{64, 64, 0, 0, 0, 0, 0, 0}));
}

TEST(ExpertLayer, SkewedRoutingPrefersTheFirstExperts) {
    const TokenRoutes routes = route_tokens(small_layer, TokenRouting::skewed, 4, 7).value();
    const ExpertCount counted = count_experts(small_layer, routes, 4);
    EXPECT_EQ(sum_of(counted.worked), 128);
    EXPECT_GT(counted.worked.front(), 2 * counted.worked.back());
    for (const std::vector<RoutedTo>& token : routes) {
        ASSERT_EQ(token.size(), 2U);
        EXPECT_NE(token[0].expert, token[1].expert);
    }
}

TEST(ExpertLayer, RefusesWhatCannotBeRouted) {
    EXPECT_EQ(route_tokens(small_layer, TokenRouting::even, 3, 1).error().sentence,
              "8 experts cannot be spread evenly over 3 chips.");
    ExpertLayer greedy = small_layer;
    greedy.routed = 9;
    EXPECT_EQ(route_tokens(greedy, TokenRouting::even, 4, 1).error().sentence,
              "A token cannot go to 9 experts; the layer has 8.");
}

} // namespace
} // namespace meshslice
