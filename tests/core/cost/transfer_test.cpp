// Bytes from chip to chip, and from all chips or their hosts to one.

#include "core/cost/transfer_words.h"
#include "core/sharding/shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>
#include <set>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const TransferTexts names = {"the slice", "from", "to", "the size", "PCIe", "the GEMM"};

Hardware preset(const char* name) {
    return hardware_preset(name).value();
}
TransferAsked asked(TransferTexts typed) {
    const auto read = read_transfer(typed, names);
    EXPECT_TRUE(read) << (read ? "" : read.error().error.sentence);
    return *read;
}
Transfer found(TransferTexts typed, const char* hardware = "tpu-v5e") {
    return transfer(asked(std::move(typed)), preset(hardware)).value();
}

/// How to Scale Your Model, chapter 2, question 5: bf16[8, 128, 8192] from corner to corner of a 4 x 4 of TPU
/// v5e. Six hops of a microsecond, and two links of 45 GB/s: 16777216 / 90e9 = 186.4 us.
TEST(TransferTest, FromCornerToCornerOfTheBook) {
    const Transfer one = found({"X=4,Y=4", "0,0", "3,3", "2*8*128*8192", "", ""});
    EXPECT_EQ(one.hops, 6);
    EXPECT_NEAR(one.latency, 6e-6, 1e-12);
    EXPECT_NEAR(one.seconds(), 6e-6 + 16777216 / 90e9, 1e-12);
    EXPECT_EQ(one.slowest().name, "links");
    ASSERT_EQ(one.routes.size(), 2u);
    EXPECT_THAT(one.routes[0], ElementsAre(ChipPlace{0, 0}, ChipPlace{1, 0}, ChipPlace{2, 0}, ChipPlace{3, 0},
                                           ChipPlace{3, 1}, ChipPlace{3, 2}, ChipPlace{3, 3}));
}

/// Question 6: int8[131072, 131072] in the hosts of a 4 x 4, gathered by a corner and multiplied by
/// bf16[8, 131072]: V / 16 / 15e9, 15/16 V / 90e9, V / 810e9 and 2 * 8 * 131072^2 / 1.97e14.
TEST(TransferTest, FromTheHostsOfTheBook) {
    const double all = 131072.0 * 131072;
    const Transfer one = found({"X=4,Y=4", "hosts", "0,0", "131072*131072", "15 GB/s", "8x131072x131072"});
    ASSERT_EQ(one.stages.size(), 4u);
    EXPECT_NEAR(one.stages[0].seconds, all / 16 / 15e9, 1e-9);
    EXPECT_NEAR(one.stages[1].seconds, all * 15 / 16 / 90e9, 1e-9);
    EXPECT_NEAR(one.stages[2].seconds, all / 810e9, 1e-9);
    EXPECT_NEAR(one.stages[3].seconds, 16 * all / 197e12, 1e-9);
    EXPECT_EQ(&one.slowest(), &one.stages[1]);
    // The opposite experiment: ten times the PCIe helps nothing, a tenth of it decides.
    EXPECT_EQ(found({"X=4,Y=4", "hosts", "0,0", "131072*131072", "150 GB/s", ""}).seconds(), one.seconds());
    EXPECT_EQ(found({"X=4,Y=4", "hosts", "0,0", "131072*131072", "1.5 GB/s", ""}).slowest().name,
              "PCIe of each chip");
}

/// A ring of 16 is closed: the way goes over its end, and the place across is reached both ways round.
TEST(TransferTest, GoesRoundRings) {
    EXPECT_EQ(found({"X=16,Y=16", "1,0", "15,0", "1 MB", "", ""}).hops, 2);
    EXPECT_EQ(found({"X=16,Y=16", "0,0", "8,0", "1 MB", "", ""}).routes.size(), 2u);
    EXPECT_EQ(found({"X=16,Y=16", "0,0", "8,8", "1 MB", "", ""}).routes.size(), 4u);
    EXPECT_EQ(found({"X=8,Y=8", "0,0", "7,0", "1 MB", "", ""}).hops, 7) << "an open line";
    EXPECT_EQ(found({"X=4,Y=4,Z=4", "0,0,0", "1,1,1", "1 MB", "", ""}, "tpu-v4").routes.size(), 3u);
}

/// Ways are shortest, share no link, and are as many as leave the source towards the target or reach it, if
/// no more than one of the axes has its other end across.
TEST(TransferTest, WaysAreShortestAndShareNoLink) {
    std::mt19937 random(7);
    const auto upto = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(0, most)(random);
    };
    const std::vector<std::vector<std::int64_t>> shapes = {{16, 16}, {16, 4}, {4, 8}, {2, 16}, {16, 3}};
    for (int k = 0; k < 300; ++k) {
        const std::vector<std::int64_t>& shape = shapes[static_cast<std::size_t>(k) % shapes.size()];
        TransferAsked one;
        one.slice.axes = {{'X', shape[0]}, {'Y', shape[1]}};
        one.bytes = 1e6;
        one.source = {upto(shape[0] - 1), upto(shape[1] - 1)};
        one.target = {upto(shape[0] - 1), upto(shape[1] - 1)};
        if (one.source == one.target) {
            continue;
        }
        const Transfer ways = transfer(one, preset("tpu-v5e")).value();
        std::set<std::pair<ChipPlace, ChipPlace>> used;
        for (const TransferRoute& route : ways.routes) {
            EXPECT_EQ(route.front(), one.source);
            EXPECT_EQ(route.back(), one.target);
            EXPECT_EQ(static_cast<std::int64_t>(route.size()), ways.hops + 1);
            for (std::size_t hop = 1; hop < route.size(); ++hop) {
                EXPECT_TRUE(used.emplace(route[hop - 1], route[hop]).second) << k;
                std::int64_t apart = 0;
                for (std::size_t axis = 0; axis < 2; ++axis) {
                    const std::int64_t steps = std::abs(route[hop][axis] - route[hop - 1][axis]);
                    apart += shape[axis] == 16 ? std::min(steps, 16 - steps) : steps;
                }
                EXPECT_EQ(apart, 1) << "one link a hop";
            }
        }
        std::size_t towards = 0;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const std::int64_t apart = std::abs(one.source[axis] - one.target[axis]);
            towards += apart == 0 ? 0 : shape[axis] == 16 && apart == 8 ? 2 : 1;
        }
        EXPECT_LE(ways.routes.size(), towards);
        if (std::abs(one.source[0] - one.target[0]) != 1 && std::abs(one.source[1] - one.target[1]) != 1) {
            EXPECT_EQ(ways.routes.size(), towards) << k;
        }
    }
}

