#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/base/json/tree.h"
#include "core/lesson/lesson_reader.h"
#include "core/question/catalogue/questions.h"
#include "core/question/comparison.h"
#include "core/question/question.h"
#include "tests/core/question/toy_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stop_token>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Answer answered(const Question& question, const OwnTexts& texts) {
    return asked_of(question, texts, Speech::file)
        .and_then([&](const Asked& asked) { return question.answer(asked, {}); })
        .value();
}
std::string refusal(const Question& question, const OwnTexts& texts, Speech speech = Speech::file) {
    const auto answer = asked_of(question, texts, speech).and_then([&](const Asked& asked) {
        return question.answer(asked, {});
    });
    return answer ? "" : answer.error().sentence;
}

/// Every question says which part it needs, in every way it can be asked.
TEST(QuestionTest, NamesTheNeededPartThatIsMissing) {
    int needing = 0;
    for (const Question& question : all_questions()) {
        const auto needed = std::ranges::find_if(question.fields, [](const QuestionField& one) {
            return one.needed && one.row.kind != FieldKind::text;
        });
        if (needed == question.fields.end()) {
            continue;
        }
        for (const Speech speech : {Speech::flags, Speech::form, Speech::file}) {
            const Result<Asked> asked = asked_of(question, {}, speech);
            if (!asked) {
                ++needing;
                EXPECT_FALSE(asked.error().sentence.empty()) << question.id;
            }
        }
    }
    EXPECT_GT(needing, 0);
}

TEST(TreeTest, IsWrittenAndAddressed) {
    Tree tree{{"name", "a \"b\""}, {"chips", 16}, {"share", 0.5}, {"on", true}, {"none", nullptr}};
    tree["axes"].push_back({{"ring", false}, {"sizes", {1, 2}}});
    tree["names"] = std::vector<std::string>{"x", "y"};
    tree["empty"] = Tree::array();
    tree.update(Tree{{"chips", 8}, {"more", std::optional<double>()}});
    EXPECT_EQ(
        json_file(tree),
        "{\n  \"name\": \"a \\\"b\\\"\",\n  \"chips\": 8,\n  \"share\": 0.5,\n  \"on\": true,\n  \"none\": "
        "null,\n  \"axes\": [\n    {\n      \"ring\": false,\n      \"sizes\": [\n        1,\n        2\n   "
        "   ]\n    }\n  ],\n  \"names\": [\n    \"x\",\n    \"y\"\n  ],\n  \"empty\": [],\n  \"more\": "
        "null\n}\n");
    EXPECT_EQ(number_at(tree, "axes/0/sizes/1"), 2.0);
    for (const char* nothing :
         {"axes/1", "axes/x", "axes/-1", "name/0", "names/0", "none", "on", "chips/0"}) {
        EXPECT_EQ(number_at(tree, nothing), std::nullopt) << nothing;
    }
    EXPECT_THAT(number_paths(tree), ElementsAre("chips", "share", "axes/0/sizes/0", "axes/0/sizes/1"));
}

TEST(TreeTest, NamesCarryUnits) {
    for (const auto& [name, unit] :
         std::vector<std::pair<const char*, const char*>>{{"time_in_s", "s"},
                                                          {"memory/bytes", "B"},
                                                          {"reached_in_flop_per_s", "FLOP/s"},
                                                          {"bandwidth_in_bytes_per_s", "B/s"},
                                                          {"ridge_in_flop_per_byte", "FLOP/B"},
                                                          {"flop", "FLOP"},
                                                          {"tokens_per_s", ""},
                                                          {"serving/requests_per_s", ""},
                                                          {"hops", ""},
                                                          {"chips", ""}}) {
        EXPECT_EQ(unit_of(name), unit) << name;
    }
}

