#include "core/machine/catalogue.h"
#include "core/scenario/choices.h"
#include "core/step/training_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

TEST(Choices, ProductsAreThoseThatTheEngineRuns) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    const auto step = training_step(scenario, scenario.plan.algorithm, Depth::estimate);
    const auto gemms = products(scenario, scenario.plan.algorithm);
    ASSERT_TRUE(step && gemms);
    ASSERT_EQ(gemms->size(), step->gemms.size());
    for (std::size_t i = 0; i < gemms->size(); ++i) {
        EXPECT_EQ((*gemms)[i], step->gemms[i].gemm);
    }
}

TEST(Choices, EverySliceCountOfferedRuns) {
    Scenario scenario = default_scenario();
    const auto counts = slice_choices(scenario);
    ASSERT_FALSE(counts.empty());
    EXPECT_EQ(counts.front(), 1);
    EXPECT_TRUE(std::ranges::is_sorted(counts));
    for (const std::int64_t count : counts) {
        scenario.plan.slices = count;
        EXPECT_TRUE(training_step(scenario, scenario.plan.algorithm, Depth::estimate)) << count;
    }
}

TEST(Choices, OffersNoSliceCountWhereNothingFits) {
    Scenario scenario = default_scenario();
    scenario.mesh = {7, 13};
    EXPECT_TRUE(slice_choices(scenario).empty());
}

TEST(Choices, MeshesAreAllFactorsAndSayWhichDoNotRun) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 3}; // 12 chips: 12x1, 6x2, 4x3, 3x4, 2x6, 1x12
    const auto choices = mesh_choices(scenario);
    ASSERT_EQ(choices.size(), 6u);
    EXPECT_EQ(choices.front().mesh, (std::vector<std::int32_t>{12, 1}));
    EXPECT_EQ(choices.back().mesh, (std::vector<std::int32_t>{1, 12}));
    for (const MeshChoice& choice : choices) {
        scenario.mesh = choice.mesh;
        const auto step = training_step(scenario, scenario.plan.algorithm, Depth::estimate);
        EXPECT_EQ(step.has_value(), choice.objection.empty()) << choice.mesh[0] << "x" << choice.mesh[1];
    }
}

TEST(Choices, TheObjectionIsTheEnginesForEveryAlgorithm) {
    for (const std::vector<std::int32_t>& mesh : {std::vector{4, 4}, {4, 2}, {7, 13}, {4, 4, 2}}) {
        for (const Algorithm& known : algorithms()) {
            for (const std::array<bool, 3> wraps : {std::array{true, true, true},
                                                    {true, false, true},
                                                    {false, true, true},
                                                    {false, false, false}}) {
                Scenario scenario = default_scenario();
                scenario.mesh = mesh;
                scenario.wraps = wraps;
                if (mesh.size() > 2) {
                    scenario.hardware = *machine_preset("tpu-v4");
                }
                const std::string id(known.id);
                const auto step = training_step(scenario, id, Depth::estimate);
                EXPECT_EQ(step.has_value(), objection(scenario, id).empty())
                    << id << " " << mesh[0] << "x" << mesh[1] << ": " << objection(scenario, id);
            }
        }
    }
}

/// Algorithms for rings and tori of GPUs too: on TPUs, on the paper's GPUs, and with a chip model without
/// stages.
TEST(Choices, RingsOfGpusAreObjectedToWhereTheEngineRefusesThem) {
    for (const Algorithm& known : all_algorithms()) {
        for (const ChipModel model : {ChipModel::by_hardware, ChipModel::roofline}) {
            for (const char* hardware : {"tpu-v4", "t3-paper", "t3-torus"}) {
                Scenario scenario = default_scenario();
                const auto gpu = machine_preset(hardware);
                scenario.hardware = gpu ? *gpu : *machine_preset(hardware);
                const int axes = scenario.hardware.network.torus_axes();
                scenario.mesh = axes == 1 ? std::vector{8} : std::vector{4, 4};
                scenario.assume.schedule.chip = model;
                scenario.gemm = SingleGemm{{8192, 4256, 17024}, Dataflow::LS};
                const std::string id(known.id);
                const auto step = training_step(scenario, id, Depth::estimate);
                EXPECT_EQ(step.has_value(), objection(scenario, id).empty())
                    << id << " " << hardware << ": " << objection(scenario, id);
                const bool here = known.on_gpu_rings && gpu && known.torus_axes == axes;
                EXPECT_TRUE(step || !here || model != ChipModel::by_hardware) << id << ' ' << hardware;
            }
        }
    }
}

TEST(Choices, ASliceCountThatDoesNotFitIsObjectedTo) {
    Scenario scenario = default_scenario();
    scenario.plan.slices = 7;
    EXPECT_NE(objection(scenario, "meshslice").find("S = 7"), std::string::npos);
    EXPECT_TRUE(objection(scenario, "collective").empty()) << "it does not slice";
}

TEST(Choices, NearMeshesRunAndAreOfNearCounts) {
    Scenario scenario = default_scenario();
    scenario.mesh = {7, 13}; // 91 chips: none of its meshes runs
    const auto meshes = near_meshes(scenario, 6);
    ASSERT_EQ(meshes.size(), 6u);
    int distance = 0;
    for (const auto& mesh : meshes) {
        const int away = std::abs(mesh[0] * mesh[1] - 91);
        EXPECT_GE(away, distance);
        distance = away;
        scenario.mesh = mesh;
        EXPECT_TRUE(training_step(scenario, scenario.plan.algorithm, Depth::estimate))
            << mesh[0] << "x" << mesh[1];
    }
}

