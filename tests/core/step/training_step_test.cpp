#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "core/scenario/choices.h"
#include "core/step/breakdown.h"
#include "core/step/roofline.h"
#include "core/step/run/planned_recording.h"
#include "core/step/training_step.h"
#include "tests/core/support/round_hardware.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// A model small enough to work by hand: hidden 512, 8 heads of 64, feed-forward 2048; 2 x 256 tokens on 2 x
/// 2 chips.
Scenario small_scenario() {
    Scenario scenario = default_scenario();
    scenario.model.name = "small";
    scenario.model.layers = 2;
    scenario.model.hidden = 512;
    scenario.model.heads = 8;
    scenario.model.kv_heads = 8;
    scenario.model.head_size = 64;
    scenario.model.feed_forward = 2048;
    scenario.hardware = round_hardware();
    scenario.mesh = {2, 2};
    scenario.batch = 2;
    scenario.sequence = 256;
    return scenario;
}

TrainingStep step_of(const Scenario& scenario, const std::string& algorithm, Depth depth = Depth::simulate) {
    const auto step = training_step(scenario, algorithm, depth);
    EXPECT_TRUE(step) << (step ? "" : step.error().sentence);
    return step ? *step : TrainingStep{};
}

TEST(TrainingStep, HasFourLayersInThreePasses) {
    const TrainingStep step = step_of(small_scenario(), "meshslice");
    ASSERT_EQ(step.gemms.size(), 12u);
    EXPECT_EQ(step.gemms[0].title(), "QKV forward");
    EXPECT_EQ(step.gemms[11].title(), "FF2 backward weight");
    // 6 FLOP per token and parameter: 3 passes of 2. Parameters: 512 (1536 + 512 + 2048 + 2048) = 3 145 728.
    EXPECT_EQ(step.flop, Flop(std::int64_t{6} * 512 * 3145728));
    Time start;
    for (const GemmResult& result : step.gemms) {
        EXPECT_EQ(result.start, start);
        EXPECT_EQ(result.time, result.timeline->end());
        start += result.time;
    }
    EXPECT_EQ(step.time, start);
    EXPECT_EQ(step.torus.chips(), 4);
    // Utilization is FLOP over four chips at 10^12 FLOP/s.
    EXPECT_DOUBLE_EQ(step.utilization, 6.0 * 512 * 3145728 / (4e12 * in_seconds(step.time)));
}

/// A block has 3 145 728 parameters in its GEMMs, each of the four chips 786 432 of them, in 1 572 864 B;
/// with half of the biases (2048 + 2 x 512) and of the two norms (4 x 512) 1 577 984 B. The embedding, one
/// matrix of 50257 x 512, gives a chip 6 432 896 parameters more. Kept: of each of 512 tokens and 512
/// features 38 B over four chips, and 4 B for each of 128 tokens, two sequences and four heads.
TEST(TrainingStep, KnowsTheMemoryOfAChip) {
    Scenario scenario = small_scenario();
    for (const Depth depth : {Depth::estimate, Depth::simulate}) {
        const TrainingStep step = step_of(scenario, "meshslice", depth);
        EXPECT_EQ(step.blocks, 2);
        constexpr double kept = 38 * 512 * 512 / 4 + 4 * 2 * 128 * 4;
        EXPECT_EQ(step.memory.weights, 2 * 1'577'984);
        EXPECT_EQ(step.memory.embeddings, 2 * 6'432'896);
        EXPECT_EQ(step.memory.gradients, 2 * (1'577'984 + 6'432'896));
        EXPECT_EQ(step.memory.optimizer, 12 * (1'577'984 + 6'432'896));
        EXPECT_EQ(step.memory.activations, 2 * kept);
        EXPECT_GT(step.memory.buffers, 0);
        EXPECT_EQ(step.block_memory.weights, 1'577'984);
        EXPECT_EQ(step.block_memory.embeddings, 0);
        EXPECT_EQ(step.block_memory.gradients, 1'577'984);
        EXPECT_EQ(step.block_memory.optimizer, 6 * 1'577'984);
        EXPECT_EQ(step.block_memory.activations, kept);
        EXPECT_EQ(step.block_memory.buffers, step.memory.buffers);
        EXPECT_DOUBLE_EQ(step.model_seconds(), 2 * in_seconds(step.time));
        EXPECT_TRUE(step.fits());
    }
    scenario.hardware.hbm.value = step_of(scenario, "meshslice").memory.bytes();
    EXPECT_TRUE(step_of(scenario, "meshslice").fits()) << "to the byte";
    scenario.hardware.hbm.value = scenario.hardware.hbm.value - Bytes(1);
    scenario.plan.slices = step_of(small_scenario(), "meshslice").gemms.front().options.slices;
    EXPECT_FALSE(step_of(scenario, "meshslice").fits());
}

