// MeshSlice whose slices feed their reduce-scatter, in simulated time.

#include "core/cost/operation_cost.h"
#include "core/count/count.h"
#include "core/estimate/estimate.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/machine/memory_controller.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>

namespace meshslice {
namespace {

Machine gpus_in_a_torus() {
    return *machine_preset("t3-torus");
}

Program slices_on(std::int32_t rows, std::int32_t columns, const GemmShape& shape, std::int64_t slices,
                  Dataflow dataflow = Dataflow::LS, const char* id = "meshslice-t3") {
    GemmOptions options;
    options.slices = slices;
    return *(*algorithm(id))
                ->write(shape, dataflow, *Torus::create({TorusAxis{rows}, TorusAxis{columns}}), options);
}

Schedule fed_by(MemoryPolicy policy) {
    Schedule schedule;
    schedule.arbitration = policy;
    schedule.reduction = Reduction::near_memory;
    return schedule;
}

std::shared_ptr<const Timeline> simulated(const Program& program, const Machine& hardware,
                                          const Schedule& schedule, Folding folding = Folding::alike_chips,
                                          const Conditions& conditions = {}) {
    const auto run = simulate(program, hardware, schedule, conditions, {}, folding);
    EXPECT_TRUE(run) << (run ? "" : run.error().sentence);
    return run.value_or(nullptr);
}

/// On one row of eight chips nothing is gathered, so one slice is T3's GEMM and reduce-scatter: T3's run
/// without its all-gather of 7 steps, c / 150 GB/s = 58.109 us and a flight of 0.5 us each.
TEST(FedSlicesRun, OfOneSliceOnOneRowIsT3) {
    const GemmShape fc2{8192, 4096, 16384};
    Machine torus = gpus_in_a_torus();
    torus.network.set_link_bandwidth(Bandwidth(150e9));
    const Program ring = *(*algorithm("t3"))->write(fc2, Dataflow::LS, *Torus::create({TorusAxis{8}}), {});
    for (const MemoryPolicy policy : all_memory_policies) {
        Schedule schedule = fed_by(policy);
        schedule.ring = RingMode::one_way;
        const Time t3 = simulated(ring, *machine_preset("t3-paper"), schedule)->end();
        const double gather = 7 * (8192.0 * 4096 * 2 / 8 / 150e9 + 0.5e-6);
        const Time slices = simulated(slices_on(1, 8, fc2, 1), torus, schedule)->end();
        EXPECT_NEAR(in_seconds(slices), in_seconds(t3) - gather, 1e-10) << name(policy);
    }
}

/// DRAM and links as counted, folded and in full, whatever the policy.
TEST(FedSlicesRun, MovesWhatIsCountedFoldedAndInFull) {
    for (const MemoryPolicy policy : all_memory_policies) {
        for (const Dataflow dataflow : {Dataflow::LS, Dataflow::RS}) {
            const Program program = slices_on(2, 4, {2048, 2048, 4096}, 4, dataflow);
            const Schedule schedule = fed_by(policy);
            const auto folded = simulated(program, gpus_in_a_torus(), schedule);
            const auto full = simulated(program, gpus_in_a_torus(), schedule, Folding::none);
            EXPECT_EQ(folded->end(), full->end()) << name(policy);
            EXPECT_EQ(folded->classes().count(), 1U);
            const Count counted = count(program, schedule);
            for (Chip chip = 0; chip < 8; ++chip) {
                ASSERT_NE(full->dram(chip), nullptr);
                for (std::size_t source = 0; source < dram_sources; ++source) {
                    EXPECT_NEAR(full->dram(chip)->bytes[source], counted.dram_per_chip.bytes[source], 1e-3)
                        << name(policy) << ' ' << source;
                }
            }
            EXPECT_EQ(*folded->dram(0), *full->dram(0));
        }
    }
}

/// 100 us of computing that reads nothing, next to links that take half of the memory: round robin leaves it
/// half of the time. 10 us of writes then have half of the memory. An ideal memory has room for all.
TEST(FedSlicesRun, SharesMemoryWithLinksFirst) {
    const auto ends = [](MemoryPolicy policy) {
        MemoryController memory(1, Bandwidth(1e12), policy);
        memory.load(Time(0), 0, 500'000'000'000);
        memory.compute(Time(0), 0, Time(100'000'000), 0);
        const Time computed = memory.settle(Time(0)).front().at;
        EXPECT_TRUE(memory.over(computed, 0, MemoryStream::compute));
        memory.write(computed, 0, {10e6, 1, {}});
        return std::pair(computed, memory.settle(computed).front().at - computed);
    };
    EXPECT_EQ(ends(MemoryPolicy::ideal), std::pair(Time(100'000'000), Time(10'000'000)));
    EXPECT_EQ(ends(MemoryPolicy::round_robin), std::pair(Time(200'000'000), Time(20'000'000)));
    EXPECT_EQ(ends(MemoryPolicy::communication_aware), std::pair(Time(100'000'000), Time(20'000'000)));
    EXPECT_EQ(ends(MemoryPolicy::compute_first), std::pair(Time(100'000'000), Time(20'000'000)));
}

/// With cores at half speed on one chip its neighbour makes a slice ahead of it, and its pieces wait until
/// the slow chip's run of the slice before is over: not before that chip has sent its last piece of it.
TEST(FedSlicesRun, WaitsForTheReceiversBuffer) {
    const Program program = slices_on(1, 4, {2048, 4096, 8192}, 4);
    Conditions slow;
    slow.core_speed = {1, 0.5, 1, 1};
    const auto run =
        simulated(program, gpus_in_a_torus(), fed_by(MemoryPolicy::communication_aware), Folding::none, slow);
    const OperationId collective = program.fusions.front().collective;
    const auto row_of_chip = [&](Chip chip) {
        for (std::size_t row = 0; row < run->rows().size(); ++row) {
            const Row& one = run->rows()[row];
            if (one.chip == chip && !one.is_core && one.axis == Axis::horizontal &&
                one.direction == Direction::forward) {
                return run->intervals(row);
            }
        }
        return run->intervals(0);
    };
    int compared = 0;
    for (Chip chip = 0; chip < 4; ++chip) {
        for (std::uint32_t slice = 1; slice < 4; ++slice) {
            Time begins(INT64_MAX), over(0);
            for (const Interval& one : row_of_chip(chip)) {
                if (one.operation == collective && one.iteration == slice) {
                    begins = std::min(begins, one.start);
                }
            }
            for (const Interval& one : row_of_chip((chip + 1) % 4)) {
                if (one.operation == collective && one.iteration == slice - 1) {
                    over = std::max(over, one.end);
                }
            }
            EXPECT_GE(begins, over) << chip << ' ' << slice;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 12);
}

/// Slices that feed their ring end no later than slices that do not, where both go one way round and nothing
/// contends for memory, by at most the last slice's scatter.
TEST(FedSlicesRun, SavesAtMostTheLastScatter) {
    for (const std::int64_t slices : {1, 2, 4, 8}) {
        const GemmShape shape{4096, 4096, 8192};
        Schedule schedule = fed_by(MemoryPolicy::ideal);
        schedule.ring = RingMode::one_way;
        const Program fed = slices_on(4, 4, shape, slices);
        const Program apart = slices_on(4, 4, shape, slices, Dataflow::LS, "meshslice");
        const double with = in_seconds(simulated(fed, gpus_in_a_torus(), schedule)->end());
        const double without = in_seconds(simulated(apart, gpus_in_a_torus(), schedule)->end());
        const Operation& scatter = apart.operations[fed.fusions.front().collective];
        const double last = in_seconds(operation_cost(apart, scatter, gpus_in_a_torus(), schedule).total());
        EXPECT_LT(with, without) << slices;
        // Flights are paid once a tile in a pipeline, not once a step.
        EXPECT_GT(with, without - last - 1e-6 * static_cast<double>(3 * slices)) << slices;
    }
}

/// The closed form against the simulation. In 16 slices a GEMM is one stage, whose tiles come all at once:
/// the closed form does not know that the ring stands still until then.
TEST(FedSlicesRun, IsEstimated) {
    for (const char* const id : {"meshslice", "meshslice-t3"}) {
        for (const std::int64_t slices : {1, 2, 4, 8, 16}) {
            for (const MemoryPolicy policy : all_memory_policies) {
                if (slices == 16 && policy == MemoryPolicy::compute_first) {
                    continue;
                }
                const Program program = slices_on(4, 4, {16384, 3072, 12288}, slices, Dataflow::LS, id);
                const double run = in_seconds(simulated(program, gpus_in_a_torus(), fed_by(policy))->end());
                const double closed = in_seconds(estimate(program, gpus_in_a_torus(), fed_by(policy)).total);
                EXPECT_NEAR(closed / run, 1, slices < 16 ? 0.06 : 0.15)
                    << id << ' ' << slices << ' ' << name(policy);
            }
        }
    }
}

/// Links of both axes that want more than the memory has are refused, not slowed.
TEST(FedSlicesRun, RefusesLinksThatMemoryWouldSlow) {
    Machine fast = gpus_in_a_torus();
    fast.network.set_link_bandwidth(Bandwidth(150e9));
    const Program program = slices_on(4, 4, {4096, 4096, 8192}, 4, Dataflow::LS, "meshslice");
    const auto run = simulate(program, fast, fed_by(MemoryPolicy::communication_aware));
    ASSERT_FALSE(run);
    EXPECT_THAT(run.error().sentence, testing::HasSubstr("where memory slows links"));
}

} // namespace
} // namespace meshslice
