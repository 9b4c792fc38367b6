#include "core/machine/catalogue.h"
#include "core/step/run/planned_recording.h"
#include "core/step/run/simulate_gemms.h"
#include "tests/core/support/round_hardware.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// Collective OS on 2 x 2, both axes lines.
Scenario one_product() {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.gemm = SingleGemm{{400, 6000, 8000}, Dataflow::OS};
    scenario.mesh = {2, 2};
    scenario.wraps = {false, false, true};
    scenario.plan.algorithm = "collective";
    scenario.compare.clear();
    return scenario;
}

/// On each of the 4 chips a multiplication, launched in no time, and per axis one link with a launch, a
/// synchronization and a transfer: 4 x (1 + 2 x 3) = 28, of 24 bytes each.
TEST(PlannedRecording, IsWhatARunKeeps) {
    Scenario scenario = one_product();
    scenario.assume.faults.jitter = seconds(1e-6); // so that no two chips are alike
    const auto planned = planned_recording(scenario, "collective");
    ASSERT_TRUE(planned);
    EXPECT_EQ(planned->intervals, 28);
    EXPECT_EQ(planned->bytes(), Bytes(28 * 24));
    EXPECT_TRUE(planned->fits());
    const auto step = training_step(scenario, "collective", Depth::simulate);
    ASSERT_TRUE(step);
    EXPECT_EQ(static_cast<std::int64_t>(step->gemms[0].timeline->stored_intervals()), 28);
}

/// FF1 forward and FF2 backward data are one program: its timeline is kept, and counted, once.
TEST(PlannedRecording, CountsSharedTimelinesOnce) {
    const Scenario scenario = default_scenario();
    const auto planned = planned_recording(scenario, "meshslice");
    const auto step = training_step(scenario, "meshslice", Depth::simulate);
    ASSERT_TRUE(planned && step);
    std::int64_t kept = 0;
    std::vector<const Timeline*> seen;
    for (const GemmResult& result : step->gemms) {
        if (std::ranges::find(seen, result.timeline.get()) == seen.end()) {
            seen.push_back(result.timeline.get());
            kept += static_cast<std::int64_t>(result.timeline->stored_intervals());
        }
    }
    EXPECT_LT(seen.size(), step->gemms.size());
    EXPECT_EQ(planned->intervals, kept);
}

TEST(PlannedRecording, SaysWhatItIs) {
    EXPECT_EQ(text(Recording{2'500'000}), "2.5 million busy intervals, 60.0\u2009MB");
    EXPECT_EQ(text(Recording{900}), "900 busy intervals, 21.6\u2009kB");
    Recording cut{2'000'000};
    cut.cuts = 500'000;
    EXPECT_EQ(text(cut), "up to 2.5 million busy intervals, 60.0\u2009MB");
    EXPECT_TRUE(Recording{most_intervals}.fits());
    EXPECT_FALSE(Recording{most_intervals + 1}.fits());
}

/// The run itself counts what only it knows: a recording fits unless what is certain does not.
TEST(PlannedRecording, IsNotRefusedForWhatMayBeCut) {
    Recording recording{most_intervals};
    recording.cuts = most_intervals;
    EXPECT_TRUE(recording.fits());
    recording.intervals += 1;
    EXPECT_FALSE(recording.fits());
}

/// A transformer block on a ring of 4 GPUs whose memories cut what they serve: 12 GEMMs with 4 x 6 GEMMs'
/// stages and fed rings.
Scenario staged_block() {
    Scenario scenario = default_scenario();
    scenario.model.name = "small";
    scenario.model.hidden = 2048;
    scenario.model.heads = 16;
    scenario.model.kv_heads = 16;
    scenario.model.head_size = 128;
    scenario.model.feed_forward = 8192;
    scenario.batch = 2;
    scenario.sequence = 1024;
    scenario.hardware = *machine_preset("t3-paper");
    scenario.mesh = {4};
    scenario.plan.algorithm = "t3";
    scenario.compare.clear();
    scenario.plan.slices.reset();
    return scenario;
}

