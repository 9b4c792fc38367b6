#include "core/machine/catalogue.h"
#include "core/scenario/choices.h"
#include "core/search/landscape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice {
namespace {

Scenario small() {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{512, 1024, 2048}, Dataflow::OS};
    scenario.mesh = {4, 2};
    return scenario;
}

/// K = 2048 over the longer side of the mesh, in blocks of 8: 8x1 has 2048 / 8 / 8 = 32 blocks on a chip, 4x2
/// has 64, so the slice counts are the powers of two up to 32 on 8x1 and 1x8 and up to 64 on 4x2 and 2x4.
/// With the column of the best: 8 columns, 4 rows.
TEST(Landscape, HasEveryMeshAndEverySliceCount) {
    const auto found = landscape(small(), Depth::estimate);
    ASSERT_TRUE(found) << found.error().sentence;
    EXPECT_EQ(found->meshes, (std::vector<std::vector<std::int32_t>>{{8, 1}, {4, 2}, {2, 4}, {1, 8}}));
    EXPECT_EQ(found->slices,
              (std::vector<std::optional<std::int64_t>>{std::nullopt, 1, 2, 4, 8, 16, 32, 64}));
    ASSERT_EQ(found->cells.size(), 32u);
    EXPECT_FALSE(found->cell(0, 7).runs());
    EXPECT_THAT(found->cell(0, 7).objection, testing::HasSubstr("S = 64 does not fit"));
    EXPECT_TRUE(found->cell(1, 7).runs());
}

/// Every cell is the training step of its scenario, and no cell beats the best.
TEST(Landscape, EachCellIsTheStepOfItsScenario) {
    for (const Depth depth : {Depth::estimate, Depth::simulate}) {
        for (const char* algorithm : {"meshslice", "summa", "collective"}) {
            Scenario scenario = small();
            scenario.plan.algorithm = algorithm;
            const auto found = landscape(scenario, depth);
            ASSERT_TRUE(found) << found.error().sentence;
            Time shortest = found->cell(found->best->first, found->best->second).time;
            for (std::size_t row = 0; row < found->meshes.size(); ++row) {
                for (std::size_t column = 0; column < found->slices.size(); ++column) {
                    Scenario there = scenario;
                    there.mesh = found->meshes[row];
                    there.plan.slices = found->slices[column];
                    const auto step = training_step(there, algorithm, depth);
                    const LandscapeCell& cell = found->cell(row, column);
                    ASSERT_EQ(cell.runs(), step.has_value()) << cell.objection;
                    if (!step) {
                        continue;
                    }
                    EXPECT_EQ(cell.time, step->time);
                    EXPECT_DOUBLE_EQ(cell.utilization, step->utilization);
                    EXPECT_EQ(cell.products.front().slices, step->gemms.front().options.slices);
                    EXPECT_EQ(cell.products.front().compute, step->gemms.front().usage.compute);
                    EXPECT_LE(shortest, cell.time);
                }
            }
        }
    }
}

/// The best is the fastest of the cells that fit; where none does, the one that needs least. GPT-3 on 256
/// chips: with room for small buffers only, the finest slices fit and the fastest mesh may not.
TEST(Landscape, TheBestFitsIfAnythingDoes) {
    Scenario scenario = default_scenario();
    for (const std::int64_t hbm : {std::int64_t{57'512'000'000}, std::int64_t{56'462'000'000}}) {
        scenario.hardware.hbm.value = Bytes(hbm);
        const auto found = landscape(scenario, Depth::estimate);
        ASSERT_TRUE(found) << found.error().sentence;
        EXPECT_EQ(found->capacity, Bytes(hbm));
        const LandscapeCell& best = found->cell(found->best->first, found->best->second);
        EXPECT_EQ(best.fits, hbm == 57'512'000'000);
        std::size_t misfits = 0;
        for (const LandscapeCell& cell : found->cells) {
            if (!cell.runs()) {
                continue;
            }
            EXPECT_EQ(cell.fits, cell.memory <= Bytes(hbm));
            misfits += cell.fits ? 0 : 1;
            if (!best.fits) {
                EXPECT_GE(cell.memory, best.memory);
            } else if (cell.fits) {
                EXPECT_GE(cell.time + Time(100), best.time); // equals differ by rounding
            }
        }
        EXPECT_GT(misfits, 0u);
    }
}

/// An algorithm without slices has the one column; faults and the scenario's own mesh change nothing.
TEST(Landscape, DoesNotDependOnTheScenariosMesh) {
    Scenario scenario = small();
    scenario.plan.algorithm = "collective";
    const auto found = landscape(scenario, Depth::simulate);
    EXPECT_EQ(found->slices.size(), 1u);
    Scenario other = scenario;
    other.mesh = {2, 4};
    other.assume.faults.parts.push_back({{{1, 1}, false, Axis::horizontal, Direction::forward}, 0.5});
    const auto again = landscape(other, Depth::simulate);
    for (std::size_t k = 0; k < found->cells.size(); ++k) {
        EXPECT_EQ(found->cells[k].time, again->cells[k].time);
    }
}

/// One chip sends nothing and launches cost it nothing on this hardware, so slices change no more than a
/// picosecond each: all counts are equal, and of equals the first column is the best.
TEST(Landscape, TakesTheFirstOfEquals) {
    Scenario scenario = small();
    scenario.hardware = *machine_preset("tpu-v4");
    scenario.mesh = {1, 1};
    const auto found = landscape(scenario, Depth::estimate);
    ASSERT_TRUE(found) << found.error().sentence;
    EXPECT_EQ(found->best, (std::pair<std::size_t, std::size_t>{0, 0}));
    EXPECT_EQ(found->cell(0, 0).products.front().slices, 1);
    EXPECT_GT(found->slices.size(), 5u);
    for (const LandscapeCell& cell : found->cells) {
        EXPECT_LE(found->cell(0, 0).time, cell.time + Time(cell.products.front().slices));
    }
}

TEST(Landscape, RefusesWhatRunsNowhereAndStops) {
    Scenario scenario = small();
    scenario.plan.algorithm = "cannon";
    const auto nowhere = landscape(scenario, Depth::estimate); // 8 chips make no square.
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(
        nowhere.error().sentence,
        testing::AllOf(
            testing::StartsWith("Cannon runs on none of the 4 meshes of 8 chips. The mesh 8x1 is not square"),
            testing::EndsWith("Meshes of 4 chips that work: 2x2.")));
    scenario.plan.algorithm = "2.5d"; // TPU v4 of the paper has two axes.
    EXPECT_THAT(landscape(scenario, Depth::estimate).error().sentence,
                testing::StartsWith("2.5D needs a torus of three axes; that of TPU v4"));
    scenario.hardware = *machine_preset("tpu-v4"); // It has three.
    scenario.mesh = {1, 1};
    EXPECT_EQ(landscape(scenario, Depth::estimate).error().sentence,
              "2.5D needs layers of chips; one chip makes none.");
    scenario.hardware = *machine_preset("tpu-v4-cloud"); // whose every axis is a ring
    scenario.plan.algorithm = "fsdp";                    // 1024 columns over a ring of 7
    scenario.mesh = {7, 1};
    EXPECT_THAT(landscape(scenario, Depth::estimate).error().sentence,
                testing::HasSubstr("into 7 parts, which does not divide. Meshes of 8 chips that work: "));
    std::stop_source source;
    source.request_stop();
    const auto stopped = landscape(small(), Depth::simulate, {source.get_token(), nullptr});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice
