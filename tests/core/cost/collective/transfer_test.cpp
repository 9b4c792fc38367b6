// Bytes from chip to chip, and from all chips or their hosts to one.

#include "core/cost/collective/transfer.h"
#include "core/cost/mesh_links.h"
#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/sharding/shards.h"
#include "tests/core/question/transfer_texts.h"

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

Machine preset(const char* name) {
    return machine_preset(name).value();
}
TransferAsked asked(TransferTexts typed) {
    const auto read = read_transfer(typed);
    EXPECT_TRUE(read) << (read ? "" : read.error().sentence);
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
    ASSERT_EQ(one.ways.size(), 2u);
    EXPECT_THAT(one.ways[0], ElementsAre(GridPlace{0, 0}, GridPlace{1, 0}, GridPlace{2, 0}, GridPlace{3, 0},
                                         GridPlace{3, 1}, GridPlace{3, 2}, GridPlace{3, 3}));
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
    // The book's own 16 GB/s, and 32 GB/s of TPU v6e, come with the chips.
    for (const auto& [name, rate] : {std::pair("tpu-v5e", 16e9), std::pair("tpu-v6e", 32e9)}) {
        EXPECT_NEAR(found({"X=4,Y=4", "hosts", "0,0", "131072*131072", "", ""}, name).stages[0].seconds,
                    all / 16 / rate, 1e-9);
    }
    EXPECT_EQ(preset("tpu-v3").pcie.value.value(), 0) << "not known: as usual";
    EXPECT_NEAR(found({"X=4,Y=4", "hosts", "0,0", "16 GB", "", ""}, "tpu-v3").stages[0].seconds, 1e9 / 16e9,
                1e-9);
    EXPECT_EQ(found({"X=4,Y=4", "hosts", "0,0", "131072*131072", "1.5 GB/s", ""}).slowest().name,
              "PCIe of each chip");
}

/// A ring of 16 is closed: the way goes over its end, and the place across is reached both ways round.
TEST(TransferTest, GoesRoundRings) {
    EXPECT_EQ(found({"X=16,Y=16", "1,0", "15,0", "1 MB", "", ""}).hops, 2);
    EXPECT_EQ(found({"X=16,Y=16", "0,0", "8,0", "1 MB", "", ""}).ways.size(), 2u);
    EXPECT_EQ(found({"X=16,Y=16", "0,0", "8,8", "1 MB", "", ""}).ways.size(), 4u);
    EXPECT_EQ(found({"X=8,Y=8", "0,0", "7,0", "1 MB", "", ""}).hops, 7) << "an open line";
    EXPECT_EQ(found({"X=4,Y=4,Z=4", "0,0,0", "1,1,1", "1 MB", "", ""}, "tpu-v4").ways.size(), 3u);
}

/// In the middle of an open line half of the chips come over each link; next to its end nearly all come over
/// one.
TEST(TransferTest, TheEndOfALineIsNarrow) {
    EXPECT_EQ(found({"X=8", "chips", "1", "8 GB", "", ""}).slowest().formula,
              "6/8 x 8.00\u2009GB / 45.0\u2009GB/s");
    EXPECT_EQ(found({"X=8", "chips", "0", "8 GB", "", ""}).slowest().formula,
              "7/8 x 8.00\u2009GB / 45.0\u2009GB/s");
}

/// A byte waits for the way, not for the links: twice the links helps a large array by half, and it nothing.
TEST(TransferTest, SmallOnesAreBoundByLatency) {
    const auto bound = [](const char* bytes, double links) {
        Machine chips = preset("tpu-v5e");
        for (int axis = 0; axis < 2; ++axis) {
            Bandwidth& link = chips.network.torus_links(axis).bandwidth.value;
            link = Bandwidth(links * link.value());
        }
        return transfer(asked({"X=4,Y=4", "0,0", "3,3", bytes, "", ""}), chips).value();
    };
    EXPECT_EQ(bound("1 kB", 1).bound(), "latency");
    EXPECT_GT(bound("1 kB", 2).seconds() / bound("1 kB", 1).seconds(), 0.99);
    EXPECT_EQ(bound("100 MB", 1).bound(), "links");
    EXPECT_LT(bound("100 MB", 2).seconds() / bound("100 MB", 1).seconds(), 0.51);
}

/// What a chip has already is neither sent nor written; what it works with is read, all of it.
TEST(TransferTest, CountsWhatComes) {
    const auto memory = [](const char* from, const char* gemm) {
        return found({"X=4,Y=4", from, "0,0", "16 GB", "", gemm})
            .stages[std::string(from) == "hosts" ? 2 : 1];
    };
    EXPECT_NEAR(memory("chips", "").seconds, 15e9 / 810e9, 1e-12);
    EXPECT_EQ(memory("chips", "").name, "writing it to HBM");
    EXPECT_NEAR(memory("hosts", "").seconds, 16e9 / 810e9, 1e-12);
    EXPECT_NEAR(memory("chips", "8x64x64").seconds, 16e9 / 810e9, 1e-12);
    EXPECT_EQ(memory("chips", "8x64x64").name, "reading it from HBM");
}

TEST(TransferTest, RefusesInWords) {
    const auto refusal = [](TransferTexts typed) {
        const auto read = read_transfer(typed);
        return read ? transfer(*read, preset("tpu-v5e")).error().sentence : read.error().sentence;
    };
    EXPECT_THAT(refusal({"X=4,X=4", "0,0", "1,1", "1 MB", "", ""}), HasSubstr("X"));
    EXPECT_EQ(refusal({"X=4,Y=4", "0,4", "1,1", "1 MB", "", ""}),
              "from is \"0,4\"; expected a place along each axis of {X:4, Y:4}, up to 3,3. Or \"chips\", "
              "where every chip has a share, or \"hosts\", where it is in their memory.");
    for (const char* const wrong : {"", "1", "1,1,1", "1,", ",1", "-1,0", "a,b", "1,1.5", "chips"}) {
        EXPECT_THAT(refusal({"X=4,Y=4", "0,0", wrong, "1 MB", "", ""}), StartsWith("to is \"")) << wrong;
    }
    // Counted in what was typed, without the name before it: the fifth is the second comma.
    EXPECT_THAT(refusal({"X=4,,Y=4", "0,0", "1,1", "1 MB", "", ""}),
                StartsWith("slice X=4,,Y=4, character 5: "));
    EXPECT_THAT(refusal({"X=4,Y=4", "0,0", "1,1", "0", "", ""}), StartsWith("bytes is \"0\""));
    EXPECT_THAT(refusal({"X=4,Y=4", "0,0", "1,1", "1 MB", "fast", ""}), StartsWith("pcie is \"fast\""));
    EXPECT_THAT(refusal({"X=4,Y=4", "0,0", "1,1", "1 MB", "", "8x8"}), StartsWith("gemm is"));
    EXPECT_EQ(refusal({"X=4,Y=4", "1,1", "1,1", "1 MB", "", ""}), "from and to are the same chip, 1,1.");
    EXPECT_THAT(refusal({"X=1", "chips", "0", "1 MB", "", ""}), HasSubstr("is one chip"));
    EXPECT_THAT(refusal({"X=32,Y=16", "chips", "0,0", "1 MB", "", ""}), HasSubstr("TPU v5e"));
}

} // namespace
} // namespace meshslice