/// Fewer slices are larger ones, whose gathered parts wait in larger buffers: where the fastest counts need a
/// byte more than there is, the fastest count that fits is taken, which cannot be faster.
TEST(TrainingStep, TakesSlicesThatFit) {
    Scenario scenario = small_scenario();
    scenario.batch = 64;
    const TrainingStep fastest = step_of(scenario, "meshslice");
    scenario.hardware.hbm.value = fastest.memory.bytes() - Bytes(1);
    const TrainingStep fitting = step_of(scenario, "meshslice");
    EXPECT_TRUE(fitting.fits());
    EXPECT_GE(fitting.time, fastest.time);
    EXPECT_LT(fitting.memory.buffers, fastest.memory.buffers);
    // No count for all GEMMs alike that fits is faster.
    bool some_fit = false;
    for (const std::int64_t slices : slice_choices(scenario)) {
        scenario.plan.slices = slices;
        const TrainingStep alike = step_of(scenario, "meshslice");
        some_fit = some_fit || alike.fits();
        EXPECT_TRUE(!alike.fits() || alike.time >= fitting.time) << slices;
    }
    EXPECT_TRUE(some_fit);
    scenario.plan.slices.reset();
    scenario.hardware.hbm.value = whole_bytes(fastest.memory.weights);
    EXPECT_FALSE(step_of(scenario, "meshslice").fits()) << "with any";
    EXPECT_EQ(step_of(scenario, "meshslice").time, fastest.time);
}

/// Two matrices where they are not tied, none where the vocabulary is not known; copies of the weights along
/// a third axis are copies of the embeddings.
TEST(TrainingStep, DividesTheEmbeddingsLikeTheWeights) {
    Scenario scenario = small_scenario();
    scenario.model.tied_embeddings = false;
    EXPECT_EQ(step_of(scenario, "meshslice").memory.embeddings, 2 * 2 * 6'432'896);
    scenario.mesh = {2, 2, 2};
    const TrainingStep copied = step_of(scenario, "meshslice-dp");
    EXPECT_EQ(copied.memory.weights, 2 * 1'577'984) << "over four of the eight chips";
    EXPECT_EQ(copied.memory.embeddings, 2 * 2 * 6'432'896);
    scenario.mesh = {2, 2};
    scenario.model.vocabulary = 0;
    EXPECT_EQ(step_of(scenario, "meshslice").memory.embeddings, 0);
}

/// A GEMM has no blocks, weights or optimizer: its three matrices and buffers. 256 x 512 x 1024 in 2 B over
/// four chips: (256 x 1024 + 1024 x 512 + 256 x 512) x 2 / 4.
TEST(TrainingStep, OfAGemmHoldsThreeMatrices) {
    Scenario scenario = small_scenario();
    scenario.gemm = SingleGemm{{256, 512, 1024}, Dataflow::OS};
    const TrainingStep step = step_of(scenario, "collective");
    EXPECT_EQ(step.blocks, 0);
    EXPECT_EQ(step.model_seconds(), 0);
    EXPECT_EQ(step.memory.activations, (256 * 1024 + 1024 * 512 + 256 * 512) * 2 / 4);
    EXPECT_EQ(step.memory.weights, 0);
    EXPECT_EQ(step.memory.embeddings, 0);
    EXPECT_EQ(step.memory.optimizer, 0);
    EXPECT_EQ(step.memory, step.block_memory);
}

