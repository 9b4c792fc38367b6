#include "core/base/text.h"
#include "core/explain/why.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/report/json/step_json.h"
#include "core/report/words/headline.h"
#include "core/report/words/why_words.h"
#include "core/scenario/meshes.h"
#include "core/simulate/engine/simulate.h"
#include "core/step/bottleneck.h"
#include "tests/core/support/draw.h"
#include "tests/core/support/json_of.h"
#include "tests/core/support/round_hardware.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cmath>
#include <set>
#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::Optional;

struct Explained {
    TrainingStep step;
    StepWhy why;

    /// Of the only GEMM.
    [[nodiscard]] std::string sentence() const {
        return why_sentence(step.gemms.at(0), why.products.at(0), step.faults);
    }
};

Explained explained(const Scenario& scenario, const std::string& algorithm = "meshslice") {
    const auto step = training_step(scenario, algorithm, Depth::simulate);
    EXPECT_TRUE(step) << (step ? "" : step.error().sentence);
    const auto why = meshslice::why(*step, scenario);
    EXPECT_TRUE(why) << (why ? "" : why.error().sentence);
    return {*step, *why};
}

/// FC-2 of T-NLG and a GEMM with less to compute, on rings of the T3 paper's GPU.
std::vector<Scenario> on_rings_of_gpus() {
    std::vector<Scenario> all;
    for (const std::int32_t chips : {4, 8, 16}) {
        for (const std::int64_t k : {4256, 17024}) {
            for (const MemoryPolicy policy : {MemoryPolicy::round_robin, MemoryPolicy::communication_aware}) {
                Scenario scenario = default_scenario();
                scenario.hardware = *machine_preset("t3-paper");
                scenario.mesh = {chips};
                scenario.gemm = SingleGemm{{8192, 4256, k}, Dataflow::LS};
                scenario.assume.schedule.ring = RingMode::one_way;
                scenario.assume.schedule.arbitration = policy;
                all.push_back(scenario);
            }
        }
    }
    return all;
}

/// One GEMM, output stationary, on 2 x 2 chips of the machine of round numbers.
Scenario small(const GemmShape& shape, std::optional<std::int64_t> slices) {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.mesh = {2, 2};
    scenario.gemm = SingleGemm{shape, Dataflow::OS};
    scenario.plan.block = 4;
    scenario.plan.slices = slices;
    return scenario;
}

