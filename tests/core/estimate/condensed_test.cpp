#include "core/estimate/condensed.h"
#include "core/estimate/estimate.h"
#include "core/estimate/stream_costs.h"
#include "core/estimate/stream_links.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace meshslice {
namespace {

/// SUMMA with S = 2 on 2 x 4 chips has lcm(2, 4) = 4 panels, so an iteration broadcasts two along the row and
/// two along the column and multiplies once: five operations, of which three remain, standing for 2, 2 and 1.
TEST(Condensed, PanelsOfOneStreamAreOne) {
    const Program program =
        written("summa", {64, 64, 64}, Dataflow::OS, *Torus::create({2, 4}), {.slices = 2, .packets = 4});
    ASSERT_EQ(program.operations.size(), 5u);
    const CondensedProgram found = condensed(program);
    EXPECT_EQ(found.times, (std::vector<std::int64_t>{2, 2, 1}));
    EXPECT_EQ(found.program.loop_begin, 0);
    EXPECT_EQ(found.program.loop_end, 3);
}

/// Programs are the same whether they were written with a number of packets or given it afterwards.
TEST(Condensed, PacketsCanBeSetAfterwards) {
    const Torus torus = *Torus::create({2, 4});
    const GemmShape shape{96, 64, 192};
    for (const Dataflow dataflow : all_dataflows) {
        CondensedProgram changed =
            condensed(written("summa", shape, dataflow, torus, {.slices = 4, .packets = 1}));
        for (const std::int64_t packets : {2, 16, 256}) {
            set_packets(changed, packets);
            const CondensedProgram fresh =
                condensed(written("summa", shape, dataflow, torus, {.slices = 4, .packets = packets}));
            EXPECT_EQ(operation_times(changed, round_hardware(), {}),
                      operation_times(fresh, round_hardware(), {}));
        }
    }
}

/// By hand: a panel of 2500 x 800 elements, 4 MB, takes 4 ms over a link one way; from a root to the last of
/// 5 chips it takes L = 4 steps in one packet. 10 us of launch, 3 us of synchronization, the bytes' 4000 us
/// and, in p packets, p x 1 us + 3 x 4000 us / p, which is least where both are equal: 2 sqrt(3 x 4000) =
/// 219.09 us. 4232.09 us together; in 128 packets it is 10 + 131 x (1 + 31.25) = 4234.75 us.
TEST(Condensed, TheLeastOfAnyPacketsIsNearTheBest) {
    CondensedProgram found = condensed(written("summa", {2500, 500, 4000}, Dataflow::OS,
                                               *Torus::create({1, 5}), {.slices = 5, .packets = 1}));
    const Schedule schedule{DataType::bf16, RingMode::one_way, {1}, ChipModel::constant_rate};
    const Machine hardware = round_hardware();
    StreamCosts costs(hardware, schedule);
    const auto least = least_times_of_any_packets(found, costs);
    ASSERT_TRUE(std::holds_alternative<Broadcast>(found.program.operations.front()));
    EXPECT_NEAR(in_seconds(least.first.front()), 4232.09e-6, 0.02e-6);
    CondensedProgram cut = found;
    set_packets(cut, 128);
    const auto times = operation_times(cut, hardware, schedule);
    EXPECT_NEAR(in_seconds(times.first.front()), 4234.75e-6, 1e-9);
    // Asked again for streams alone, the times are the same, however often.
    for (const std::int64_t packets : {128, 64, 128}) {
        auto renewed = least;
        cut_streams(found, packets, costs, renewed);
        EXPECT_EQ(renewed == times, packets == 128);
    }
}

/// How long each engine works: in the first turn and then in all further ones.
std::array<Time, engine_count> busy_times(const CondensedProgram& condensed, const OperationTimes& times) {
    std::array<Time, engine_count> busy{};
    for (OperationId id = 0; id < times.first.size(); ++id) {
        const std::size_t engine = engine_of(condensed.program.operations[id]);
        if (engine < engine_count) {
            busy[engine] += times.first[id] + times.of_further_turns()[id] * (condensed.program.runs(id) - 1);
        }
    }
    return busy;
}

/// What it promises: the program's estimate, to the picosecond, for every algorithm, dataflow, slice count
/// and prefetch depth; never below what its engines work; and packets never make it shorter than the bound
/// for any of them.
TEST(Condensed, HasTheSameEstimate) {
    Machine slow_core = round_hardware();
    slow_core.effective_fraction.value = 0.003;
    // Tile by tile, with a memory that copies and links fill next to the core.
    Machine slow_memory = round_hardware();
    slow_memory.output_tile.value = 128;
    slow_memory.hbm_bandwidth.value = Bandwidth(2e10);
    const GemmShape shape{192, 384, 768};
    int compared = 0;
    int tight = 0;
    int refused = 0;
    for (const Algorithm& algorithm : algorithms()) {
        const std::vector<std::vector<std::int32_t>> meshes =
            algorithm.torus_axes == 1   ? std::vector<std::vector<std::int32_t>>{{4}, {8}}
            : algorithm.torus_axes == 3 ? std::vector<std::vector<std::int32_t>>{{2, 2, 2}, {4, 4, 2}}
                                        : std::vector<std::vector<std::int32_t>>{{1, 1}, {4, 4}, {2, 6}};
        for (const auto& mesh : meshes) {
            const Torus torus = *Torus::create(mesh);
            for (const Dataflow dataflow : all_dataflows) {
                const auto counts = algorithm.slice_counts(shape, dataflow, torus, {1, 2});
                for (const std::int64_t slices : counts.value_or(std::vector<std::int64_t>{})) {
                    const auto program = algorithm.write(shape, dataflow, torus, {slices, 2, 8, {}});
                    const auto one = algorithm.write(shape, dataflow, torus, {slices, 2, 1, {}});
                    for (const std::int64_t depth : {0, 1, 3}) {
                        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                            for (const Machine& hardware : {round_hardware(), slow_core, slow_memory}) {
                                const bool tiled = hardware.output_tile.value > 0;
                                const Schedule schedule{DataType::bf16,
                                                        ring,
                                                        {depth},
                                                        tiled ? ChipModel::tiled : ChipModel::constant_rate};
                                const CondensedProgram all = condensed(*program);
                                const auto times = operation_times(all, hardware, schedule);
                                const auto needs = condensed_dependencies(all, {depth});
                                const std::string where =
                                    fmt::format("{} {} {} S = {} depth {}", algorithm.id, shape_text(torus),
                                                name(dataflow), slices, depth);
                                const Estimate whole = estimate(*program, hardware, schedule);
                                const Time total = whole.total;
                                const LoopTime loop =
                                    loop_time(all, times, needs, hardware, schedule, Waves::left_out);
                                const LoopTime with_waves =
                                    loop_time(all, times, needs, hardware, schedule, Waves::followed);
                                EXPECT_EQ(estimate(all, with_waves, hardware, schedule), whole) << where;
                                EXPECT_TRUE(follows_streams(all) || loop.total == total) << where;
                                // Nothing is found only where it takes longer than asked for.
                                for (const Time most : {total, total - Time(1), Time(total.value() / 2)}) {
                                    const auto within = loop_time_within(all, times, needs, hardware,
                                                                         schedule, Waves::followed, most);
                                    EXPECT_TRUE(within ? within->total == total : most < total) << where;
                                    refused += within ? 0 : 1;
                                }
                                EXPECT_LE(least_total_time(all, times, {depth}), total) << where;
                                tight += least_total_time(all, times, {depth}) == total ? 1 : 0;
                                CondensedProgram first = condensed(*one);
                                StreamCosts costs(hardware, schedule);
                                const auto least =
                                    busy_times(first, least_times_of_any_packets(first, costs));
                                const auto busy = busy_times(all, times);
                                for (std::size_t engine = 0; engine < engine_count; ++engine) {
                                    EXPECT_LE(busy[engine], total) << where;
                                    EXPECT_LE(least[engine], busy[engine]) << where;
                                }
                                ++compared;
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(compared, 500);
    EXPECT_GT(refused, 0) << "a limit that refuses nothing saves nothing";
    EXPECT_GT(tight, compared / 2) << "a bound that is seldom reached rules out little";
}

} // namespace
} // namespace meshslice
