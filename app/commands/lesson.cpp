// Lessons: what there is, and whether every step of one runs and says what is so.

#include "core/lesson/lesson.h"

#include "app/command.h"
#include "app/progress_line.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/lesson/answer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// A step as the engine sees it.
struct StepFound {
    std::optional<double> answer;
    std::vector<double> claims; ///< those that have a value
    std::vector<std::string> faults;
};

/// `meshslice lesson`.
class LessonCommand final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Lists the lessons, or runs every step of one: its text, its answers, and what is wrong with "
               "it";
    }

    void declare(CLI::App& flags) override {
        flags
            .add_option("lesson", name_,
                        "NAME|FILE.json: a lesson that comes with the program, or one of your own (default: "
                        "lists those that come with it)")
            ->type_name("");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Printed> run() const override {
        if (name_.empty()) {
            return Printed{list()};
        }
        const Result<LessonPtr> read = named();
        if (!read) {
            return refuse(read.error());
        }
        const Lesson& lesson = **read;
        std::vector<StepFound> found;
        {
            ProgressLine progress("Running the lesson");
            for (const LessonStep& step : lesson.steps) {
                found.push_back(look_into(step));
                *progress.share() =
                    static_cast<double>(found.size()) / static_cast<double>(lesson.steps.size());
            }
        }
        const bool sound =
            std::ranges::all_of(found, [](const StepFound& one) { return one.faults.empty(); });
        return Printed{json_ ? json_text(lesson, found) : words(lesson, found), sound ? 0 : check_failed};
    }

  private:
    [[nodiscard]] Result<LessonPtr> named() const {
        if (const LessonPtr known = lesson(name_)) {
            return known;
        }
        const bool file = name_.ends_with(".json") || name_.find('/') != std::string::npos;
        if (!file) {
            std::vector<std::string> ids;
            std::ranges::transform(lessons(), std::back_inserter(ids),
                                   [](const LessonPtr& one) { return one->id; });
            return refuse(
                fmt::format("There is no lesson \"{}\"; there are {}, and files such as ./mine.json.",
                            shortened(name_), fmt::join(ids, ", ")));
        }
        return read_text_file(name_).and_then([this](const std::string& text) {
            return read_lesson(text, name_).map([](Lesson read) -> LessonPtr {
                return std::make_shared<const Lesson>(std::move(read));
            });
        });
    }

    static StepFound look_into(const LessonStep& step) {
        StepFound found;
        found.faults = faults_of(step);
        if (step.question) {
            if (const Result<double> answer = value_of(step.question->answer)) {
                found.answer = *answer;
            }
        }
        for (const LessonClaim& claim : step.claims) {
            if (const Result<double> value = value_of(claim.quantity)) {
                found.claims.push_back(*value);
            }
        }
        return found;
    }

    [[nodiscard]] std::string list() const {
        if (json_) {
            Tree all = Tree::array();
            for (const LessonPtr& one : lessons()) {
                all.push_back({{"id", one->id},
                               {"title", one->title.text()},
                               {"needs", one->needs.plain()},
                               {"steps", one->steps.size()}});
            }
            return json_file(all);
        }
        std::vector<std::vector<std::string>> rows = {{"lesson", "title", "steps"}};
        for (const LessonPtr& one : lessons()) {
            rows.push_back({one->id, one->title.text(), std::to_string(one->steps.size())});
        }
        return text_table(rows, 2) + "\nmeshslice lesson NAME prints one and asks the engine whether it is "
                                     "right; the window has them in "
                                     "the menu Lessons.\n";
    }

    [[nodiscard]] static std::string words(const Lesson& lesson, const std::vector<StepFound>& found) {
        std::string out = fmt::format("{}\nYou need: {}\n", lesson.title.text(), lesson.needs.plain());
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < found.size(); ++k) {
            const LessonStep& step = lesson.steps[k];
            out += fmt::format("\n{}. {}\n   (view {})\n{}\n", k + 1, step.title.text(), step.view,
                               step.text.plain());
            if (step.question) {
                out += fmt::format("Question: {}\n", step.question->ask.plain());
                if (found[k].answer) {
                    out += fmt::format("Answer: {}\n", answer_text(*found[k].answer, step.question->unit));
                }
                if (!step.question->because.empty()) {
                    out += step.question->because.plain() + "\n";
                }
            }
            for (const std::string& fault : found[k].faults) {
                out += fmt::format("WRONG in step {}: {}\n", k + 1, fault);
            }
            wrong += found[k].faults.size();
        }
        out += wrong == 0 ? fmt::format("\nAll {} steps run, and what they claim is so.\n", found.size())
                          : fmt::format("\n{} thing{} wrong with this lesson.\n", wrong,
                                        wrong == 1 ? " is" : "s are");
        return plain_spaces(std::move(out));
    }

    [[nodiscard]] static std::string json_text(const Lesson& lesson, const std::vector<StepFound>& found) {
        Tree out = {{"id", lesson.id},
                    {"title", lesson.title.text()},
                    {"needs", lesson.needs.plain()},
                    {"steps", Tree::array()}};
        for (std::size_t k = 0; k < found.size(); ++k) {
            const LessonStep& step = lesson.steps[k];
            Tree one = {{"title", step.title.text()}, {"text", step.text.plain()}, {"view", step.view}};
            if (step.question) {
                one["question"] = {{"ask", step.question->ask.plain()},
                                   {"unit", step.question->unit},
                                   {"tolerance", step.question->tolerance},
                                   {"answer", nullptr}};
                if (found[k].answer) {
                    one["question"]["answer"] = *found[k].answer;
                }
            }
            one["wrong"] = found[k].faults;
            out["steps"].push_back(std::move(one));
        }
        return json_file(out);
    }

    std::string name_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> lesson_command() {
    return std::make_unique<LessonCommand>();
}

} // namespace meshslice