/// (4000, 6000, 8000) in S slices: B's gather takes 11 us + 12 ms / S, longer than A's, and the
/// multiplication 96 ms / S. In two slices the core waits for the first gather, 6011 us of 102 011 us (5.9%).
/// The core sets the pace as long as 11 us + 12 ms / S <= 96 ms / S, for S up to 7636; so the most slices are
/// fastest, 1000 of one block: 23 us + 96 ms. 1% more, 96 983 us, leaves 972 us for the first gather, from 13
/// slices on: 20 of the divisors of 1000, 611 us + 96 ms, 5.3% less.
TEST(Why, OfAProductThatIsBoundByCompute) {
    const auto [step, why] = explained(small({4000, 6000, 8000}, 2));
    const ProductWhy& product = why.products.at(0);
    EXPECT_EQ(step.gemms.at(0).bottleneck.part, Part::compute);
    EXPECT_DOUBLE_EQ(step.gemms.at(0).bottleneck.most(), 48'000.0 / 102'011);
    EXPECT_EQ(product.remedies.faster_links_percent, 0);
    EXPECT_EQ(product.remedies.slices, 20);
    EXPECT_EQ(product.remedies.time_with_slices, us(96'611));
    EXPECT_TRUE(product.remedies.slices_make_compute_set_the_pace);
    EXPECT_EQ(why_sentence(step.gemms.at(0), product, step.faults),
              "Bound by compute: twice the FLOP/s would save 47% of the time; 5.9% of the time is exposed, "
              "mostly transfers of the vertical links before the first multiplication; S = 20 would take "
              "5.3% less time.");
    EXPECT_EQ(why_sentence(step, why), why_sentence(step.gemms.at(0), product, step.faults));
}

/// The sentence would be refuted by the opposite experiment: of all parts, each twice as fast in a
/// simulation, the one that it names saves most, or within 2% of the time as much as another.
TEST(Why, OfStagedGemmsNamesWhatSavesMost) {
    for (Scenario scenario : on_rings_of_gpus()) {
        for (const char* const id : {"t3", "tp-ar", "1d-tp"}) {
            scenario.plan.algorithm = id;
            const Explained found = explained(scenario, id);
            const GemmResult& result = found.step.gemms.at(0);
            const Time now = result.timeline->end();
            const auto saves = [&](Part part) {
                const auto then =
                    simulate(*result.program, with_twice(scenario.hardware, found.step.torus, part),
                             scenario.assume.schedule);
                EXPECT_TRUE(then);
                return then ? ratio(now - (*then)->end(), now) : 0;
            };
            const Bottleneck& bottleneck = found.why.products.at(0).bottleneck;
            ASSERT_TRUE(bottleneck.part) << id;
            const double named = saves(*bottleneck.part);
            for (const Part other : {Part::compute, Part::memory, Part::vertical_links, Part::latency}) {
                EXPECT_GT(named, saves(other) - 0.02) << id << ' ' << meshslice::id(other);
            }
            // Every other place says the same: the headline, its numbers and the JSON with and without why.
            EXPECT_EQ(result.bottleneck, bottleneck) << id;
            EXPECT_EQ(found.step.bottleneck, found.why.bottleneck) << id;
            EXPECT_DOUBLE_EQ(found.step.bottleneck.most(), named) << id;
            const auto with = json_of(step_values(found.step, &found.why));
            const auto without = json_of(step_values(found.step));
            EXPECT_EQ(with["bound_by"], with["why"]["bound_by"]) << id;
            EXPECT_EQ(with["bound_by"], without["bound_by"]) << id;
            EXPECT_EQ(with["saves_if_twice_as_fast"], without["saves_if_twice_as_fast"]) << id;
            std::string bound = bound_by(found.step);
            EXPECT_THAT(headline(found.step), testing::EndsWith("; " + bound)) << id;
            bound.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(bound.front())));
            EXPECT_THAT(why_sentence(found.step, found.why), testing::StartsWith(bound)) << id;
        }
    }
}

/// Links of both axes twice as fast would move more than a GPU's memory serves, which is not simulated in
/// stages: what they would save is then the closed form's, and the other parts are tried all the same.
TEST(Why, OfStagedGemmsSurvivesAPartThatMemoryWouldSlow) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("t3-torus");
    scenario.mesh = {4, 4};
    scenario.gemm = SingleGemm{{16384, 3072, 12288}, Dataflow::LS};
    scenario.plan.slices = 4;
    const auto [step, why] = explained(scenario);
    const Machine faster = with_twice(scenario.hardware, step.torus, Part::links);
    EXPECT_FALSE(simulate(*step.gemms.at(0).program, faster, scenario.assume.schedule));
    const Bottleneck by_form =
        bottleneck(*step.gemms.at(0).program, scenario.hardware, scenario.assume.schedule);
    const auto links = static_cast<std::size_t>(Part::links);
    EXPECT_EQ(step.bottleneck.saves[links], by_form.saves[links]);
    EXPECT_NE(step.bottleneck.saves, by_form.saves);
    EXPECT_THAT(why_sentence(step, why), testing::StartsWith("Bound by compute: twice the FLOP/s"));
}

/// What contention costs is simulated without it; nothing of one after the other contends.
TEST(Why, OfStagedGemmsSaysWhatContentionCosts) {
    Scenario scenario = on_rings_of_gpus()[6]; // 8 GPUs, FC-2, round robin
    const auto [step, why] = explained(scenario, "t3");
    scenario.assume.schedule.arbitration = MemoryPolicy::ideal;
    const auto ideal = training_step(scenario, "t3", Depth::simulate);
    EXPECT_THAT(why.products.at(0).uncontended, Optional(ideal->time));
    EXPECT_THAT(why_sentence(step, why),
                HasSubstr("; without contention for memory it would take " + text(ideal->time) + ", "));
    EXPECT_TRUE(why.products.at(0).path->events.empty());
    const auto none = explained(scenario, "t3");
    EXPECT_FALSE(none.why.products.at(0).uncontended);
    EXPECT_THAT(none.sentence(), Not(HasSubstr("contention")));
    scenario.assume.schedule.arbitration = MemoryPolicy::round_robin;
    EXPECT_THAT(explained(scenario, "tp-ar").sentence(), Not(HasSubstr("contention")));
}