/// What the GEMMs of a step record together has one limit. With room for all of it but one interval, every
/// GEMM alone has enough, the plan sees nothing, and the step is refused, on any number of threads.
TEST(PlannedRecording, TheLimitIsOfAllGemmsTogether) {
    const Scenario scenario = staged_block();
    const auto step = training_step(scenario, "t3", Depth::simulate);
    ASSERT_TRUE(step) << step.error().sentence;
    // The limit counts what is served by policy, of the four chips once; what links of other collectives do
    // follows from their transfers, which are counted.
    const auto kept_by = [](const Timeline& run) {
        std::size_t served = 0;
        for (const MemoryStream stream : {MemoryStream::compute, MemoryStream::communication}) {
            served += run.served(0, stream).size();
        }
        return static_cast<std::int64_t>(run.stored_intervals() + served);
    };
    std::int64_t all = 0;
    std::int64_t most = 0;
    std::vector<const Timeline*> seen;
    for (const GemmResult& result : step->gemms) {
        if (std::ranges::find(seen, result.timeline.get()) == seen.end()) {
            seen.push_back(result.timeline.get());
            all += kept_by(*result.timeline);
            most = std::max(most, kept_by(*result.timeline));
        }
    }
    ASSERT_GT(seen.size(), 1U);
    ASSERT_LT(most, all);
    const auto planned = planned_recording(scenario, "t3");
    ASSERT_TRUE(planned);
    ASSERT_LT(planned->intervals, all) << "else it is refused before it runs";
    EXPECT_GE(planned->most(), all);
    const auto estimated = training_step(scenario, "t3", Depth::estimate);
    const Conditions healthy;
    for (const unsigned threads : {1U, 2U}) {
        const auto within = [&](std::int64_t room) {
            std::vector<GemmResult> gemms = estimated->gemms;
            const auto intervals = planned_intervals(gemms, scenario, healthy);
            return simulate_gemms(gemms, intervals, scenario, healthy, {}, threads, room);
        };
        EXPECT_TRUE(within(all)) << threads;
        const auto refused = within(all - 1);
        ASSERT_FALSE(refused) << threads;
        EXPECT_EQ(refused.error().sentence,
                  "The simulation records more than " + text(Recording{all - 1}) +
                      ", all that is kept in memory of the GEMMs together. It may fit with fewer slices or "
                      "chips, or for one GEMM alone; the estimate has no such limit.");
    }
}

/// What the refusal names can be done: the slice count that it says fits, and the mesh; the next larger ones
/// do not.
TEST(PlannedRecording, TheRefusalNamesWhatFits) {
    Scenario scenario = default_scenario();
    scenario.mesh = {64, 64};
    scenario.assume.faults.jitter = seconds(1e-6);
    scenario.plan.slices = 24;
    const auto refused = training_step(scenario, "meshslice", Depth::simulate);
    ASSERT_FALSE(refused);
    const std::string& sentence = refused.error().sentence;
    EXPECT_THAT(sentence, HasSubstr(text(*planned_recording(scenario, "meshslice"))));
    EXPECT_THAT(sentence, HasSubstr(text(Recording{most_intervals})));
    const auto fits = [&](std::int64_t slices, std::vector<std::int32_t> mesh) {
        Scenario other = scenario;
        other.plan.slices = slices;
        other.mesh = std::move(mesh);
        return planned_recording(other, "meshslice")->fits();
    };
    EXPECT_THAT(sentence, HasSubstr("It fits with S = 2 or the mesh 16x32"));
    EXPECT_TRUE(fits(2, {64, 64}));
    EXPECT_FALSE(fits(3, {64, 64}));
    EXPECT_TRUE(fits(24, {16, 32}));
    EXPECT_FALSE(fits(24, {32, 32}));
}

/// What does not run is refused as by the run itself.
TEST(PlannedRecording, RefusesWhatDoesNotRun) {
    Scenario scenario = default_scenario();
    scenario.mesh = {7, 13};
    EXPECT_EQ(planned_recording(scenario, "meshslice").error().sentence,
              training_step(scenario, "meshslice", Depth::simulate).error().sentence);
}

} // namespace
} // namespace meshslice