TEST(TrainingStep, EstimateAndSimulationAgreeWhereNothingContends) {
    for (const std::string algorithm : {"collective", "meshslice"}) {
        const TrainingStep step = step_of(small_scenario(), algorithm);
        EXPECT_EQ(step.time, step.estimated);
        const TrainingStep estimated = step_of(small_scenario(), algorithm, Depth::estimate);
        EXPECT_EQ(estimated.time, step.time);
        EXPECT_EQ(estimated.gemms[0].timeline, nullptr);
    }
}

/// A chip that reaches its peak and loses nothing else uses all of it, and never more, though its time is
/// rounded to whole picoseconds: 2 x 7 x 11 x 13 FLOP at 10^12 FLOP/s are 2002 ps, at 3 x 10^12 667.3.
TEST(TrainingStep, UsesAtMostThePeak) {
    for (const double peak : {1e12, 3e12, 7e13}) {
        for (const GemmShape shape :
             {GemmShape{7, 11, 13}, GemmShape{1000, 999, 997}, GemmShape{64, 64, 64}}) {
            Scenario scenario = small_scenario();
            scenario.gemm = SingleGemm{shape, Dataflow::OS};
            scenario.mesh = {1, 1};
            scenario.assume.schedule.chip = ChipModel::constant_rate;
            scenario.hardware.effective_fraction.value = 1;
            scenario.hardware.peak[DataType::bf16].value = FlopRate(peak);
            const TrainingStep step = step_of(scenario, "collective");
            EXPECT_LE(step.utilization, 1.0) << text(shape) << " at " << peak;
            EXPECT_GT(step.utilization, shape.m > 100 ? 1 - 1e-6 : 0.9) << text(shape) << " at " << peak;
        }
    }
}

/// GPT-3 on 32 x 8, batch 128 (paper, sections 5.1 and 5.2).
TEST(TrainingStep, MeshSliceBeatsCollectiveOnThePapersExample) {
    const TrainingStep meshslice = step_of(default_scenario(), "meshslice");
    const TrainingStep collective = step_of(default_scenario(), "collective");
    EXPECT_GT(meshslice.utilization, collective.utilization);
    EXPECT_EQ(meshslice.flop, collective.flop);
    EXPECT_EQ(collective.hidden_share(), 0);
    EXPECT_GT(meshslice.hidden_share(), 0.5);
    EXPECT_THAT(bound_by(meshslice), HasSubstr("balanced ("));
    EXPECT_THAT(bound_by(collective), HasSubstr("no overlap, waits mostly for the "));
    EXPECT_THAT(headline(meshslice), HasSubstr("MeshSlice 32x8, S = "));
    EXPECT_THAT(headline(meshslice), HasSubstr("of peak"));
}

TEST(TrainingStep, RunsOneProductByItself) {
    Scenario scenario = small_scenario();
    scenario.gemm = SingleGemm{{256, 512, 128}, Dataflow::RS};
    scenario.plan.slices = 2;
    const TrainingStep step = step_of(scenario, "meshslice");
    ASSERT_EQ(step.gemms.size(), 1u);
    EXPECT_EQ(step.gemms[0].title(), "RS 256x512x128");
    EXPECT_EQ(step.gemms[0].options.slices, 2);
    EXPECT_EQ(step.flop, Flop(2 * 256 * 512 * 128));
}

TEST(TrainingStep, ExpertsRepeatTheirProduct) {
    Scenario scenario = small_scenario();
    scenario.model.experts = 4;
    scenario.model.experts_per_token = 2;
    const TrainingStep step = step_of(scenario, "collective");
    const GemmResult& ff1 = step.gemms[6];
    EXPECT_EQ(ff1.gemm.copies, 4);
    EXPECT_EQ(ff1.gemm.shape.m, 512 * 2 / 4);
    EXPECT_EQ(ff1.time, ff1.timeline->end() * 4);
    EXPECT_EQ(step.gemms[7].start, ff1.start + ff1.time);
}

TEST(TrainingStep, NamesTheLayerThatDoesNotFit) {
    Scenario scenario = small_scenario();
    scenario.mesh = {3, 2};
    const auto step = training_step(scenario, "meshslice", Depth::estimate);
    ASSERT_FALSE(step);
    EXPECT_THAT(step.error().sentence, HasSubstr("QKV forward: The mesh 3x2"));
    scenario = small_scenario();
    scenario.plan.slices = 5;
    const auto slices = training_step(scenario, "meshslice", Depth::estimate);
    ASSERT_FALSE(slices);
    EXPECT_THAT(slices.error().sentence, HasSubstr("Slice counts that work"));
}

