#include "core/explain/piece_history.h"
#include "core/machine/catalogue.h"
#include "core/simulate/path/direct_dependencies.h"
#include "core/step/training_step.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace meshslice {
namespace {

/// FC-2 of T-NLG on eight of the paper's GPUs, with memory that no stream holds up.
///
/// A chip multiplies 8192 x 4256 x 2128, 148.4 GFLOP at 180 TFLOP/s: 824.37 us, in stages of 80 of its 64 x
/// 34 tiles: 28, of 29.442 us each. A chunk is 1024 x 4256: 8716288 bytes in 266 pieces of 32.8 kB, which
/// take 218.4 ns at 150 GB/s and 32.8 ns at 1 TB/s. So a stage makes 2128 / 28 = 76 pieces.
GemmResult fc2_of_t_nlg(const char* algorithm, MemoryPolicy policy = MemoryPolicy::ideal) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("t3-paper");
    scenario.mesh = {8};
    scenario.gemm = SingleGemm{{8192, 4256, 17024}, Dataflow::LS};
    scenario.assume.schedule.ring = RingMode::one_way;
    scenario.assume.schedule.arbitration = policy;
    return training_step(scenario, algorithm, Depth::simulate)->gemms.front();
}

constexpr double stage = 824.37 / 28;
constexpr std::int64_t pieces_of_a_chunk = 266;

double in_us(Time time) {
    return in_seconds(time) * 1e6;
}

OperationId fed_collective_of(const Program& program) {
    return program.fusions.at(0).collective;
}

std::optional<PieceHistory> history(const GemmResult& run, std::int64_t number, Chip chip = 3) {
    return piece_history(*run.program, *run.timeline, fed_collective_of(*run.program), 0, chip, number);
}

TEST(PieceHistory, TheFirstChunkGoesStraightToTheNeighbour) {
    const GemmResult run = fc2_of_t_nlg("t3");
    const auto first = history(run, 0);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->chunk, 0);
    EXPECT_EQ(first->chunks, 8);
    EXPECT_EQ(first->pieces, pieces_of_a_chunk);
    EXPECT_NEAR(in_us(first->made), stage, 0.01);
    EXPECT_FALSE(first->counted);
    EXPECT_FALSE(first->read);
    ASSERT_TRUE(first->sent && first->added);
    EXPECT_EQ(first->sent->begin, first->made);
    EXPECT_NEAR(in_us(first->sent->end - first->sent->begin), 0.2184, 0.001);
    EXPECT_NEAR(in_us(*first->added - first->sent->end), 0.5 + 0.0328, 0.001) << "its flight, then an update";
    EXPECT_EQ(*first->waited(), Time(0));
    // The last of the stage waits for the 75 before it.
    const auto last = history(run, 75);
    EXPECT_EQ(last->made, first->made);
    EXPECT_NEAR(in_us(*last->waited()), 75 * 0.2184, 0.02);
    EXPECT_NEAR(in_us(history(run, 76)->made), 2 * stage, 0.01) << "of the next stage";
}

/// What waits for what is known of cores and links; bars of memories come after their rows.
TEST(PieceHistory, BarsOfMemoriesHaveNoDependencies) {
    const GemmResult run = fc2_of_t_nlg("t3");
    const DirectDependencies none = direct_dependencies(*run.program, *machine_preset("t3-paper"), {}, {},
                                                        *run.timeline, {run.timeline->rows().size(), 0});
    EXPECT_TRUE(none.before.empty());
    EXPECT_TRUE(none.after.empty());
}

