#pragma once

#include "core/question/answer.h"

#include <string>

namespace meshslice {

/// Two answers to one question and their difference: every number that both have, by its path, with the
/// second over the first. The names say which answer is which.
[[nodiscard]] Answer comparison_of(const Answer& first, const Answer& second, const std::string& first_name,
                                   const std::string& second_name);

} // namespace meshslice
