#include "core/base/language.h"
#include "core/lesson/answer.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_schema.h"
#include "core/machine/catalogue.h"
#include "core/machine/machine.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// A lesson of two steps that is right, to be spoilt: two FLOP for each of 2 x 3 x 4 products.
std::string sound_lesson() {
    return R"({
  "meshslice_lesson": 1, "id": "mine", "title": "Mine", "needs": "Nothing",
  "steps": [
    {"title": "One", "text": "See **this**.", "scenario": {"hardware": "tpu-v4-paper", "mesh": [2, 2],
       "gemm": {"m": 1024, "n": 1024, "k": 1024, "dataflow": "OS"}, "compare": "none", "links": "x2"},
     "view": "timeline", "highlight": {"field": "slices"},
     "question": {"ask": "How many FLOP?", "unit": "FLOP", "hint": "2 x 2 x 3 x 4",
                  "answer": {"roofline": "2x3x4", "key": "flop"}}},
    {"title": "Two", "text": "Or that.", "scenario": {"slices": 2}, "view": "torus",
     "claims": [{"says": "48 FLOP", "roofline": "2x3x4", "key": "flop", "least": 48, "most": 48}]}
  ]})";
}

std::string mine_with(const std::string& before, const std::string& after) {
    std::string text = sound_lesson();
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return text.replace(at, before.size(), after);
}

TEST(Lesson, IsReadFromItsFile) {
    const Result<Lesson> lesson = read_lesson(sound_lesson(), "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().sentence;
    ASSERT_EQ(lesson->steps.size(), 2u);
    EXPECT_EQ(lesson->title.text(), "Mine");
    EXPECT_EQ(lesson->steps[0].text.plain(), "See this.");
    const Scenario& first = lesson->steps[0].scenario;
    EXPECT_EQ(first.mesh, (std::vector<std::int32_t>{2, 2}));
    EXPECT_EQ(first.gemm->shape.m, 1024);
    EXPECT_EQ(first.compare, "");
    // "x2" is of what the preset has.
    const double preset = machine_preset("tpu-v4-paper")->network.link_bandwidth(0).value();
    EXPECT_DOUBLE_EQ(first.hardware.network.link_bandwidth(0).value(), 2 * preset);
    // The second step goes on from the first.
    EXPECT_EQ(lesson->steps[1].scenario.gemm->shape.m, 1024);
    EXPECT_EQ(lesson->steps[1].scenario.plan.slices, 2);
    EXPECT_EQ(value_of(lesson->steps[0].question->answer), 48.0) << "2 x 2 x 3 x 4";
    EXPECT_THAT(faults_of(lesson->steps[1]), testing::IsEmpty());
}

TEST(Lesson, SaysFileStepAndWhatWasExpected) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> planted = {
        {mine_with("\"slices\": 2", "\"slizes\": 2"), {"mine.json, step 2", "slizes"}},
        {mine_with("\"slices\": 2", "\"slices\": 0"), {"mine.json, step 2", "slices", "whole number from 1"}},
        {mine_with("\"mesh\": [2, 2]", "\"mesh\": [0, 2]"), {"mine.json, step 1", "mesh"}},
        {mine_with("\"tpu-v4-paper\"", "\"tpu-v9\""), {"mine.json, step 1", "tpu-v9"}},
        {mine_with("\"x2\"", "\"x-2\""), {"mine.json, step 1", "links"}},
        {mine_with("\"torus\"", "\"donut\""), {"mine.json, step 2", "donut", "timeline"}},
        {mine_with("{\"field\": \"slices\"}", "{\"field\": \"slizes\"}"),
         {"mine.json, step 1", "slizes", "field"}},
        {mine_with("\"unit\": \"FLOP\"", "\"unit\": \"flops\""), {"mine.json, step 1", "flops", "FLOP"}},
        {mine_with("\"2x3x4\", \"key\": \"flop\"}}}", "\"2x3\", \"key\": \"flop\"}}}"),
         {"mine.json, step 1", "BxDxF"}},
        {mine_with("\"2x3x4\", \"key\": \"flop\"}}}", "\"2x3x4\", \"key\": \"flops\"}}}"),
         {"mine.json, step 1", "flops", "compute_in_s"}},
        {mine_with("\"roofline\": \"2x3x4\", \"key\": \"flop\", \"least\"", "\"least\""),
         {"mine.json, step 2", "collective"}},
        {mine_with(", \"least\": 48, \"most\": 48", ""), {"mine.json, step 2", "least"}},
        {mine_with("\"Two\"", "{\"fr\": \"Deux\"}"), {"mine.json, step 2", "fr"}},
        {mine_with("\"id\": \"mine\"", "\"id\": \"My Own\""), {"mine.json", "My Own"}},
        {mine_with("\"meshslice_lesson\": 1", "\"meshslice_lesson\": 2"),
         {"mine.json", "version 2", "newer"}},
        {mine_with("\"needs\": \"Nothing\",", ""), {"mine.json", "needs"}},
        {mine_with("\"steps\"", "\"stages\""), {"mine.json", "steps"}},
        {mine_with("\"view\": \"torus\"", "\"view\": \"lab\", \"lab\": {\"page\": \"shards\"}"),
         {"mine.json, step 2", "shards", "collectives"}},
        {mine_with("\"view\": \"torus\"", "\"view\": \"lab\", \"lab\": {\"page\": \"stepper\"}"),
         {"mine.json, step 2", "program"}},
        {mine_with("\"view\": \"torus\"",
                   "\"view\": \"lab\", \"lab\": {\"page\": \"collectives\", \"links\": \"rigns\"}"),
         {"mine.json, step 2", "rigns", "lines"}},
        {mine_with("\"view\": \"torus\"",
                   "\"view\": \"lab\", \"lab\": {\"page\": \"collectives\", \"ways\": \"both\"}"),
         {"mine.json, step 2", "both", "one-way"}},
        {mine_with("\"view\": \"torus\"",
                   "\"view\": \"lab\", \"lab\": {\"page\": \"rooflines\", \"rows\": \"every\"}"),
         {"mine.json, step 2", "every", "each"}},
        {mine_with("\"view\": \"torus\"",
                   "\"view\": \"lab\", \"lab\": {\"page\": \"rooflines\", \"axes\": \"X=4\"}"),
         {"mine.json, step 2", "axes"}},
        {mine_with("\"view\": \"torus\"", "\"view\": \"lab\", \"highlight\": {\"lab\": \"bytes\"}"),
         {"mine.json, step 2", "bytes", "mesh"}},
    };
    for (const auto& [text, parts] : planted) {
        const Result<Lesson> lesson = read_lesson(text, "mine.json");
        ASSERT_FALSE(lesson) << text;
        for (const std::string& part : parts) {
            EXPECT_THAT(lesson.error().sentence, testing::HasSubstr(part));
        }
        EXPECT_THAT(lesson.error().sentence, testing::AnyOf(testing::EndsWith("."), testing::EndsWith("?")));
    }
}

