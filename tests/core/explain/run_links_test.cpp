#include "core/explain/run_links.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// Two chips in a row, one GEMM, not sliced: A is gathered along the row, each chip sends its half to the
/// other, and both multiply.
Scenario two_chips() {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.mesh = {1, 2};
    scenario.plan.algorithm = "collective";
    scenario.gemm = SingleGemm{{4000, 6000, 8000}, Dataflow::OS};
    return scenario;
}

/// Each half that arrives is what the multiplication waits for: one flow to each core, from a link of the
/// other chip, and one wait on each core, from 0 until the transfer ends.
TEST(RunLinks, LeadFromATransferToWhatWaitedForIt) {
    const Scenario scenario = two_chips();
    const auto step = training_step(scenario, "collective", Depth::simulate);
    ASSERT_TRUE(step) << step.error().sentence;
    const GemmResult& gemm = step->gemms[0];
    const RunLinks links = run_links(gemm, "collective", scenario, {0, 1});
    const auto& rows = gemm.timeline->rows();
    ASSERT_FALSE(links.flows.empty());
    for (const RunFlow& flow : links.flows) {
        const Interval& from = gemm.timeline->intervals(flow.from.row)[flow.from.index];
        const Interval& to = gemm.timeline->intervals(flow.to.row)[flow.to.index];
        EXPECT_FALSE(rows[flow.from.row].is_core);
        EXPECT_EQ(from.activity, Activity::transfer);
        EXPECT_TRUE(rows[flow.to.row].is_core);
        EXPECT_NE(rows[flow.from.row].chip, rows[flow.to.row].chip);
        EXPECT_LE(from.end, to.start);
    }
    ASSERT_EQ(links.waits.size(), 2u);
    for (const RunWait& wait : links.waits) {
        EXPECT_EQ(wait.start, Time(0));
        EXPECT_EQ(wait.end, gemm.timeline->intervals(wait.row)[0].start);
        ASSERT_TRUE(wait.until);
        const Interval& last = gemm.timeline->intervals(wait.until->row)[wait.until->index];
        EXPECT_EQ(last.activity, Activity::transfer);
        EXPECT_EQ(last.end, wait.end);
    }
}

/// The other end of a flow is not on the chosen chip, so there is none; the wait is, and has its reason.
TEST(RunLinks, StayOnTheChosenChips) {
    const Scenario scenario = two_chips();
    const auto step = training_step(scenario, "collective", Depth::simulate);
    const RunLinks links = run_links(step->gemms[0], "collective", scenario, {1});
    EXPECT_TRUE(links.flows.empty());
    EXPECT_EQ(links.left_out, 2u) << "half of what chip 0 sends goes each way round the ring";
    ASSERT_EQ(links.waits.size(), 1u);
    EXPECT_EQ(step->gemms[0].timeline->rows()[links.waits[0].row].chip, 1);
    EXPECT_TRUE(links.waits[0].until);
}

/// The same of a folded run, which keeps one chip, as of one in which every chip is kept, because they differ
/// by chance: every flow leads from a neighbour.
TEST(RunLinks, OfAlikeChipsAreAsOfDifferentOnes) {
    Scenario scenario = two_chips();
    scenario.mesh = {4, 4};
    scenario.plan.algorithm = "meshslice";
    scenario.plan.slices = 4;
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    const auto count = [&](const Scenario& one) {
        const auto step = training_step(one, "meshslice", Depth::simulate);
        EXPECT_TRUE(step);
        std::vector<Chip> all;
        for (Chip chip = 0; chip < 16; ++chip) {
            all.push_back(chip);
        }
        const Torus& torus = step->torus;
        const RunLinks links = run_links(step->gemms[0], "meshslice", one, all);
        const auto& rows = step->gemms[0].timeline->rows();
        for (const RunFlow& flow : links.flows) {
            const Row& from = rows[flow.from.row];
            EXPECT_EQ(torus.neighbour(from.chip, from.axis, from.direction), rows[flow.to.row].chip);
        }
        return links.flows.size();
    };
    const std::size_t alike = count(scenario);
    EXPECT_GT(alike, 0u);
    scenario.assume.faults.jitter = Time(1);
    EXPECT_EQ(count(scenario), alike);
}

} // namespace
} // namespace meshslice
