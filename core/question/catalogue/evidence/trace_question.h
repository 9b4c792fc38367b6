#pragma once

#include "core/import/log_readings.h"
#include "core/question/question.h"

#include <memory>

namespace meshslice {

/// trace_question() with logs read by what keeps them, for who asks again and again of one file.
[[nodiscard]] Question trace_question_by(const std::shared_ptr<LogReadings>& logs);

} // namespace meshslice
