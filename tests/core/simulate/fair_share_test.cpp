#include "core/simulate/fair_share.h"

#include <gtest/gtest.h>

#include <map>

namespace meshslice {
namespace {

std::map<std::uint32_t, Time> ends(const std::vector<FairShare::Completion>& completions) {
    std::map<std::uint32_t, Time> by_flow;
    for (const auto& [flow, at] : completions) {
        by_flow[flow] = at;
    }
    return by_flow;
}

/// Links of 10 and 20 B/s; A crosses the first, B both, C the second. The first link gives A and B 5 B/s
/// each, so C has 15 left.
TEST(FairShare, FillsTheNarrowestLinkFirst) {
    FairShare links({10, 20});
    links.start(Time(0), 0, {0}, 50);
    links.start(Time(0), 1, {0, 1}, 50);
    EXPECT_EQ(ends(links.start(Time(0), 2, {1}, 150)),
              (std::map<std::uint32_t, Time>{{0, seconds(10)}, {1, seconds(10)}, {2, seconds(10)}}));
}

/// Alone at 10 B/s for 2 s, then two at 5 B/s each, then alone again: 100 B take 2 + 4 + 6 s where the other
/// brings 20 B.
TEST(FairShare, ChangesRatesWhenFlowsComeAndGo) {
    FairShare link({10});
    EXPECT_EQ(ends(link.start(Time(0), 7, {0}, 100)), (std::map<std::uint32_t, Time>{{7, seconds(10)}}));
    EXPECT_EQ(ends(link.start(seconds(2), 8, {0}, 20)),
              (std::map<std::uint32_t, Time>{{7, seconds(2 + 16)}, {8, seconds(2 + 4)}}));
    EXPECT_EQ(ends(link.end(seconds(6), 8)), (std::map<std::uint32_t, Time>{{7, seconds(12)}}));
}

/// The same links where no flow may have more than 6 B/s, so that C leaves 9 of its 15; where none may have
/// more than 4, no link is full.
TEST(FairShare, HoldsEveryFlowToTheMost) {
    FairShare some({10, 20}, 6);
    some.start(Time(0), 0, {0}, 50);
    some.start(Time(0), 1, {0, 1}, 50);
    EXPECT_EQ(ends(some.start(Time(0), 2, {1}, 150)),
              (std::map<std::uint32_t, Time>{{0, seconds(10)}, {1, seconds(10)}, {2, seconds(25)}}));
    FairShare all({10, 20}, 4);
    all.start(Time(0), 0, {0}, 40);
    all.start(Time(0), 1, {0, 1}, 40);
    EXPECT_EQ(ends(all.start(Time(0), 2, {1}, 40)),
              (std::map<std::uint32_t, Time>{{0, seconds(10)}, {1, seconds(10)}, {2, seconds(10)}}));
}

} // namespace
} // namespace meshslice
