// MeshSlice whose slices feed their reduce-scatter: what the program is, what it moves and what it makes.

#include "core/count/count.h"
#include "core/execute/execute.h"
#include "core/execute/verify.h"
#include "core/gemm/algorithms.h"
#include "core/program/dependencies.h"
#include "tests/core/execute/small_operands.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

using testing::Each;
using testing::HasSubstr;

struct SlicedCase {
    std::int32_t rows, columns;
    Dataflow dataflow;
    std::int64_t slices, tile;
};

Torus torus_of_gpus(std::int32_t rows, std::int32_t columns) {
    return *Torus::create({TorusAxis{rows}, TorusAxis{columns}});
}

/// All dimensions are four times the chips, so that up to four slices of one row divide every part.
Program fed_slices(const SlicedCase& one, const char* id = "meshslice-t3") {
    const std::int64_t size = std::int64_t{4} * one.rows * one.columns;
    GemmOptions options;
    options.slices = one.slices;
    options.block = 1;
    options.tile = one.tile;
    return *(*algorithm(id))
                ->write({size, size, size}, one.dataflow, torus_of_gpus(one.rows, one.columns), options);
}

template <class Number>
Execution<Number> run_slices(const Program& program, const TrackedRing& actors,
                             const Schedule& schedule = {}) {
    const auto execution =
        execute(program, schedule, small_operand<Number>(program.shape.m, program.shape.k, 5),
                small_operand<Number>(program.shape.k, program.shape.n, 7), {}, actors);
    EXPECT_TRUE(execution);
    return execution.value_or(Execution<Number>());
}

DenseMatrix<std::int64_t> sliced_product_by_hand(const GemmShape& shape) {
    return product_by_hand(small_operand<std::int64_t>(shape.m, shape.k, 5),
                           small_operand<std::int64_t>(shape.k, shape.n, 7));
}

/// One line differs: slices of LS and RS feed their ring. Those of OS end in no sum.
TEST(FedSlices, AreOneLineMoreThanMeshSlice) {
    EXPECT_EQ(pseudocode(fed_slices({2, 2, Dataflow::LS, 2, 4})), [] {
        std::string words = pseudocode(fed_slices({2, 2, Dataflow::LS, 2, 4}, "meshslice"));
        const std::string line = "C_s = RdS_col(C')";
        words.insert(words.find(line) + line.size(), ", tile by tile as C' is made");
        return words;
    }());
    const Program fed = fed_slices({2, 4, Dataflow::RS, 4, 3});
    ASSERT_EQ(fed.fusions.size(), 1U);
    EXPECT_TRUE(fed.in_loop(fed.fusions.front().producer) && fed.in_loop(fed.fusions.front().collective));
    EXPECT_EQ(pseudocode(fed_slices({2, 2, Dataflow::OS, 2, 4})),
              pseudocode(fed_slices({2, 2, Dataflow::OS, 2, 4}, "meshslice")));
}

/// The scatter of a slice waits for no GEMM of its own; the GEMM waits until the scatter two slices before is
/// over, for there are two buffers of partial sums.
TEST(FedSlices, HaveTwoBuffersOfPartialSums) {
    const Program fed = fed_slices({2, 2, Dataflow::LS, 4, 4});
    const Fusion& fusion = fed.fusions.front();
    const auto producer = fusion.producer, collective = fusion.collective;
    const std::vector<Dependency> all = dependencies(fed, {});
    EXPECT_THAT(all, testing::Not(testing::Contains(Dependency{producer, collective, 0})));
    EXPECT_THAT(all, testing::Contains(Dependency{collective, producer, 2}));
}

TEST(FedSlices, AreRefusedWhereNoRingIsClosed) {
    GemmOptions options;
    options.block = 1;
    const Algorithm& fed = **algorithm("meshslice-t3");
    const Torus open = *Torus::create({TorusAxis{2}, TorusAxis{2, false}});
    EXPECT_THAT(fed.write({16, 16, 16}, Dataflow::LS, open, options).error().sentence,
                HasSubstr("go along the rows of the mesh 2x2"));
    EXPECT_TRUE(fed.write({16, 16, 16}, Dataflow::RS, open, options)); // sums along its columns
    EXPECT_TRUE(fed.write({16, 16, 16}, Dataflow::OS, open, options)); // sums nothing
    EXPECT_FALSE(fed.write({16, 16, 16}, Dataflow::RS, torus_of_gpus(1, 4), options));
}

std::vector<SlicedCase> sliced_cases() {
    std::vector<SlicedCase> all;
    for (const auto& [rows, columns] : {std::pair(2, 2), std::pair(3, 2), std::pair(2, 4), std::pair(1, 4)}) {
        for (const Dataflow dataflow : {Dataflow::LS, Dataflow::RS}) {
            for (const std::int64_t slices : {1, 2, 4}) {
                for (const std::int64_t tile : {1, 2, 3}) { // 1, 4 and 9 elements
                    if (rows > 1 || dataflow == Dataflow::LS) {
                        all.push_back({rows, columns, dataflow, slices, tile});
                    }
                }
            }
        }
    }
    return all;
}