/// A step that asks to predict: the engine's number says which choice is right.
TEST(Lesson, AsksToPredict) {
    const std::string predict =
        R"("predict": {"ask": "More than 40?", "unit": "FLOP", "answer": {"roofline": "2x3x4", "key": "flop"},
            "choices": [{"says": "less", "below": 10}, {"says": "up to 50", "below": 50}, {"says": "more"}]}, )";
    const Result<Lesson> lesson =
        read_lesson(mine_with("\"text\": \"Or that.\", ", "\"text\": \"Or that.\", " + predict), "mine.json");
    ASSERT_TRUE(lesson) << lesson.error().sentence;
    EXPECT_FALSE(lesson->steps[0].predict);
    const LessonQuestion& asked = lesson->steps[1].predict.value();
    ASSERT_EQ(asked.choices.size(), 3u);
    EXPECT_EQ(asked.choice_of(value_of(asked.answer).value()), 1u) << "48 FLOP";
    EXPECT_EQ(asked.choice_of(-3), 0u);
    EXPECT_EQ(asked.choice_of(9.99), 0u);
    EXPECT_EQ(asked.choice_of(10), 1u);
    EXPECT_EQ(asked.choice_of(1e12), 2u);
    EXPECT_THAT(faults_of(lesson->steps[1]), testing::IsEmpty());
    const auto refusal = [&](const std::string& before, const std::string& after) {
        std::string text = mine_with("\"text\": \"Or that.\", ", "\"text\": \"Or that.\", " + predict);
        text.replace(text.find(before), before.size(), after);
        const Result<Lesson> read = read_lesson(text, "mine.json");
        return read ? std::string() : read.error().sentence;
    };
    EXPECT_THAT(refusal("\"below\": 50", "\"below\": 5"),
                testing::AllOf(testing::HasSubstr("mine.json, step 2"), testing::HasSubstr("not above")));
    EXPECT_THAT(refusal(", \"below\": 50", ""), testing::HasSubstr("mine.json, step 2"));
    EXPECT_THAT(refusal("{\"says\": \"less\", \"below\": 10}, {\"says\": \"up to 50\", \"below\": 50}, ", ""),
                testing::HasSubstr("two to five"));
    EXPECT_THAT(refusal("\"more\"}", "\"more\", \"below\": 90}"), testing::HasSubstr("below"));
    const std::string first =
        mine_with("\"text\": \"See **this**.\", ", "\"text\": \"See **this**.\", " + predict);
    EXPECT_THAT(read_lesson(first, "mine.json").error().sentence,
                testing::AllOf(testing::HasSubstr("mine.json, step 1"), testing::HasSubstr("first step")));
}

