#include "core/simulate/machine/fair_share.h"

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
/// more than 4, no link is full. Where only A may have no more than 3, B has the other 7 of the first link
/// and C 13 of the second.
TEST(FairShare, HoldsAFlowToItsMost) {
    const auto together = [](double a, double b, double c) {
        FairShare links({10, 20});
        links.start(Time(0), 0, {0}, 60, a);
        links.start(Time(0), 1, {0, 1}, 70, b);
        return ends(links.start(Time(0), 2, {1}, 130, c));
    };
    using Ends = std::map<std::uint32_t, Time>;
    EXPECT_EQ(together(6, 6, 6), (Ends{{0, seconds(12)}, {1, seconds(14)}, {2, seconds(130.0 / 6)}}));
    EXPECT_EQ(together(4, 4, 4), (Ends{{0, seconds(15)}, {1, seconds(17.5)}, {2, seconds(32.5)}}));
    EXPECT_EQ(together(3, FairShare::unheld, FairShare::unheld),
              (Ends{{0, seconds(20)}, {1, seconds(10)}, {2, seconds(10)}}));
}

} // namespace
} // namespace meshslice
