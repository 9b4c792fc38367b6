#include "core/sharding/shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

Shards of(const char* array, const NamedMesh& mesh, const DimensionSizes& sizes, std::int64_t bits) {
    return shards(parse_sharded_array(array, mesh).value(), mesh, sizes, bits).value();
}

/// Scaling book, chapter 3, pop quiz: fp32[1024, 4096] as A[I_XY, J] on {X:8, Y:2}: 1024 / 16 = 64 rows, 64 x
/// 4096 x 4 = 1 MiB a device.
TEST(Shards, AreTheBooks) {
    const NamedMesh mesh{{{'X', 8}, {'Y', 2}}};
    const Shards found = of("A[I_XY, J]", mesh, {{'I', 1024}, {'J', 4096}}, 32);
    EXPECT_THAT(found.local, ElementsAre(64, 4096));
    EXPECT_EQ(found.bytes_per_device, 1 << 20);
    EXPECT_EQ(found.copies, 1);
    EXPECT_EQ(found.bytes_in_all, found.bytes);
}

/// Scaling book, chapter 3, question 1: A[I_X, J, K] on {X:4, Y:8, Z:2} takes 16 times the bytes of one copy.
TEST(Shards, CountCopies) {
    const NamedMesh mesh{{{'X', 4}, {'Y', 8}, {'Z', 2}}};
    const Shards found = of("A[I_X, J, K]", mesh, {{'I', 8}, {'J', 3}, {'K', 5}}, 16);
    EXPECT_EQ(found.copies, 16);
    EXPECT_EQ(found.bytes_in_all, 16 * found.bytes);
    EXPECT_EQ(found.bytes, 240);
    // Partial sums are not copies: along Y 8 different ones, along Z 2 copies of each.
    const Shards sums = of("A[I_X, J, K]{U_Y}", mesh, {{'I', 8}, {'J', 3}, {'K', 5}}, 16);
    EXPECT_EQ(sums.partial_sums, 8);
    EXPECT_EQ(sums.copies, 2);
    EXPECT_EQ(of("A[I]", {{{'X', 2}}}, {{'I', 3}}, 4).bytes, 1.5); // three int4
}

TEST(Shards, SayWhatWouldDivide) {
    const NamedMesh mesh{{{'X', 4}, {'Y', 3}}};
    const ShardedArray array = parse_sharded_array("A[I_XY, J]", mesh).value();
    EXPECT_EQ(shards(array, mesh, {{'I', 100}, {'J', 1}}, 16).error().sentence,
              "I = 100 is not divisible into 12 parts, as A[I_XY, J] asks; use 96 or 108.");
    EXPECT_TRUE(shards(array, mesh, {{'I', 96}, {'J', 1}}, 16));
    EXPECT_TRUE(shards(array, mesh, {{'I', 108}, {'J', 1}}, 16));
    EXPECT_EQ(shards(array, mesh, {{'I', 5}, {'J', 1}}, 16).error().sentence,
              "I = 5 is not divisible into 12 parts, as A[I_XY, J] asks; use 12.");
    EXPECT_THAT(shards(array, mesh, {{'I', 12}}, 16).error().sentence,
                HasSubstr("The size of J in A[I_XY, J] is missing"));
    EXPECT_THAT(shards(array, mesh, {{'I', std::int64_t{12} << 50}, {'J', std::int64_t{1} << 50}}, 16)
                    .error()
                    .sentence,
                HasSubstr("2^62"));
}

/// On {X:2, Y:2}, devices 0 to 3 stand at (0,0), (0,1), (1,0) and (1,1). Of I_XY X is major, so they hold
/// blocks 0, 1, 2, 3; of I_YX 0, 2, 1, 3.
TEST(Shards, TheFirstLetterIsMajor) {
    const NamedMesh mesh{{{'X', 2}, {'Y', 2}}};
    const auto blocks = [&](const char* words) {
        const ShardedArray array = parse_sharded_array(words, mesh).value();
        std::vector<std::int64_t> rows;
        for (std::int64_t device = 0; device < mesh.devices(); ++device) {
            rows.push_back(block_of(array, mesh, device).front());
        }
        return rows;
    };
    EXPECT_THAT(coordinates(mesh, 2), ElementsAre(1, 0));
    EXPECT_THAT(blocks("A[I_XY, J]"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(blocks("A[I_YX, J]"), ElementsAre(0, 2, 1, 3));
    EXPECT_THAT(blocks("A[I_X, J]"), ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(blocks("A[I, J]"), ElementsAre(0, 0, 0, 0));
}

/// The book counts 9 of a matrix on two axes, and 2 more where the order of two letters counts.
TEST(Shards, AllOfThem) {
    const NamedMesh mesh{{{'X', 2}, {'Y', 2}}};
    std::set<std::string> all;
    for (const ShardedArray& one : all_shardings("A", "IJ", mesh)) {
        EXPECT_EQ(parse_sharded_array(text(one, mesh), mesh).value(), one);
        all.insert(text(one, mesh));
    }
    EXPECT_THAT(all, UnorderedElementsAre("A[I, J]", "A[I, J_X]", "A[I, J_XY]", "A[I, J_Y]", "A[I, J_YX]",
                                          "A[I_X, J]", "A[I_X, J_Y]", "A[I_XY, J]", "A[I_Y, J]",
                                          "A[I_Y, J_X]", "A[I_YX, J]"));
    EXPECT_EQ(all_shardings("A", "IJ", mesh).size(), 11u);
    EXPECT_EQ(all_shardings("A", "", mesh).size(), 1u);
}

TEST(DimensionSizes, AreRead) {
    EXPECT_EQ(parse_dimension_sizes("I=1024, J=8k,K=2*64").value(),
              (DimensionSizes{{'I', 1024}, {'J', 8000}, {'K', 128}}));
    for (const char* wrong : {"I", "#=4", "II=4", "I=0", "I=1.5", "I=4,I=4", "I x=4", "=4", "I=4,,J=2"}) {
        EXPECT_FALSE(parse_dimension_sizes(wrong)) << wrong;
    }
}

} // namespace
} // namespace meshslice