/// Every cut of a small slice, one by one, is no narrower than the one that is found.
TEST(TransferTest, TheNarrowestCutIsTheNarrowestOfAll) {
    for (const char* const shape : {"X=8", "X=16", "X=2,Y=4", "X=3,Y=4", "X=2,Y=2,Z=3"}) {
        const NamedMesh slice = parse_named_mesh(shape).value();
        const auto links = links_of(slice, preset(slice.axes.size() == 3 ? "tpu-v4" : "tpu-v5e")).value();
        const auto chips = static_cast<std::uint32_t>(slice.devices());
        for (const std::int64_t target : {std::int64_t{0}, slice.devices() / 2, slice.devices() - 1}) {
            const InwardCut found = narrowest_cut(slice, links, coordinates(slice, target));
            double narrowest = 0;
            for (std::uint32_t outside = 1; outside < (1u << chips); ++outside) {
                if ((outside >> target & 1u) != 0) {
                    continue;
                }
                double rate = 0;
                for (std::int64_t chip = 0; chip < slice.devices(); ++chip) {
                    std::int64_t stride = slice.devices();
                    for (std::size_t axis = 0; axis < slice.axes.size(); ++axis) {
                        const std::int64_t size = slice.axes[axis].size;
                        stride /= size;
                        const std::int64_t at = chip / stride % size;
                        for (const std::int64_t step : {std::int64_t{1}, std::int64_t{-1}}) {
                            const bool inside = at + step >= 0 && at + step < size;
                            if (size == 1 || (!inside && !links[axis].along.ring)) {
                                continue;
                            }
                            const std::int64_t next = chip + ((at + step + size) % size - at) * stride;
                            if ((outside >> chip & 1u) != 0 && (outside >> next & 1u) == 0) {
                                rate += links[axis].along.link.value();
                            }
                        }
                    }
                }
                narrowest = std::max(narrowest, std::popcount(outside) / rate);
            }
            EXPECT_NEAR(found.seconds(1) / narrowest, 1, 1e-6) << shape << " to " << target;
        }
    }
}

/// In the middle of an open line half of the chips come over each link; next to its end nearly all come over
/// one.
TEST(TransferTest, TheEndOfALineIsNarrow) {
    EXPECT_EQ(found({"X=8", "chips", "1", "8 GB", "", ""}).slowest().formula,
              "6/8 x 8.00\u2009GB / 45.0\u2009GB/s");
    EXPECT_EQ(found({"X=8", "chips", "0", "8 GB", "", ""}).slowest().formula,
              "7/8 x 8.00\u2009GB / 45.0\u2009GB/s");
}

TEST(TransferTest, RefusesInWords) {
    const auto refusal = [](TransferTexts typed) {
        const auto read = read_transfer(typed, names);
        return read ? transfer(*read, preset("tpu-v5e")).error().sentence : read.error().error.sentence;
    };
    EXPECT_THAT(refusal({"X=4,X=4", "0,0", "1,1", "1 MB", "", ""}), HasSubstr("X"));
    EXPECT_EQ(
        refusal({"X=4,Y=4", "0,4", "1,1", "1 MB", "", ""}),
        "from is \"0,4\"; a place along each axis of {X:4, Y:4} was expected, up to 3,3. Or \"chips\", where "
        "every chip has a share, or \"hosts\", where it is in their memory.");
    for (const char* const wrong : {"", "1", "1,1,1", "1,", ",1", "-1,0", "a,b", "1,1.5", "chips"}) {
        EXPECT_THAT(refusal({"X=4,Y=4", "0,0", wrong, "1 MB", "", ""}), StartsWith("to is \"")) << wrong;
    }
    EXPECT_THAT(refusal({"X=4,Y=4", "0,0", "1,1", "0", "", ""}), StartsWith("the size is \"0\""));
    EXPECT_THAT(refusal({"X=4,Y=4", "0,0", "1,1", "1 MB", "fast", ""}), StartsWith("PCIe is \"fast\""));
    EXPECT_THAT(refusal({"X=4,Y=4", "0,0", "1,1", "1 MB", "", "8x8"}), StartsWith("the GEMM"));
    EXPECT_EQ(refusal({"X=4,Y=4", "1,1", "1,1", "1 MB", "", ""}),
              "The chip (1, 1) is source and target; two places were expected.");
    EXPECT_THAT(refusal({"X=1", "chips", "0", "1 MB", "", ""}), HasSubstr("is one chip"));
    EXPECT_THAT(refusal({"X=32,Y=16", "chips", "0,0", "1 MB", "", ""}), HasSubstr("TPU v5e"));
}

} // namespace
} // namespace meshslice
