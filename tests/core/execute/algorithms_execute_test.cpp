#include "core/count/count.h"
#include "core/execute/verify.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <map>
#include <random>
#include <tuple>

namespace meshslice {
namespace {

/// Every algorithm, dataflow and slice count on one torus gives the plain product to the last integer, both
/// ways round and one way; returns how many programs of each algorithm ran.
std::map<std::string_view, int> expect_plain_products(std::vector<std::int32_t> sizes,
                                                      const GemmShape& shape) {
    const Torus torus = *Torus::create(sizes);
    std::map<std::string_view, int> runs;
    for (const Algorithm& algorithm : algorithms()) {
        if (algorithm.torus_axes != torus.axis_count()) {
            continue;
        }
        for (const Dataflow dataflow : algorithm.dataflows) {
            const auto counts = algorithm.slice_counts(shape, dataflow, torus, {1, 1});
            if (!counts) {
                continue;
            }
            for (const std::int64_t slices : *counts) {
                for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                    const Program program = written(algorithm.id, shape, dataflow, torus, {slices, 1});
                    const Schedule schedule{DataType::bf16, ring, {1}};
                    const auto result = verify(program, schedule, Numbers::integers, 11);
                    EXPECT_TRUE(result && result->correct)
                        << algorithm.id << ' ' << name(dataflow) << " on " << shape_text(torus)
                        << " S=" << slices << ' ' << name(ring) << "\n"
                        << pseudocode(program);
                    if (result) {
                        EXPECT_EQ(result->links, count(program, schedule).links) << algorithm.id;
                    }
                    ++runs[algorithm.id];
                }
            }
        }
    }
    return runs;
}

using Runs = std::map<std::string_view, int>;

/// Three dataflows, two ring modes, one slice count.
TEST(EveryAlgorithm, IsExactOnRings) {
    for (const std::int32_t chips : {1, 2, 3, 5, 8}) {
        EXPECT_EQ(expect_plain_products({chips}, {120, 240, 360}), (Runs{{"1d-tp", 6}, {"fsdp", 6}}))
            << chips;
    }
}

/// MeshSlice with data parallelism has as many slice counts as the sliced dimension's part on one chip has
/// divisors.
TEST(EveryAlgorithm, IsExactOnThreeAxes) {
    for (const auto& [sizes, shape] :
         std::vector<std::pair<std::vector<std::int32_t>, GemmShape>>{{{2, 2, 2}, {48, 72, 96}},
                                                                      {{4, 4, 2}, {96, 48, 144}},
                                                                      {{4, 4, 4}, {96, 48, 144}},
                                                                      {{2, 2, 1}, {48, 72, 96}}}) {
        Runs runs = expect_plain_products(sizes, shape);
        EXPECT_EQ(runs["2.5d"], 6);
        EXPECT_GE(runs["meshslice-dp"], 3 * 2 * 2);
        EXPECT_EQ(runs.size(), 2u);
    }
    Runs runs = expect_plain_products({4, 2, 3}, {48, 72, 96});
    EXPECT_GE(runs["meshslice-dp"], 3 * 2 * 2);
    EXPECT_EQ(runs.size(), 1u); // Not 2.5D.
}

TEST(EveryAlgorithm, IsExactOnTheMeshesThatTheyAreComparedOn) {
    Runs oblong = expect_plain_products({3, 6}, {108, 36, 72});
    EXPECT_EQ(oblong["cannon"], 0);
    EXPECT_EQ(oblong["collective"], 6);
    EXPECT_EQ(oblong["wang"], 4 * 6); // 1, 2, 3 and 6 iterations.
    EXPECT_GT(oblong["summa"], 6);
    EXPECT_GT(oblong["meshslice"], 6);
    Runs square = expect_plain_products({2, 2}, {32, 48, 64});
    EXPECT_EQ(square["cannon"], 6);
    EXPECT_EQ(square["collective"], 6);
    EXPECT_EQ(square["wang"], 2 * 6);
    EXPECT_GT(square["summa"], 6);
    EXPECT_GT(square["meshslice"], 6);
}

/// Either axis decomposed, every unrolling, odd chunks, and streams of any number of packets.
TEST(EveryAlgorithm, IsExactWithEveryOption) {
    for (const std::vector<std::int32_t>& sizes : {std::vector{4, 4}, {2, 4}, {4, 2}, {3, 6}, {1, 5}}) {
        const Torus torus = *Torus::create(sizes);
        const GemmShape shape{180, 60, 300};
        for (const Dataflow dataflow : all_dataflows) {
            for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                const Schedule schedule{DataType::bf16, ring, {1}};
                const auto expect_exact = [&](std::string_view id, const GemmOptions& options) {
                    const Program program = written(id, shape, dataflow, torus, options);
                    const auto result = verify(program, schedule, Numbers::integers, 3);
                    EXPECT_TRUE(result && result->correct) << shape_text(torus) << '\n'
                                                           << pseudocode(program);
                    EXPECT_EQ(result->links, count(program, schedule).links);
                };
                for (const Axis axis : {Axis::vertical, Axis::horizontal}) {
                    const auto counts =
                        *(*algorithm("wang"))->slice_counts(shape, dataflow, torus, {.decomposed = axis});
                    for (const std::int64_t slices : counts) {
                        expect_exact("wang", {.slices = slices, .decomposed = axis});
                    }
                }
                for (const std::int64_t packets : {1, 2, 3, 7}) {
                    expect_exact("summa", {.slices = 12 % sizes.back() == 0 ? 12 : 15, .packets = packets});
                }
            }
        }
    }
}

