#include "core/explain/why.h"
#include "core/scenario/meshes.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"
#include "tests/core/support/scenario_laws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

namespace meshslice {
namespace {

/// Of random scenarios: a faster part slows nothing, or the run says that it does, and no run beats its
/// memory or its cores. What is said by closed form (the slice count, what bounds the run, the estimate) may
/// be off where a memory is too narrow for several streams at once, and hardly ever is. tests/bench/law_table
/// prints a thousand.
TEST(ScenarioLaws, Hold) {
    constexpr std::uint32_t scenarios = 40;
    const std::map<Law, double> allowed = {{Law::faster_parts, worth_telling},
                                           {Law::memory_floor, 1e-9},
                                           {Law::compute_floor, 1e-9},
                                           {Law::automatic_s, 0.03},
                                           {Law::bound_by, 0.05},
                                           {Law::estimate, 0.05},
                                           {Law::faults_cost, 0.01},
                                           {Law::faulty_parts, worth_telling},
                                           {Law::slower_told, 1e-9}};
    std::map<Law, int> asked;
    std::map<Law, int> broken;
    for (std::uint32_t seed = 0; seed < scenarios; ++seed) {
        const Breaches found = drawn_breaches(5000 + seed);
        for (const Breaches::One& one : found.all) {
            ++asked[one.law];
            const bool breaks = one.share > allowed.at(one.law);
            broken[one.law] += breaks ? 1 : 0;
            const bool told = one.law == Law::faster_parts &&
                              std::ranges::find(found.all, Law::slower_told, &Breaches::One::law) !=
                                  found.all.end(); // And that law is asked, too.
            const bool by_closed_form =
                one.law == Law::automatic_s || one.law == Law::bound_by || one.law == Law::estimate;
            EXPECT_TRUE(!breaks || told || (by_closed_form && one.share < 0.2))
                << name(one.law) << ", " << one.what << ": " << found.words;
        }
    }
    for (const Law law : all_laws) {
        const bool of_some = law == Law::automatic_s || law == Law::faults_cost || law == Law::faulty_parts;
        EXPECT_GE(asked[law], law == Law::slower_told ? 0 : of_some ? 10 : 25) << name(law);
        EXPECT_LE(broken[law], 1) << name(law);
    }
}

Scenario one_gemm(const char* hardware, const Mesh& mesh, const GemmShape& shape, Dataflow dataflow) {
    Scenario scenario = default_scenario();
    scenario.hardware = *hardware_preset(hardware);
    scenario.mesh = mesh;
    scenario.gemm = SingleGemm{shape, dataflow};
    scenario.slices = 1;
    return scenario;
}

Time simulated(const Scenario& scenario, const char* algorithm = "meshslice") {
    const auto step = training_step(scenario, algorithm, Depth::simulate);
    EXPECT_TRUE(step) << (step ? "" : step.error().sentence);
    return step ? step->time : Time(0);
}

/// Where tiles, copies and links share a memory, links three times as fast still end sooner: this GEMM waits
/// for them most of its time.
TEST(ScenarioLaws, FasterLinksDoNotSlowTiledChips) {
    Scenario scenario = one_gemm("tpu-v5e", {2, 8}, {32768, 16384, 6144}, Dataflow::LS);
    scenario.schedule.chip = ChipModel::tiled;
    Time before = simulated(scenario);
    for (const double times : {1.5, 2.0, 3.0, 8.0}) {
        Scenario faster = scenario;
        for (int axis = 0; axis < 2; ++axis) {
            Sourced<Bandwidth>& link = faster.hardware.network.torus_links(axis).bandwidth;
            link.value = Bandwidth(link.value.value() * times);
        }
        const Time now = simulated(faster);
        EXPECT_LE(now, before) << times;
        before = now;
    }
    EXPECT_LT(ratio(before, simulated(scenario)), 0.5);
}

/// How long a run takes, and what is said of a slower part.
std::pair<Time, std::optional<SlowerPart>> explained(const Scenario& scenario) {
    const auto step = training_step(scenario, scenario.algorithm, Depth::simulate);
    EXPECT_TRUE(step) << (step ? "" : step.error().sentence);
    const auto reasons = step ? why(*step, scenario) : refuse(Error{});
    EXPECT_TRUE(reasons);
    return {step ? step->time : Time(0),
            reasons ? reasons->products.front().remedies.slower : std::optional<SlowerPart>()};
}

/// Links as they are leave a core the HBM bandwidth that it needs. Four times as fast, they carry
/// the same bytes in bursts for which each of the four has as much right to the memory as the core: max-min
/// fair, and nobody waits for what they carry. The run takes longer, and says so.
TEST(ScenarioLaws, BurstsOfFasterLinksTakeMemoryFromTheCoreAndThatIsSaid) {
    Scenario scenario = one_gemm("tpu-v5e", {16, 1}, {32768, 32768, 16384}, Dataflow::OS);
    scenario.algorithm = "fsdp";
    scenario.slices = {};
    scenario.schedule.chip = ChipModel::tiled;
    scenario.hardware.pod = {};
    const auto [time, nothing] = explained(scenario);
    EXPECT_FALSE(nothing);
    Scenario faster = scenario;
    Sourced<Bandwidth>& link = faster.hardware.network.torus_links(0).bandwidth;
    link.value = Bandwidth(4 * link.value.value());
    const auto [longer, slower] = explained(faster);
    EXPECT_NEAR(ratio(longer, time), 1.157, 0.01);
    ASSERT_TRUE(slower);
    EXPECT_TRUE(is_links(slower->part));
    EXPECT_TRUE(slower->memory);
    EXPECT_EQ(slower->times, 4);
    EXPECT_EQ(slower->time, time);
    Scenario plenty = faster;
    plenty.hardware.hbm_bandwidth.value = Bandwidth(4 * faster.hardware.hbm_bandwidth.value.value());
    EXPECT_FALSE(explained(plenty).second) << "what the links take is not missed then";
}

/// On a folded ring it is the links that are shared. As long as slow cores set the pace, all chips send in
/// step; half as fast again, they send when they can, and what goes home holds up the rest.
TEST(ScenarioLaws, FasterCoresMaySlowAFoldedRingAndThatIsSaid) {
    Scenario scenario = one_gemm("tpu-v3", {16, 1}, {32768, 8192, 2048}, Dataflow::LS);
    scenario.algorithm = "1d-tp";
    scenario.slices = {};
    scenario.wraps = {false, false, false};
    scenario.folded = true;
    scenario.schedule.chip = ChipModel::constant_rate;
    Hardware& hardware = scenario.hardware;
    hardware.pod = {};
    hardware.sync.value = hardware.sync.value * 4;
    Sourced<Bandwidth>& link = hardware.network.torus_links(0).bandwidth;
    link.value = Bandwidth(4 * link.value.value());
    const FlopRate peak = hardware.peak_rate(scenario.schedule.type);
    auto& rate = hardware.peak[0].value;
    rate = FlopRate(peak.value() / 4);
    const auto [time, nothing] = explained(scenario);
    EXPECT_FALSE(nothing);
    rate = FlopRate(peak.value() / 4 * 1.5);
    const auto [longer, slower] = explained(scenario);
    EXPECT_GT(ratio(longer, time), 1.1);
    ASSERT_TRUE(slower);
    EXPECT_EQ(slower->part, Part::compute);
    EXPECT_EQ(slower->times, 1.5);
    EXPECT_FALSE(slower->memory);
    scenario.wraps = {true, true, true};
    scenario.folded = false;
    EXPECT_FALSE(explained(scenario).second) << "a closed ring shares no link";
}

/// Wang's SendRecvs and its GEMMs take turns where nothing is prefetched: the closed form knows that too.
TEST(ScenarioLaws, WangWithoutPrefetchIsEstimatedAsItIsSimulated) {
    for (const Mesh& mesh : {Mesh{4, 4}, Mesh{4, 1}, Mesh{8, 4}}) {
        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
            Scenario scenario = one_gemm("tpu-v4-paper", mesh, {32768, 8192, 8192}, Dataflow::OS);
            scenario.slices = {};
            scenario.schedule.prefetch = {0};
            scenario.schedule.ring = ring;
            const auto step = training_step(scenario, "wang", Depth::simulate);
            ASSERT_TRUE(step) << step.error().sentence;
            EXPECT_NEAR(ratio(step->estimated, step->time), 1, 0.05) << mesh[0] << "x" << mesh[1];
        }
    }
}

/// C^T = B^T A^T: the same GEMM with rows and columns, and the axes of the mesh, changed over.
TEST(ScenarioLaws, TransposedGemmsOnTransposedMeshesTakeAsLong) {
    for (const ChipModel chip : {ChipModel::roofline, ChipModel::tiled}) {
        for (const char* algorithm : {"meshslice", "collective", "summa"}) {
            for (const GemmShape& shape : {GemmShape{32768, 8192, 4096}, GemmShape{4096, 16384, 8192}}) {
                for (const Mesh& mesh : {Mesh{2, 8}, Mesh{4, 4}, Mesh{16, 2}}) {
                    Scenario one = one_gemm("tpu-v4-paper", mesh, shape, Dataflow::OS);
                    one.schedule.chip = chip;
                    Scenario other = one_gemm("tpu-v4-paper", {mesh[1], mesh[0]}, {shape.n, shape.m, shape.k},
                                              Dataflow::OS);
                    other.schedule.chip = chip;
                    EXPECT_EQ(simulated(one, algorithm), simulated(other, algorithm))
                        << algorithm << " " << text(shape) << " on " << mesh[0] << "x" << mesh[1];
                }
            }
        }
    }
}

} // namespace
} // namespace meshslice
