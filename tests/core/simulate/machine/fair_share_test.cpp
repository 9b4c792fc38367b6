#include "core/simulate/machine/fair_share.h"

#include <gtest/gtest.h>

#include <map>

namespace meshslice {
namespace {

std::map<std::uint32_t, Time> ends(const std::vector<FairShare::Completion>& completions) {
    std::map<std::uint32_t, Time> by_flow;
    for (const FairShare::Completion& completion : completions) {
        by_flow[completion.flow] = completion.at;
    }
    return by_flow;
}

/// Links of 10 and 20 B/s; A crosses the first, B both, C the second. The first link gives A and B 5 B/s
/// each, so C has 15 left.
TEST(FairShare, FillsTheNarrowestLinkFirst) {
    FairShare links({10, 20});
    links.start(Time(0), 0, {{0}}, 50);
    links.start(Time(0), 1, {{0}, {1}}, 50);
    links.start(Time(0), 2, {{1}}, 150);
    EXPECT_EQ(ends(links.settle(Time(0))),
              (std::map<std::uint32_t, Time>{{0, seconds(10)}, {1, seconds(10)}, {2, seconds(10)}}));
    EXPECT_TRUE(links.settle(seconds(1)).empty());
}

/// Alone at 10 B/s for 2 s, then two at 5 B/s each, then alone again: 100 B take 2 + 4 + 6 s where the other
/// brings 20 B.
TEST(FairShare, ChangesRatesWhenFlowsComeAndGo) {
    FairShare link({10});
    link.start(Time(0), 7, {{0}}, 100);
    EXPECT_EQ(ends(link.settle(Time(0))), (std::map<std::uint32_t, Time>{{7, seconds(10)}}));
    link.start(seconds(2), 8, {{0}}, 20);
    EXPECT_EQ(ends(link.settle(seconds(2))),
              (std::map<std::uint32_t, Time>{{7, seconds(2 + 16)}, {8, seconds(2 + 4)}}));
    link.end(8);
    EXPECT_EQ(ends(link.settle(seconds(6))), (std::map<std::uint32_t, Time>{{7, seconds(12)}}));
}

/// The same links where no flow may have more than 6 B/s, so that C leaves 9 of its 15; where none may have
/// more than 4, no link is full. Where only A may have no more than 3, B has the other 7 of the first link
/// and C 13 of the second.
TEST(FairShare, HoldsAFlowToItsMost) {
    const auto together = [](double a, double b, double c) {
        FairShare links({10, 20});
        links.start(Time(0), 0, {{0}}, 60, a);
        links.start(Time(0), 1, {{0}, {1}}, 70, b);
        links.start(Time(0), 2, {{1}}, 130, c);
        return ends(links.settle(Time(0)));
    };
    using Ends = std::map<std::uint32_t, Time>;
    EXPECT_EQ(together(6, 6, 6), (Ends{{0, seconds(12)}, {1, seconds(14)}, {2, seconds(130.0 / 6)}}));
    EXPECT_EQ(together(4, 4, 4), (Ends{{0, seconds(15)}, {1, seconds(17.5)}, {2, seconds(32.5)}}));
    EXPECT_EQ(together(3, FairShare::unheld, FairShare::unheld),
              (Ends{{0, seconds(20)}, {1, seconds(10)}, {2, seconds(10)}}));
}

/// A memory of 30 B/s: a transfer that reads twice and writes once takes 3 of it for each byte, a core 1.
/// Both have the same rate where both want more: 30 / 4 = 7.5. A core that wants no more than 6 leaves 8 to
/// the transfer.
TEST(FairShare, WeighsWhatAFlowTakes) {
    const auto together = [](double core) {
        FairShare memory({30});
        memory.start(Time(0), 0, {{0, 3}}, 120);
        memory.start(Time(0), 1, {{0}}, 60, core);
        return ends(memory.settle(Time(0)));
    };
    using Ends = std::map<std::uint32_t, Time>;
    EXPECT_EQ(together(FairShare::unheld), (Ends{{0, seconds(16)}, {1, seconds(8)}}));
    EXPECT_EQ(together(6), (Ends{{0, seconds(15)}, {1, seconds(10)}}));
}

/// Two independent pairs of flows: only flows of the pair in which something changes get new rates. A third
/// pair is joined to the first by a memory that is wide enough for both.
TEST(FairShare, LeavesAloneWhoIsNotConcerned) {
    FairShare links({10, 10, 10, 100});
    links.start(Time(0), 0, {{0}, {3}}, 100, 10);
    links.start(Time(0), 1, {{1}}, 100);
    links.start(Time(0), 2, {{2}, {3}}, 100, 10);
    EXPECT_EQ(links.settle(Time(0)).size(), 3u);
    links.start(seconds(1), 3, {{0}}, 100);
    using Ends = std::map<std::uint32_t, Time>;
    EXPECT_EQ(ends(links.settle(seconds(1))), (Ends{{0, seconds(19)}, {3, seconds(21)}}));
    links.end(0);
    EXPECT_EQ(ends(links.settle(seconds(19))), (Ends{{3, seconds(20)}}));
}

} // namespace
} // namespace meshslice
