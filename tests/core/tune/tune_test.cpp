#include "core/estimate/estimate.h"
#include "core/machine/catalogue.h"
#include "core/scenario/scenario.h"
#include "core/simulate/engine/simulate.h"
#include "core/tune/tune.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

namespace meshslice {
namespace {

/// GPT-3 with 128 x 2048 tokens: Y is larger than X in QKV and FF1 (wider out), X in FF2; in Output they are
/// equal and nothing is transposed without need. With few tokens the weight is the largest.
TEST(Tune, TheLargestMatrixStays) {
    const std::int64_t tokens = 262144;
    const auto stays = [](std::int64_t in, std::int64_t out, std::int64_t rows) {
        return largest_matrix_stays({"layer", in, out, rows, 1});
    };
    EXPECT_EQ(stays(12288, 36864, tokens), Stationary::Y);
    EXPECT_EQ(stays(12288, 12288, tokens), Stationary::Y);
    EXPECT_EQ(stays(49152, 12288, tokens), Stationary::X);
    EXPECT_EQ(stays(12288, 12288, 1024), Stationary::W);
}

/// SUMMA on the paper's mesh: by the closed form of one chip 16 slices are best; but streams of both axes
/// wait for each other, the longer the more slices there are, and the simulation is fastest with 8.
TEST(Tune, WavesOfStreamsCountInTheSliceCount) {
    const Scenario scenario = default_scenario();
    const Torus torus = *Torus::create({32, 8});
    const GemmShape shape{262144, 49152, 12288};
    const auto found =
        tune(**algorithm("summa"), shape, Dataflow::OS, torus, {1, 8}, {}, scenario.hardware, {});
    ASSERT_TRUE(found);
    const auto simulated = [&](GemmOptions options) {
        const Program program = written("summa", shape, Dataflow::OS, torus, options);
        return in_seconds((*simulate(program, scenario.hardware, {}))->end());
    };
    const double best = simulated(found->options);
    EXPECT_NEAR(in_seconds(found->estimate.total) / best, 1, 0.02);
    for (const std::int64_t slices : {4, 8, 16, 32}) {
        GemmOptions other = found->options;
        other.slices = slices;
        EXPECT_LE(best, 1.01 * simulated(other)) << slices;
    }
}

/// 200 random GEMMs: no slice count is more than 1% faster than the chosen one, and every smaller one takes
/// more than 1% longer than the fastest.
TEST(Tune, TakesTheFewestSlicesWithinOnePercentOfTheFastest) {
    std::mt19937 random(20260802);
    const auto one_of = [&](const auto& choices) { return choices[random() % std::size(choices)]; };
    const Algorithm& meshslice = **algorithm("meshslice");
    const std::vector<Machine> machines =
        presets_that([](const Machine& one) { return is_plain_torus(one) && one.network.torus_axes() >= 2; });
    int flat = 0; // where the fastest has more slices
    for (int round = 0; round < 200; ++round) {
        const Machine hardware = one_of(machines);
        const auto side = [&] { return std::int64_t{512} << (random() % 8); };
        const GemmShape shape{side(), side(), side()};
        const Torus torus = *Torus::create({one_of(std::array{1, 2, 4, 8}), one_of(std::array{2, 4, 8, 16})});
        const Dataflow dataflow = one_of(all_dataflows);
        const auto counts = meshslice.slice_counts(shape, dataflow, torus, {1, 8});
        const auto found = best_options(meshslice, shape, dataflow, torus, {1, 8}, {}, hardware, {});
        if (!counts || !found) {
            continue;
        }
        std::map<std::int64_t, Time> times;
        for (const std::int64_t slices : *counts) {
            times[slices] =
                estimate(written("meshslice", shape, dataflow, torus, {slices, 8}), hardware, {}).total;
        }
        const auto fastest = std::ranges::min_element(times, {}, [](const auto& one) { return one.second; });
        flat += fastest->first > found->slices ? 1 : 0;
        for (const auto& [slices, time] : times) {
            const double longer = in_seconds(time) / in_seconds(fastest->second);
            if (slices == found->slices) {
                EXPECT_LE(longer, 1.01) << round;
            } else if (slices < found->slices) {
                EXPECT_GT(longer, 1.0099) << round << ": S = " << slices << " of " << found->slices;
            }
        }
    }
    EXPECT_GT(flat, 20);
}

/// A flat optimum: 64 slices take 0.9% longer than the fastest 256. Tile by tile 256 take a third longer.
TEST(Tune, DoesNotRunToTheEdgeOfAFlatOptimum) {
    const Machine hardware = *machine_preset("tpu-v4-cloud");
    const auto found = best_options(**algorithm("meshslice"), {32768, 65536, 4096}, Dataflow::LS,
                                    *Torus::create({1, 2}), {1, 8}, {}, hardware, {});
    ASSERT_TRUE(found);
    EXPECT_GT(found->slices, 1);
    EXPECT_LE(found->slices, 64);
}

/// Without anything to communicate slicing gains nothing, however small the parts become.
TEST(Tune, DoesNotSliceForNothing) {
    const auto best = best_options(**algorithm("meshslice"), {8, 8, 4096}, Dataflow::OS,
                                   *Torus::create({1, 1}), {1, 1}, {}, default_scenario().hardware, {});
    ASSERT_TRUE(best);
    EXPECT_EQ(best->slices, 1);
}

/// A given S bounds the iterations to which Wang's loop is unrolled: the ring of 8 chips that has more
/// traffic is cut into as many as go.
TEST(Tune, UnrollsToAtMostTheGivenCount) {
    const auto iterations = [](std::int64_t slices) {
        return best_options(**algorithm("wang"), {64, 64, 4096}, Dataflow::OS, *Torus::create({1, 8}),
                            {.decomposed = Axis::horizontal}, slices, default_scenario().hardware, {})
            ->slices;
    };
    EXPECT_EQ(iterations(1), 1);
    EXPECT_EQ(iterations(3), 2);
    EXPECT_EQ(iterations(7), 4);
    EXPECT_EQ(iterations(8), 8);
    EXPECT_EQ(iterations(100), 8);
}

TEST(Tune, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    const auto best =
        best_options(**algorithm("meshslice"), {64, 64, 4096}, Dataflow::OS, *Torus::create({2, 2}), {1, 1},
                     {}, default_scenario().hardware, {}, source.get_token());
    ASSERT_FALSE(best);
    EXPECT_EQ(best.error().kind, Error::Kind::cancelled);
}

TEST(Tune, AlgorithmsThatDoNotSliceGetOne) {
    const auto best = best_options(**algorithm("collective"), {256, 256, 256}, Dataflow::OS,
                                   *Torus::create({4, 2}), {1, 8}, {}, default_scenario().hardware, {});
    ASSERT_TRUE(best);
    EXPECT_EQ(best->slices, 1);
}

TEST(Tune, ChoosesPacketsAndTheAxisToTakeApart) {
    const Machine& hardware = default_scenario().hardware;
    const Torus torus = *Torus::create({4, 4});
    const GemmShape shape{8192, 8192, 8192};
    const auto time = [&](const char* id, const GemmOptions& options) {
        return estimate(*(*algorithm(id))->write(shape, Dataflow::OS, torus, options), hardware, {}).total;
    };
    const auto summa = best_options(**algorithm("summa"), shape, Dataflow::OS, torus, {}, 4, hardware, {});
    ASSERT_TRUE(summa);
    EXPECT_GT(summa->packets, 0);
    for (const std::int64_t packets : {1, 2, 8, 64, 256}) {
        EXPECT_LE(time("summa", *summa), time("summa", {4, 1, packets, {}}) + Time(4)) << packets;
    }
    const auto wang = best_options(**algorithm("wang"), shape, Dataflow::OS, torus, {}, {}, hardware, {});
    ASSERT_TRUE(wang && wang->decomposed);
    for (const Axis axis : {Axis::vertical, Axis::horizontal}) {
        EXPECT_LE(time("wang", *wang), most_with_fewer_slices(time("wang", {1, 1, 0, axis})));
        const auto given =
            best_options(**algorithm("wang"), shape, Dataflow::OS, torus, {1, 1, 0, axis}, {}, hardware, {});
        EXPECT_EQ(given->decomposed, axis);
    }
}

} // namespace
} // namespace meshslice
