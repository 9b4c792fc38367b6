#include "core/base/text.h"
#include "core/explain/slicing_cost.h"
#include "core/explain/why.h"
#include "core/report/words/why_words.h"
#include "tests/core/support/round_hardware.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::Not;

/// One GEMM on 4 x 4 chips that are modelled tile by tile.
Scenario on_paper_chips(const GemmShape& shape, std::int64_t slices) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    scenario.gemm = SingleGemm{shape, Dataflow::OS};
    scenario.plan.slices = slices;
    return scenario;
}

struct Sliced {
    TrainingStep step;
    StepWhy why;
};

Sliced simulated(const Scenario& scenario) {
    TrainingStep step = training_step(scenario, "meshslice", Depth::simulate).value();
    StepWhy found = why(step, scenario).value();
    return {std::move(step), std::move(found)};
}

/// (400, 600, 8000) on 2 x 2 chips: 480 MFLOP a chip take 960 us at 10^12 FLOP/s, in any number of slices
/// whose bytes take less; a launch of 10 us for each GEMM makes that 970 us whole and 1060 us in ten slices.
TEST(SlicingCost, IsALaunchForEverySlice) {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.hardware.launch.multiply.value = us(10);
    scenario.mesh = {2, 2};
    scenario.gemm = SingleGemm{{400, 600, 8000}, Dataflow::OS};
    scenario.plan.block = 4;
    scenario.plan.slices = 10;
    const auto [step, why] = simulated(scenario);
    const ProductWhy& product = why.products.at(0);
    EXPECT_EQ(product.slicing, (SlicingCost{10, us(1060), us(970)}));
    EXPECT_EQ(why.slicing_cost, us(90));
    EXPECT_THAT(why_sentence(step.gemms.at(0), product, step.faults),
                HasSubstr(fmt::format(
                    "; one chip's GEMM takes {} in 10 slices and {} whole: slicing costs {}, {} of "
                    "the time",
                    text(us(1060)), text(us(970)), text(us(90)), percent_text(ratio(us(90), step.time)))));
    scenario.plan.slices = 1;
    EXPECT_EQ(simulated(scenario).why.products.at(0).slicing, std::nullopt);
    EXPECT_EQ(slicing_cost(training_step(scenario, "collective", Depth::estimate).value(), scenario),
              Time(0));
}

/// Tile by tile, thin slices run at a lower rate: in 64 slices most of the run is lost to it, and the
/// sentence says so; in the best number of slices it costs too little for a sentence, or less than it hides.
TEST(SlicingCost, IsSaidWhereTilesMakeItMatter) {
    const Sliced many = simulated(on_paper_chips({32768, 8192, 8192}, 64));
    ASSERT_TRUE(many.why.products.at(0).slicing);
    EXPECT_GT(ratio(many.why.slicing_cost, many.step.time), 0.3);
    EXPECT_THAT(why_sentence(many.step, many.why), HasSubstr(" in 64 slices and "));
    const Sliced few = simulated(on_paper_chips({32768, 8192, 8192}, 4));
    EXPECT_LT(few.why.slicing_cost, many.why.slicing_cost);
    EXPECT_LT(few.step.time, many.step.time);
}

/// What the sentence proposes is run, and takes as much less time as it says; where it proposes nothing, no
/// smaller number of slices would have saved much. By estimate 65536x8192x8192 in 8 slices would take 2.9%
/// less time in 4, by simulation it takes as long: nothing is proposed.
TEST(SlicingCost, ProposesOtherSlicesOnlyWhereTheyHelp) {
    int proposed = 0;
    for (const GemmShape& shape :
         {GemmShape{32768, 8192, 8192}, GemmShape{65536, 8192, 8192}, GemmShape{8192, 8192, 32768}}) {
        for (const std::int64_t slices : {2, 4, 8, 16, 64}) {
            SCOPED_TRACE(fmt::format("{}, S = {}", text(shape), slices));
            const Scenario scenario = on_paper_chips(shape, slices);
            const auto [step, why] = simulated(scenario);
            const Remedies& remedies = why.products.at(0).remedies;
            const std::string sentence = why_sentence(step, why);
            if (remedies.slices && sentence.find("; S = ") != std::string::npos) {
                ++proposed;
                const Time then =
                    training_step(on_paper_chips(shape, *remedies.slices), "meshslice", Depth::simulate)
                        .value()
                        .time;
                EXPECT_EQ(then, remedies.time_with_slices);
                EXPECT_LT(then, step.time);
                EXPECT_THAT(sentence, testing::EndsWith(
                                          fmt::format("; S = {} would take {} less time.", *remedies.slices,
                                                      percent_text(1 - ratio(then, step.time)))));
                continue;
            }
            for (std::int64_t fewer = slices / 2; fewer > 0; fewer /= 2) {
                const Time then =
                    training_step(on_paper_chips(shape, fewer), "meshslice", Depth::simulate).value().time;
                EXPECT_LT(1 - ratio(then, step.time), 0.03) << fewer;
            }
        }
    }
    EXPECT_GE(proposed, 3);
}

} // namespace
} // namespace meshslice
