#include "core/report/trace_chips.h"
#include "tests/core/support/round_hardware.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(TraceChips, ReadsListsAndStretches) {
    using testing::ElementsAre;
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.plan.algorithm = "collective";
    scenario.gemm = SingleGemm{{4000, 6000, 8000}, Dataflow::OS};
    scenario.mesh = {4, 2};
    const auto step = training_step(scenario, "collective", Depth::simulate);
    ASSERT_TRUE(step);
    const auto chips = [&](const std::string& words) {
        return traced_chips(*parse_trace_chips(words), *step).value();
    };
    EXPECT_THAT(chips("all"), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(chips("0,0 0,1"), ElementsAre(0, 1));
    EXPECT_THAT(chips("0..3,0"), ElementsAre(0, 2, 4, 6));
    EXPECT_THAT(chips("3,* 0,1 3,1"), ElementsAre(1, 6, 7));
    EXPECT_THAT(chips("alike"), ElementsAre(0));
    for (const char* wrong : {"", " ", "0;0", "0..,0", "-1,0", "1..0,0", "0,0 alike", "0,", "0.5,0"}) {
        EXPECT_FALSE(parse_trace_chips(wrong)) << wrong;
    }
    EXPECT_FALSE(traced_chips(*parse_trace_chips("4,0"), *step));
    EXPECT_FALSE(traced_chips(*parse_trace_chips("0,0,0"), *step));
    EXPECT_FALSE(traced_chips(*parse_trace_chips("0..4,0"), *step));
}

} // namespace
} // namespace meshslice
