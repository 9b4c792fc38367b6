// A workload of one file, from its tasks to everything that can be asked of its plans.

#include "core/base/json/json_writer.h"
#include "core/lesson/lesson_quantity.h"
#include "core/lesson/lesson_reader.h"
#include "core/plan/evaluate/evaluate.h"
#include "core/question/catalogue/questions.h"
#include "core/question/comparison.h"
#include "core/report/trace/chrome_trace.h"
#include "core/run/open_path.h"
#include "core/scenario/scenario.h"
#include "tests/core/work/toy_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Question& toy() {
    static const Question question = plan_question(toy_workload);
    return question;
}

const OwnTexts without_ends = {{"count_ends", "off"}};

/// GPT-3's widths, 2048 tokens, 128 samples, on the 256 chips of the default scenario, split in one way.
Scenario split_in(const std::string& tensor, std::optional<std::int64_t> micro_batch = {}) {
    Scenario one = default_scenario();
    one.plan.split.data = 4;
    one.plan.split.pipeline = 8;
    one.plan.split.tensor = tensor;
    one.plan.split.micro_batch = micro_batch;
    return one;
}
const Scenario& scenario() {
    static const Scenario one = split_in("8x1", 1);
    return one;
}

Asked asked(const Question& question, const OwnTexts& texts, const Scenario& of = scenario()) {
    Asked one = asked_of(question, texts, Speech::file).value();
    one.scenario = &of;
    if (of.plan.split.tensor != "any") { // one plan is said by these flags
        one.said.flags = {{"--dp", "4"}, {"--pp", "8"}, {"--tp", "8x1"}};
    }
    one.said.file = true;
    return one;
}

/// 96 blocks of two GEMMs, three passes of 2 FLOP a product each, shared by 256 chips; without the gate.
constexpr double flop_per_chip = 96.0 * 2 * 3 * 2 * 128 * 2048 * 12288 * 49152 / 256;

TEST(ToyWorkload, IsSharedByAPlan) {
    Plan plan;
    plan.tensor1 = 8;
    TrainingRun run = training_run(scenario().model, 2048, 128).value();
    run.workload = &toy_workload;
    const ChipTasks tasks = share(block_tasks(run, 1).front().tasks, plan, ModelRules::exact);
    ASSERT_EQ(tasks.operations.size(), 3u);
    const ChipTask& widen = tasks.operations[0];
    EXPECT_EQ(widen.name, "widen");
    EXPECT_EQ(widen.forward.matrix_flop, 2048.0 * (2 * 12288 - 1) * 49152 / 8) << "a sum saves an addition";
    EXPECT_EQ(widen.weights, 2.0 * 12288 * 49152 / 8);
    EXPECT_EQ(widen.forward.exchanges.size(), 0u) << "a chip has all rows";
    ASSERT_EQ(widen.backward.exchanges.size(), 1u);
    EXPECT_EQ(widen.backward.exchanges[0].what, Collective::reduce_scatter);
    EXPECT_EQ(tasks.operations[1].forward.exchanges.size(), 0u);
    EXPECT_EQ(tasks.operations[2].forward.exchanges[0].what, Collective::reduce_scatter);
}

TEST(ToyWorkload, HasPlansInWordsValuesAndTables) {
    const Answer answer = toy().answer(asked(toy(), without_ends), {}).value();
    EXPECT_NEAR(number_at(answer.values, "flop_per_chip").value(), flop_per_chip, 1e-4 * flop_per_chip);
    EXPECT_THAT(words_of(answer), HasSubstr("dp 4 x pp 8 x tp 8x1"));
    const Table table = whole_table(answer.tables.at(0)).value();
    EXPECT_EQ(table.rows.size(), 1u);
    EXPECT_THAT(json_file(answer.values), HasSubstr("\"flop_per_chip\": "));
    // A transformer has attention too, and more FLOP.
    const Question transformer = plan_question();
    const Answer other = transformer.answer(asked(transformer, without_ends), {}).value();
    EXPECT_GT(number_at(other.values, "time_s"), number_at(answer.values, "time_s"));
    EXPECT_GT(number_at(other.values, "flop_per_chip").value(), flop_per_chip);
}

TEST(ToyWorkload, IsSearched) {
    const Scenario open = split_in("any");
    const Answer answer = toy().answer(asked(toy(), {{"top", "2"}}, open), {}).value();
    EXPECT_EQ(answer.values.find("plans")->size(), 2u);
    EXPECT_EQ(answer.charts.size(), 2u);
}

TEST(ToyWorkload, IsSweptAndCompared) {
    const Question sweep = sweep_question().over(toy());
    OwnTexts texts = without_ends;
    texts["vary"] = "micro-batch=1,2";
    const Tree values = numbers_of(asked(sweep, texts), {}).value();
    ASSERT_EQ(values.find("points")->size(), 2u);
    const Answer one = toy().answer(asked(toy(), without_ends), {}).value();
    EXPECT_EQ(number_at(values, "points/0/time_s"), number_at(one.values, "time_s"));
    const Scenario two = split_in("8x1", 2);
    const Answer both =
        comparison_of(one, toy().answer(asked(toy(), without_ends, two), {}).value(), "1", "2");
    EXPECT_EQ(number_at(both.values, "second/time_s"), number_at(values, "points/1/time_s"));
}

TEST(ToyWorkload, IsANumberOfALesson) {
    const nlohmann::json parsed =
        nlohmann::json::parse(R"({"plan": "exact", "no_ends": true, "key": "plans/0/flop_per_chip"})");
    const Questions questions = {toy()};
    JsonReader reader(parsed, "mine.json");
    const auto quantity = read_lesson_quantity(reader, "mine.json", scenario(), questions);
    ASSERT_TRUE(quantity) << reader.finding()->sentence;
    const Result<double> flop = value_of(*quantity, {}, questions);
    ASSERT_TRUE(flop) << flop.error().sentence;
    EXPECT_NEAR(*flop, flop_per_chip, 1e-4 * flop_per_chip);
}

/// A trace of its pipeline, whose bars open into its own operations.
TEST(ToyWorkload, IsExported) {
    Asked traced = asked(toy(), without_ends);
    traced.said.flags["--trace"] = "trace.json";
    const Answer answer = toy().answer(traced, {}).value();
    ASSERT_EQ(answer.runs.size(), 1u);
    std::ostringstream out;
    write_chrome_trace(std::vector{answer.runs[0].run}, out);
    EXPECT_THAT(out.str(), HasSubstr("stage 8"));
    const RunPtr block = open_path(answer.runs[0].run, "stage 1 forward 1/layer 1").value();
    std::ostringstream inner;
    write_chrome_trace(std::vector{block}, inner);
    EXPECT_THAT(inner.str(),
                testing::AllOf(HasSubstr("widen"), HasSubstr("gate"), Not(HasSubstr("attention"))));
}

} // namespace
} // namespace meshslice
