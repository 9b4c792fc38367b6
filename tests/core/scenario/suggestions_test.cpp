// What a refusal suggests is taken and tried: all of it must run.

#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/scenario/suggestions.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

/// The scenarios that the suggestions make, each with what was suggested.
std::vector<std::pair<std::string, Scenario>> taken(const Suggestions& found, const Scenario& scenario) {
    std::vector<std::pair<std::string, Scenario>> all;
    for (const std::int64_t slices : found.slices) {
        all.emplace_back(fmt::format("S = {}", slices), scenario);
        all.back().second.plan.slices = slices;
    }
    if (found.closed_rings) {
        all.emplace_back("closed rings", scenario);
        all.back().second.wraps = {true, true, true};
        all.back().second.folded = false;
    }
    for (const Mesh& mesh : found.meshes) {
        all.emplace_back(fmt::format("the mesh {}", fmt::join(mesh, "x")), scenario);
        all.back().second.mesh = mesh;
        if (found.open_slices) {
            all.back().second.plan.slices.reset();
        }
    }
    return all;
}

/// Sizes whose divisors differ, so that most meshes fit one of them and not another.
Scenario drawn(std::mt19937& random) {
    const auto one_of = [&](std::initializer_list<std::int64_t> values) {
        return values.begin()[random() % values.size()];
    };
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("tpu-v4"); // It has three axes.
    scenario.plan.algorithm = algorithms()[random() % algorithms().size()].id;
    scenario.mesh.clear();
    for (std::int64_t axes = one_of({1, 2, 2, 2, 3}); axes > 0; --axes) {
        scenario.mesh.push_back(static_cast<std::int32_t>(one_of({1, 2, 3, 4, 5, 7, 8, 9, 12})));
    }
    for (bool& wraps : scenario.wraps) {
        wraps = random() % 3 != 0;
    }
    scenario.folded = random() % 4 == 0;
    if (random() % 4 != 0) {
        scenario.hardware
            .pod = {}; // Every mesh can be had, and a ring is missing only where it was asked for.
    }
    // Every other scenario has sizes and sides that fit each other, so that something else does not.
    const bool even = random() % 2 == 0;
    if (even && random() % 3 == 0) {
        scenario.plan.algorithm = "meshslice";
    }
    for (std::int32_t& side : scenario.mesh) {
        side = even ? static_cast<std::int32_t>(one_of({2, 4, 8})) : side;
    }
    const auto size = [&] {
        return even ? one_of({256, 512, 1024})
                    : one_of({8, 16, 60, 64, 77, 96, 100, 144, 256, 420, 576, 1024});
    };
    scenario.gemm = SingleGemm{{size(), size(), size()}, static_cast<Dataflow>(random() % 3)};
    scenario.plan.block = one_of({1, 2, 8});
    if (random() % 2 == 0) {
        scenario.plan.slices = one_of({1, 2, 3, 4, 5, 8, 12});
    }
    if (random() % 4 == 0) {
        scenario.plan.decomposed = static_cast<Axis>(random() % 2);
    }
    if (random() % 8 == 0) { // A whole block of a model: every GEMM has to fit.
        scenario.gemm.reset();
        scenario.batch = one_of({2, 6, 16});
        scenario.sequence = one_of({128, 96, 100});
    }
    return scenario;
}

TEST(Suggestions, AllWorkWhenTheyAreTaken) {
    std::mt19937 random(12);
    int refused = 0;
    int slices = 0;
    int rings = 0;
    int meshes = 0;
    for (int k = 0; k < 2000; ++k) {
        const Scenario scenario = drawn(random);
        if (chips_of(scenario.mesh) > 150 || !checked(scenario)) {
            continue;
        }
        const auto step = training_step(scenario, scenario.plan.algorithm, Depth::estimate);
        const Suggestions found = suggestions(scenario, scenario.plan.algorithm);
        if (step) {
            EXPECT_EQ(found, Suggestions{});
            continue;
        }
        ++refused;
        slices += found.slices.empty() ? 0 : 1;
        rings += found.closed_rings ? 1 : 0;
        meshes += found.meshes.empty() ? 0 : 1;
        EXPECT_THAT(step.error().sentence, EndsWith(text(found)));
        for (const auto& [what, with] : taken(found, scenario)) {
            const auto runs = training_step(with, with.plan.algorithm, Depth::estimate);
            EXPECT_TRUE(runs) << step.error().sentence << "\nWith " << what << ": "
                              << (runs ? "" : runs.error().sentence);
        }
    }
    EXPECT_GT(refused, 500);
    EXPECT_GT(slices, 20);
    EXPECT_GT(rings, 20);
    EXPECT_GT(meshes, 200);
}

/// GPT-3's tokens are 2^18: of square meshes only those of 2^k sides divide them, and of these 16x16 is 320
/// chips away from 24x24, 32x32 448.
TEST(Suggestions, OfCannonAreSquare) {
    Scenario scenario = default_scenario();
    scenario.plan.algorithm = "cannon";
    scenario.mesh = {24, 24};
    EXPECT_EQ(text(suggestions(scenario, "cannon")), "Meshes of 256 chips that work: 16x16.");
}

/// FSDP cuts M = 8 and K = 77 into as many parts as chips: no number but 1 divides both.
TEST(Suggestions, AreNoneWhereNothingHelps) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{8, 16, 77}, Dataflow::OS};
    scenario.mesh = {8};
    EXPECT_EQ(suggestions(scenario, "fsdp"), Suggestions{});
    EXPECT_THAT(text(Suggestions{}), IsEmpty());
}

/// One ring of 8 chips on an open line: the line closed, or an even number of chips along one of two axes,
/// which needs no wrap-around.
TEST(Suggestions, OfRingsOnLinesAreClosedRingsAndMeshesWithAWayHome) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{64, 64, 64}, Dataflow::OS};
    scenario.mesh = {8};
    scenario.wraps = {false, false, false};
    const Suggestions found = suggestions(scenario, "fsdp");
    EXPECT_TRUE(found.closed_rings);
    EXPECT_THAT(found.meshes, ElementsAre(Mesh{4, 2}, Mesh{2, 4}));
    EXPECT_EQ(text(found), "It runs with wrap-around on all axes. Meshes of 8 chips that work: 4x2, 2x4.");
}

/// S = 8 of 64 columns: no mesh of 9 chips divides them; of 8 chips 8x1 and 1x8 leave 8 columns on a chip, so
/// all four have 8 blocks of one.
TEST(Suggestions, KeepTheSlices) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{64, 64, 64}, Dataflow::OS};
    scenario.plan.block = 1;
    scenario.plan.slices = 8;
    scenario.mesh = {3, 3};
    const Suggestions found = suggestions(scenario, "meshslice");
    EXPECT_FALSE(found.open_slices);
    EXPECT_THAT(found.meshes, ElementsAre(Mesh{8, 1}, Mesh{4, 2}, Mesh{2, 4}, Mesh{1, 8}));
    scenario.plan.slices = 64; // K = 64 is whole on no chip but a lone one.
    const Suggestions open = suggestions(scenario, "meshslice");
    EXPECT_TRUE(open.open_slices);
    EXPECT_EQ(open.meshes, found.meshes);
    scenario.mesh = {4, 2}; // gcd(16, 32) = 16
    EXPECT_EQ(text(suggestions(scenario, "meshslice")), "Slice counts that work: 1, 2, 4, 8, 16.");
}

} // namespace
} // namespace meshslice