/// Twelve seeds and the adversaries: integers exact, links and DRAM as counted, every entry filled once.
TEST(FedSlices, GiveTheProductWhateverTheInterleaving) {
    for (const SlicedCase& one : sliced_cases()) {
        SCOPED_TRACE(testing::Message() << one.rows << 'x' << one.columns << ' ' << name(one.dataflow)
                                        << " S " << one.slices << " tile " << one.tile);
        const Program program = fed_slices(one);
        const Count counted = count(program, {});
        const auto expected = sliced_product_by_hand(program.shape);
        const auto bytes = [](const std::vector<std::int64_t>& elements) {
            std::vector<double> all;
            for (const std::int64_t each : elements) {
                all.push_back(2.0 * static_cast<double>(each));
            }
            return all;
        };
        for (const Interleaving order : all_interleavings) {
            const std::uint64_t seeds = order == Interleaving::seeded ? 12 : 2;
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
                TrackedRing actors{.interleaving = order, .seed = seed};
                actors.staggered = seed % 5 != 0;
                const auto execution = run_slices<std::int64_t>(program, actors);
                ASSERT_EQ(execution.product.data, expected.data) << seed;
                ASSERT_EQ(execution.links, counted.links);
                ASSERT_EQ(execution.fused.size(), 1U);
                const FusedStores& stores = execution.fused.front();
                ASSERT_EQ(stores.runs, one.slices);
                ASSERT_TRUE(stores.every_entry_once && stores.nothing_left);
                const DramTraffic& dram = counted.dram_per_chip;
                ASSERT_THAT(bytes(stores.stored), Each(dram.of(DramSource::gemm_write)));
                ASSERT_THAT(bytes(stores.read), Each(dram.of(DramSource::scatter_read)));
                ASSERT_THAT(bytes(stores.updated), Each(dram.of(DramSource::scatter_write)));
            }
        }
    }
}

/// One buffer and as many as there are slices work as well.
TEST(FedSlices, WorkWithAnyNumberOfBuffers) {
    const Program program = fed_slices({2, 4, Dataflow::LS, 4, 3});
    const auto expected = sliced_product_by_hand(program.shape);
    for (const std::int64_t depth : {std::int64_t{0}, std::int64_t{2}, Prefetch::without_bound}) {
        for (const Interleaving order : all_interleavings) {
            const auto execution =
                run_slices<std::int64_t>(program, {.interleaving = order, .seed = 3}, {.prefetch = {depth}});
            EXPECT_EQ(execution.product.data, expected.data) << depth;
            EXPECT_TRUE(execution.fused.front().nothing_left) << depth;
        }
    }
}

TEST(FedSlices, GiveFloatsAlikeToTheLastBit) {
    const Program program = fed_slices({2, 4, Dataflow::LS, 4, 3});
    const auto first = run_slices<float>(program, {.seed = 1}).product.data;
    for (const Interleaving order : all_interleavings) {
        for (std::uint64_t seed = 2; seed < 12; ++seed) {
            ASSERT_EQ(run_slices<float>(program, {.interleaving = order, .seed = seed}).product.data, first);
        }
    }
}

/// A tracker that sends too early, a buffer that is not cleared, updates for a buffer that still holds an
/// earlier slice, a slice made into such a buffer, and one set of counters for both buffers: each gives a
/// wrong product in some interleaving. None does where there is but one slice, except for the first two.
TEST(FedSlices, WithAFaultAreFound) {
    const auto wrong = [](TrackerFault fault, std::int64_t slices) {
        const Program program = fed_slices({2, 4, Dataflow::LS, slices, 2});
        const auto expected = sliced_product_by_hand(program.shape);
        bool found = false;
        for (const Interleaving order : all_interleavings) {
            for (std::uint64_t seed = 1; seed < 6; ++seed) {
                const auto run =
                    run_slices<std::int64_t>(program, {.interleaving = order, .seed = seed, .fault = fault});
                found = found || run.product.data != expected.data;
            }
        }
        return found;
    };
    for (const TrackerFault fault : {TrackerFault::threshold_of_one, TrackerFault::not_cleared}) {
        EXPECT_TRUE(wrong(fault, 1));
        EXPECT_TRUE(wrong(fault, 4));
    }
    for (const TrackerFault fault : {TrackerFault::receiver_not_asked, TrackerFault::buffer_not_awaited,
                                     TrackerFault::one_set_of_counters}) {
        EXPECT_FALSE(wrong(fault, 1)) << static_cast<int>(fault);
        EXPECT_TRUE(wrong(fault, 4)) << static_cast<int>(fault);
    }
}

TEST(FedSlices, AreVerifiedInAllInterleavings) {
    const Program program = fed_slices({3, 2, Dataflow::RS, 2, 2});
    for (const Numbers numbers : {Numbers::integers, Numbers::floats}) {
        const auto found = verify(program, {}, numbers, 3);
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->correct);
        EXPECT_EQ(found->links, count(program, {}).links);
        EXPECT_EQ(found->fused.front().runs, 2);
    }
}

} // namespace
} // namespace meshslice
