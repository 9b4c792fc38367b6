#include "tests/cli/support/chrome_trace_checker.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A trace of one thread with a name, and the given events on it.
std::vector<std::string> findings(const std::string& events, std::optional<double> end_s = {}) {
    return check_chrome_trace(R"({"traceEvents":[
        {"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"chip 0,0"}},
        {"ph":"M","name":"thread_name","pid":7,"tid":0,"args":{"name":"core"}},
        )" + events + "]}",
                              end_s)
        .findings;
}

std::string event(const std::string& ts, const std::string& dur) {
    return R"({"ph":"X","name":"multiply","pid":7,"tid":0,"ts":)" + ts + R"(,"dur":)" + dur + "}";
}

TEST(ChromeTraceChecker, AcceptsEventsSideBySide) {
    EXPECT_THAT(findings(event("0", "1.5") + "," + event("1.5", "0.000001") + "," + event("3", "0")),
                IsEmpty());
    // Order in the file means nothing.
    EXPECT_THAT(findings(event("1.5", "1") + "," + event("0", "1.5")), IsEmpty());
}

TEST(ChromeTraceChecker, CountsAndMeasures) {
    const CheckedTrace trace = check_chrome_trace(R"({"traceEvents":[
        {"ph":"X","name":"a","pid":0,"tid":0,"ts":0,"dur":1},
        {"ph":"X","name":"b","pid":0,"tid":1,"ts":0.5,"dur":12.000001}]})");
    EXPECT_EQ(trace.complete_events, 2);
    EXPECT_EQ(trace.end_ps, 12'500'001);
    EXPECT_THAT(trace.findings, ElementsAre("Process 0 has no name.", "Thread 0 of process 0 has no name.",
                                            "Process 0 has no name.", "Thread 1 of process 0 has no name."));
}

TEST(ChromeTraceChecker, RefusesWhatIsNoTrace) {
    EXPECT_THAT(check_chrome_trace("{").findings, ElementsAre("The trace is not valid JSON."));
    EXPECT_THAT(check_chrome_trace("[]").findings, ElementsAre("There is no array \"traceEvents\"."));
    EXPECT_THAT(check_chrome_trace(R"({"traceEvents":{}})").findings,
                ElementsAre("There is no array \"traceEvents\"."));
    EXPECT_THAT(check_chrome_trace(R"({"traceEvents":[]})").findings,
                ElementsAre("There is no complete (\"X\") event."));
}

TEST(ChromeTraceChecker, RefusesOverlapAndContainment) {
    EXPECT_THAT(findings(event("0", "2") + "," + event("1.999999", "1")),
                ElementsAre("Events 2 and 3 overlap on thread 0 of process 7."));
    EXPECT_THAT(findings(event("0", "2") + "," + event("0.5", "1")),
                ElementsAre("Events 2 and 3 overlap on thread 0 of process 7."));
    // The third is clear of the second but not of the first.
    EXPECT_THAT(findings(event("0", "9") + "," + event("1", "1") + "," + event("3", "1")).size(), 2u);
}

TEST(ChromeTraceChecker, RefusesTimesThatAreNoneOrNegative) {
    EXPECT_THAT(findings(event("\"0\"", "1") + "," + event("0", "1")),
                ElementsAre("Event 2 has no number \"ts\"."));
    EXPECT_THAT(findings(event("0", "1") + "," + event("2", "-1")),
                ElementsAre("Event 3 has a negative \"dur\"."));
    EXPECT_THAT(findings(event("0", "1") + R"(,{"ph":"X","name":"a","pid":7,"tid":0,"ts":3})"),
                ElementsAre("Event 3 has no number \"dur\"."));
}

