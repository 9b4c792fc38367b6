#include "core/explain/slower_part.h"
#include "core/explain/why.h"
#include "core/machine/catalogue.h"
#include "core/report/json/step_json.h"
#include "core/report/words/why_words.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"
#include "tests/core/support/json_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <stop_token>
#include <string>

namespace meshslice {
namespace {

Scenario gemm_on(const char* hardware, const Mesh& mesh, const GemmShape& shape, Dataflow dataflow) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset(hardware);
    scenario.hardware.pod = {}; // Every mesh can be had.
    scenario.mesh = mesh;
    scenario.gemm = SingleGemm{shape, dataflow};
    scenario.compare.clear();
    return scenario;
}

struct ToldRun {
    TrainingStep step;
    StepWhy why;

    [[nodiscard]] std::optional<SlowerPart> slower() const { return why.slower; }
    [[nodiscard]] std::string sentence() const { return why_sentence(step, why); }
};

ToldRun run_and_told(const Scenario& scenario) {
    auto step = training_step(scenario, scenario.plan.algorithm, Depth::simulate);
    EXPECT_TRUE(step) << (step ? "" : step.error().sentence);
    auto reasons = why(*step, scenario);
    EXPECT_TRUE(reasons) << (reasons ? "" : reasons.error().sentence);
    return {*std::move(step), *std::move(reasons)};
}

/// Links as they are leave a core the HBM bandwidth that it needs. Four times as fast, they carry the same
/// bytes in bursts, and each of the four streams of a chip has as much right to its memory as the core:
/// max-min fair, and nothing waits for what they carry. The run takes longer, and says so.
TEST(SlowerPart, BurstsOfFasterLinksTakeMemoryFromTheCore) {
    Scenario scenario = gemm_on("tpu-v5e", {16, 1}, {32768, 32768, 16384}, Dataflow::OS);
    scenario.plan.algorithm = "fsdp";
    scenario.assume.schedule.chip = ChipModel::tiled;
    const ToldRun before = run_and_told(scenario);
    EXPECT_FALSE(before.slower());
    Scenario faster = scenario;
    Sourced<Bandwidth>& link = faster.hardware.network.torus_links(0).bandwidth;
    link.value = Bandwidth(4 * link.value.value());
    const ToldRun after = run_and_told(faster);
    EXPECT_NEAR(ratio(after.step.time, before.step.time), 1.157, 0.01);
    const auto slower = after.slower();
    ASSERT_TRUE(slower);
    EXPECT_TRUE(is_links(slower->part));
    EXPECT_EQ(slower->freed, Freed::memory_for_cores);
    EXPECT_EQ(slower->times, 4);
    EXPECT_EQ(slower->time, before.step.time);
    EXPECT_THAT(
        after.sentence(),
        testing::EndsWith("; with the ring's links at 25% of their bandwidth it would take 13% less time: in "
                          "bursts they take HBM bandwidth that the multiplications need."));
    const auto json = json_of(step_values(after.step, &after.why));
    const auto& told = json["why"]["slower_part"];
    EXPECT_EQ(told["part"], "vertical_links");
    EXPECT_EQ(told["times_slower"], 4);
    EXPECT_EQ(told["frees"], "memory_for_cores");
    EXPECT_DOUBLE_EQ(told["time_s"].get<double>(), in_seconds(before.step.time));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(slower_part({&after.step.gemms.front()}, faster, stop.get_token()));
    Scenario plenty = faster;
    plenty.hardware.hbm_bandwidth.value = Bandwidth(4 * faster.hardware.hbm_bandwidth.value.value());
    EXPECT_FALSE(run_and_told(plenty).slower()) << "what the links take is not missed then";
}

/// On a folded ring it is the links that are shared. As long as slow cores set the pace, all chips send in
/// step; with 1.5 times their speed they send when they can, and what goes home holds up the rest.
TEST(SlowerPart, FasterCoresLetAFoldedRingFallOutOfStep) {
    Scenario scenario = gemm_on("tpu-v3", {16, 1}, {32768, 8192, 2048}, Dataflow::LS);
    scenario.plan.algorithm = "1d-tp";
    scenario.wraps = {false, false, false};
    scenario.folded = true;
    scenario.assume.schedule.chip = ChipModel::constant_rate;
    Machine& hardware = scenario.hardware;
    hardware.sync.value = hardware.sync.value * 4;
    Sourced<Bandwidth>& link = hardware.network.torus_links(0).bandwidth;
    link.value = Bandwidth(4 * link.value.value());
    const FlopRate peak = hardware.peak_rate(scenario.assume.schedule.type);
    auto& rate = hardware.peak[DataType::bf16].value;
    rate = FlopRate(peak.value() / 4);
    const ToldRun before = run_and_told(scenario);
    EXPECT_FALSE(before.slower());
    rate = FlopRate(peak.value() / 4 * 1.5);
    const ToldRun after = run_and_told(scenario);
    EXPECT_GT(ratio(after.step.time, before.step.time), 1.1);
    const auto slower = after.slower();
    ASSERT_TRUE(slower);
    EXPECT_EQ(slower->part, Part::compute);
    EXPECT_EQ(slower->times, 1.5);
    EXPECT_EQ(slower->freed, Freed::folded_links);
    scenario.wraps = {true, true, true};
    scenario.folded = false;
    EXPECT_FALSE(run_and_told(scenario).slower()) << "a closed ring shares no link";
}

/// Where HBM is not shared, nothing but the links of a folded ring can be what a slower part frees, however
/// much more memory would change.
TEST(SlowerPart, OfARooflineFreesLinks) {
    Scenario scenario = gemm_on("tpu-v5e", {16, 1}, {4096, 4096, 2048}, Dataflow::RS);
    scenario.plan.algorithm = "fsdp";
    scenario.wraps = {false, false, false};
    scenario.folded = true;
    scenario.assume.schedule.chip = ChipModel::roofline;
    scenario.hardware.hbm_bandwidth.value = Bandwidth(81e9);
    const ToldRun found = run_and_told(scenario);
    ASSERT_TRUE(found.slower());
    EXPECT_EQ(found.slower()->freed, Freed::folded_links);
    EXPECT_THAT(found.sentence(),
                testing::EndsWith(": chips then send in step and share the folded ring's links less."));
}

/// Where nothing overlaps, what the horizontal links take is missed by the vertical ones, not by the core.
TEST(SlowerPart, MayFreeMemoryForOtherLinks) {
    Scenario scenario = gemm_on("tpu-v5e", {4, 16}, {1024, 8192, 4096}, Dataflow::OS);
    scenario.assume.schedule.chip = ChipModel::tiled;
    for (int axis = 0; axis < 2; ++axis) {
        Sourced<Bandwidth>& link = scenario.hardware.network.torus_links(axis).bandwidth;
        link.value = Bandwidth(link.value.value() / 4);
    }
    scenario.hardware.hbm_bandwidth.value = Bandwidth(scenario.hardware.hbm_bandwidth.value.value() / 10);
    const ToldRun found = run_and_told(scenario);
    ASSERT_TRUE(found.slower());
    EXPECT_EQ(found.slower()->freed, Freed::memory_for_links);
    EXPECT_EQ(found.slower()->part, Part::horizontal_links);
    EXPECT_THAT(found.sentence(),
                testing::EndsWith(": in bursts they take HBM bandwidth that other links and copies need."));
}

/// One machine for all GEMMs of a step: the time that is said is that of the whole step on it.
TEST(SlowerPart, OfAStepIsOfAllItsGemms) {
    Scenario scenario = gemm_on("tpu-v5e", {16, 1}, {1, 1, 1}, Dataflow::OS);
    scenario.gemm = {};
    scenario.model = *model_preset("llama-3-8b");
    scenario.batch = 64;
    scenario.assume.schedule.chip = ChipModel::tiled;
    scenario.plan.algorithm = "1d-tp";
    for (int axis = 0; axis < 2; ++axis) {
        Sourced<Bandwidth>& link = scenario.hardware.network.torus_links(axis).bandwidth;
        link.value = Bandwidth(link.value.value() * 4);
    }
    const ToldRun found = run_and_told(scenario);
    ASSERT_TRUE(found.slower());
    Scenario slower = scenario;
    slower.hardware =
        with_times(scenario.hardware, found.step.torus, found.slower()->part, 1 / found.slower()->times);
    const auto step = training_step(slower, slower.plan.algorithm, Depth::simulate);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->time, found.slower()->time);
    EXPECT_GE(1 - ratio(step->time, found.step.time), least_saved_by_slower);
}

} // namespace
} // namespace meshslice
