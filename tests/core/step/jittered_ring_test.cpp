// A GEMM that feeds its ring (T3) while synchronizations take longer by chance.

#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "core/step/training_step.h"

#include <gtest/gtest.h>

#include <set>

namespace meshslice {
namespace {

Scenario fed_ring(std::int32_t chips) {
    Scenario scenario = default_scenario();
    scenario.hardware = machine_preset("t3-paper").value();
    scenario.mesh = {chips};
    scenario.gemm = SingleGemm{{4096, 1024, 512}, Dataflow::OS};
    return scenario;
}

Time time_of(const Scenario& scenario, const char* algorithm) {
    const auto step = training_step(scenario, algorithm, Depth::simulate);
    EXPECT_TRUE(step) << (step ? "" : step.error().sentence);
    return step ? step->time : Time(0);
}

/// A run with jitter takes at least as long as one without, at most as long as one whose every
/// synchronization and flight takes the longest there is, always the same for a seed, and not the same for
/// all seeds.
TEST(JitteredRing, LiesBetweenTheShortestAndTheLongestSynchronizations) {
    const Time jitter(2'000'000); // 2 us
    for (const char* const algorithm : {"t3", "tp-ar"}) {
        for (const std::int32_t chips : {4, 8}) {
            Scenario scenario = fed_ring(chips);
            const Time least = time_of(scenario, algorithm);
            scenario.hardware.sync.value += jitter;
            scenario.hardware.ring_stores->link_flight.value +=
                jitter; // of the pieces that a GEMM feeds to its ring
            const Time most = time_of(scenario, algorithm);
            EXPECT_GT(most, least);
            scenario = fed_ring(chips);
            scenario.assume.faults.jitter = jitter;
            std::set<Time> times;
            for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                scenario.assume.faults.seed = seed;
                const Time time = time_of(scenario, algorithm);
                EXPECT_GT(time, least) << algorithm << " on " << chips << ", seed " << seed;
                EXPECT_LE(time, most) << algorithm << " on " << chips << ", seed " << seed;
                EXPECT_EQ(time, time_of(scenario, algorithm)) << "the same seed, the same run";
                times.insert(time);
            }
            EXPECT_GT(times.size(), 1U) << algorithm << " on " << chips;
        }
    }
}

} // namespace
} // namespace meshslice