/// A GPU at half speed, and its repair.
TEST(Why, OfStagedGemmsFindsTheSlowPart) {
    Scenario scenario = on_rings_of_gpus()[7]; // 8 GPUs, FC-2, communication-aware
    scenario.assume.faults.parts = {{FaultyPart{{3}, true}, 0.5}};
    const auto [step, why] = explained(scenario, "t3");
    ASSERT_TRUE(why.fault);
    EXPECT_THAT(why_sentence(step, why), HasSubstr("The chip 3 core at 50% of its speed sets the pace"));
}

/// (400, 600, 8000) in two slices: B's gathers take 11 + 600 us, the multiplications 480 us. Links must be
/// 600 / 469 = 1.2793 times as fast. In S slices it takes 11 S + 1200 + 960 / S us, least at S = 9.3: 1410 us
/// for 10 (of the divisors of 1000), 1416 us for 8, which is within 1%, 1447 us for 5, and 1702 us now. With
/// vertical links twice as fast the first gather is A's, 411 us, and the multiplications set the pace: 1371
/// us.
TEST(Why, OfAProductThatIsBoundByItsLinks) {
    const Explained found = explained(small({400, 600, 8000}, 2));
    const ProductWhy& product = found.why.products.at(0);
    EXPECT_EQ(found.step.gemms.at(0).bottleneck.part, Part::vertical_links);
    EXPECT_DOUBLE_EQ(found.step.gemms.at(0).bottleneck.most(), (1702.0 - 1371) / 1702);
    EXPECT_EQ(product.remedies.faster_links_percent, 28);
    EXPECT_EQ(product.remedies.slices, 8);
    EXPECT_FALSE(product.remedies.slices_make_compute_set_the_pace);
    EXPECT_EQ(found.sentence(),
              "Bound by the vertical links: twice the bandwidth of the vertical links would save 19% of the "
              "time; links 28% faster would hide the transfers of the steady state; S = 8 would take 17% "
              "less time.");
}

/// Random GEMMs that links bound: with links as much faster as the sentence says, an iteration of the
/// simulation's steady state lasts as long as its multiplications; with slices that are chosen again it takes
/// no longer, except for what fewer slices may take. No sentence asks for links more than four times as fast.
TEST(Why, LinksAsFastAsItSaysHideTheirTransfers) {
    Draw pick(20261129);
    const std::vector<Machine> machines = presets_that(is_plain_torus);
    int remedies = 0;
    for (int round = 0; round < 150; ++round) {
        Scenario scenario = default_scenario();
        scenario.hardware = machines[static_cast<std::size_t>(round) % machines.size()];
        scenario.gemm = SingleGemm{{pick(2048, 6144, 16384), pick(3072, 24576), pick(768, 6144, 12288)},
                                   pick(Dataflow::OS, Dataflow::LS, Dataflow::RS)};
        const int rows = pick(1, 2, 4);
        scenario.mesh = {rows, pick(2, 4, 8)};
        scenario.assume.schedule.ring = pick(RingMode::both_ways, RingMode::one_way);
        if (!training_step(scenario, "meshslice", Depth::estimate)) {
            continue;
        }
        const Explained found = explained(scenario);
        const std::optional<std::int64_t> percent = found.why.products.at(0).remedies.faster_links_percent;
        const bool said = found.sentence().find("transfers of the steady state") != std::string::npos;
        EXPECT_TRUE(!said || percent) << found.sentence();
        EXPECT_TRUE(!said || *percent <= 300) << found.sentence();
        if (!said || percent == 0) {
            continue;
        }
        ++remedies;
        Scenario faster = scenario;
        faster.hardware = with_times(scenario.hardware, found.step.torus, Part::links,
                                     1 + static_cast<double>(*percent) / 100);
        const Explained again = explained(faster);
        faster.plan.slices = found.step.gemms.at(0).options.slices;
        const Explained then = explained(faster);
        const PhaseTimes& exposed = then.why.products.at(0).path->exposed;
        EXPECT_LE(in_seconds(exposed[static_cast<std::size_t>(Phase::steady)].total()),
                  0.005 * in_seconds(then.step.time))
            << round << ": " << found.sentence();
        EXPECT_LE(in_seconds(again.step.time), 1.012 * in_seconds(then.step.time)) << round;
    }
    EXPECT_GT(remedies, 15);
}