/// 10 m, two coats, 60 s a metre: 1200 s.
TEST(ToyQuestion, IsAnsweredInWordsAndValues) {
    const Question wall = wall_question();
    const Answer answer = answered(wall, {{"wall", "10"}});
    EXPECT_EQ(number_at(answer.values, "time_in_s"), 1200.0);
    EXPECT_EQ(number_at(answer.values, "coats/1/done_in_s"), 1200.0);
    const std::string words = words_of(answer);
    EXPECT_THAT(words, HasSubstr("The wall takes 1200 s\n"));
    EXPECT_THAT(words, HasSubstr("coats/0/done_in_s  600 s\n"));
    EXPECT_THAT(words, HasSubstr("within a day  holds\n"));
    EXPECT_THAT(words, HasSubstr("Use a roller.\nDrying is not counted.\n"));
    EXPECT_TRUE(answer.holds());
    // 1000 m, five coats: 300,000 s are three days and a half.
    EXPECT_FALSE(answered(wall, {{"wall", "1000"}, {"coats", "5"}}).holds());
    EXPECT_TRUE(Answer({.checks = {{"weather", std::nullopt, "nobody knows"}}}).holds());
}

TEST(ToyQuestion, RefusesInTheWordsOfWhoAsks) {
    const Question wall = wall_question();
    EXPECT_EQ(refusal(wall, {{"wall", "0"}}), "wall is \"0\"; expected a whole number from 1 to 1000.");
    EXPECT_EQ(refusal(wall, {{"wall", "0"}}, Speech::flags),
              "--length is \"0\"; expected a whole number from 1 to 1000.");
    EXPECT_EQ(refusal(wall, {{"wall", "0"}}, Speech::form),
              "Wall is \"0\"; expected a whole number from 1 to 1000.");
    EXPECT_EQ(refusal(wall, {}), "wall is \"\"; expected a whole number from 1 to 1000.");
    EXPECT_EQ(refusal(wall, {{"wall", "1"}, {"hue", "red"}}),
              "Walls has no field \"hue\"; it has wall, coats, tool.");
    EXPECT_EQ(refusal(wall, {{"wall", "1000"}, {"coats", "9"}}, Speech::flags),
              "--coats is too many for a wall of this length.");
    const Asked asked = asked_of(wall, {{"wall", "1"}}, Speech::flags).value();
    EXPECT_EQ(asked.setting("tool", "roller"), "--roller");
    EXPECT_EQ(asked.setting("tool", "brush"), "--tool brush");
    EXPECT_EQ(asked.setting("coats", "3"), "--coats 3");
    EXPECT_EQ(asked_of(wall, {{"wall", "1"}}, Speech::form)->setting("tool", "roller"), "a roller");
}