/// What must hold of every run: rows in order and without overlap, no faster than the core or the busiest
/// link could be, and bytes as counted.
void expect_lawful(const Program& program, const Schedule& schedule) {
    const Machine hardware = round_hardware();
    const auto timeline = simulate(program, hardware, schedule);
    ASSERT_TRUE(timeline) << timeline.error().sentence;
    const Count counted = count(program, schedule);
    std::map<std::tuple<Chip, Axis, Direction>, Bytes> carried;
    for (std::size_t row = 0; row < (*timeline)->rows().size(); ++row) {
        const Row& place = (*timeline)->rows()[row];
        Time last;
        for (const Interval& interval : (*timeline)->intervals(row)) {
            EXPECT_LE(last, interval.start);
            EXPECT_LE(interval.start, interval.end);
            last = interval.end;
            if (!place.is_core) {
                carried[{place.chip, place.axis, place.direction}] += (*timeline)->bytes(place, interval);
            }
        }
    }
    for (const LinkTraffic& traffic : counted.links) {
        EXPECT_EQ((carried[{traffic.link.chip, traffic.link.axis, traffic.link.direction}]), traffic.bytes);
    }
    EXPECT_GE((*timeline)->end(), counted.flop_per_chip / hardware.effective_rate(schedule.type));
    EXPECT_GE((*timeline)->end(), counted.busiest_link / hardware.network.link_bandwidth(0));
}

TEST(EveryAlgorithm, ObeysTheLawsInSimulatedTime) {
    std::mt19937 random(31);
    const auto pick = [&](auto... choices) {
        const std::array all = {choices...};
        return all[random() % all.size()];
    };
    const std::vector<std::vector<std::int32_t>> toruses = {{8},    {5},       {4, 4},   {3, 6},
                                                            {2, 4}, {2, 2, 2}, {4, 4, 2}};
    int runs = 0;
    for (const std::vector<std::int32_t>& sizes : toruses) {
        const Torus torus = *Torus::create(sizes);
        for (const Algorithm& algorithm : algorithms()) {
            for (const Dataflow dataflow : algorithm.dataflows) {
                const GemmShape shape{720 * pick(1, 2), 720 * pick(1, 3), 720 * pick(1, 2)};
                const auto counts = algorithm.slice_counts(shape, dataflow, torus, {1, 1});
                if (!counts) {
                    continue;
                }
                const std::int64_t slices = (*counts)[random() % counts->size()];
                Schedule schedule;
                schedule.ring = pick(RingMode::both_ways, RingMode::one_way);
                schedule.prefetch.depth =
                    pick(std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, Prefetch::without_bound);
                SCOPED_TRACE(testing::Message() << algorithm.id << ' ' << shape_text(torus) << ' '
                                                << text(shape) << ' ' << name(dataflow) << " S=" << slices);
                expect_lawful(written(algorithm.id, shape, dataflow, torus, {slices, 1}), schedule);
                ++runs;
            }
        }
    }
    EXPECT_GT(runs, 60);
}