/// What a text claims is asked of the engine, and a run has only the numbers that it has.
TEST(Lesson, FindsWhatIsNotSo) {
    Lesson lesson = read_lesson(mine_with("\"least\": 48, \"most\": 48", "\"least\": 49"), "a").value();
    EXPECT_THAT(
        faults_of(lesson.steps[1]),
        testing::ElementsAre(testing::AllOf(testing::HasSubstr("48 FLOP"), testing::HasSubstr("not so"))));
    lesson =
        read_lesson(mine_with("{\"roofline\": \"2x3x4\", \"key\": \"flop\"}}", "{\"run\": \"tyme_s\"}}"), "a")
            .value();
    EXPECT_THAT(faults_of(lesson.steps[0]), testing::ElementsAre(testing::AllOf(
                                                testing::HasSubstr("tyme_s"), testing::HasSubstr("time_s"))));
    lesson =
        read_lesson(mine_with("\"slices\": 2}", "\"algorithm\": \"cannon\", \"mesh\": [2, 4]}"), "a").value();
    EXPECT_THAT(faults_of(lesson.steps[1]),
                testing::Contains(testing::HasSubstr("does not run with cannon")));
}

TEST(Lesson, AsksTheEngineOfEachKind) {
    const auto value = [](const std::string& answer) {
        const Result<Lesson> lesson =
            read_lesson(mine_with("{\"roofline\": \"2x3x4\", \"key\": \"flop\"}", answer), "a");
        return lesson ? value_of(lesson->steps[0].question->answer).value_or(-1) : -2;
    };
    // 90 MB over twice 45 GB/s.
    EXPECT_NEAR(
        value(R"({"collective": "all-gather", "bytes": "90 MB", "axes": "X=16", "key": "time_in_s"})"), 1e-3,
        1e-9);
    // A quarter of 4096 rows; and all of them over that.
    EXPECT_EQ(
        value(R"({"sharding": "A[I_X,J]", "mesh": "X=4", "sizes": "I=4096,J=8", "key": "local_shape/0"})"),
        1024);
    EXPECT_EQ(value(R"({"sharding": "A[I,J]", "mesh": "X=4", "sizes": "I=4096,J=8", "key": "local_shape/0",
        "over": {"sharding": "A[I_X,J]", "mesh": "X=4", "sizes": "I=4096,J=8", "key": "local_shape/0"}})"),
              4);
    // A chip lacks three quarters of 8 x 8 numbers of 2 bytes.
    EXPECT_EQ(value(R"({"sharding": "A[I,J_X].B[J,K]->C[I,K]", "mesh": "X=4", "sizes": "I=8,J=8,K=8",
        "plan": "AllGather_X A, Multiply", "key": "received_bytes_per_chip"})"),
              96);
    EXPECT_EQ(value(R"({"run": "chips"})"), 4);
    EXPECT_EQ(value(R"({"run": "chips", "with": {"mesh": [4, 2]}})"), 8);
    // Every question about a scenario: the same estimate as that of the run, with other fields too.
    EXPECT_EQ(value(R"({"estimate": true, "key": "chips", "with": {"mesh": [4, 2]}})"), 8);
    EXPECT_EQ(value(R"({"estimate": true, "key": "time_s", "over": {"run": "estimated_s"}})"), 1);
    // 65536^3 over 16 chips instead of 4: on each a quarter of the FLOP.
    EXPECT_NEAR(value(R"({"tune": "meshslice", "key": "ranked/0/estimated_s",
        "with": {"gemm": {"m": 65536, "n": 65536, "k": 65536, "dataflow": "OS"}},
        "over": {"tune": "meshslice", "chips": "16", "key": "ranked/0/estimated_s",
                 "with": {"gemm": {"m": 65536, "n": 65536, "k": 65536, "dataflow": "OS"}}}})"),
                4, 0.2);
    EXPECT_EQ(value(R"({"tune": "meshslice", "chips": "4", "key": "ranked/0/estimated_s",
        "over": {"tune": "meshslice", "key": "ranked/0/estimated_s"}})"),
              1);
}

