// What the headline calls the busiest: a part that works.

#include "core/report/chrome_trace.h"
#include "core/report/words/headline.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace meshslice {
namespace {

TrainingStep with_fault(const std::string& fault, const char* algorithm) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.mesh = {2, 4};
    scenario.faults.parts = {*parse_fault(fault)};
    return training_step(scenario, algorithm, Depth::simulate).value();
}

/// Whichever link is dead, it is never the busiest; its traffic makes those busy by which it goes round.
TEST(Busiest, IsNeverADeadLink) {
    for (const char* algorithm : {"meshslice", "collective", "summa", "1d-tp"}) {
        for (const char* chip : {"0,0", "0,3", "1,2"}) {
            for (const char* way : {"east", "west"}) {
                const TrainingStep step = with_fault(fmt::format("{} {} dead", chip, way), algorithm);
                const std::string busiest = bound_by(step);
                EXPECT_NE(busiest, fmt::format("chip {} {} link", chip, way)) << algorithm;
                EXPECT_THAT(busiest, testing::Not(testing::HasSubstr("round"))) << algorithm;
                EXPECT_THAT(headline(step), testing::EndsWith("busiest: " + busiest)) << algorithm;
            }
        }
    }
}

/// A dead link does nothing, in the table of intervals as in the trace: what would cross it is said to go
/// round.
TEST(Busiest, ADeadLinkDoesNothingInAnyExport) {
    const TrainingStep step = with_fault("0,0 east dead", "collective");
    std::ostringstream table;
    write_timeline_csv(step, table);
    EXPECT_THAT(table.str(), testing::Not(testing::HasSubstr("\"0,0\",east link,")));
    EXPECT_THAT(table.str(), testing::HasSubstr("\"0,0\",west links round,transfer,"));
    EXPECT_THAT(table.str(), testing::HasSubstr("\"0,1\",east link,transfer,"));
    std::ostringstream trace;
    write_chrome_trace(step, trace);
    EXPECT_THAT(trace.str(), testing::HasSubstr("\"west links round\""));
}

/// A fifth as fast as the others, a link that carries as much is the busiest.
TEST(Busiest, IsASlowLinkThatEveryChunkPasses) {
    EXPECT_EQ(bound_by(with_fault("1,2 east 20%", "collective")), "chip 1,2 east link");
}

} // namespace
} // namespace meshslice
