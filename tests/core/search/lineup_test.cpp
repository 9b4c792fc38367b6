#include "core/gemm/algorithms.h"
#include "core/search/lineup.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

Scenario small_lineup_scenario() {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 2};
    scenario.batch = 4;
    return scenario;
}

/// All of them in their order, each with a run or a sentence: on 4 x 2 Cannon has no square, and 2.5D and
/// MeshSlice with data parallelism no third axis.
TEST(Lineup, HasEveryAlgorithmOnTheSameProduct) {
    const auto entries = lineup(small_lineup_scenario(), 6);
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), algorithms().size());
    for (std::size_t k = 0; k < entries->size(); ++k) {
        const LineupEntry& entry = (*entries)[k];
        EXPECT_EQ(entry.algorithm, algorithms()[k].id);
        const bool refused = entry.algorithm == "cannon" || algorithms()[k].torus_axes == 3;
        EXPECT_EQ(!entry.objection.empty(), refused) << entry.algorithm << entry.objection;
        if (!refused) {
            ASSERT_EQ(entry.step.gemms.size(), 1u);
            EXPECT_EQ(entry.step.gemms[0].gemm.shape, (GemmShape{8192, 49152, 12288})) << entry.algorithm;
            EXPECT_NE(entry.step.gemms[0].timeline, nullptr);
        }
    }
    EXPECT_THAT((*entries)[0].objection, HasSubstr("not square"));
}

/// The given count where it works, the own best where it does not.
TEST(Lineup, UsesTheGivenSlicesWhereItCan) {
    Scenario scenario = small_lineup_scenario();
    scenario.plan.slices = 8;
    const auto entries = *lineup(scenario, 6);
    for (const LineupEntry& entry : entries) {
        if (entry.algorithm == "meshslice") {
            EXPECT_EQ(entry.step.gemms[0].options.slices, 8);
        }
        if (entry.algorithm == "wang") {
            EXPECT_LE(entry.step.gemms[0].options.slices, 4); // of rings of 4 and 2
        }
    }
    scenario.plan.slices = 7;
    const auto own = *lineup(scenario, 6);
    for (const LineupEntry& entry : own) {
        if (entry.algorithm == "meshslice") {
            EXPECT_TRUE(entry.objection.empty());
            EXPECT_NE(entry.step.gemms[0].options.slices, 7);
        }
    }
}

TEST(Lineup, RefusesAProductThatIsNotThereAndStopsWhenAsked) {
    const auto none = lineup(small_lineup_scenario(), 12);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().sentence, HasSubstr("no GEMM 13; the step has 12"));
    std::stop_source source;
    source.request_stop();
    const auto stopped = lineup(small_lineup_scenario(), 0, {source.get_token(), nullptr});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice
