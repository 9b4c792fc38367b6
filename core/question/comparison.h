#pragma once

#include "core/question/question.h"

#include <string>
#include <vector>

namespace meshslice {

/// Two answers to one question and their difference: every number that both have, by its path, with the
/// second over the first. The names say which answer is which.
[[nodiscard]] Answer comparison_of(const Answer& first, const Answer& second, const std::string& first_name,
                                   const std::string& second_name);

/// The numbers that both have and that differ, in words: those of the answer as a whole first. Of answers to
/// the same question.
[[nodiscard]] Table differing_numbers(const Answer& first, const Answer& second,
                                      const std::string& first_name, const std::string& second_name);

/// Charts of the same name as one: lines over the same axes in one panel, the second answer's dashed; bars
/// below each other, up to the same value. Of answers to the same question.
[[nodiscard]] std::vector<NamedChart> charts_of_both(const Answer& first, const Answer& second,
                                                     const std::string& first_name,
                                                     const std::string& second_name);

/// Lets a question be asked twice, the second time with another value of one of its fields or of its
/// scenario's, "--compare chips=512". The answer is then the comparison of both.
void add_comparison(Question& question);

} // namespace meshslice
