#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/report/words/machine_words.h"
#include "core/scenario/meshes.h"
#include "core/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

Scenario on(const char* hardware, Mesh mesh) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset(hardware);
    scenario.mesh = std::move(mesh);
    return scenario;
}

std::vector<bool> rings(const Scenario& scenario) {
    std::vector<bool> closed;
    const Torus torus = *scenario.torus();
    for (const TorusAxis& axis : torus.axes()) {
        closed.push_back(axis.wraps);
    }
    return closed;
}

/// How to Scale Your Model, chapter 2: v5e and v6e have wrap-around links along axes of 16 chips, "an 8x16
/// has a wraparound on the long axis"; v4 and v5p in whole cubes of 4x4x4, "a 2x2x4 won't have any
/// wraparounds".
TEST(Pod, ClosesTheRingsThatTheMachineHas) {
    const struct {
        const char* hardware;
        Mesh mesh;
        std::vector<bool> closed;
    } rows[] = {
        {"tpu-v5e", {4, 4}, {false, false}},
        {"tpu-v5e", {8, 16}, {false, true}},
        {"tpu-v5e", {16, 16}, {true, true}},
        {"tpu-v6e", {16, 8}, {true, false}},
        {"tpu-v4", {4, 4}, {false, false}},
        {"tpu-v4", {4, 4, 4}, {true, true, true}},
        {"tpu-v5p", {2, 2, 4}, {false, false, false}},
        {"tpu-v5p", {8, 8}, {true, true}},
        {"tpu-v5p", {2, 32}, {false, true}},
        {"tpu-v4-paper", {4, 4}, {true, true}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(rings(on(row.hardware, row.mesh)), row.closed)
            << row.hardware << testing::PrintToString(row.mesh);
    }
}

TEST(Pod, SaysWhichRingsAreMissing) {
    EXPECT_EQ(
        ring_note(on("tpu-v5e", {8, 16})),
        "TPU v5e has no wrap-around links along the vertical axis of 8x16: it has them along axes whose "
        "size is a multiple of 16.");
    EXPECT_EQ(
        ring_note(on("tpu-v4", {4, 4})),
        "TPU v4 has no wrap-around links along the vertical and horizontal axes of 4x4: it has them along "
        "axes whose size is a multiple of 4 in meshes whose number of chips is a multiple of 64.");
    EXPECT_EQ(ring_note(on("tpu-v4-paper", {4, 4})), "");
    Scenario open = on("tpu-v5e", {8, 16});
    open.wraps = {false, false, true}; // as asked
    EXPECT_EQ(ring_note(open), "");
}

/// Meshes that no pod can make are refused, and none of them is proposed.
TEST(Pod, RefusesMeshesThatAreLargerThanItself) {
    for (const auto& scenario : {on("tpu-v5e", {32, 8}), on("tpu-v6e", {16, 32}), on("tpu-v4", {128, 64})}) {
        EXPECT_FALSE(checked(scenario)) << testing::PrintToString(scenario.mesh);
    }
    EXPECT_EQ(
        checked(on("tpu-v6e", {32, 8})).error().sentence,
        "The mesh 32x8 has 32 chips along an axis; TPU v6e (Trillium) has up to 16. Meshes of 256 chips that "
        "it has: 16x16.");
    for (const Machine& hardware : presets_that(is_plain_torus)) {
        for (const Algorithm& algorithm : algorithms()) {
            for (const Mesh& mesh : meshes_for(hardware, algorithm, 256)) {
                EXPECT_TRUE(checked(mesh, hardware)) << hardware.name << testing::PrintToString(mesh);
            }
        }
    }
    EXPECT_THAT(meshes_for(*machine_preset("tpu-v6e"), **algorithm("meshslice"), 256),
                testing::ElementsAre(Mesh{16, 16}));
}

/// What has not been measured is named.
TEST(Pod, NumbersThatAreAssumedAreNamed) {
    EXPECT_THAT(assumed_note(*machine_preset("tpu-v5e")),
                testing::AllOf(testing::StartsWith("Assumed, estimated or fitted, not published: "),
                               testing::HasSubstr("launch, all gather ("),
                               testing::HasSubstr("launch, multiply (")));
    EXPECT_THAT(assumed_note(*machine_preset("tpu-v5e")), testing::Not(testing::HasSubstr("HBM")));
    EXPECT_THAT(assumed_note(*machine_preset("tpu-v5e")), testing::Not(testing::HasSubstr("as a ring")));
    EXPECT_THAT(assumed_note(*machine_preset("tpu-v4-paper")),
                testing::AllOf(testing::HasSubstr("launch, send receive ("),
                               testing::HasSubstr("output tile ("),
                               testing::HasSubstr("every axis is taken as a ring.")));
}

} // namespace
} // namespace meshslice