/// One coat, two and three of 10 m: 600 s, 1200 s, 1800 s; with a roller a third of it.
TEST(ToyQuestion, IsSwept) {
    const Question sweep = sweep_question().over(wall_question());
    const auto numbers = [&](const OwnTexts& texts) {
        return asked_of(sweep, texts, Speech::file).and_then([](const Asked& asked) {
            return numbers_of(asked, {});
        });
    };
    const Tree values = numbers({{"wall", "10"}, {"vary", "coats=1:3"}}).value();
    EXPECT_EQ(number_at(values, "points/2/values/time_in_s"), 1800.0);
    EXPECT_EQ(number_at(values, "points/2/at/coats"), 3.0);
    const OwnTexts pairs = {{"wall", "10"}, {"vary", "coats=1,2,3; tool=brush,roller"}};
    const Answer answer = answered(sweep, pairs);
    const Table table = whole_table(answer.tables.at(0)).value();
    ASSERT_EQ(table.rows.size(), 6u);
    EXPECT_EQ(table.columns.at(1), "tool");
    EXPECT_EQ(table.columns.at(2), "time_in_s");
    EXPECT_EQ(table.rows.at(5).at(1), Table::Cell("roller"));
    EXPECT_EQ(table.rows.at(5).at(2), Table::Cell(600.0));
    std::string words;
    ASSERT_TRUE(answer.words.at(0).pulled([&](const std::string& more) {
        words += more;
        return true;
    }));
    EXPECT_THAT(words, HasSubstr("Walls: 3 values of the coats and 2 values of the tool\n"));
    EXPECT_THAT(words, HasSubstr("Time: least 200 s with coats 1, tool a roller, most 1800 s with coats 3, "
                                 "tool a brush."));
    // 1000 m are too long for six coats: the point says so, and the others stay.
    const Tree some = numbers({{"wall", "1000"}, {"vary", "coats=5,6"}}).value();
    EXPECT_EQ(number_at(some, "points/0/values/time_in_s"), 300'000.0);
    EXPECT_THAT(std::get<std::string>(some.at("points/1/does_not_run")->value()),
                HasSubstr("too many for a wall"));
    for (const auto& [texts, says] : std::vector<std::pair<OwnTexts, const char*>>{
             {{{"wall", "10"}, {"vary", "coats=1,2"}, {"number", "height"}}, "one of time_in_s, coats/0/"},
             {{{"wall", "10"}, {"vary", "hue=1,2"}},
              "\"hue\" cannot vary; expected one of length, coats or tool"},
             {{{"wall", "10"}, {"vary", "coats=1,99"}}, "1 to 9"},
             {{{"wall", "10"}}, "Nothing varies"}}) {
        EXPECT_THAT(refusal(sweep, texts), HasSubstr(says));
    }
}

TEST(Questions, AreMadeByTheirNames) {
    for (const NamedQuestion& one : named_questions()) {
        EXPECT_EQ(one.make().id, one.id);
    }
}

/// Every question has a sweep, whose fields it can tell from its own.
TEST(Questions, AreSwept) {
    const Questions all = all_questions();
    const Question& sweep = *question_of(all, "sweep");
    for (const Question& question : all) {
        if (question.over) {
            continue;
        }
        const Question over = sweep.over(question);
        std::set<std::string> names;
        for (const QuestionField& field : over.fields) {
            EXPECT_TRUE(names.insert(field.row.key).second) << question.id << ' ' << field.row.key;
            const bool flag =
                field.row.flag.starts_with("--"); // else a place, which may be called as its key
            EXPECT_TRUE(!flag || names.insert(field.row.flag).second) << question.id << ' ' << field.row.flag;
        }
        EXPECT_EQ(over.uses, question.uses);
    }
}

TEST(ToyQuestion, IsCompared) {
    const Question wall = wall_question();
    const Answer both =
        comparison_of(answered(wall, {{"wall", "10"}}), answered(wall, {{"wall", "10"}, {"tool", "roller"}}),
                      "brush", "roller");
    const Table table = whole_table(both.tables.at(0)).value();
    EXPECT_THAT(table.columns, ElementsAre("number", "brush", "roller", "difference", "ratio"));
    EXPECT_EQ(table.rows.at(0).at(3), Table::Cell(-800.0)) << "1200 s and 400 s";
    EXPECT_EQ(number_at(both.values, "differences/0/ratio"), 400.0 / 1200.0);
    EXPECT_EQ(number_at(both.values, "second/time_in_s"), 400.0);
    ASSERT_EQ(both.charts.size(), 1u);
    const std::vector<ChartPanel>& panels = both.charts.front().chart.panels;
    ASSERT_EQ(panels.size(), 2u) << "categories below each other, up to the same value";
    EXPECT_EQ(panels[0].y.high, 1200.0);
    EXPECT_EQ(panels[1].y.high, 1200.0);
    EXPECT_EQ(both.headline, "brush and roller: 3 of 5 numbers differ")
        << "the time, and when each coat is done";
}

TEST(ToyQuestion, IsANumberOfALesson) {
    const Questions questions = {wall_question()};
    const auto value = [&](const char* json) -> Result<double> {
        const nlohmann::json parsed = nlohmann::json::parse(json);
        JsonReader reader(parsed, "mine.json");
        const auto quantity = read_lesson_quantity(reader, "mine.json", default_scenario(), questions);
        return quantity ? value_of(*quantity, {}, questions) : Result<double>(refuse(*reader.finding()));
    };
    EXPECT_EQ(value(R"({"wall": "10", "coats": "3", "key": "time_in_s"})").value(), 1800.0);
    EXPECT_EQ(value(R"({"wall": "10", "roller": true, "key": "coats/0/done_in_s"})").value(), 200.0);
    EXPECT_EQ(value(R"({"wall": "10", "key": "time_in_s",
                        "over": {"wall": "10", "roller": true, "key": "time_in_s"}})")
                  .value(),
              3.0);
    EXPECT_THAT(value(R"({"wall": "10", "key": "height"})").error().sentence,
                testing::AllOf(HasSubstr("mine.json"), HasSubstr("height"), HasSubstr("time_in_s")));
    EXPECT_THAT(value(R"({"wall": "10", "coats": "99", "key": "time_in_s"})").error().sentence,
                HasSubstr("1 to 9"));
}

