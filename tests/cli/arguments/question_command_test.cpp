// The command that is made of a question, with a question that no program has.

#include "app/arguments/parse_refusal.h"
#include "app/question_command.h"
#include "tests/cli/support/meshslice_command.h"
#include "tests/core/question/toy_question.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What it prints, whole; or the sentence of its refusal.
struct Said {
    std::string text;
    int exit_code = 2;
    bool refused = true;
};
Said wall(std::vector<std::string> arguments) {
    CLI::App app;
    const auto command = question_command(wall_question());
    command->declare(app);
    refuse_empty_values(app);
    std::ranges::reverse(arguments); // as CLI11 takes a vector
    app.parse(arguments);
    const Result<Printed> printed = command->run();
    if (!printed) {
        return {printed.error().sentence};
    }
    Said said{printed->text, printed->exit_code, false};
    if (printed->rest) {
        EXPECT_TRUE(printed->rest([&](const std::string& more) {
            said.text += more;
            return true;
        }));
    }
    return said;
}

/// 10 m, two coats, 60 s a metre; with a roller 20 s.
TEST(QuestionCommand, PrintsWordsJsonAndCsv) {
    EXPECT_THAT(wall({"--length", "10"}).text,
                AllOf(HasSubstr("The wall takes 1200 s\n"), HasSubstr("Drying is not counted.\n")));
    EXPECT_EQ(wall({"--length", "10"}).exit_code, 0);
    const auto json = nlohmann::json::parse(wall({"--length", "10", "--roller", "--json"}).text);
    EXPECT_EQ(json.at("time_in_s"), 400);
    EXPECT_EQ(json.at("coats").at(0).at("done_in_s"), 200);
    EXPECT_EQ(wall({"--length", "10", "--tool", "roller", "--csv"}).text, "coat,done_s\n1,200\n2,400\n");
    const TemporaryFolder folder;
    const std::string file = folder.path("coats.csv");
    EXPECT_THAT(wall({"--length", "10", "--csv", file}).text, HasSubstr("The wall takes"));
    EXPECT_EQ(file_content(file), "coat,done_s\n1,600\n2,1200\n");
    EXPECT_EQ(wall({"--length", "1000", "--coats", "5"}).exit_code, check_failed) << "three days and a half";
}

TEST(QuestionCommand, RefusesInFlags) {
    EXPECT_EQ(wall({"--length", "0"}).text, "--length is \"0\"; expected a whole number from 1 to 1000.");
    EXPECT_EQ(wall({"--length", "1000", "--coats", "9"}).text,
              "--coats is too many for a wall of this length.");
    EXPECT_EQ(wall({"--length", "1", "--tool", "brush", "--roller"}).text,
              "--tool and --roller say the same in two ways; give one of them.");
    EXPECT_THAT(wall({"--length", "1", "--csv", "--json"}).text, HasSubstr("choose one of them"));
    EXPECT_TRUE(wall({"--length", "1", "--csv", "--json"}).refused);
}

} // namespace
} // namespace meshslice::test