TEST(ChromeTraceChecker, RefusesEventsWithoutPlaceOrName) {
    const std::string sound = event("0", "1") + ",";
    EXPECT_THAT(findings(sound + R"({"ph":"X","name":"a","tid":0,"ts":3,"dur":1})"),
                ElementsAre("Event 3 has no whole number \"pid\"."));
    EXPECT_THAT(findings(sound + R"({"ph":"X","name":"a","pid":7,"tid":0.5,"ts":3,"dur":1})"),
                ElementsAre("Event 3 has no whole number \"tid\"."));
    EXPECT_THAT(findings(sound + R"({"ph":"X","pid":7,"tid":0,"ts":3,"dur":1})"),
                ElementsAre("Event 3 has no \"name\"."));
    EXPECT_THAT(findings(sound + R"({"name":"a","pid":7,"tid":0,"ts":3,"dur":1})"),
                ElementsAre("Event 3 has no \"ph\"."));
    EXPECT_THAT(findings(sound + R"({"ph":"B","name":"a","pid":7,"tid":0,"ts":3})"),
                ElementsAre("Event 3 is neither \"M\" nor \"X\", \"s\", \"f\" or \"C\"."));
}

TEST(ChromeTraceChecker, RefusesThreadsWithoutNameOrWithTwo) {
    EXPECT_THAT(findings(event("0", "1") + R"(,{"ph":"X","name":"a","pid":7,"tid":1,"ts":0,"dur":1})"),
                ElementsAre("Thread 1 of process 7 has no name."));
    EXPECT_THAT(
        findings(event("0", "1") + R"(,{"ph":"M","name":"thread_name","pid":7,"tid":0,"args":{"name":"b"}})"),
        ElementsAre("Event 3 names what has a name."));
    EXPECT_THAT(findings(event("0", "1") + R"(,{"ph":"M","name":"process_name","pid":8,"tid":0,"args":{}})"),
                ElementsAre("Event 3 names nothing."));
}

std::string flow(const char* phase, int id, const std::string& ts) {
    return fmt::format(R"({{"ph":"{}","id":{},"name":"arrives","pid":7,"tid":0,"ts":{}}})", phase, id, ts);
}

/// From the bar 0 to 2 to the one 3 to 4.
TEST(ChromeTraceChecker, RefusesFlowsThatLeadNowhere) {
    const std::string bars = event("0", "2") + "," + event("3", "1") + ",";
    EXPECT_THAT(findings(bars + flow("s", 1, "1") + "," + flow("f", 1, "3.5")), IsEmpty());
    EXPECT_THAT(findings(bars + flow("s", 1, "1")), ElementsAre("Flow 1 ends nowhere."));
    EXPECT_THAT(findings(bars + flow("f", 1, "1")), ElementsAre("Flow 1 begins nowhere."));
    EXPECT_THAT(findings(bars + flow("s", 1, "1") + "," + flow("f", 1, "2.5")),
                ElementsAre("Flow 1 does not lead from bar to bar."));
    EXPECT_THAT(findings(bars + flow("s", 1, "3.5") + "," + flow("f", 1, "1")),
                ElementsAre("Flow 1 leads to a bar that begins before the first one ends."));
    EXPECT_THAT(findings(bars + flow("s", 1, "1") + "," + flow("s", 1, "1") + "," + flow("f", 1, "3.5")),
                ElementsAre("Event 5 is the same end of a flow as another."));
}

TEST(ChromeTraceChecker, RefusesCountsOfNothing) {
    const std::string bar = event("0", "1") + ",";
    EXPECT_THAT(findings(bar + R"({"ph":"C","name":"busy","pid":7,"tid":0,"ts":0,"args":{"busy":3}})"),
                IsEmpty());
    EXPECT_THAT(findings(bar + R"({"ph":"C","name":"busy","pid":7,"tid":0,"ts":0,"args":{}})"),
                ElementsAre("Event 3 counts nothing."));
    EXPECT_THAT(findings(bar + R"({"ph":"C","name":"busy","pid":8,"tid":0,"ts":0,"args":{"busy":3}})"),
                ElementsAre("Process 8, which counts, has no name."));
}

TEST(ChromeTraceChecker, RefusesALateStartAndAWrongEnd) {
    EXPECT_THAT(findings(event("0.000001", "1")), ElementsAre("The first event starts at 1 ps, not at 0."));
    EXPECT_THAT(findings(event("0", "1"), 1e-6), IsEmpty());
    EXPECT_THAT(findings(event("0", "1"), 1.000001e-6),
                ElementsAre("The last event ends at 1000000 ps, not at 0.000001000001 s."));
}

} // namespace
} // namespace meshslice::test
