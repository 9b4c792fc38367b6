#include "core/base/embedded_resources.h"
#include "core/base/language.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_reader.h"
#include "core/step/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>

namespace meshslice {

const std::string& LessonText::text() const {
    static const std::string none;
    if (in.empty()) {
        return none;
    }
    for (const std::string& wanted : {language(), std::string("en")}) {
        if (const auto found = in.find(wanted); found != in.end()) {
            return found->second;
        }
    }
    return in.begin()->second;
}

std::string LessonText::plain() const {
    std::string words = text();
    for (const std::string_view mark : {"**", "`"}) {
        for (std::size_t at = 0; (at = words.find(mark, at)) != std::string::npos;) {
            words.erase(at, mark.size());
        }
    }
    return words;
}

std::optional<std::size_t> LessonQuestion::choice_of(double number) const {
    const auto found = std::ranges::find_if(
        choices, [&](const LessonChoice& one) { return number >= one.least && number < one.most; });
    return found == choices.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(found - choices.begin()));
}

const std::vector<LessonTitle>& lesson_titles() {
    static const std::vector<LessonTitle> all = [] {
        std::vector<LessonTitle> read;
        for (const EmbeddedFile& file : embedded_lessons()) { // by name, which begins with the place
            Result<LessonTitle> one = read_lesson_title(file.text, std::string(file.name));
            assert(one && "the lessons that come with the program must be readable");
            if (one) {
                read.push_back(*std::move(one));
            }
        }
        return read;
    }();
    return all;
}

LessonPtr lesson(std::string_view id) {
    const auto listed = std::ranges::find(lesson_titles(), id, &LessonTitle::id);
    if (listed == lesson_titles().end()) {
        return nullptr;
    }
    static std::mutex reading;
    static std::map<std::string, LessonPtr, std::less<>> known;
    const std::scoped_lock locked(reading);
    LessonPtr& found = known[listed->id];
    if (!found) {
        const EmbeddedFile file =
            embedded_lessons()[static_cast<std::size_t>(listed - lesson_titles().begin())];
        Result<Lesson> read = read_lesson(file.text, fmt::format("{}{}", shipped_lessons, file.name));
        assert(read && "the lessons that come with the program must be readable");
        if (read) {
            found = std::make_shared<const Lesson>(*std::move(read));
        }
    }
    return found;
}

std::vector<std::string> faults_of(const LessonStep& step, const RunControl& control) {
    std::vector<std::string> faults;
    for (const std::string& algorithm : {step.scenario.plan.algorithm, step.scenario.compare}) {
        // A plan of fast domains has no GEMMs on a torus.
        const bool only_planned = step.view == "plan" && step.scenario.hardware.network.torus_axes() == 0;
        if (algorithm.empty() || only_planned) {
            continue;
        }
        if (const auto run = training_step(step.scenario, algorithm, Depth::simulate, control); !run) {
            faults.push_back(
                fmt::format("Its scenario does not run with {}: {}", algorithm, run.error().sentence));
        }
    }
    if (step.lab) {
        if (const std::optional<std::string> wrong = fault_of(*step.lab)) {
            faults.push_back("The lab cannot show it: " + *wrong);
        }
    }
    for (const std::optional<LessonQuestion>& asked : {step.predict, step.question}) {
        if (!asked) {
            continue;
        }
        if (const Result<double> answer = value_of(asked->answer, control); !answer) {
            faults.push_back("Its question has no answer: " + answer.error().sentence);
        }
    }
    for (const LessonClaim& claim : step.claims) {
        const Result<double> value = value_of(claim.quantity, control);
        if (!value) {
            faults.push_back(fmt::format("\"{}\" cannot be checked: {}", claim.says, value.error().sentence));
        } else if (!(*value >= claim.least && *value <= claim.most)) {
            faults.push_back(fmt::format("\"{}\" is not so: {:g} is not from {:g} to {:g}.", claim.says,
                                         *value, claim.least, claim.most));
        }
    }
    return faults;
}

} // namespace meshslice
