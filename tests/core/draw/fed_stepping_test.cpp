// The steps of a GEMM that feeds its reduce-scatter, T3's Figure 7, against what the ring does by hand.

#include "core/count/count.h"
#include "core/draw/stepping.h"
#include "core/execute/rings/tracked_ring.h"
#include "core/lesson/stepper_example.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

namespace meshslice {
namespace {

using SteppingPtr = std::shared_ptr<const Stepping>;

SteppingPtr fed(const std::string& algorithm, const std::vector<std::int32_t>& mesh,
                Dataflow dataflow = Dataflow::LS, std::int64_t slices = 1) {
    StepperExample example;
    example.algorithm = algorithm;
    example.mesh = mesh;
    example.dataflow = dataflow;
    example.slices = slices;
    const auto stepping = step_through(example);
    EXPECT_TRUE(stepping) << (stepping ? "" : stepping.error().sentence);
    return stepping.value_or(nullptr);
}

/// The moments in which chunks are made or sent.
std::vector<const Moment*> fed_moments(const Stepping& stepping) {
    std::vector<const Moment*> moments;
    for (const Moment& moment : stepping.moments) {
        if (moment.line && stepping.program.fusion_of(*moment.line) != nullptr) {
            moments.push_back(&moment);
        }
    }
    return moments;
}

/// Chip after chip makes its chunks in order, and a chunk leaves with the step after the one that made it:
/// the first straight from the stores, the others when both updates are counted.
TileState by_hand(std::size_t step, std::size_t slot) {
    const std::size_t round = step / 2;
    if (step % 2 == 0) { // has made the chunk of this round
        return slot < round   ? TileState::sent
               : slot > round ? TileState::waiting
               : slot == 0    ? TileState::made
                              : TileState::complete;
    }
    return slot <= round ? TileState::sent : slot == round + 1 ? TileState::counted : TileState::waiting;
}

TEST(FedStepping, StepsFigure7OnAnyNumberOfChips) {
    for (const std::int32_t chips : {2, 3, 4, 6, 8, 16}) {
        const SteppingPtr stepping = fed("t3", {chips});
        ASSERT_NE(stepping, nullptr);
        const auto moments = fed_moments(*stepping);
        ASSERT_EQ(moments.size(), static_cast<std::size_t>(2 * chips - 1)) << chips;
        for (std::size_t step = 0; step < moments.size(); ++step) {
            ASSERT_EQ(moments[step]->fed.size(), static_cast<std::size_t>(chips));
            for (std::size_t chip = 0; chip < moments[step]->fed.size(); ++chip) {
                const std::vector<FedChunk>& chunks = moments[step]->fed[chip].chunks;
                ASSERT_EQ(chunks.size(), static_cast<std::size_t>(chips));
                EXPECT_EQ(chunks.back().map.chunk, static_cast<std::int32_t>(chip)) << "the own one is last";
                for (std::size_t slot = 0; slot < chunks.size(); ++slot) {
                    EXPECT_GT(chunks[slot].tiles, 0);
                    EXPECT_EQ(chunks[slot].in(by_hand(step, slot)), chunks[slot].tiles)
                        << chips << " chips, step " << step << ", chip " << chip << ", slot " << slot;
                }
            }
            const bool makes = step % 2 == 0;
            EXPECT_EQ(moments[step]->crossed.size(), makes ? 0U : static_cast<std::size_t>(chips));
            EXPECT_EQ(moments[step]->hops, makes ? 0 : chips - 1);
            EXPECT_EQ(moments[step]->hop, makes ? 0 : static_cast<std::int32_t>(step + 1) / 2);
        }
        EXPECT_TRUE(stepping->right());
        EXPECT_EQ(stepping->moments.front().fed.front().chunks.front().in(TileState::waiting),
                  stepping->moments.front().fed.front().chunks.front().tiles);
    }
}

/// What lies in a chip's memory is the sum of the partial sums that have come so far, its own among them once
/// it is made, and what goes straight to the next chip never lies there.
TEST(FedStepping, MemoryHoldsTheSumsByHand) {
    constexpr std::int32_t chips = 4;
    const SteppingPtr stepping = fed("t3", {chips});
    ASSERT_NE(stepping, nullptr);
    const Program& program = stepping->program;
    const ValueId partial = writes(program.operations[program.fusions.front().producer]);
    ASSERT_EQ(program.shape.m % chips, 0) << "chunks are rows";
    const std::int64_t rows = program.shape.m / chips, depth = program.shape.k / chips;
    const auto term = [&](std::int32_t chip, std::int64_t row, std::int64_t column) {
        double sum = 0;
        for (std::int64_t k = chip * depth; k < (chip + 1) * depth; ++k) {
            sum += stepping->a.at(row, k) * stepping->b.at(k, column);
        }
        return sum;
    };
    const auto moments = fed_moments(*stepping);
    int numbers = 0, absent = 0;
    for (std::size_t step = 0; step < moments.size(); ++step) {
        for (std::int32_t chip = 0; chip < chips; ++chip) {
            const DenseMatrix<double>& memory =
                (*moments[step]->values[partial])[static_cast<std::size_t>(chip)];
            for (std::int32_t slot = 0; slot < chips; ++slot) {
                const auto& map = moments[step]->fed[static_cast<std::size_t>(chip)].chunks;
                const std::int32_t number = map[static_cast<std::size_t>(slot)].map.chunk;
                EXPECT_EQ(number, (chip - slot - 1 + chips) % chips);
                const bool made = step >= 2 * static_cast<std::size_t>(slot);
                const bool come = slot > 0 && step >= 2 * static_cast<std::size_t>(slot) - 1;
                for (std::int64_t row = number * rows; row < (number + 1) * rows; ++row) {
                    for (std::int64_t column = 0; column < program.shape.n; ++column) {
                        if (slot == 0 || !come) {
                            EXPECT_TRUE(std::isnan(memory.at(row, column)));
                            ++absent;
                            continue;
                        }
                        double sum = made ? term(chip, row, column) : 0;
                        for (std::int32_t back = 1; back <= slot; ++back) {
                            sum += term((chip - back + chips) % chips, row, column);
                        }
                        EXPECT_EQ(memory.at(row, column), sum) << step << ' ' << chip << ' ' << slot;
                        ++numbers;
                    }
                }
            }
        }
    }
    EXPECT_GT(numbers, 100);
    EXPECT_GT(absent, 100);
}

/// Slice after slice on a torus, along the axis that sums; links carry what is counted.
TEST(FedStepping, StepsEverySliceOfMeshSlice) {
    for (const auto& [mesh, dataflow, slices, ring] :
         {std::tuple(std::vector<std::int32_t>{2, 2}, Dataflow::LS, 2, 2),
          std::tuple(std::vector<std::int32_t>{2, 4}, Dataflow::LS, 2, 4),
          std::tuple(std::vector<std::int32_t>{4, 2}, Dataflow::RS, 2, 4),
          std::tuple(std::vector<std::int32_t>{3, 3}, Dataflow::RS, 1, 3)}) {
        const SteppingPtr stepping = fed("meshslice-t3", mesh, dataflow, slices);
        ASSERT_NE(stepping, nullptr);
        const auto moments = fed_moments(*stepping);
        ASSERT_EQ(moments.size(), static_cast<std::size_t>(slices * (2 * ring - 1)));
        for (std::size_t k = 0; k < moments.size(); ++k) {
            const std::size_t step = k % static_cast<std::size_t>(2 * ring - 1);
            const auto slice = static_cast<std::int64_t>(k) / (2 * ring - 1);
            EXPECT_EQ(moments[k]->iteration, slice);
            for (const FedProgress& chip : moments[k]->fed) {
                EXPECT_EQ(chip.iteration, slice);
                for (std::size_t slot = 0; slot < chip.chunks.size(); ++slot) {
                    EXPECT_EQ(chip.chunks[slot].in(by_hand(step, slot)), chip.chunks[slot].tiles);
                }
            }
        }
        EXPECT_TRUE(stepping->right());
        const Count counted = count(stepping->program, stepping->schedule);
        std::vector<std::int64_t> elements;
        for (const LinkTraffic& link : counted.links) {
            elements.push_back(link.bytes.value() / element_bytes(stepping->schedule.type));
        }
        EXPECT_EQ(stepping->moments.back().carried, elements);
    }
    EXPECT_TRUE(fed_moments(*fed("meshslice-t3", {2, 2}, Dataflow::OS, 2)).empty()); // sums nothing
    EXPECT_TRUE(fed("meshslice", {2, 2}, Dataflow::LS, 2)->moments.back().fed.empty());
}

/// What is drawn as complete is what the trackers counted as complete: every update of every tile. Chips in
/// step are one more interleaving, whose product is that of all others.
TEST(FedStepping, CompleteIsWhatTheTrackersSay) {
    for (const std::int32_t chips : {2, 3, 5, 16}) {
        TrackedRing ring;
        ring.chips = chips;
        ring.rows = 2;
        ring.columns = 3 * chips;
        ring.tile = 4; // does not divide a chunk
        std::vector<std::vector<std::vector<std::int64_t>>> made(2);
        for (std::size_t run = 0; run < made.size(); ++run) {
            for (std::int32_t chip = 0; chip < chips; ++chip) {
                std::vector<std::int64_t> numbers;
                for (std::int64_t k = 0; k < ring.rows * ring.columns; ++k) {
                    numbers.push_back((chip + 2) * k + static_cast<std::int64_t>(run));
                }
                made[run].push_back(numbers);
            }
        }
        TileEvents<std::int64_t> events;
        const auto stepped = run_tracked_stores(ring, made, &events);
        const auto seeded = run_tracked_stores(ring, made);
        ASSERT_TRUE(stepped && seeded);
        EXPECT_TRUE(stepped->every_entry_once && stepped->nothing_left);
        EXPECT_EQ(stepped->product, seeded->product);
        EXPECT_EQ(stepped->further, seeded->further);
        EXPECT_EQ(stepped->sent, seeded->sent);
        std::map<std::tuple<std::int64_t, std::int32_t, std::int64_t>, int> updates;
        std::int64_t step = 0;
        for (const TileEvent<std::int64_t>& event : events) {
            EXPECT_GE(event.step, step);
            step = event.step;
            EXPECT_EQ(event.step % 2 == 1, event.arrived);
            if (event.sum.empty()) { // straight to the next chip
                EXPECT_FALSE(event.complete || event.arrived);
                continue;
            }
            const int count = ++updates[{event.run, event.chip, event.begin}];
            EXPECT_EQ(event.complete, count == 2);
            EXPECT_LE(count, 2);
        }
        // All chunks of a chip but its first, each of two tiles, in both runs.
        EXPECT_EQ(updates.size(), static_cast<std::size_t>(2 * chips * (chips - 1) * 2));
        EXPECT_EQ(step, 2 * (2 * chips) - 2);
    }
}

} // namespace
} // namespace meshslice
