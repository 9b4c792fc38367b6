#include "core/base/text.h"
#include "core/explain/slicing_cost.h"
#include "core/report/words/comparison_words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// In 64 slices the GEMM itself costs MeshSlice more than its overlap saves; in the best number it is ahead.
TEST(ComparisonWords, SayWhatSlicingCostsTheSlowerOne) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    scenario.gemm = SingleGemm{{32768, 8192, 8192}, Dataflow::OS};
    const TrainingStep best = training_step(scenario, "meshslice", Depth::simulate).value();
    const TrainingStep other = training_step(scenario, "collective", Depth::simulate).value();
    EXPECT_EQ(comparison_words(best, other, Time(0)),
              fmt::format("MeshSlice takes {} less time", percent_text(1 - ratio(best.time, other.time))));
    EXPECT_EQ(comparison_words(other, other, Time(0)), "Both take the same time");
    scenario.plan.slices = 64;
    const TrainingStep many = training_step(scenario, "meshslice", Depth::simulate).value();
    EXPECT_EQ(comparison_words(many, other, slicing_cost(many, scenario)),
              fmt::format("MeshSlice takes {} times as long; its slices make the GEMM {} slower",
                          number_text(ratio(many.time, other.time)), text(slicing_cost(many, scenario))));
    EXPECT_EQ(comparison_words(other, many, slicing_cost(many, scenario)),
              fmt::format("Collective takes {} less time; the other's slices make the GEMM {} slower",
                          percent_text(1 - ratio(other.time, many.time)),
                          text(slicing_cost(many, scenario))));
    const Time small{(many.time - other.time).value() / 5};
    EXPECT_EQ(comparison_words(other, many, small),
              fmt::format("Collective takes {} less time", percent_text(1 - ratio(other.time, many.time))))
        << "a fifth of the difference does not explain it";
}

} // namespace
} // namespace meshslice
