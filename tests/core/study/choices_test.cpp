#include "core/study/choices.h"
#include "core/study/training_step.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice {
namespace {

TEST(Choices, ProductsAreThoseThatTheEngineRuns) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    const auto step = training_step(scenario, scenario.algorithm, Depth::estimate);
    const auto gemms = products(scenario, scenario.algorithm);
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
        scenario.slices = count;
        EXPECT_TRUE(training_step(scenario, scenario.algorithm, Depth::estimate)) << count;
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
        const auto step = training_step(scenario, scenario.algorithm, Depth::estimate);
        EXPECT_EQ(step.has_value(), choice.objection.empty()) << choice.mesh[0] << "x" << choice.mesh[1];
    }
}

} // namespace
} // namespace meshslice
