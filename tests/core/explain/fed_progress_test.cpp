#include "core/explain/fed_progress.h"
#include "core/explain/piece_history.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "core/simulate/engine/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace meshslice {
namespace {

struct RecordedGemm {
    Program program;
    std::shared_ptr<const Timeline> timeline;
};

/// 512 x 512 on a ring of the paper's GPUs, 64 deep on each, under communication-aware memory. On four chips
/// a chunk is 512 x 512 / 4 elements, that is four tiles of 128 x 128, and all 16 are one stage of 80.
RecordedGemm recorded_gemm(const char* id, std::int32_t chips, const Conditions& conditions = {},
                           GemmShape whole = {512, 512, 0}, ChunkOrder order = ChunkOrder::staggered) {
    whole.k = std::int64_t{64} * chips;
    GemmOptions options;
    options.chunk_order = order;
    Program program =
        *(*algorithm(id))->write(whole, Dataflow::LS, *Torus::create({TorusAxis{chips}}), options);
    const Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
    auto timeline = simulate(program, *machine_preset("t3-paper"), schedule, conditions).value();
    return {std::move(program), std::move(timeline)};
}
FedRun fed_run(const RecordedGemm& run) {
    return FedRun::create(run.program, *run.timeline, run.program.fusions.at(0)).value();
}

/// "w4 w4 w4 w4": by chunk in the order in which they are made, how many tiles are in which state.
std::string in_short(const FedProgress& progress) {
    std::string all;
    for (const FedChunk& chunk : progress.chunks) {
        all += all.empty() ? "" : " ";
        for (const TileState state : all_tile_states) {
            if (chunk.in(state) > 0) {
                all += "wmhcs"[static_cast<std::size_t>(state)] + std::to_string(chunk.in(state));
            }
        }
    }
    return all;
}

TEST(FedRun, GoesFromNothingMadeToAllButTheOwnChunkSent) {
    for (const std::int32_t chips : {2, 3, 4, 8}) {
        const RecordedGemm run = recorded_gemm("t3", chips, {}, {128 * chips, 512, 0}); // 4 tiles a chunk
        const FedRun fed = fed_run(run);
        std::string first = "w4", last = "c4";
        for (std::int32_t other = 1; other < chips; ++other) {
            first += " w4";
            last.insert(0, "s4 ");
        }
        EXPECT_EQ(in_short(fed.at(0, Time(0))), first);
        EXPECT_EQ(in_short(fed.at(chips - 1, run.timeline->end())), last);
    }
}

/// All of the one stage is made at once: the first chunk is on its way out, of each other the own update has
/// been counted. At the end of the first tile's flight and update one of the second chunk is complete.
TEST(FedRun, SaysWhatIsMadeCountedAndComplete) {
    const RecordedGemm run = recorded_gemm("t3", 4);
    const FedRun fed = fed_run(run);
    const OperationId collective = run.program.fusions[0].collective;
    const auto first = piece_history(run.program, *run.timeline, collective, 0, 0, 0);
    ASSERT_TRUE(first && first->added && first->sent);
    EXPECT_EQ(in_short(fed.at(0, first->made - Time(1))), "w4 w4 w4 w4");
    EXPECT_EQ(in_short(fed.at(0, first->made)), "m4 h4 h4 h4");
    EXPECT_EQ(in_short(fed.at(0, first->sent->end)), "m3s1 h4 h4 h4");
    const FedProgress added = fed.at(0, *first->added);
    EXPECT_EQ(added.chunks[1].in(TileState::complete), 1);
    EXPECT_EQ(added.chunks[1].state(0), TileState::complete);
    EXPECT_EQ(added.chunks[1].state(1), TileState::counted);
    EXPECT_EQ(added.chunks[2].in(TileState::counted), 4);
}

class FedRunInOrder : public testing::TestWithParam<ChunkOrder> {};

/// Tile by tile what piece_history() says, at every moment at which that changes.
TEST_P(FedRunInOrder, AgreesWithTheHistoryOfEveryPiece) {
    Conditions slow; // so that chips differ
    slow.core_speed = {1, 1, 0.5, 1};
    const RecordedGemm run = recorded_gemm("t3", 4, slow, {1000, 1000, 0}, GetParam());
    const FedRun fed = fed_run(run);
    const OperationId collective = run.program.fusions[0].collective;
    ASSERT_GT(run.timeline->classes().count(), 1U);
    int asked = 0;
    for (const Chip chip : {0, 2}) {
        const std::int64_t pieces = fed.at(chip, Time(0)).chunks[0].tiles;
        for (std::int64_t number = 0; number < 4 * pieces; number += 3) {
            const auto piece = piece_history(run.program, *run.timeline, collective, 0, chip, number);
            ASSERT_TRUE(piece);
            const auto state = [&](Time moment) {
                return fed.at(chip, moment)
                    .chunks[static_cast<std::size_t>(piece->chunk)]
                    .state(piece->piece);
            };
            const bool straight = piece->chunk == 0;
            EXPECT_EQ(state(piece->triggered()), straight ? TileState::made : TileState::complete) << number;
            if (piece->counted && *piece->counted != piece->made) {
                EXPECT_EQ(state(std::min(piece->made, *piece->counted)), TileState::counted) << number;
            }
            EXPECT_EQ(state(std::min(piece->made, piece->counted.value_or(piece->made)) - Time(1)),
                      TileState::waiting)
                << number;
            if (piece->sent) {
                EXPECT_EQ(state(piece->sent->end), TileState::sent) << number;
                EXPECT_NE(state(piece->sent->end - Time(1)), TileState::sent) << number;
            }
            ++asked;
        }
    }
    EXPECT_GT(asked, 20);
}
INSTANTIATE_TEST_SUITE_P(Both, FedRunInOrder, testing::ValuesIn(all_chunk_orders));

/// 256 tiles in 4 stages are 64 a stage. Unstaggered, the first stage is chunk 0 on all chips, and nothing
/// else.
TEST(FedRun, SaysWhichChunkAllChipsMakeFirst) {
    const RecordedGemm run = recorded_gemm("t3", 4, {}, {2048, 2048, 0}, ChunkOrder::unstaggered);
    const FedRun fed = fed_run(run);
    for (const Chip chip : {0, 1, 2, 3}) {
        std::vector<std::int64_t> made(4); // by chunk
        for (const Time& step : fed.steps()) {
            for (const FedChunk& chunk : fed.at(chip, step).chunks) {
                made[static_cast<std::size_t>(chunk.map.chunk)] = chunk.made;
            }
            if (made[0] > 0) {
                break;
            }
        }
        EXPECT_EQ(made, (std::vector<std::int64_t>{64, 0, 0, 0})) << chip;
    }
}

/// Figure 7 in our direction: chip p makes p - 1 first, which goes straight to p + 1, and p last.
TEST(FedRun, MapsItsChunksAsTheAddressMapDoes) {
    const FedRun fed = fed_run(recorded_gemm("t3", 8));
    const RingSchedule ring(Collective::reduce_scatter, 8, true, RingMode::one_way);
    for (Chip chip = 0; chip < 8; ++chip) {
        std::vector<MappedChunk> map;
        for (const FedChunk& chunk : fed.at(chip, Time(0)).chunks) {
            map.push_back(chunk.map);
        }
        EXPECT_EQ(map, *address_map(ring, chip)) << chip;
        EXPECT_EQ(fed.chunk_of(chip, 0), map.front().chunk);
    }
}

/// At each step some chunk of some chip is whole in a state in which it was not before.
TEST(FedRun, StepsWhereAChunkIsWhole) {
    const RecordedGemm run = recorded_gemm("t3", 4, {}, {1024, 1024, 0});
    const FedRun fed = fed_run(run);
    const auto whole = [&](Time moment) {
        std::int64_t all = 0;
        for (const FedChunk& chunk : fed.at(0, moment).chunks) {
            const bool first = chunk.map.way == MappedChunk::Way::remote;
            all += chunk.made == chunk.tiles;
            all += !first && std::min(chunk.made, chunk.arrived) == chunk.tiles;
            all += chunk.sent == chunk.tiles;
        }
        return all;
    };
    const std::vector<Time> steps = fed.steps();
    ASSERT_GE(steps.size(), 4U);
    EXPECT_TRUE(std::ranges::is_sorted(steps));
    for (const Time step : steps) {
        EXPECT_GT(whole(step), whole(step - Time(1)));
    }
    EXPECT_EQ(whole(steps.back()), 4 + 3 + 3); // made, complete, sent
}

TEST(FedRun, NeedsAGemmThatFeedsItsRingAndARunOfIt) {
    const RecordedGemm apart = recorded_gemm("tp-ar", 4), fused = recorded_gemm("t3", 4);
    EXPECT_TRUE(FedRun::create(fused.program, *fused.timeline, fused.program.fusions[0]));
    EXPECT_FALSE(FedRun::create(fused.program, Timeline(), fused.program.fusions[0]));
    EXPECT_FALSE(FedRun::create(apart.program, *apart.timeline, Fusion{0, 2, 1}));
}

} // namespace
} // namespace meshslice
