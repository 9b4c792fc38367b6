// Logs of Megatron-LM and benchmarks of servers. The files were written by hand in the form of the real
// programs: no number in them was measured.

#include "core/import/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace meshslice {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::HasSubstr;

std::string evidence_seed(const std::string& name) {
    std::ifstream stream(std::string(MESHSLICE_SOURCE_DIR) + "/tests/fuzz/seeds/evidence/" + name);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Result<TrainingLog> training_of(const std::string& text) {
    std::istringstream stream(text);
    return read_training_log(stream, "run.log");
}

std::string log_line(int step, double milliseconds, int batch, int skipped = 0) {
    return " [2026-01-12 10:00:12] iteration " + std::to_string(step) +
           "/ 500 | consumed samples: 128 | elapsed time per iteration (ms): " +
           std::to_string(milliseconds) + " | global batch size: " + std::to_string(batch) +
           " | number of skipped iterations: " + std::to_string(skipped) + " |\n";
}

TEST(TrainingLog, HasStepsAndArguments) {
    const auto log = training_of(evidence_seed("megatron.log"));
    ASSERT_TRUE(log) << log.error().sentence;
    ASSERT_EQ(log->steps.size(), 8u);
    EXPECT_EQ(log->steps[1], (LoggedStep{20, 13.6108, 495e12, 128, 0}));
    EXPECT_EQ(log->steps[5].unsound, 2);
    EXPECT_EQ(log->whole("tensor_model_parallel_size"), 2);
    EXPECT_EQ(log->whole("world_size"), 8);
    EXPECT_EQ(log->word("recompute_granularity"), "") << "None";
    EXPECT_EQ(log->word("use_distributed_optimizer"), "True");
    EXPECT_FALSE(log->whole("use_distributed_optimizer"));
}

/// Of 8 lines the first has the start-up, and the sixth skipped steps; of the six that are left the median is
/// between the third and the fourth.
TEST(TrainingLog, IsSteadyWithoutItsFirstLine) {
    const SteadySteps steady = steady_steps(*training_of(evidence_seed("megatron.log")));
    EXPECT_EQ(steady.steps.size(), 6u);
    EXPECT_EQ(steady.left_out, 2u);
    EXPECT_THAT(steady.median, DoubleNear((13.6108 + 13.6306) / 2, 1e-9));
    EXPECT_EQ(steady.batch, 128);
    // Of two lines none is left out, and of a ramp only what has the last batch.
    EXPECT_EQ(steady_steps(*training_of(log_line(1, 900, 8) + log_line(2, 500, 8))).steps.size(), 2u);
    const SteadySteps ramp = steady_steps(*training_of(log_line(1, 900, 8) + log_line(2, 100, 8) +
                                                       log_line(3, 200, 16) + log_line(4, 300, 16)));
    EXPECT_EQ(ramp.steps.size(), 2u);
    EXPECT_THAT(ramp.median, DoubleEq(0.25));
    EXPECT_THAT(ramp.low, DoubleNear(0.21, 1e-12));
    // All are left where all skipped something.
    EXPECT_EQ(steady_steps(*training_of(log_line(1, 9, 8, 1) + log_line(2, 9, 8, 1) + log_line(3, 9, 8, 1)))
                  .left_out,
              0u);
}

TEST(TrainingLog, TakesOtherFormsOfTheLine) {
    const auto log =
        training_of("7: iteration 100/ 200 | elapsed time per iteration (s): 102.5 | TFLOPs: 150.0 |\n"
                    "7: iteration 100/ 200 | elapsed time per iteration (s): 101.5 | TFLOPs: 150.0 |\n");
    ASSERT_TRUE(log);
    ASSERT_EQ(log->steps.size(), 1u) << "a step that is said again";
    EXPECT_THAT(log->steps[0].seconds, DoubleEq(101.5));
    EXPECT_THAT(log->steps[0].flop_rate, DoubleEq(150e12));
    EXPECT_EQ(log->steps[0].batch, 0);
}

TEST(TrainingLog, IsRefusedWithoutAStep) {
    EXPECT_THAT(training_of("loss 3\n").error().sentence,
                HasSubstr("run.log has no line with \"elapsed time per iteration\""));
    EXPECT_FALSE(training_of(""));
    EXPECT_FALSE(training_of(log_line(0, 5, 1))) << "no number of a step";
    EXPECT_FALSE(training_of("iteration 1/2 | elapsed time per iteration (ms): nan |\n"));
}

TEST(ServingLog, OfVllmHasItsLoadAndItsTimes) {
    const auto logs = read_serving_logs(evidence_seed("vllm.json"), "vllm.json");
    ASSERT_TRUE(logs) << logs.error().sentence;
    ASSERT_EQ(logs->size(), 1u);
    const ServingLog& log = logs->front();
    EXPECT_EQ(log.engine, "vllm");
    EXPECT_EQ(log.model, "meta-llama/Llama-3.1-8B-Instruct");
    EXPECT_EQ(log.requests, 320);
    EXPECT_EQ(log.concurrency, 32);
    EXPECT_FALSE(log.rate) << "\"inf\"";
    EXPECT_THAT(log.mean_input(), DoubleEq(1024));
    EXPECT_THAT(log.mean_output(), DoubleEq(256));
    EXPECT_EQ(log.ttft, (LoggedTimes{180.2e-3, 150.5e-3, 840.9e-3}));
    EXPECT_THAT(log.tpot.mean, DoubleNear(11.0e-3, 1e-12));
    EXPECT_EQ(log.e2e, LoggedTimes()) << "is not said";
    EXPECT_THAT(log.tokens_per_s, DoubleEq(2750.4));
}

/// SGLang writes a line for each run, with Infinity, and calls the time of a request otherwise.
TEST(ServingLog, OfSeveralRunsIsALineEach) {
    const auto logs = read_serving_logs(evidence_seed("sglang.jsonl"), "sglang.jsonl");
    ASSERT_TRUE(logs) << logs.error().sentence;
    ASSERT_EQ(logs->size(), 2u);
    EXPECT_FALSE(logs->front().rate);
    EXPECT_EQ(logs->front().concurrency, 16);
    EXPECT_EQ(logs->back().rate, 4.0);
    EXPECT_EQ(logs->back().concurrency, 0);
    EXPECT_THAT(logs->back().e2e.mean, DoubleNear(2.0495, 1e-9));
}

TEST(ServingLog, PassesOverWhatEachRequestTook) {
    const auto logs = read_serving_logs(
        R"({"request_rate": 2.5, "completed": 2, "num_prompts": 3, "duration": 4, "total_input_tokens": 10,
            "total_output_tokens": 8, "ttfts": [0.1, 0.2], "itls": [[1], {"completed": 9}]})",
        "a");
    ASSERT_TRUE(logs) << logs.error().sentence;
    EXPECT_EQ(logs->front().requests, 2);
    EXPECT_EQ(logs->front().failed, 1);
    EXPECT_THAT(logs->front().tokens_per_s, DoubleEq(2)) << "of the duration, where it is not said";
}