TEST(TrainingStep, RefusesTimesThatCannotBeCounted) {
    Scenario scenario = small_scenario();
    scenario.hardware.peak[DataType::bf16].value = FlopRate(1e9);
    scenario.gemm = SingleGemm{{1 << 20, 1 << 20, 1 << 20}, Dataflow::OS};
    const auto step = training_step(scenario, "collective", Depth::estimate);
    ASSERT_FALSE(step);
    EXPECT_THAT(step.error().sentence, HasSubstr("up to a day"));
}

TEST(TrainingStep, RefusesMoreTimelinesThanMemoryHolds) {
    Scenario scenario = default_scenario();
    scenario.mesh = {64, 64};
    scenario.batch = 512;
    scenario.wraps = {false, false, false}; // On lines no two chips are alike.
    scenario.plan.slices = 12;              // Some 20 million intervals for each of 12 GEMMs.
    const auto step = training_step(scenario, "meshslice", Depth::simulate);
    ASSERT_FALSE(step);
    EXPECT_THAT(step.error().sentence, HasSubstr("It fits with S = 4, the mesh 32x64 or one GEMM alone"));
    scenario.plan.slices = 4;
    EXPECT_TRUE(planned_recording(scenario, "meshslice")->fits());
    scenario.plan.slices = 12;
    scenario.mesh = {32, 64};
    EXPECT_TRUE(planned_recording(scenario, "meshslice")->fits());
    scenario.mesh = {64, 64};
    EXPECT_TRUE(training_step(scenario, "meshslice", Depth::estimate));
}

/// 10^9 FLOP/s on 4096 chips: one chip's time fits, the sum over the chips would not fit 64 bits.
TEST(TrainingStep, AveragesOverMoreChipTimeThan64BitsHold) {
    Scenario scenario = small_scenario();
    scenario.hardware.peak[DataType::bf16].value = FlopRate(2e10);
    scenario.mesh = {64, 64};
    scenario.gemm = SingleGemm{{1 << 20, 1 << 20, 1 << 18}, Dataflow::OS};
    const TrainingStep step = step_of(scenario, "collective");
    // 2^59 FLOP / 4096 chips / 2e10 = 7036.87... s
    EXPECT_NEAR(in_seconds(step.usage.compute), 0x1p59 / 4096 / 2e10, 1e-6);
}

TEST(TrainingStep, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    const auto step =
        training_step(default_scenario(), "meshslice", Depth::simulate, {source.get_token(), nullptr});
    ASSERT_FALSE(step);
    EXPECT_EQ(step.error().kind, Error::Kind::cancelled);
}

TEST(Breakdown, AddsUpToTheWholeStep) {
    const TrainingStep step = step_of(small_scenario(), "meshslice");
    const std::vector<BreakdownRow> rows = breakdown({step});
    ASSERT_EQ(rows.size(), 13u);
    Usage sum;
    for (std::size_t k = 0; k < 12; ++k) {
        sum += rows[k].usage;
        EXPECT_EQ(rows[k].usage.compute + rows[k].usage.exposed, rows[k].time);
    }
    EXPECT_TRUE(rows[12].total);
    EXPECT_EQ(rows[12].usage, sum);
    EXPECT_EQ(table(rows).rows.size(), 13u);
    EXPECT_EQ(gemm_table(step).rows.size(), 12u);
    EXPECT_EQ(gemm_table(step).rows[0].size(), gemm_table(step).columns.size());
}

