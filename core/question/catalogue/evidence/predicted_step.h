#pragma once

#include "core/evidence/expected_plan.h"
#include "core/evidence/profiled_step.h"
#include "core/import/log_readings.h"
#include "core/question/question.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What a plan says of one step.
struct PredictedStep {
    PredictedParts parts;
    ExpectedStep expected; ///< by measured runs
    PlanQuestion question;
    Plan plan;
    std::string about;
    double arrays = 0; ///< bytes that the fullest chip holds, without what is reserved for other things
};
/// The first plan of an answer about plans. `its` is asked of `over`; refuses where that finds no plan.
[[nodiscard]] Result<PredictedStep> predicted_step(const Question& over, const Asked& its,
                                                   const RunControl& control);

/// A number that was measured next to what is expected of it.
struct ComparedNumber {
    std::string name; ///< "first token"
    double measured = 0;
    double expected = 0;      ///< 0: nothing is
    double low = 0, high = 0; ///< eight of ten measured runs would lie between; 0: not known

    [[nodiscard]] bool judged() const { return high > 0; }
    [[nodiscard]] bool inside() const { return measured >= low && measured <= high; }
};
/// "4.20 s, expected 3.90 s (3.50 s to 4.60 s): inside"; `words` writes a number.
[[nodiscard]] std::string compared_words(const ComparedNumber& one, std::string (*words)(double));

/// What a program that trains or serves logged of its own speed, next to what `over` says of it: a plan of a
/// training log, serve of a server's. Null: alone.
[[nodiscard]] Result<Answer> training_log_answer(const Asked& asked, const Question* over, LogReadings& logs,
                                                 const RunControl& control);
[[nodiscard]] Result<Answer> serving_log_answer(const Asked& asked, const Question* over, LogReadings& logs,
                                                const RunControl& control);
/// What nccl-tests measured, by size, next to what `over` says of such a collective. Null: alone.
[[nodiscard]] Result<Answer> collective_log_answer(const Asked& asked, const Question* over,
                                                   const RunControl& control);

/// Keys of the fields of the question about measured files.
namespace measured_file_keys {
inline constexpr const char* file = "file";
inline constexpr const char* step = "step";
inline constexpr const char* over = "of";
inline constexpr const char* fit = "fit";
inline constexpr const char* operation = "operation";
/// All of them, which the question that the file is held against does not have.
inline constexpr std::initializer_list<std::string_view> own = {file, step, over, fit, operation};
} // namespace measured_file_keys

} // namespace meshslice
