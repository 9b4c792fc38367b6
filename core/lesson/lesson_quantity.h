#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/question/catalogue/questions.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// A number of a question, by its place in the answer's values: "memory/critical_batch" of "roofline".
struct QuestionNumber {
    std::string question;
    OwnValues own;
    std::string path;
    std::optional<Scenario> scenario = {}; ///< of a question that uses one
    bool another = false;                  ///< not the scenario of its step: what a student is asked to try
};

/// A number that only the engine says. Lessons hold no other ones.
struct LessonQuantity {
    QuestionNumber of;
    std::vector<LessonQuantity> over; ///< divided by this one; none or one
};

/// Computes it; refuses where the run does not run, or has no such number.
[[nodiscard]] Result<double> value_of(const LessonQuantity& quantity, const RunControl& control = {},
                                      const Questions& questions = all_questions());

} // namespace meshslice
