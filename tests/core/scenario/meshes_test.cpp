// Which meshes a machine's links can make: what is offered runs, whatever the number of its torus axes.

#include "core/scenario/choices.h"
#include "core/scenario/meshes.h"
#include "core/search/autotune.h"
#include "core/search/landscape.h"
#include "core/step/best_mesh.h"
#include "tests/core/support/round_hardware.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Machine with_axes(int axes) {
    Machine hardware = round_hardware();
    hardware.network = torus_network(axes, {{2, "test"}, {Bandwidth(1e9), "test"}});
    return hardware;
}

Machine switched() {
    Machine hardware = round_hardware();
    Level level;
    level.units = {8, "test"};
    level.ports = {1, "test"};
    level.bandwidth = {Bandwidth(450e9), "test"};
    level.latency = {seconds(1e-6), "test"};
    level.efficiency = {1.0, "test"};
    hardware.network = {{level}};
    return hardware;
}

std::vector<Mesh> meshes(int axes, const char* id, std::int32_t chips) {
    return meshes_for(with_axes(axes), **algorithm(id), chips);
}

TEST(Meshes, TakeNoMoreAxesThanThereAre) {
    EXPECT_THAT(meshes(2, "meshslice", 8), ElementsAre(Mesh{8, 1}, Mesh{4, 2}, Mesh{2, 4}, Mesh{1, 8}));
    EXPECT_EQ(meshes(3, "meshslice", 8), meshes(2, "meshslice", 8));
    EXPECT_THAT(meshes(1, "meshslice", 8), ElementsAre(Mesh{8, 1}, Mesh{1, 8}));
    EXPECT_THAT(meshes(1, "fsdp", 8), ElementsAre(Mesh{8, 1}, Mesh{1, 8}));
    EXPECT_THAT(meshes(3, "2.5d", 4), ElementsAre(Mesh{4, 1, 1}, Mesh{2, 2, 1}, Mesh{1, 4, 1}, Mesh{2, 1, 2},
                                                  Mesh{1, 2, 2}, Mesh{1, 1, 4}));
    EXPECT_THAT(meshes(2, "2.5d", 8), IsEmpty());
    EXPECT_THAT(meshes_for(switched(), **algorithm("meshslice"), 8), IsEmpty());
    EXPECT_THAT(meshes_for(switched(), **algorithm("meshslice"), 1), ElementsAre(Mesh{1, 1}))
        << "one chip needs no links";
}

TEST(Meshes, AreRefusedWithWhatThereIs) {
    EXPECT_TRUE(checked(Mesh{8, 1}, with_axes(1)));
    EXPECT_TRUE(checked(Mesh{1, 8}, with_axes(1)));
    EXPECT_TRUE(checked(Mesh{8}, with_axes(1)));
    EXPECT_TRUE(checked(Mesh{4, 2, 1}, with_axes(2)));
    EXPECT_THAT(
        checked(Mesh{4, 2}, with_axes(1)).error().sentence,
        HasSubstr("The mesh 4x2 needs links along 2 axes; A machine of round numbers has them along 1. "
                  "Hardware with 2: tpu-v2, tpu-v3, "));
    EXPECT_THAT(checked(Mesh{4, 2}, with_axes(1)).error().sentence,
                HasSubstr("A mesh of as many chips that it has: 8."));
    EXPECT_THAT(checked(Mesh{4, 2}, switched()).error().sentence,
                HasSubstr("A GEMM or a block runs on a torus, which A machine of round numbers does not "
                          "have; inferentia-2, tpu-v2, "));
    EXPECT_EQ(no_mesh(with_axes(1), **algorithm("2.5d")),
              "2.5D needs a torus of three axes; that of A machine of round numbers has 1.");
}

