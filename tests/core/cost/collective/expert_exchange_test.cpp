// Copies of tokens on their way to experts, counted by hand and by routing every token that there can be.

#include "core/cost/collective/expert_exchange.h"
#include "core/execute/expert_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace meshslice::test {
namespace {

/// Four chips in two domains.
ChipGroup two_by_two() {
    ChipGroup group;
    group.chips = 4;
    group.within = {2, 4, 4, 4, 4};
    return group;
}
constexpr ExpertRouting two_of_four = {4, 2, 1, 1};

/// Of the six pairs of four experts two stand in one half and four in both.
TEST(ExpertExchange, APairOfExpertsStandsInFiveThirdsOfTwoHalves) {
    EXPECT_NEAR(units_of_token(two_of_four, 2), (2 * 1 + 4 * 2) / 6.0, 1e-12);
    EXPECT_NEAR(units_of_token(two_of_four, 4), 2, 1e-12);
    EXPECT_NEAR(units_of_token(two_of_four, 1), 1, 1e-12);
}

TEST(ExpertExchange, GroupsKeepATokenTogether) {
    EXPECT_NEAR(units_of_token({4, 2, 2, 1}, 2), 1, 1e-12); // both experts of one half
    EXPECT_NEAR(units_of_token({4, 2, 2, 1}, 4), 2, 1e-12);
    EXPECT_NEAR(units_of_token({4, 2, 4, 2}, 2), 5 / 3.0, 1e-12); // groups of one: as without
    // DeepSeek-V3: 8 of 256, of 4 of 8 groups; that none of 32 of these 128 is chosen: 96 / 128 x 95 / 127
    // ...
    double none = 1;
    for (int k = 0; k < 8; ++k) {
        none *= (96.0 - k) / (128 - k);
    }
    EXPECT_NEAR(units_of_token({256, 8, 8, 4}, 8), 4 * (1 - none), 1e-9);
}

TEST(ExpertExchange, DomainsAreLimitedByTheModelOrAsAsked) {
    ExpertExchange exchange;
    const ExpertRouting of_model = {256, 8, 8, 4};
    EXPECT_EQ(limited(of_model, exchange, 4), of_model);
    exchange.domains = 0;
    EXPECT_EQ(limited(of_model, exchange, 4), (ExpertRouting{256, 8, 1, 1}));
    exchange.domains = 2;
    EXPECT_EQ(limited(of_model, exchange, 4), (ExpertRouting{256, 8, 4, 2}));
    EXPECT_EQ(limited(of_model, exchange, 2), (ExpertRouting{256, 8, 1, 1})); // no limit
}

/// Once: 5/3 copies, half of them to the other domain, and half of what comes is handed on inside it. Each:
/// of two copies a quarter goes to the other chip of the domain, and a half to the other domain.
TEST(ExpertExchange, ATokenCrossesOnceOrOnceForEachExpert) {
    ExpertExchange exchange;
    const CopiesAcross once = copies_across(two_of_four, exchange, two_by_two(), 2);
    EXPECT_NEAR(once[0], 2 * 0.5, 1e-12);
    EXPECT_NEAR(once[1], 5 / 3.0 * 0.5, 1e-12);
    exchange.once = false;
    const CopiesAcross each = copies_across(two_of_four, exchange, two_by_two(), 2);
    EXPECT_NEAR(each[0], 2 * 0.25, 1e-12);
    EXPECT_NEAR(each[1], 2 * 0.5, 1e-12);
}

/// Every set of so many experts once, on each chip.
TokenRoutes all_routes(const ExpertLayer& layer, std::int64_t chips) {
    TokenRoutes of_chip;
    for (std::int64_t set = 0; set < (std::int64_t{1} << layer.experts); ++set) {
        std::vector<RoutedTo> route;
        for (std::int64_t expert = 0; expert < layer.experts; ++expert) {
            if ((set >> expert & 1) != 0) {
                route.push_back({expert, 1});
            }
        }
        if (static_cast<std::int64_t>(route.size()) == layer.routed) {
            of_chip.push_back(route);
        }
    }
    TokenRoutes all;
    for (std::int64_t chip = 0; chip < chips; ++chip) {
        all.insert(all.end(), of_chip.begin(), of_chip.end());
    }
    return all;
}

/// 8 chips in 4 domains of 2, 16 experts, 3 of them a token: 560 tokens a chip.
TEST(ExpertExchange, AnExecutedLayerMovesAsManyCopies) {
    const std::int64_t chips = 8, together = 2, experts = 16;
    const ExpertLayer layer{560, 1, 1, experts, 3};
    const TokenRoutes routes = all_routes(layer, chips);
    ASSERT_EQ(routes.size(), 560U * 8);
    ChipGroup group;
    group.chips = chips;
    group.within = {together, chips, chips, chips, chips};
    ExpertExchange exchange;
    // Counted apart from the formulas: the domains that a token has to cross to, and the chips there that are
    // not where it arrives, which is the place in its domain that its own chip has.
    double crossings = 0, handed_on = 0;
    for (std::size_t token = 0; token < routes.size(); ++token) {
        const std::int64_t home = static_cast<std::int64_t>(token) / layer.tokens;
        std::set<std::int64_t> domains, targets;
        for (const RoutedTo& route : routes[token]) {
            targets.insert(route.expert * chips / experts);
            domains.insert(route.expert * chips / experts / together);
        }
        domains.erase(home / together);
        crossings += static_cast<double>(domains.size());
        handed_on += static_cast<double>(std::ranges::count_if(
            targets, [&](std::int64_t chip) { return chip % together != home % together; }));
    }
    const CopiesAcross once = copies_across({experts, 3, 1, 1}, exchange, group, 2);
    EXPECT_NEAR(once[1], crossings / static_cast<double>(routes.size()), 1e-9);
    EXPECT_NEAR(once[0], handed_on / static_cast<double>(routes.size()), 1e-9);
    // One for each expert: what count_experts() says, and what was moved when it was executed.
    exchange.once = false;
    const CopiesAcross each = copies_across({experts, 3, 1, 1}, exchange, group, 2);
    const double sent = (each[0] + each[1]) * static_cast<double>(layer.tokens);
    EXPECT_NEAR(sent, static_cast<double>(count_experts(layer, routes, chips).sent.front()), 1e-6);
    EXPECT_NEAR(sent, static_cast<double>(run_experts(layer, routes, chips, 1).dispatch.sent.front()), 1e-6);
}

/// All tokens of four chips to the first two of four experts: chip 0 gets one from each token of its
/// neighbour, and one from each of two chips of the other domain.
TEST(ExpertExchange, TheWorstRoutingIsWhatAnExecutedLayerHas) {
    const ExpertLayer layer{10, 1, 1, 4, 2};
    const TokenRoutes routes = *route_tokens(layer, TokenRouting::worst, 4, 7);
    ExpertExchange exchange;
    exchange.once = false;
    exchange.fullest.reset();
    const CopiesAcross worst = copies_across(two_of_four, exchange, two_by_two(), 2);
    EXPECT_NEAR(worst[0], 1, 1e-12);
    EXPECT_NEAR(worst[1], 2, 1e-12);
    const ExpertCount counted = count_experts(layer, routes, 4);
    EXPECT_EQ(std::ranges::max(counted.received), 30);
    EXPECT_NEAR((worst[0] + worst[1]) * 10, 30, 1e-9);
    // Of 40 tokens with 2 experts each the mean chip has 20, and chip 0 has 40.
    EXPECT_NEAR(fullest_work(two_of_four, exchange, 4), 40.0 / 20, 1e-12);
    EXPECT_EQ(std::ranges::max(counted.worked), 40);
    // Once: the 40 tokens come to each chip, and half of them cross.
    exchange.once = true;
    EXPECT_NEAR(copies_across(two_of_four, exchange, two_by_two(), 2)[1], 2 * 0.5, 1e-12);
}

TEST(ExpertExchange, AFullerChipGetsSoMuchMoreAndNeverMoreThanTheWorst) {
    ExpertExchange exchange;
    exchange.fullest = 1.1;
    const CopiesAcross more = copies_across(two_of_four, exchange, two_by_two(), 2);
    EXPECT_NEAR(more[1], 1.1 * 5 / 6, 1e-12);
    EXPECT_NEAR(fullest_work(two_of_four, exchange, 4), 1.1, 1e-12);
    exchange.fullest = 100;
    EXPECT_NEAR(copies_across(two_of_four, exchange, two_by_two(), 2)[1], 1, 1e-12);
    EXPECT_NEAR(fullest_work(two_of_four, exchange, 4), 2, 1e-12);
}

TEST(ExpertExchange, Fp8HasAScaleForEach128Numbers) {
    ExpertExchange exchange;
    EXPECT_EQ(dispatch_bytes(exchange), 2);
    exchange.dispatch = DataType::fp8;
    EXPECT_EQ(128 * dispatch_bytes(exchange), 128 + 4);
}

/// Compute of 10 s takes 10 x 132/112 s on the cores that communication leaves it: longer than both one after
/// the other, where the exchange takes 1 s.
TEST(ExpertExchange, WhatHidesItGivesUpCores) {
    EXPECT_NEAR(not_hidden(2, 10), 10 * 132.0 / 112 - 10, 1e-12);
    EXPECT_EQ(not_hidden(1, 10), 1);
    EXPECT_NEAR(not_hidden(10, 2), 8, 1e-12);
    EXPECT_EQ(not_hidden(3, 0), 3);
    EXPECT_EQ(not_hidden(0, 5), 0);
}

} // namespace
} // namespace meshslice::test
