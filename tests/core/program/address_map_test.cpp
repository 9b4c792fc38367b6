#include "core/program/address_map.h"

#include <gmock/gmock.h>

#include <numeric>

namespace meshslice {
namespace {

using Way = MappedChunk::Way;

RingSchedule scatter(std::int32_t chips) {
    return {Collective::reduce_scatter, chips, true, RingMode::one_way};
}

/// Figure 11 in our direction: chip p sends forward and makes p-1, p-2, ... and its own chunk last. Chip 0 of
/// four stores chunk 3 at chip 1, keeps 2 and 1 until they have two updates, then sends them, and keeps 0.
TEST(AddressMap, IsFigure11OfFourChips) {
    EXPECT_THAT(*address_map(scatter(4), 0),
                testing::ElementsAre(MappedChunk{3, Way::remote, 1, 0}, MappedChunk{2, Way::dma, 1, 2},
                                     MappedChunk{1, Way::dma, 1, 2}, MappedChunk{0, Way::local, 0, 2}));
    EXPECT_THAT(*address_map(scatter(4), 3),
                testing::ElementsAre(MappedChunk{2, Way::remote, 0, 0}, MappedChunk{1, Way::dma, 0, 2},
                                     MappedChunk{0, Way::dma, 0, 2}, MappedChunk{3, Way::local, 3, 2}));
}

/// One chunk goes out, N - 2 by DMA, one is kept: of two chips none by DMA. Every chunk once, and what a chip
/// sends is what the next one expects in addition to its own.
TEST(AddressMap, HasOneRemoteAndOneLocalChunkOnEveryRing) {
    for (const std::int32_t chips : {2, 3, 4, 8, 16, 32}) {
        for (std::int32_t position = 0; position < chips; ++position) {
            const auto map = *address_map(scatter(chips), position);
            const auto next = *address_map(scatter(chips), (position + 1) % chips);
            ASSERT_EQ(map.size(), static_cast<std::size_t>(chips));
            EXPECT_EQ(map.front().way, Way::remote);
            EXPECT_EQ(map.back(), (MappedChunk{position, Way::local, position, 2}));
            std::int32_t chunks = 0;
            for (std::size_t k = 0; k < map.size(); ++k) {
                chunks += map[k].chunk;
                EXPECT_EQ(map[k].way == Way::dma, k > 0 && k + 1 < map.size());
                if (map[k].way != Way::local) {
                    EXPECT_EQ(map[k].receiver, (position + 1) % chips);
                    EXPECT_EQ(next[k + 1].chunk, map[k].chunk); // made there one slot later
                    EXPECT_EQ(next[k + 1].updates, 2);
                }
            }
            EXPECT_EQ(chunks, chips * (chips - 1) / 2);
        }
    }
}

/// Section 7.1: of an all-gather nothing is added. Position 1 stores its own chunk here and at 2, sends on
/// what 0 and 3 made once it has arrived, and keeps what 2 made, which has come all the way round.
TEST(AddressMap, OfAnAllGatherStores) {
    const RingSchedule ring(Collective::all_gather, 4, true, RingMode::one_way);
    using Way = MappedChunk::Way;
    EXPECT_EQ(*address_map(ring, 1),
              (std::vector<MappedChunk>{
                  {1, Way::remote, 2, 1}, {0, Way::dma, 2, 1}, {3, Way::dma, 2, 1}, {2, Way::local, 1, 1}}));
}

TEST(AddressMap, IsRefusedWhereThereIsNoSingleOrder) {
    EXPECT_FALSE(address_map({Collective::reduce_scatter, 4, true, RingMode::both_ways}, 0));
    EXPECT_FALSE(address_map({Collective::reduce_scatter, 4, false, RingMode::one_way}, 0));
    EXPECT_FALSE(address_map({Collective::all_gather, 4, true, RingMode::both_ways}, 0));
    EXPECT_FALSE(address_map({Collective::all_to_all, 4, true, RingMode::one_way}, 0));
    EXPECT_FALSE(address_map(scatter(1), 0));
}

} // namespace
} // namespace meshslice
