#include "core/base/embedded_resources.h"
#include "core/base/language.h"
#include "core/lesson/lesson.h"
#include "core/step/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

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

const std::vector<LessonPtr>& lessons() {
    static const std::vector<LessonPtr> all = [] {
        std::vector<LessonPtr> read;
        for (const EmbeddedFile& file : embedded_lessons()) { // by name, which begins with the place
            Result<Lesson> one = read_lesson(file.text, std::string(file.name));
            assert(one && "the lessons that come with the program must be readable");
            if (one) {
                read.push_back(std::make_shared<const Lesson>(*std::move(one)));
            }
        }
        return read;
    }();
    return all;
}

LessonPtr lesson(std::string_view id) {
    const auto found = std::ranges::find_if(lessons(), [id](const LessonPtr& one) { return one->id == id; });
    return found == lessons().end() ? nullptr : *found;
}

std::vector<std::string> faults_of(const LessonStep& step, const RunControl& control) {
    std::vector<std::string> faults;
    for (const std::string& algorithm : {step.scenario.plan.algorithm, step.scenario.compare}) {
        if (algorithm.empty()) {
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
    if (step.question) {
        if (const Result<double> answer = value_of(step.question->answer, control); !answer) {
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
