// What exports say of a link that is dead.

#include "core/report/trace/chrome_trace.h"
#include "core/report/traced_step.h"
#include "core/step/training_step.h"

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
    scenario.assume.faults.parts = {*parse_fault(fault)};
    return training_step(scenario, algorithm, Depth::simulate).value();
}

/// A dead link does nothing, in the table of intervals as in the trace: what would cross it is said to go
/// round.
TEST(DeadLink, DoesNothingInAnyExport) {
    const TrainingStep step = with_fault("0,0 east dead", "collective");
    std::ostringstream table;
    write_timeline_csv(step, table);
    EXPECT_THAT(table.str(), testing::Not(testing::HasSubstr("\"0,0\",east link,")));
    EXPECT_THAT(table.str(), testing::HasSubstr("\"0,0\",west links round,transfer,"));
    EXPECT_THAT(table.str(), testing::HasSubstr("\"0,1\",east link,transfer,"));
    std::ostringstream trace;
    write_chrome_trace(trace_of(step), trace);
    EXPECT_THAT(trace.str(), testing::HasSubstr("\"west links round\""));
}

} // namespace
} // namespace meshslice
