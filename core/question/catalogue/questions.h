#pragma once

#include "core/question/question.h"

namespace meshslice {

/// Each in a file of its name.
[[nodiscard]] Question collective_question();
[[nodiscard]] Question plan_question();
[[nodiscard]] Question pod_question();
[[nodiscard]] Question roofline_question();
[[nodiscard]] Question shard_question();
[[nodiscard]] Question transfer_question();
[[nodiscard]] Question verify_question();

/// All of them, in the order of the command line's help; for those who hand them to readers.
[[nodiscard]] Questions all_questions();

} // namespace meshslice