/// What a step has typed into the lab is read as the lab reads it.
TEST(LessonLab, IsCheckedByTheEngine) {
    using Fields = std::map<std::string, std::string>;
    const Fields sharded = {{"mesh", "X=4"},        {"sizes", "I=8, J=8, K=8"}, {"left", "A[I, J_X]"},
                            {"right", "B[J_X, K]"}, {"result", "C[I, K]"},      {"hardware", "tpu-v5e"}};
    const auto and_also = [&](const char* name, const char* words) {
        Fields all = sharded;
        all[name] = words;
        return LessonLab{"sharding", all};
    };
    Fields done_beyond = sharded;
    done_beyond["right"] = "B[J, K]";
    done_beyond["plan"] = "Slice_{X, J} B, Multiply, AllReduce_X C";
    done_beyond["done"] = "4";
    for (const LessonLab& sound :
         {LessonLab{"sharding", sharded}, and_also("plan", "Multiply, AllReduce_X C"),
          and_also("below", "torus"), LessonLab{"collectives", {}}, LessonLab{"rooflines", {}},
          LessonLab{"collectives", {{"axes", "X=8"}, {"links", "lines"}, {"bytes", "1 kB"}}},
          LessonLab{"transfers", {}},
          LessonLab{"transfers", {{"slice", "X=8"}, {"from", "hosts"}, {"to", "1"}}},
          LessonLab{"rooflines", {{"gemm", "2x3x4"}, {"weights", "int8"}, {"memory", ""}}},
          LessonLab{"stepper", {{"program", "all-reduce"}, {"mesh", "2x4"}, {"ways", "one-way"}}},
          LessonLab{"stepper", {{"program", "meshslice"}, {"slices", "4"}, {"slicing", "A"}}}}) {
        EXPECT_EQ(fault_of(sound), std::nullopt) << sound.page;
    }
    for (const auto& [wrong, says] : std::vector<std::pair<LessonLab, const char*>>{
             {and_also("left", "A[I_Y, J]"), "Y"},
             {and_also("plan", "AllGather"), "has no plan"},
             {and_also("done", "two"), "two"},
             {and_also("done", "-1"), "-1"},
             {LessonLab{"sharding", done_beyond}, "0 to 3"},
             {and_also("mesh", "X=512"), "256 chips"},
             {and_also("hardware", "tpu-v9"), "tpu-v9"},
             {LessonLab{"collectives", {{"collective", "all-gater"}}}, "all-gater"},
             {LessonLab{"collectives", {{"axes", "X=1"}}}, "chip"},
             {LessonLab{"transfers", {{"to", "0,0"}}}, "are the same chip"},
             {LessonLab{"transfers", {{"bytes", ""}}}, "bytes is"},
             {LessonLab{
                  "transfers",
                  {{"slice", "X=16,Y=16,Z=16"}, {"from", "0,0,0"}, {"to", "1,0,0"}, {"hardware", "tpu-v5p"}}},
              "at most 512 are drawn"},
             {LessonLab{"transfers", {{"to", "4,4"}}}, "up to 3,3"},
             {LessonLab{"transfers", {{"hardware", "tpu-v9"}}}, "tpu-v9"},
             {LessonLab{"rooflines", {{"gemm", "2x3"}}}, "BxDxF"},
             {LessonLab{"rooflines", {{"weights", "int3"}}}, "int3"},
             {LessonLab{"stepper", {{"program", "canon"}}}, "canon"},
             {LessonLab{"stepper", {{"program", "cannon"}, {"done", "all"}}}, "how many steps"},
             {LessonLab{"stepper", {{"program", "cannon"}, {"mesh", "2x4"}}}, "square"},
             {LessonLab{"stepper", {{"program", "meshslice"}, {"slicing", "D"}}}, "slices"}}) {
        const std::optional<std::string> fault = fault_of(wrong);
        ASSERT_TRUE(fault) << says;
        EXPECT_THAT(*fault, testing::HasSubstr(says));
    }
}