/// In 1000 slices each gather has 11 us of launch and synchronization, each multiplication 0.96 us: 12 201 us
/// in all, and 1416 us in eight. Half of the 11 us, a thousand times, would save 5500 us.
TEST(Why, OfAProductThatIsBoundByLatency) {
    const Explained found = explained(small({400, 600, 8000}, 1000));
    const ProductWhy& product = found.why.products.at(0);
    EXPECT_EQ(product.remedies.faster_links_percent, std::nullopt);
    EXPECT_TRUE(product.remedies.overheads_outlast_compute);
    EXPECT_EQ(found.step.gemms.at(0).bottleneck.part, Part::latency);
    EXPECT_DOUBLE_EQ(found.step.gemms.at(0).bottleneck.most(), 5500.0 / 12'200.96);
    EXPECT_THAT(found.sentence(),
                testing::StartsWith(
                    "Bound by latency: launches and synchronizations in half the time would save 45% of "
                    "the time; "));
    EXPECT_THAT(found.sentence(), testing::EndsWith("; S = 8 would take 88% less time."));
}

/// Eight slices are larger than a thousand: on chips whose memory holds no more than the thousand need they
/// are not advised, though faster.
TEST(Why, ProposesOnlySlicesThatFit) {
    Scenario scenario = small({400, 600, 8000}, 1000);
    const Bytes needed = explained(scenario).step.memory.bytes();
    scenario.hardware.hbm.value = needed;
    EXPECT_EQ(explained(scenario).why.products.at(0).remedies.slices, std::nullopt);
    scenario.hardware.hbm.value = needed - Bytes(1);
    EXPECT_EQ(explained(scenario).why.products.at(0).remedies.slices, 8) << "neither fits";
}

/// Without buffers ahead, gather and multiplication take turns: 611 and 480 us.
TEST(Why, SaysThatTheyTakeTurns) {
    Scenario scenario = small({400, 600, 8000}, 2);
    scenario.assume.schedule.prefetch.depth = 0;
    const Explained found = explained(scenario);
    const ProductWhy& product = found.why.products.at(0);
    EXPECT_TRUE(found.step.gemms.at(0).bottleneck.nothing_overlaps);
    EXPECT_FALSE(product.remedies.overheads_outlast_compute);
    EXPECT_THAT(found.sentence(), testing::StartsWith("No overlap, waits mostly for the vertical links: "));
    EXPECT_THAT(found.sentence(), Not(HasSubstr("faster")));
}

/// Slice counts that were not asked for are the best already.
TEST(Why, ProposesNoOtherSlicesWhereTheyAreLeftOpen) {
    const Explained found = explained(small({400, 600, 8000}, std::nullopt));
    const ProductWhy& product = found.why.products.at(0);
    EXPECT_EQ(product.remedies.slices, std::nullopt);
    EXPECT_THAT(found.sentence(), Not(HasSubstr("S = ")));
}

/// A tenth of the rate makes the link carry its 8 MB in 80 ms: 80 011 us of 176 011 us. Healthy it takes
/// 108 011 us.
TEST(Why, NamesTheSlowLinkOnThePath) {
    Scenario scenario = small({4000, 6000, 8000}, 1);
    scenario.assume.faults.parts = {*parse_fault("1,0 east 10%")};
    const Explained found = explained(scenario);
    const ProductWhy& product = found.why.products.at(0);
    ASSERT_TRUE(product.fault);
    EXPECT_EQ(product.fault->time, us(80'011));
    EXPECT_EQ(product.fault->saves, us(176'011 - 108'011));
    EXPECT_EQ(found.sentence(),
              "The chip 1,0 east link at 10% of its speed sets the pace: repairing it would save 39% of the "
              "time; 45% of the "
              "critical path is exposed, mostly transfers of the horizontal links before the first "
              "multiplication; without "
              "faults it would take 108\u2009ms.");
}

/// A slow link in either row: with one of them repaired the other row takes as long as before, so neither is
/// what bounds the run, but both together are. Twice the FLOP/s saves 48 of 176 ms, horizontal links twice as
/// fast 40.
TEST(Why, NamesNoFaultWhoseRepairSavesNothing) {
    Scenario scenario = small({4000, 6000, 8000}, 1);
    scenario.assume.faults.parts = {*parse_fault("0,0 east 10%"), *parse_fault("1,0 east 10%")};
    const Explained found = explained(scenario);
    EXPECT_EQ(found.why.products.at(0).fault, std::nullopt);
    EXPECT_EQ(found.why.fault, std::nullopt);
    EXPECT_EQ(found.why.bottleneck.part, Part::compute);
    EXPECT_TRUE(found.why.faults_together);
    EXPECT_THAT(
        found.sentence(),
        testing::StartsWith("Bound by its faults together: their repair would save 39% of the time; "));
    EXPECT_THAT(found.sentence(), HasSubstr("without faults it would take 108\u2009ms."));
    const auto json = json_of(step_values(found.step, &found.why));
    EXPECT_EQ(json["bound_by"], "faults");
}

/// A core at 95% costs 5% of the multiplications; twice the FLOP/s of all would save half of them. Only where
/// its repair saves at least half as much does it bound the run.
TEST(Why, NamesASlightlySlowCoreOnlyWhereItMatters) {
    Scenario scenario = small({4000, 6000, 8000}, 1);
    scenario.assume.faults.parts = {*parse_fault("0,0 core 95%")};
    const Explained slightly = explained(scenario);
    EXPECT_FALSE(slightly.why.fault);
    EXPECT_EQ(slightly.why.bottleneck.part, Part::compute);
    EXPECT_THAT(slightly.sentence(), HasSubstr("twice the FLOP/s would save 45% of the time"));
    scenario.assume.faults.parts = {*parse_fault("0,0 core 50%")};
    EXPECT_TRUE(explained(scenario).why.fault);
}

/// Late synchronizations, each by up to 1 ms, cost more than any part could save. The same run without
/// jitter takes as much less as is said; with a slow link besides, what is said to be without both is.
TEST(Why, NamesJitterWhereItCostsMost) {
    Scenario scenario = small({400, 600, 8000}, 1);
    scenario.assume.faults.jitter = us(1000);
    const Explained found = explained(scenario);
    EXPECT_TRUE(found.why.jitter);
    Scenario steady = scenario;
    steady.assume.faults.jitter = Time(0);
    EXPECT_EQ(found.why.steady, explained(steady).step.time);
    EXPECT_THAT(found.sentence(), testing::StartsWith("Bound by jitter: without it "));
    EXPECT_THAT(found.sentence(),
                testing::EndsWith("; without jitter it would take " + text(*found.why.steady) + "."));
    EXPECT_EQ(json_of(step_values(found.step, &found.why))["bound_by"], "jitter");
    EXPECT_EQ(bound_by(found.step, found.why), "bound by jitter");
    scenario.assume.faults.parts = {*parse_fault("1,0 east 10%")};
    const Explained both = explained(scenario);
    Scenario repaired = scenario;
    repaired.assume.faults.parts.clear();
    EXPECT_EQ(both.why.repaired, explained(repaired).step.time);
    Scenario without_jitter = scenario;
    without_jitter.assume.faults.jitter = Time(0);
    EXPECT_EQ(both.why.steady, explained(without_jitter).step.time);
    EXPECT_NE(both.why.steady, both.why.healthy);
    EXPECT_EQ(both.why.jitter, both.why.steady < both.why.repaired);
    EXPECT_NE(both.why.jitter, both.why.fault.has_value());
    const auto json = json_of(step_values(both.step, &both.why))["why"];
    EXPECT_DOUBLE_EQ(json["time_s_without_jitter"].get<double>(), in_seconds(*both.why.steady));
    EXPECT_THAT(both.sentence(), testing::EndsWith("; without faults and jitter it would take " +
                                                   text(explained(steady).step.time) + "."));
}

/// In a step the repair of the only fault saves what all faults cost, also in GEMMs that it does not bound.
TEST(Why, CountsARepairInEveryGemm) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    scenario.assume.faults.parts = {*parse_fault("2,2 east 20%")};
    const Explained found = explained(scenario);
    ASSERT_TRUE(found.why.fault && found.why.healthy);
    EXPECT_NEAR(ratio(found.why.fault->saves, found.step.time - *found.why.healthy), 1, 1e-3);
}

/// (4000, 600, 8000): A's 8 MB each way in 8 ms, multiplications of 9.6 ms. With its west link dead, chip 1,0
/// sends both halves by its east link, each at half its rate: 16 ms, whichever of the two the path shows.
TEST(Why, NamesTheDeadLinkThatOthersMakeRoomFor) {
    Scenario scenario = small({4000, 600, 8000}, 1);
    scenario.assume.faults.parts = {*parse_fault("1,0 west dead")};
    const Explained found = explained(scenario);
    const ProductWhy& product = found.why.products.at(0);
    EXPECT_EQ(product.healthy, us(8'011 + 9'600));
    ASSERT_TRUE(product.fault);
    EXPECT_EQ(product.fault->part, "chip 1,0 west link");
    EXPECT_EQ(product.fault->speed, 0);
    EXPECT_EQ(product.fault->time, us(16'011));
}

/// The same run: 25 611 us. Horizontal links twice as fast carry A in 8 ms and save 8000 us, twice the FLOP/s
/// 4800 us. Of the healthy machine, 17 611 us, compute saves most: 4800 us, and the links 4000 us.
TEST(Why, TriesEachPartWithTheFaultsInPlace) {
    Scenario scenario = small({4000, 600, 8000}, 1);
    scenario.assume.faults.parts = {*parse_fault("1,0 west dead")};
    const Explained found = explained(scenario);
    EXPECT_EQ(found.step.gemms.at(0).bottleneck.part, Part::compute);
    const Bottleneck& bottleneck = found.why.products.at(0).bottleneck;
    EXPECT_EQ(bottleneck.part, Part::horizontal_links);
    EXPECT_DOUBLE_EQ(bottleneck.most(), 8000.0 / 25'611);
    EXPECT_DOUBLE_EQ(bottleneck.saves[0], 4800.0 / 25'611);
    EXPECT_EQ(found.why.bottleneck, bottleneck);
    const auto json = json_of(step_values(found.step, &found.why));
    EXPECT_DOUBLE_EQ(json["saves_if_twice_as_fast"]["horizontal_links"].get<double>(), 8000.0 / 25'611);
}

/// The opposite experiment: the whole scenario, faults and all, on a machine with that part twice as fast,
/// what is open chosen again, takes as much less as is said, and no other part saves more.
TEST(Why, SurvivesTheOppositeExperimentWithFaults) {
    for (const char* fault : {"1,2 east 50%", "0,1 core 70%", "2,2 north dead", "jitter"}) {
        for (const char* algorithm : {"meshslice", "collective", "wang"}) {
            SCOPED_TRACE(fmt::format("{}, {}", algorithm, fault));
            Scenario scenario = default_scenario();
            scenario.mesh = {4, 4};
            scenario.gemm = SingleGemm{{8192, 4096, 2048}, Dataflow::OS};
            if (fault == std::string("jitter")) {
                scenario.assume.faults.jitter = us(20);
            } else {
                scenario.assume.faults.parts = {*parse_fault(fault)};
            }
            const auto [step, why] = explained(scenario, algorithm);
            double most = 0;
            for (const Part part :
                 {Part::compute, Part::memory, Part::vertical_links, Part::horizontal_links, Part::latency}) {
                Scenario faster = scenario;
                faster.hardware = with_twice(scenario.hardware, step.torus, part);
                const Time then = training_step(faster, algorithm, Depth::simulate).value().time;
                const double saves = std::max(0.0, 1 - ratio(then, step.time));
                EXPECT_NEAR(why.bottleneck.saves[static_cast<std::size_t>(part)], saves, 1e-9);
                most = std::max(most, saves);
            }
            EXPECT_NEAR(why.bottleneck.most(), most, 1e-9);
        }
    }
}

/// Where nothing overlaps, programs read which links are waited for longest.
TEST(Why, SaysTheLargestWaitAsJson) {
    const Explained found = explained(small({4000, 6000, 8000}, 1));
    const auto json = json_of(step_values(found.step, &found.why));
    EXPECT_EQ(json["bound_by"], "nothing_overlaps");
    EXPECT_EQ(json["largest_wait"], "vertical_links");
    EXPECT_EQ(json["gemms"][0]["largest_wait"], "vertical_links");
    EXPECT_EQ(json["why"]["largest_wait"], "vertical_links");
    const Explained overlaps = explained(small({4000, 6000, 8000}, 2));
    EXPECT_FALSE(json_of(step_values(overlaps.step, &overlaps.why)).contains("largest_wait"));
}

/// On rings that are folded onto lines chip 1,0 sends both halves by its east link anyway; at a tenth of the
/// rate they take 160 ms.
TEST(Why, NamesTheSlowLinkThatTrafficGoesRoundBy) {
    Scenario scenario = small({4000, 600, 8000}, 1);
    scenario.wraps = {true, false, true};
    scenario.folded = true;
    scenario.assume.faults.parts = {*parse_fault("1,0 east 10%")};
    const Explained found = explained(scenario);
    const ProductWhy& product = found.why.products.at(0);
    EXPECT_EQ(product.healthy, us(16'011 + 9'600));
    ASSERT_TRUE(product.fault);
    EXPECT_EQ(product.fault->part, "chip 1,0 east link");
    EXPECT_EQ(product.fault->time, us(160'011));
}

/// At 99.9% of its speed the core makes 108 011 us 108 107 us, 0.09% more: the run is bound as it was.
TEST(Why, PassesOverFaultsThatHardlyMatter) {
    Scenario scenario = small({4000, 6000, 8000}, 1);
    scenario.assume.faults.parts = {*parse_fault("1,0 core 99.9%")};
    const Explained found = explained(scenario);
    const ProductWhy& product = found.why.products.at(0);
    EXPECT_EQ(product.fault, std::nullopt);
    EXPECT_THAT(
        found.sentence(),
        testing::StartsWith("No overlap, waits mostly for the vertical links: twice the "
                            "FLOP/s would save 44% of the time; 11% of the critical path is exposed"));
}

/// Like is compared with like: on rings folded onto lines, and tile by tile on open ones, the closed form is
/// off by more than such a fault costs.
TEST(Why, ComparesFaultsWithAHealthySimulation) {
    for (const bool folds : {false, true}) {
        Scenario scenario = default_scenario();
        scenario.mesh = {folds ? 4 : 16, 4};
        scenario.gemm =
            SingleGemm{folds ? GemmShape{2048, 8192, 8192} : GemmShape{30720, 15360, 15360}, Dataflow::RS};
        scenario.plan.slices = 8;
        scenario.assume.schedule.chip = folds ? ChipModel::constant_rate : ChipModel::tiled;
        scenario.hardware.hbm_bandwidth.value = Bandwidth(3e11);
        scenario.wraps = {false, false, true};
        scenario.folded = folds;
        const std::string algorithm = "meshslice";
        const Time healthy = training_step(scenario, algorithm, Depth::simulate)->time;
        scenario.assume.faults.parts = {*parse_fault("0,0 core 99.9%")};
        const auto [step, why] = explained(scenario, algorithm);
        const ProductWhy& product = why.products.at(0);
        EXPECT_GT(std::abs(ratio(step.estimated - healthy, healthy)), 0.0005);
        EXPECT_EQ(product.healthy, healthy);
        EXPECT_EQ(why.healthy, healthy);
        EXPECT_EQ(product.fault, std::nullopt);
        EXPECT_THAT(why_sentence(step.gemms.at(0), product, step.faults),
                    HasSubstr(fmt::format("without faults it would take {}.", text(healthy))));
    }
}

/// Before it is known the headline names nothing under faults, then what the sentence and the JSON name.
TEST(Why, AndTheHeadlineDoNotContradictEachOther) {
    Scenario scenario = small({4000, 6000, 8000}, 1);
    scenario.assume.faults.parts = {*parse_fault("1,0 east 10%")};
    const auto [step, why] = explained(scenario);
    EXPECT_THAT(headline(step), testing::EndsWith(" of communication hidden"));
    EXPECT_THAT(headline(step, SaidEdits::here, bound_by(step, why)),
                testing::EndsWith("; bound by chip 1,0 east link"));
    EXPECT_THAT(why_sentence(step, why),
                testing::StartsWith("The chip 1,0 east link at 10% of its speed sets the pace"));
    const auto json = json_of(step_values(step, &why));
    EXPECT_EQ(json["bound_by"], "chip 1,0 east link");
    EXPECT_EQ(json["why"]["bound_by"], "chip 1,0 east link");
    EXPECT_EQ(json["gemms"][0]["why"]["bound_by"], "chip 1,0 east link");
    scenario.assume.faults = {};
    EXPECT_THAT(headline(explained(scenario).step), HasSubstr("; no overlap, "));
}

/// Without faults the sentence begins with the words that the headline ends with: of one GEMM after the
/// other, by algorithms that overlap and that do not, on meshes and on one ring.
TEST(Why, BeginsWithWhatTheHeadlineEndsWith) {
    std::set<std::string> said;
    for (const char* algorithm : {"meshslice", "collective", "wang", "summa", "cannon"}) {
        for (const Mesh& mesh : {Mesh{4, 4}, Mesh{8, 2}, Mesh{1, 16}}) {
            for (const GemmShape& shape : {GemmShape{32768, 8192, 8192}, GemmShape{2048, 2048, 2048},
                                           GemmShape{1024, 1024, 65536}, GemmShape{65536, 4096, 16384}}) {
                Scenario scenario = default_scenario();
                scenario.hardware = *machine_preset("tpu-v4");
                scenario.mesh = mesh;
                scenario.gemm = SingleGemm{shape, Dataflow::OS};
                if (!training_step(scenario, algorithm, Depth::estimate)) {
                    continue; // Cannon takes square meshes alone
                }
                const auto [step, why] = explained(scenario, algorithm);
                const std::string sentence = why_sentence(step, why);
                std::string clause = sentence.substr(0, sentence.find_first_of(":;."));
                clause.front() = static_cast<char>(std::tolower(clause.front()));
                EXPECT_THAT(headline(step), testing::EndsWith("; " + clause)) << sentence;
                said.insert(clause);
            }
        }
    }
    EXPECT_GE(said.size(), 4u);
}

/// The parts add up to the whole, GEMM by GEMM and for all copies; what is exposed and what one core
/// multiplies too.
TEST(Why, AddsUpToTheStep) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("tpu-v4-cloud"); // every chip multiplies for as long
    for (const char* algorithm : {"meshslice", "collective", "wang", "summa"}) {
        const auto [step, why] = explained(scenario, algorithm);
        EXPECT_EQ(all_phases(why.times).total(), step.time);
        EXPECT_EQ(all_phases(why.exposed).total() + step.usage.compute, step.time) << algorithm;
        double shares = 0;
        for (const double share : why.shares) {
            shares += share;
        }
        EXPECT_DOUBLE_EQ(shares, 1);
        ASSERT_EQ(why.products.size(), step.gemms.size());
        for (std::size_t k = 0; k < step.gemms.size(); ++k) {
            EXPECT_THAT(why_sentence(step.gemms[k], why.products[k], step.faults), testing::EndsWith("."));
        }
    }
}

/// Tile by tile the links slow the multiplications down, which set the pace all the same: FF1 is GPT-3's
/// widest layer, with the most work for each byte that is sent.
TEST(Why, KnowsTheCoreByItsPaceWhereMemoryIsShared) {
    Scenario scenario = default_scenario();
    scenario.assume.schedule.chip = ChipModel::tiled;
    const auto [step, why] = explained(scenario);
    const auto forward = std::ranges::find(step.gemms, std::string("FF1 forward"),
                                           [](const auto& one) { return one.title(); });
    ASSERT_NE(forward, step.gemms.end());
    const ProductWhy& product = why.products[static_cast<std::size_t>(forward - step.gemms.begin())];
    EXPECT_FALSE(is_links(*forward->bottleneck.part));
    EXPECT_EQ(product.remedies.faster_links_percent, 0);
}

} // namespace
} // namespace meshslice