TEST(Choices, AlgorithmsOfThreeAxesAreOfferedLayers) {
    Scenario scenario = default_scenario();
    scenario.plan.algorithm = "2.5d";
    scenario.mesh = {32, 8};
    scenario.hardware = *machine_preset("tpu-v4");
    const auto choices = mesh_choices(scenario);
    ASSERT_FALSE(choices.empty());
    for (const MeshChoice& choice : choices) {
        ASSERT_EQ(choice.mesh.size(), 3u);
        EXPECT_TRUE(choice.objection.empty());
        EXPECT_EQ(choice.mesh[0] * choice.mesh[1] * choice.mesh[2], 256);
    }
}

/// A pod of TPU v5e has 16x16 chips, so 32x8 does not exist there, and 16x16 is the mesh of as many.
TEST(NearestMesh, HasAsManyChipsWhereItCan) {
    Scenario scenario = default_scenario(); // 32x8
    scenario.hardware = *machine_preset("tpu-v5e");
    EXPECT_EQ(nearest_mesh(scenario), (Mesh{16, 16}));
    scenario.mesh = {4, 16}; // exists: it is its own nearest
    EXPECT_EQ(nearest_mesh(scenario), (Mesh{4, 16}));
    scenario.mesh = {128, 8}; // 1024 chips are four pods; of 256 there is one mesh
    EXPECT_EQ(nearest_mesh(scenario), (Mesh{16, 16}));
}

/// A column of 64 chips is six doublings taller than wide.
TEST(NearestMesh, IsTheMostAlikeOfThoseThatRun) {
    Scenario scenario = default_scenario();
    scenario.mesh = {64, 1};
    const auto nearest = nearest_mesh(scenario);
    ASSERT_TRUE(nearest);
    const auto tallness = [](const Mesh& mesh) { return std::log2(mesh[0]) - std::log2(mesh[1]); };
    int runs = 0;
    for (const MeshChoice& choice : mesh_choices(scenario)) {
        runs += choice.objection.empty() ? 1 : 0;
        EXPECT_TRUE(!choice.objection.empty() ||
                    std::abs(tallness(choice.mesh) - 6) >= std::abs(tallness(*nearest) - 6))
            << choice.mesh[0] << 'x' << choice.mesh[1];
    }
    EXPECT_GT(runs, 2) << "there has to be a choice";
}

/// How many meshes of each count there are: the ways to write it as a product of so many factors.
std::vector<std::int64_t> products_of_factors(int factors, std::int64_t most) {
    std::vector<std::int64_t> ways(static_cast<std::size_t>(most) + 1, 1); // of one factor
    for (int factor = 1; factor < factors; ++factor) {
        std::vector<std::int64_t> more(ways.size(), 0);
        for (std::size_t divisor = 1; divisor < ways.size(); ++divisor) {
            for (std::size_t count = divisor; count < ways.size(); count += divisor) {
                more[count] += ways[count / divisor];
            }
        }
        ways = std::move(more);
    }
    return ways;
}

/// The most that are tried where none runs, of any count of chips and its halves.
std::int64_t most_tried(int axes, std::int64_t most_chips) {
    const std::vector<std::int64_t> meshes = products_of_factors(axes, most_chips);
    std::int64_t most = 0;
    for (std::int64_t chips = 1; chips <= most_chips; ++chips) {
        std::int64_t tried = 0;
        for (std::int64_t half = chips; half > 0; half /= 2) {
            tried += meshes[static_cast<std::size_t>(half)];
        }
        most = std::max(most, tried);
    }
    return most;
}

/// 60,480 = 2^6 x 3^3 x 5 x 7 has 28 x 10 x 3 x 3 = 2520 arrangements in three axes, and 7 x 4 x 2 x 2 = 112
/// in two.
TEST(NearestMesh, TriesABoundedNumberOfMeshes) {
    EXPECT_EQ(products_of_factors(3, 60'480).back(), 2520);
    EXPECT_EQ(products_of_factors(2, 60'480).back(), 112);
    EXPECT_LT(most_tried(3, Torus::most_chips), 8000);
    EXPECT_LT(most_tried(2, Torus::most_chips), 500);

    Machine boundless = *machine_preset("tpu-v5p");
    boundless.pod = {};
    EXPECT_EQ(meshes_for(boundless, **algorithm("2.5d"), 60'480).size(), 2520U);
    EXPECT_EQ(meshes_for(boundless, **algorithm("meshslice"), 60'480).size(), 112U);
    for (const Machine& preset : presets_that(is_plain_torus)) {
        if (preset.network.torus_axes() == 3) {
            ASSERT_GT(preset.pod.chips.value, 0) << preset.name;
            EXPECT_LT(most_tried(3, preset.pod.chips.value), 3000) << preset.name;
            EXPECT_TRUE(meshes_for(preset, **algorithm("2.5d"), 60'480).empty()) << preset.name;
        }
    }
}

} // namespace
} // namespace meshslice
