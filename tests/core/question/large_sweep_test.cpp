#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/step_points.h"
#include "core/question/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stop_token>
#include <string>
#include <unistd.h>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;

constexpr std::int64_t side = 300;

/// The place of a point in a square of 90 000, more than a sweep keeps. Places before the first one do not
/// run; `asked_for` counts how many were asked for.
Question place_question(std::int64_t first, const std::shared_ptr<int>& asked_for) {
    const auto coordinate = [](const std::string& key) {
        return QuestionField{.row = {.key = key,
                                     .name = key,
                                     .label = key,
                                     .help = key,
                                     .flag = "--" + key,
                                     .flag_help = "N",
                                     .kind = FieldKind::whole,
                                     .least = 0,
                                     .most = side},
                             .first = "0"};
    };
    Question place{"place", "Places", "", "Says where a point is", {}, {coordinate("row"), coordinate("at")}};
    place.numbers = [first, asked_for](const Asked& asked, const RunControl& /*control*/) -> Result<Tree> {
        ++*asked_for;
        const double its = asked.number("row") * static_cast<double>(side) + asked.number("at");
        return its < static_cast<double>(first) ? Result<Tree>(refuse("It is too early."))
                                                : Tree{{"place", static_cast<std::int64_t>(its)}};
    };
    return place;
}

struct LargeSweep {
    Question question;
    std::string file = {};

    explicit LargeSweep(std::int64_t first, std::shared_ptr<int> asked_for = std::make_shared<int>(0))
        : question(sweep_question().over(place_question(first, asked_for))) {}
    explicit LargeSweep(const Question& over) : question(sweep_question().over(over)) {}

    [[nodiscard]] Result<Answer> answer(const RunControl& control = {}) const {
        return asked_of(question, {{"vary", "row=0:299:+1; at=0:299:+1"}}, Speech::file)
            .and_then([&](Asked asked) {
                if (!file.empty()) {
                    asked.said.flags = {{"--out", file}};
                }
                return question.answer(asked, control);
            });
    }
};

std::int64_t whole(const Table::Cell& cell) {
    const auto* const number = std::get_if<std::int64_t>(&cell);
    return number == nullptr ? -1 : *number;
}

/// Hands over the first rows, and no more.
std::vector<std::vector<Table::Cell>> first_rows(const Answer& answer, std::size_t count) {
    std::vector<std::vector<Table::Cell>> rows;
    (void)answer.tables.at(0).rows([&](const std::vector<Table::Cell>& row) {
        rows.push_back(row);
        return rows.size() < count;
    });
    return rows;
}

/// The first 1200 places do not run; the next one has a number, whose column is there from the beginning.
TEST(LargeSweep, RunsWhereItsFirstPointsDoNot) {
    const Result<Answer> answer = LargeSweep(1200).answer();
    ASSERT_TRUE(answer) << answer.error().sentence;
    EXPECT_THAT(answer->tables.at(0).columns, ElementsAre("row", "at", "place", "does_not_run"));
    const auto rows = first_rows(*answer, 1201);
    ASSERT_EQ(rows.size(), 1201u);
    EXPECT_EQ(rows[1199][3], Table::Cell("It is too early."));
    EXPECT_EQ(whole(rows[1200][2]), 1200);
}

TEST(LargeSweep, SaysThatNoneOfThoseRunsThatWereLookedAt) {
    const Result<Answer> answer = LargeSweep(1'000'000).answer();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().sentence, "None of 1000 points that were looked at runs, so it is unknown which "
                                       "numbers the sweep has. It is too early.");
}

TEST(LargeSweep, IsCancelledWhileItLooksAhead) {
    Question place = place_question(0, std::make_shared<int>(0));
    place.numbers = [](const Asked&, const RunControl& control) -> Result<Tree> {
        return control.stop.stop_requested() ? Result<Tree>(cancelled()) : Tree{{"place", 0}};
    };
    std::stop_source stop;
    stop.request_stop();
    const Result<Answer> answer = LargeSweep(place).answer({stop.get_token(), nullptr});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, Error::Kind::cancelled);
}

/// Where the question says which numbers there are, the first point is asked for when it is pulled.
TEST(LargeSweep, AsksForNothingBeforeItIsPulled) {
    const auto asked_for = std::make_shared<int>(0);
    Question place = place_question(1200, asked_for);
    SweptQuestion swept;
    swept.columns = {"place"};
    swept.measures = {{"place", "place"}};
    swept.text = swept.table = {
        {"place", [](const SweepPoint& point) { return Table::Cell(point.number("place").value_or(0)); }}};
    place.swept = std::make_shared<const SweptQuestion>(std::move(swept));
    const Result<Answer> answer = LargeSweep(place).answer();
    ASSERT_TRUE(answer) << answer.error().sentence;
    EXPECT_EQ(*asked_for, 0);
    EXPECT_EQ(first_rows(*answer, 2).size(), 2u);
    EXPECT_LT(*asked_for, 100);
}

/// Pulled for two rows, and then for five: what is in the file is handed over, and the rest is added.
TEST(LargeSweep, HasEachPointOnceInItsFileHoweverOftenItIsPulled) {
    LargeSweep sweep(0);
    sweep.file =
        (std::filesystem::temp_directory_path() / ("meshslice-large-" + std::to_string(::getpid()))).string();
    std::filesystem::remove(sweep.file);
    {
        const Result<Answer> answer = sweep.answer();
        ASSERT_TRUE(answer) << answer.error().sentence;
        EXPECT_EQ(first_rows(*answer, 2).size(), 2u);
        const auto rows = first_rows(*answer, 5);
        ASSERT_EQ(rows.size(), 5u);
        EXPECT_EQ(whole(rows[4][2]), 4);
    }
    std::ifstream in(sweep.file);
    std::string line;
    std::getline(in, line); // what is swept
    int points = 0;
    for (; std::getline(in, line); ++points) {
        EXPECT_THAT(line, testing::HasSubstr("\"place\":" + std::to_string(points) + "}")) << points;
    }
    EXPECT_GE(points, 5);
    std::filesystem::remove(sweep.file);
}

/// Of 300 times 300 points only the last 300 have jitter, and there the seed has an effect.
TEST(LargeSweep, IsRefusedWhereNoValueHasAnEffect) {
    std::string jitter = "jitter=0";
    for (std::int64_t k = 2; k < side; ++k) {
        jitter += ",0";
    }
    const auto refused = [&](const std::string& last) {
        Sweep sweep = sweep_of_steps(default_scenario(), {}, Depth::simulate);
        for (const std::string& words : {jitter + last, std::string("seed-jitter=1:300:+1")}) {
            sweep.fields.push_back(parse_vary(*sweep.over, sweep.scenario, words).value());
        }
        const Result<void> valid = checked_to_hand_over(sweep);
        return valid ? "accepted" : valid.error().sentence;
    };
    EXPECT_EQ(refused(",1us"), "accepted");
    EXPECT_THAT(refused(",0"), testing::HasSubstr("The seed has no effect. There is no jitter"));
}

} // namespace
} // namespace meshslice