/// Collective OS on the 2 x 2 case of 256 x 512 x 128: A' is 128 x 128, B' 128 x 256, C 128 x 256: in bf16
/// 163 840 B; 2 * 128 * 256 * 128 FLOP = 8 388 608: 51.2 FLOP per byte. At 10^12 FLOP/s over 10^12 B/s the
/// ridge is at 1. The vertical links carry half of B's shard of 64 x 256, each way: 32 768 B together: 256
/// FLOP per byte; both links give 2 10^9 B/s: 512 GFLOP/s are attainable.
TEST(Roofline, PutsEachProductUnderItsRoofs) {
    Scenario scenario = small_scenario();
    scenario.gemm = SingleGemm{{256, 512, 128}, Dataflow::OS};
    const std::vector<TrainingStep> steps = {step_of(scenario, "collective")};
    const Roofline chip = chip_roofline(steps, scenario);
    ASSERT_EQ(chip.points.size(), 1u);
    EXPECT_DOUBLE_EQ(chip.points[0].intensity, 51.2);
    EXPECT_DOUBLE_EQ(chip.points[0].attainable, 1e12);
    EXPECT_EQ(chip.points[0].bound, "peak bf16");
    EXPECT_DOUBLE_EQ(chip.points[0].time_share, 1);
    const Roofline links = link_roofline(steps, scenario);
    ASSERT_EQ(links.points.size(), 1u);
    EXPECT_DOUBLE_EQ(links.points[0].intensity, 512);
    EXPECT_DOUBLE_EQ(links.points[0].attainable, 512e9);
    EXPECT_EQ(links.points[0].bound, "one link, one way");
    EXPECT_LE(links.points[0].achieved, links.points[0].attainable);
    EXPECT_EQ(table(links).rows.size(), 1u);
}

/// Where axes differ, the link that needs the longest decides: with 1 GB/s along the columns that of B, 16
/// 384 bytes; with 4 GB/s there and 1 GB/s along the rows that of A, 8192 bytes: 1024 FLOP per byte, which
/// would allow more than the peak.
TEST(Roofline, EachAxisHasItsOwnRoof) {
    Scenario scenario = small_scenario();
    scenario.gemm = SingleGemm{{256, 512, 128}, Dataflow::OS};
    scenario.hardware = uneven_hardware();
    Roofline links = link_roofline({step_of(scenario, "collective")}, scenario);
    ASSERT_EQ(links.roofs.size(), 3u);
    EXPECT_EQ(links.roofs[0], (Roof{"one link of 4.00\u2009GB/s, one way", 0, 4e9}));
    EXPECT_EQ(links.roofs[1], (Roof{"one link of 1.00\u2009GB/s, one way", 0, 1e9}));
    ASSERT_EQ(links.points.size(), 1u);
    EXPECT_DOUBLE_EQ(links.points[0].intensity, 512);
    EXPECT_DOUBLE_EQ(links.points[0].attainable, 512e9);
    EXPECT_EQ(links.points[0].bound, "one link of 1.00\u2009GB/s, one way");
    std::ranges::reverse(scenario.hardware.network.levels.front().axes);
    links = link_roofline({step_of(scenario, "collective")}, scenario);
    EXPECT_DOUBLE_EQ(links.points.at(0).intensity, 1024);
    EXPECT_EQ(links.points.at(0).bound, "peak bf16");
}

TEST(Roofline, OneChipHasNoPointUnderTheLinks) {
    Scenario scenario = small_scenario();
    scenario.mesh = {1, 1};
    EXPECT_TRUE(link_roofline({step_of(scenario, "meshslice")}, scenario).points.empty());
}

/// 2 x (1.3 x 10^6)^3 FLOP at 2.66 x 10^14 FLOP/s are 16 519 s, which a core a thousand times slower would
/// make 1.65 x 10^7 s: more picoseconds than 64 bits hold.
TEST(TrainingStep, RefusesFaultsThatNoClockCanCount) {
    Scenario scenario = default_scenario();
    scenario.gemm = {{1'300'000, 1'300'000, 1'300'000}, Dataflow::OS};
    scenario.mesh = {1, 1};
    scenario.plan.slices = 1;
    scenario.assume.schedule.chip = ChipModel::constant_rate;
    EXPECT_TRUE(training_step(scenario, "meshslice", Depth::simulate));
    scenario.assume.faults.parts = {*parse_fault("0,0 core 0.1%")};
    const auto step = training_step(scenario, "meshslice", Depth::simulate);
    ASSERT_FALSE(step);
    EXPECT_THAT(step.error().sentence, HasSubstr("could take 1.6e+07 s with these faults"));
    EXPECT_THAT(step.error().sentence, HasSubstr("milder faults"));
}

} // namespace
} // namespace meshslice