/// All chips live alike: what a chip adds is what its neighbour's history says.
TEST(PieceHistory, LaterPiecesAreCountedReadAndSent) {
    const GemmResult run = fc2_of_t_nlg("t3", MemoryPolicy::round_robin);
    const auto before = history(run, 10, 2);
    const auto piece = history(run, pieces_of_a_chunk + 10, 3);
    ASSERT_TRUE(before && piece);
    EXPECT_EQ(piece->chunk, 1);
    EXPECT_EQ(piece->piece, 10);
    ASSERT_TRUE(piece->counted && piece->read && piece->sent && piece->added);
    EXPECT_EQ(*piece->counted, *before->added);
    EXPECT_EQ(piece->triggered(), std::max(piece->made, *piece->counted));
    EXPECT_LE(piece->triggered(), piece->read->begin);
    EXPECT_LE(piece->read->end, piece->sent->begin);
    EXPECT_LT(piece->sent->end + Time(500'000), *piece->added);
    EXPECT_EQ(*piece->waited(), piece->sent->begin - piece->triggered());
}

TEST(PieceHistory, TheOwnChunkStays) {
    const GemmResult run = fc2_of_t_nlg("t3");
    const auto own = history(run, 8 * pieces_of_a_chunk - 1);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->chunk, 7);
    EXPECT_TRUE(own->counted);
    EXPECT_FALSE(own->read);
    EXPECT_FALSE(own->sent);
    EXPECT_FALSE(own->waited());
    EXPECT_FALSE(history(run, 8 * pieces_of_a_chunk));
    EXPECT_FALSE(history(run, -1));
    EXPECT_FALSE(history(run, 0, 8));
}

TEST(PieceHistory, OthersFeedNothing) {
    const GemmResult run = fc2_of_t_nlg("tp-ar");
    ASSERT_TRUE(run.program->fusions.empty());
    for (OperationId id = 0; id < run.program->operations.size(); ++id) {
        EXPECT_FALSE(piece_history(*run.program, *run.timeline, id, 0, 0, 0));
    }
}

TEST(PieceHistory, WhatArrivesIsTheNeighbours) {
    const GemmResult run = fc2_of_t_nlg("t3");
    const Timeline& timeline = *run.timeline;
    const std::vector<Row>& rows = timeline.rows_with_memory();
    std::size_t updates = 0;
    std::size_t reads = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].memory != MemoryStream::communication || rows[row].chip != 3) {
            continue;
        }
        for (const Interval& interval : timeline.intervals(row)) {
            const auto of = piece_of(*run.program, timeline, row, interval);
            ASSERT_TRUE(of);
            const bool update =
                timeline.stretch(rows[row], interval)->use.source == DramSource::scatter_write;
            EXPECT_EQ(of->chip, update ? 2 : 3);
            EXPECT_EQ(of->number, interval.step);
            ++(update ? updates : reads);
        }
    }
    EXPECT_GE(updates, 7u * pieces_of_a_chunk);
    EXPECT_GE(reads, 6u * pieces_of_a_chunk);
}

/// Per chip a core, two links and three rows of memory; those of memory behind all others, so that a core's
/// or a link's number is the same with and without them.
TEST(MemoryRows, AreThoseOfTheStreamsThatAreServed) {
    const GemmResult fused = fc2_of_t_nlg("t3");
    const Timeline& timeline = *fused.timeline;
    ASSERT_EQ(timeline.rows().size(), 8u * 3);
    const std::vector<Row>& rows = timeline.rows_with_memory();
    ASSERT_EQ(rows.size(), 8u * 6);
    double bytes = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(rows[row].memory.has_value(), row >= 24);
        if (row < 24) {
            EXPECT_EQ(rows[row], timeline.rows()[row]);
            continue;
        }
        EXPECT_FALSE(rows[row].is_core);
        const std::span<const MemoryStretch> served = timeline.served(rows[row].chip, *rows[row].memory);
        ASSERT_EQ(timeline.intervals(row).size(), served.size());
        for (std::size_t k = 0; k < served.size() && rows[row].chip == 5; ++k) {
            EXPECT_EQ(timeline.intervals(row)[k].start, served[k].start);
            EXPECT_EQ(timeline.stretch(rows[row], timeline.intervals(row)[k]), &served[k]);
            bytes += served[k].bytes;
        }
    }
    EXPECT_NEAR(bytes, 34 * 8'716'288.0, 200)
        << "7 chunks written, 6 read and 7 added, then 7 gathered: read and written";
    EXPECT_EQ(row_name(timeline.torus(), rows[24]), "chip 0  memory: GEMM");
    EXPECT_EQ(row_name(timeline.torus(), rows[25]), "chip 0  memory: communication");
    EXPECT_EQ(row_name(timeline.torus(), rows[26]), "chip 0  memory: collectives");

    const GemmResult apart = fc2_of_t_nlg("tp-ar");
    EXPECT_EQ(apart.timeline->rows_with_memory().size(), 8u * 5)
        << "no communication: nothing feeds its collectives";
}

} // namespace
} // namespace meshslice
