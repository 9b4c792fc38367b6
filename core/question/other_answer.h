#pragma once

#include "core/question/question.h"
#include "core/scenario/scenario.h"

#include <memory>
#include <optional>
#include <string>

namespace meshslice {

/// The same question, asked for something else.
struct OtherAnswer {
    OwnValues own;                         ///< of the question
    std::optional<Scenario> scenario = {}; ///< where it uses one
    std::string first = {}, name = {};     ///< what was asked first, and what now: "batch 128", "batch 256"
    Answer answer = {};
};

/// Asks a question again with other values of one field or two, "batch=256; mesh=8x8", or about the scenario
/// of a file. `who` begins the sentences that refuse: "--against".
[[nodiscard]] Result<OtherAnswer> other_answer(const std::shared_ptr<const Question>& question,
                                               const Asked& asked, const std::string& words,
                                               const std::string& who, const RunControl& control);

} // namespace meshslice
