#include "core/machine/catalogue.h"
#include "core/papers/selene/studies.h"
#include "core/question/catalogue/study/studies.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>

namespace meshslice {
namespace {

using testing::HasSubstr;

void print(const StepDeviations& all) {
    for (const ClaimOutcome& one : all.steps) {
        std::printf("%-20s measured %6.2f s, ours %6.2f s, %+5.1f%%\n", one.id.c_str(), one.paper.value_or(0),
                    one.ours, 100 * one.deviation());
    }
}

/// The best known planner, Calculon (Isaev et al., SC'23), is off by 3.65% on average and 8.87% at worst, by
/// its own report.
TEST(MeasuredRuns, AreMetByOneSetOfEfficiencies) {
    const auto fit = fit_efficiencies(*machine_preset("a100-nvs8"));
    ASSERT_TRUE(fit);
    std::printf("With the cluster's own efficiencies:\n");
    print(fit->own);
    const FittedEfficiencies reached = efficiencies(fit->hardware);
    std::printf("Fitted, three numbers to eight steps: %.3f of the peak, %.0f GB/s of HBM, %.3f of NVLink:\n",
                reached.peak, reached.hbm / 1e9, reached.links);
    print(fit->fitted);
    std::printf("Mean deviation %.2f%% (before the fit %.2f%%), worst %.2f%% (%.2f%%)\n",
                100 * fit->fitted.mean, 100 * fit->own.mean, 100 * fit->fitted.worst, 100 * fit->own.worst);
    EXPECT_EQ(fit->fitted.steps.size(), 8u);
    EXPECT_LT(fit->fitted.mean, 0.0365);
    EXPECT_LT(fit->fitted.worst, 0.089);
    EXPECT_LT(fit->fitted.mean, fit->own.mean);
    for (const double one : {reached.peak, reached.hbm / 2.0e12, reached.links}) { // shares of something
        EXPECT_GT(one, 0.2);
        EXPECT_LE(one, 1);
    }
    // Two percent more or less of one number are no better than what was found.
    for (const double times : {1 / 1.02, 1.02}) {
        const auto off = step_deviations(with_efficiencies(
            *machine_preset("a100-nvs8"), {reached.peak * times, reached.hbm, reached.links}));
        EXPECT_GE(off->mean + off->worst / 2, fit->fitted.mean + fit->fitted.worst / 2);
    }
}

/// A layer keeps 34 bytes a token and feature, split over eight chips (Korthikanti et al., section 4): 17 of
/// attention's and the feed-forward network's inputs, 2 of dropout masks and so on. Here it keeps 4 more, the
/// mask between the two GEMMs: 4/38, and half a thousandth for what attention keeps of its softmax.
TEST(MeasuredRuns, KnowTheDropoutThatWasNotThere) {
    for (const MeasuredRun& run : measured_runs) {
        EXPECT_NEAR(*share_of_inner_dropout(run, *machine_preset("a100-nvs8")), 4.0 / 38, 0.001) << run.name;
    }
}

/// 22B on one stage: 48 layers of 12 h^2 weights and the embedding, over eight chips, with 18 bytes each; and
/// 38 bytes a token and feature for the activations of 48 layers of 4 x 2048 tokens.
TEST(MeasuredRuns, NeedTheMemoryThatIsCountedByHand) {
    const auto reading = measured_step(measured_runs.front(), false, *machine_preset("a100-nvs8"));
    ASSERT_TRUE(reading);
    const double h = 6144;
    const double weights = (48 * 12 * h * h + 51'200 * h) / 8;
    const MemoryUse& memory = reading->memory;
    EXPECT_NEAR((memory.weights + memory.embeddings + memory.gradients + memory.optimizer) / (18 * weights),
                1, 0.02);
    EXPECT_NEAR(memory.activations / (38 * 4 * 2048 * h * 48 / 8), 1, 0.005);
}

/// Both studies judge all that was published, and say what closes the gaps.
TEST(MeasuredRuns, AreJudgedByTwoStudies) {
    const StudyInputs inputs = selene_evaluation.inputs(*machine_preset("tpu-v4"));
    EXPECT_EQ(inputs.hardware.name, "a100-nvs8");
    const auto steps = run_study(**study("measured-steps"), inputs);
    const auto memory = run_study(**study("measured-memory"), inputs);
    ASSERT_TRUE(steps && memory);
    EXPECT_EQ(steps->claims.size() + memory->claims.size(), selene_measurements().claims.size());
    for (const ClaimOutcome& one : memory->claims) {
        EXPECT_TRUE(one.paper) << one.id;
        EXPECT_LT(std::abs(one.deviation()), 0.13) << one.id;
    }
    EXPECT_THAT(memory->note, HasSubstr("18 bytes a parameter"));
    StudyInputs others = inputs;
    others.hardware = *machine_preset("h100-nvs8");
    EXPECT_THAT(run_study(**study("measured-steps"), others)->not_judged, HasSubstr("NVIDIA A100"));
}

TEST(MeasuredRuns, StopWhenTheyAreTold) {
    std::stop_source stop;
    stop.request_stop();
    const StudyInputs inputs = selene_evaluation.inputs(*machine_preset("a100-nvs8"));
    for (const char* id : {"measured-steps", "measured-memory"}) {
        EXPECT_EQ(run_study(**study(id), inputs, {stop.get_token(), nullptr}).error().kind,
                  Error::Kind::cancelled)
            << id;
    }
}

} // namespace
} // namespace meshslice
