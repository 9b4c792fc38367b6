#pragma once

#include "core/base/json/tree.h"
#include "core/evidence/own_step.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// "Measured: 12.4 s a step, 1.12x the expected 11.1 s, inside the interval."; where the gap may be; and what
/// follows for other plans, with the arithmetic. A string each.
[[nodiscard]] std::vector<std::string> own_step_sentences(const OwnStep& own);
/// Why a measured step corrects nothing: what is expected of its plan is not known.
[[nodiscard]] std::string unused_step_words(double measured_s, const ExpectedStep& expected);
/// The same, a line each; empty of none.
[[nodiscard]] std::string own_step_lines(const std::optional<OwnStep>& own);
/// `measured_s`, `expected_s`, their `ratio`, the narrowed interval, `inside`, `gap_parts`, `hidden_s` and
/// `paired_spread`, a share, null where it is not known.
[[nodiscard]] Tree own_step_values(const OwnStep& own);

} // namespace meshslice