/// Whatever is offered for a machine is taken by the check that every run begins with.
TEST(Meshes, WhateverIsOfferedIsAccepted) {
    Scenario scenario = default_scenario();
    for (const int axes : {1, 2, 3}) {
        scenario.hardware = with_axes(axes);
        for (const Algorithm& known : algorithms()) {
            scenario.plan.algorithm = known.id;
            scenario.mesh = {16, 1};
            std::vector<Mesh> offered = meshes_for(scenario.hardware, known, 16);
            std::ranges::copy(tuned_meshes(scenario, known), std::back_inserter(offered));
            for (const MeshChoice& choice : mesh_choices(scenario)) {
                offered.push_back(choice.mesh);
            }
            std::ranges::copy(near_meshes(scenario, 4), std::back_inserter(offered));
            for (const Mesh& mesh : offered) {
                scenario.mesh = mesh;
                const auto valid = checked(scenario);
                EXPECT_TRUE(valid) << axes << " axes, " << known.id << ": " << valid.error().sentence;
            }
        }
    }
}

TEST(Meshes, OneTorusAxisIsTunedOnItsTwoMeshes) {
    Scenario scenario = default_scenario();
    scenario.hardware = with_axes(1);
    scenario.mesh = {16, 1};
    const auto tuning = autotune(scenario, {});
    ASSERT_TRUE(tuning) << tuning.error().sentence;
    std::vector<std::string> refused;
    for (const Candidate& candidate : tuning->ranked) {
        EXPECT_EQ(linked_axes(candidate.step.mesh), 1) << candidate.step.algorithm;
        EXPECT_TRUE(estimated_step(applied(scenario, candidate), candidate.step.algorithm))
            << candidate.step.algorithm;
        EXPECT_TRUE(checked(applied(scenario, candidate)));
    }
    for (const char* id : {"meshslice", "fsdp"}) {
        EXPECT_TRUE(std::ranges::any_of(tuning->ranked, [&](const Candidate& one) {
            return one.step.algorithm == id;
        })) << id;
    }
    const auto map = landscape(scenario, Depth::estimate);
    ASSERT_TRUE(map) << map.error().sentence;
    EXPECT_THAT(map->meshes, ElementsAre(Mesh{16, 1}, Mesh{1, 16}));
    const auto best = on_best_mesh(scenario, "meshslice", 16);
    ASSERT_TRUE(best) << best.error().sentence;
    EXPECT_EQ(linked_axes(best->mesh), 1);
}

TEST(Meshes, WithoutATorusEverySearchSaysSo) {
    Scenario scenario = default_scenario();
    scenario.hardware = switched();
    scenario.mesh = {16, 1};
    const std::string words = "A GEMM or a block runs on a torus";
    EXPECT_THAT(autotune(scenario, {}).error().sentence, HasSubstr(words));
    EXPECT_THAT(landscape(scenario, Depth::estimate).error().sentence, HasSubstr(words));
    EXPECT_THAT(on_best_mesh(scenario, "meshslice", 16).error().sentence, HasSubstr(words));
    ASSERT_EQ(mesh_choices(scenario).size(), 1u);
    EXPECT_THAT(mesh_choices(scenario).front().objection, HasSubstr(words));
    EXPECT_THAT(near_meshes(scenario, 4), IsEmpty());
}

/// A ring through 16 chips takes both axes on 4 x 4, and steps as slowly as its slowest link, 1 GB/s; on 1 x
/// 16 it has links of 4 GB/s alone.
TEST(Meshes, ARingIsLaidAlongTheFastestLinks) {
    Scenario scenario = default_scenario();
    scenario.mesh = {16, 1};
    scenario.hardware = with_axes(2);
    EXPECT_THAT(tuned_meshes(scenario, **algorithm("fsdp")), ElementsAre(Mesh{4, 4})) << "all are as good";
    scenario.hardware = uneven_hardware();
    EXPECT_THAT(tuned_meshes(scenario, **algorithm("fsdp")), ElementsAre(Mesh{1, 16}));
}

} // namespace
} // namespace meshslice