/// What every question keeps to.
TEST(Questions, AreWhole) {
    std::set<std::string> ids;
    for (const Question& question : all_questions()) {
        EXPECT_TRUE(ids.insert(question.id).second) << question.id;
        std::set<std::string> keys;
        OwnTexts shown;
        for (const QuestionField& field : question.fields) {
            EXPECT_TRUE(keys.insert(field.row.key).second) << question.id << ' ' << field.row.key;
            EXPECT_FALSE(field.row.name.empty()) << question.id << ' ' << field.row.key;
            EXPECT_FALSE(field.row.help.empty() && field.row.flag_help.empty())
                << question.id << ' ' << field.row.key;
            shown[field.row.key] = first_words(field);
            // A list has to offer what its form begins with.
            EXPECT_TRUE(question.page.empty() || field.row.choices.empty() || first_words(field).empty() ||
                        std::ranges::find(field.row.choices, first_words(field), &FieldChoice::word) !=
                            field.row.choices.end())
                << question.id << ' ' << field.row.key << ' ' << first_words(field);
        }
        const bool asks_of_files = std::ranges::any_of(question.fields, [](const QuestionField& field) {
            return field.file || (field.needed && first_words(field).empty());
        });
        if (!question.uses.none() || asks_of_files) {
            continue; // tests/cli/every_question_test.cpp asks them
        }
        // What a form begins with has an answer, whose values have the numbers that a sweep asks for.
        const Result<Asked> asked = asked_of(question, shown, Speech::form);
        ASSERT_TRUE(asked) << question.id << ": " << asked.error().sentence;
        const Result<Answer> answer = question.answer(*asked, {});
        ASSERT_TRUE(answer) << question.id << ": " << answer.error().sentence;
        EXPECT_EQ(answer->values, numbers_of(*asked, {}).value()) << question.id;
        EXPECT_FALSE(answer->headline.empty() || answer->about.empty()) << question.id;
        EXPECT_FALSE(answer->tables.empty()) << question.id;
    }
}

/// Fits look at the stop; constants that are there already do not.
TEST(Question, EvidenceFitsWithoutEachModelWhereAsked) {
    const Question evidence = evidence_question();
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = [&](const char* about, const char* part) {
        const auto asked = asked_of(evidence, {{"about", about}, {"leave_out", part}}, Speech::file);
        EXPECT_TRUE(asked) << (asked ? "" : asked.error().sentence);
        const auto answer = evidence.answer(*asked, {stop.get_token(), nullptr});
        return !answer && answer.error().kind == Error::Kind::cancelled;
    };
    for (const char* about : {"inference", "serving"}) {
        EXPECT_TRUE(stopped(about, "model")) << about;
        EXPECT_TRUE(stopped(about, "hardware")) << about;
    }
}

} // namespace
} // namespace meshslice