TEST(ServingLog, IsRefusedWithWhatIsWrong) {
    const auto refusal = [](const std::string& text) {
        const auto logs = read_serving_logs(text, "a.json");
        return logs ? std::string() : logs.error().sentence;
    };
    EXPECT_THAT(refusal(R"({"request_rate": 1})"), HasSubstr("no number above 0 under \"completed\""));
    EXPECT_THAT(refusal(R"({"completed": 1,})"), HasSubstr("broken at byte 17"));
    EXPECT_THAT(refusal("[1]"), HasSubstr("a.json is broken"));
    EXPECT_THAT(refusal(" \n"), HasSubstr("a.json is empty"));
    EXPECT_THAT(refusal(evidence_seed("vllm.json") + "{\"completed\": 1"), HasSubstr("is broken at byte"));
}

TEST(MeasuredKind, IsSeenInTheFirstBytes) {
    EXPECT_EQ(kind_of_measured(evidence_seed("vllm.json")), MeasuredKind::serving);
    EXPECT_EQ(kind_of_measured(evidence_seed("sglang.jsonl")), MeasuredKind::serving);
    EXPECT_EQ(kind_of_measured(evidence_seed("megatron.log")), MeasuredKind::training);
    EXPECT_EQ(kind_of_measured(evidence_seed("kineto.json")), MeasuredKind::trace);
    EXPECT_EQ(kind_of_measured("[{\"ph\": \"X\"}]"), MeasuredKind::trace);
    EXPECT_EQ(kind_of_measured("[rank7]: iteration 1/ 2 |"), MeasuredKind::training);
    EXPECT_EQ(kind_of_measured("{\"traceEvents\": [{\"name\": \"\\\"request_rate\\\"\"}]}"),
              MeasuredKind::trace);
}

} // namespace
} // namespace meshslice