TEST(LessonAnswer, IsReadWithItsUnit) {
    using enum TypedAnswer::Kind;
    const auto read = [](const char* words, const char* unit) { return read_answer(words, unit); };
    EXPECT_EQ(read("2 ms", "s").kind, number);
    EXPECT_DOUBLE_EQ(read(" 2000 us ", "s").value, 2e-3);
    EXPECT_DOUBLE_EQ(read("2*64 FLOP", "FLOP").value, 128);
    EXPECT_EQ(read("2", "s").kind, without_unit) << "2 of what?";
    EXPECT_DOUBLE_EQ(read("66%", "%").value, 0.66);
    EXPECT_DOUBLE_EQ(read("66", "%").value, 0.66);
    EXPECT_DOUBLE_EQ(read("1.5x", "x").value, 1.5);
    EXPECT_DOUBLE_EQ(read("x 1.5", "x").value, 1.5);
    EXPECT_DOUBLE_EQ(read("8Ki", "").value, 8192);
    // As people say it, too.
    EXPECT_DOUBLE_EQ(read("16777216", "B").value, 16777216) << "a count can only be of one thing";
    EXPECT_DOUBLE_EQ(read("16 Mbytes", "B").value, 16e6);
    EXPECT_DOUBLE_EQ(read("8.59 GFLOPs", "FLOP").value, 8.59e9);
    EXPECT_DOUBLE_EQ(read("243 FLOP/B", "FLOP/B").value, 243);
    EXPECT_DOUBLE_EQ(read("243", "FLOP/B").value, 243);
    EXPECT_DOUBLE_EQ(read("4 times", "x").value, 4);
    EXPECT_DOUBLE_EQ(read("8 copies", "").value, 8);
    EXPECT_EQ(read("copies", "").kind, none);
    for (const char* words : {"8 MB", "8 ms", "8 GFLOP", "8 GB/s"}) {
        EXPECT_EQ(read(words, "").kind, none) << words << " is not a count";
    }
    EXPECT_EQ(read("50 apples", "%").kind, none);
    for (const char* words : {"", "  ", "much", "2 apples", "%"}) {
        EXPECT_EQ(read(words, "s").kind, none) << words;
    }
}

TEST(LessonAnswer, IsJudged) {
    LessonQuestion question;
    question.unit = "s";
    question.tolerance = 0.02;
    EXPECT_EQ(judge(question, 1.02e-3, 1e-3), Verdict::right);
    EXPECT_EQ(judge(question, 1.03e-3, 1e-3), Verdict::too_large);
    EXPECT_EQ(judge(question, 0.97e-3, 1e-3), Verdict::too_small);
    EXPECT_EQ(judge(question, 1.0, 1e-3), Verdict::other_prefix) << "seconds for milliseconds";
    EXPECT_EQ(judge(question, 1e-9, 1e-3), Verdict::other_prefix);
    EXPECT_EQ(judge(question, -1e-3, 1e-3), Verdict::too_small);
    EXPECT_EQ(judge(question, 0, 0), Verdict::right);
    EXPECT_EQ(answer_text(16384, ""), "16384");
    EXPECT_EQ(answer_text(1.5, "x"), "1.5x");
    EXPECT_EQ(answer_text(0.66, "%"), "66%");
}