/// A planted mistake must make the result wrong.
template <class Kind>
Kind& first(Program& program) {
    for (Operation& operation : program.operations) {
        if (Kind* found = std::get_if<Kind>(&operation)) {
            return *found;
        }
    }
    ADD_FAILURE() << "the program has no such operation";
    std::abort();
}

bool correct(const Program& program) {
    const auto result = verify(program, {}, Numbers::integers, 5);
    return result && result->correct;
}

template <class Spoil>
void expect_caught(std::string_view id, Dataflow dataflow, std::vector<std::int32_t> sizes, Spoil spoil,
                   std::int64_t slices = 1) {
    Program program = written(id, {96, 96, 96}, dataflow, *Torus::create(sizes), {slices, 1});
    ASSERT_TRUE(correct(program)) << id;
    spoil(program);
    EXPECT_FALSE(correct(program)) << id << '\n' << pseudocode(program);
}

TEST(Mistakes, OfCannonAreCaught) {
    expect_caught("cannon", Dataflow::OS, {4, 4}, [](Program& p) { first<Shift>(p).skew = {1, 0, 0}; });
    expect_caught("cannon", Dataflow::OS, {4, 4}, [](Program& p) { p.iterations = 2; });
    expect_caught("cannon", Dataflow::LS, {4, 4}, [](Program& p) {
        std::get<Shift>(p.operations.back()).hops = 0; // The sums do not get all the way home.
    });
}

TEST(Mistakes, OfSummaAreCaught) {
    expect_caught(
        "summa", Dataflow::OS, {2, 4}, [](Program& p) { first<Broadcast>(p).panels.turn.offset += 1; }, 4);
    expect_caught(
        "summa", Dataflow::LS, {2, 4}, [](Program& p) { first<Reduce>(p).panels.turn.offset += 1; }, 4);
    expect_caught(
        "summa", Dataflow::OS, {2, 4}, [](Program& p) { p.iterations = 3; }, 4);
}

TEST(Mistakes, OfWangAreCaught) {
    for (const std::int64_t slices : {4, 2}) { // Every step by itself, and unrolled.
        expect_caught(
            "wang", Dataflow::OS, {4, 4}, [](Program& p) { first<TakeChunks>(p).turns.first.offset = 1; },
            slices);
        expect_caught(
            "wang", Dataflow::OS, {4, 4}, [](Program& p) { p.iterations += 1; }, slices);
        expect_caught(
            "wang", Dataflow::LS, {4, 4}, [](Program& p) { first<AddSendRecv>(p).axis = Axis::vertical; },
            slices);
        expect_caught(
            "wang", Dataflow::LS, {4, 4}, [](Program& p) { first<AddSendRecv>(p).count -= 1; }, slices);
    }
    expect_caught(
        "wang", Dataflow::OS, {4, 4}, [](Program& p) { first<SendRecv>(p).count = 0; }, 2);
}

TEST(Mistakes, OfOneDimensionalAlgorithmsAreCaught) {
    expect_caught("1d-tp", Dataflow::OS, {8}, [](Program& p) { first<PutChunks>(p).turns.first.offset = 1; });
    expect_caught("1d-tp", Dataflow::LS, {8}, [](Program& p) { p.iterations = 6; });
    expect_caught("fsdp", Dataflow::OS, {8}, [](Program& p) { first<TakeChunks>(p).turns.first.offset = 1; });
    expect_caught("fsdp", Dataflow::RS, {8}, [](Program& p) { first<TakeChunks>(p).turns.first.stride = 2; });
}

TEST(Mistakes, OfLayeredAlgorithmsAreCaught) {
    expect_caught("2.5d", Dataflow::OS, {4, 4, 2}, [](Program& p) { first<Shift>(p).skew[2] = 0; });
    expect_caught("2.5d", Dataflow::RS, {4, 4, 2}, [](Program& p) { p.operations.pop_back(); });
    expect_caught(
        "meshslice-dp", Dataflow::RS, {2, 2, 2}, [](Program& p) { p.operations.pop_back(); }, 2);
    expect_caught(
        "meshslice-dp", Dataflow::OS, {2, 2, 2}, [](Program& p) { first<Slice>(p).slicing.turn.offset = 1; },
        2);
}

} // namespace
} // namespace meshslice
