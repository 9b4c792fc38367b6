#include "core/explain/slower_part.h"
#include "core/machine/catalogue.h"
#include "core/scenario/meshes.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"
#include "tests/core/support/scenario_laws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace meshslice {
namespace {

/// Of random scenarios: a faster part slows nothing, or the run says that it does, and no run beats its
/// memory or its cores. What is said by closed form (the slice count, what bounds the run, the estimate) may
/// be off where a memory is too narrow for several streams at once, and hardly ever is. tests/bench/law_table
/// prints a thousand.
TEST(ScenarioLaws, Hold) {
    constexpr std::uint32_t scenarios = 50;
    const std::map<Law, double> allowed = {
        {Law::faster_parts, 0.01}, {Law::memory_floor, 1e-9}, {Law::compute_floor, 1e-9},
        {Law::automatic_s, 0.03},  {Law::bound_by, 0.05},     {Law::estimate, 0.05},
        {Law::faults_cost, 0.01},  {Law::faulty_parts, 0.01}, {Law::slower_told, 0.01}};
    std::map<Law, int> asked;
    std::map<Law, int> broken;
    for (std::uint32_t seed = 0; seed < scenarios; ++seed) {
        const Breaches found = drawn_breaches(5000 + seed);
        for (const Breaches::One& one : found.all) {
            ++asked[one.law];
            const bool breaks = one.share > allowed.at(one.law);
            broken[one.law] += breaks ? 1 : 0;
            // Where a faster part does cost time, the law asked instead is that this is said.
            const bool told =
                one.law == Law::faster_parts &&
                std::ranges::find(found.all, Law::slower_told, &Breaches::One::law) != found.all.end();
            const bool by_closed_form =
                one.law == Law::automatic_s || one.law == Law::bound_by || one.law == Law::estimate;
            EXPECT_TRUE(!breaks || told || (by_closed_form && one.share < 0.2))
                << name(one.law) << ", " << one.what << ": " << found.words;
        }
    }
    for (const Law law : all_laws) {
        const bool of_some = law == Law::automatic_s || law == Law::faults_cost || law == Law::faulty_parts;
        if (law != Law::slower_told) { // Hardly ever asked: see the next test.
            EXPECT_GE(asked[law], of_some ? 12 : 25) << name(law);
        }
        EXPECT_LE(broken[law], 1) << name(law);
    }
}

/// The first scenarios in which a faster part costs more than 1%: bursts of links that take
/// memory from cores, and cores that let a folded ring fall out of step.
TEST(ScenarioLaws, AFasterPartThatCostsTimeIsTold) {
    for (const std::uint32_t seed : {429u, 877u, 1229u, 1423u, 1453u, 1658u}) {
        const Breaches found = drawn_breaches(seed);
        const auto told = std::ranges::find(found.all, Law::slower_told, &Breaches::One::law);
        ASSERT_NE(told, found.all.end()) << seed;
        EXPECT_LE(told->share, 0.01) << told->what << ": " << found.words;
    }
}

Scenario one_gemm(const char* hardware, const Mesh& mesh, const GemmShape& shape, Dataflow dataflow) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset(hardware);
    scenario.mesh = mesh;
    scenario.gemm = SingleGemm{shape, dataflow};
    scenario.plan.slices = 1;
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
    scenario.assume.schedule.chip = ChipModel::tiled;
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

/// Wang's SendRecvs and its GEMMs take turns where nothing is prefetched: the closed form knows that too.
TEST(ScenarioLaws, WangWithoutPrefetchIsEstimatedAsItIsSimulated) {
    for (const Mesh& mesh : {Mesh{4, 4}, Mesh{4, 1}, Mesh{8, 4}}) {
        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
            Scenario scenario = one_gemm("tpu-v4-paper", mesh, {32768, 8192, 8192}, Dataflow::OS);
            scenario.plan.slices = {};
            scenario.assume.schedule.prefetch = {0};
            scenario.assume.schedule.ring = ring;
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
                    one.assume.schedule.chip = chip;
                    Scenario other = one_gemm("tpu-v4-paper", {mesh[1], mesh[0]}, {shape.n, shape.m, shape.k},
                                              Dataflow::OS);
                    other.assume.schedule.chip = chip;
                    EXPECT_EQ(simulated(one, algorithm), simulated(other, algorithm))
                        << algorithm << " " << text(shape) << " on " << mesh[0] << "x" << mesh[1];
                }
            }
        }
    }
}

} // namespace
} // namespace meshslice