TEST(Lessons, AreInBothLanguages) {
    std::vector<std::string> ids;
    for (const LessonTitle& listed : lesson_titles()) {
        const LessonPtr one = lesson(listed.id);
        EXPECT_EQ(one->steps.size(), listed.steps) << one->id;
        EXPECT_EQ(one->title, listed.title);
        EXPECT_EQ(one->needs, listed.needs);
        ids.push_back(one->id);
        EXPECT_GE(one->steps.size(), 5u) << one->id;
        EXPECT_LE(one->steps.size(), 10u) << one->id;
        std::vector<LessonText> texts = {one->title, one->needs};
        bool asks = false;
        bool predicts = false;
        EXPECT_FALSE(one->seen.empty()) << one->id;
        texts.push_back(one->seen);
        for (const LessonStep& step : one->steps) {
            texts.insert(texts.end(), {step.title, step.text});
            asks = asks || step.question;
            predicts = predicts || step.predict;
            for (const std::optional<LessonQuestion>& asked : {step.predict, step.question}) {
                if (!asked) {
                    continue;
                }
                texts.push_back(asked->ask);
                for (const LessonText& text : {asked->hint, asked->because}) {
                    if (!text.empty()) {
                        texts.push_back(text);
                    }
                }
                for (const LessonChoice& choice : asked->choices) {
                    texts.push_back(choice.says);
                }
            }
        }
        EXPECT_TRUE(asks) << one->id;
        EXPECT_TRUE(predicts) << one->id;
        for (const LessonText& text : texts) {
            ASSERT_EQ(text.in.size(), 2u) << one->id << ": " << text.text();
            if (text.in.at("en").size() > 12) { // names of algorithms are the same in both
                EXPECT_NE(text.in.at("en"), text.in.at("zh_CN"));
            }
            for (const auto& [code, words] : text.in) {
                EXPECT_FALSE(words.empty()) << one->id << " " << code;
            }
            // The same marks: a word that is bold in one language is in the other.
            const auto marks = [](const std::string& words, const char* mark) {
                int count = 0;
                for (std::size_t at = 0; (at = words.find(mark, at)) != std::string::npos;
                     at += std::string(mark).size()) {
                    ++count;
                }
                return count;
            };
            EXPECT_EQ(marks(text.in.at("en"), "**"), marks(text.in.at("zh_CN"), "**")) << text.text();
            EXPECT_EQ(marks(text.in.at("en"), "`"), marks(text.in.at("zh_CN"), "`")) << text.text();
            EXPECT_EQ(marks(text.in.at("en"), "\n\n"), marks(text.in.at("zh_CN"), "\n\n")) << text.text();
        }
    }
    EXPECT_THAT(ids,
                testing::ElementsAre("first-look", "roofline", "notation", "four-cases", "collectives",
                                     "two-dimensions", "cannon-to-meshslice", "slicing", "mesh", "dead-link",
                                     "memory", "data-parallel", "tensor-parallel", "pipeline", "mixing",
                                     "llama-on-v5p", "decode-and-memory", "kv-cache", "batch-and-latency",
                                     "sharding-for-serving", "disaggregation", "experts"));
    EXPECT_EQ(lesson("notation"), lesson("notation")) << "read once";
    EXPECT_EQ(lesson("notations"), nullptr);
}

/// Every step runs, every question has an answer, and what is claimed is so.
TEST(Lessons, AreRight) {
    for (const LessonTitle& listed : lesson_titles()) {
        const LessonPtr one = lesson(listed.id);
        for (std::size_t k = 0; k < one->steps.size(); ++k) {
            EXPECT_THAT(faults_of(one->steps[k]), testing::IsEmpty()) << one->id << ", step " << k + 1;
        }
    }
}

/// The file in resources is what the program writes: bin/meshslice schema lesson > resources/schema/...
TEST(LessonSchema, IsTheOneInResources) {
    const std::string path =
        fmt::format("{}/resources/schema/lesson-{}.schema.json", MESHSLICE_SOURCE_DIR, lesson_version);
    std::ifstream file(path);
    const std::string stored{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(stored, lesson_schema()) << path << " is what 'meshslice schema lesson' prints";
}

/// Another program finds the lessons to hold to it, and a few spoilt ones not to.
TEST(LessonSchema, AValidatorTakesTheLessons) {
    if (std::system("python3 -c 'import jsonschema' >/dev/null 2>&1") != 0) { // NOLINT: no input of others
        GTEST_SKIP() << "python3-jsonschema is not installed";
    }
    const std::string judge = R"(import glob, json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
judge = jsonschema.Draft202012Validator(schema)
names = glob.glob(sys.argv[2] + '/*.json')
assert len(names) > 9
for name in names:
    judge.validate(json.load(open(name)))
one = json.load(open(sys.argv[2] + '/01-roofline.json'))
def wrong(change):
    other = json.loads(json.dumps(one))
    change(other)
    return not judge.is_valid(other)
assert not wrong(lambda file: None)
assert wrong(lambda file: file['steps'][0].update(view='donut'))
assert wrong(lambda file: file['steps'][0]['scenario'].update(slizes=2))
assert wrong(lambda file: file['steps'][0]['question'].update(unit='flops'))
assert wrong(lambda file: file['steps'][0]['question']['answer'].pop('key'))
assert wrong(lambda file: file.update(steps=[]))
)";
    const std::string command =
        fmt::format("python3 -c \"{}\" {}/resources/schema/lesson-{}.schema.json {}/resources/lessons", judge,
                    MESHSLICE_SOURCE_DIR, lesson_version, MESHSLICE_SOURCE_DIR);
    EXPECT_EQ(std::system(command.c_str()), 0); // NOLINT: the same
}

} // namespace
} // namespace meshslice
