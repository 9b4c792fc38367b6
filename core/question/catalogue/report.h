#pragma once

#include "core/base/run_control.h"
#include "core/question/question.h"

#include <string>
#include <string_view>

namespace meshslice {

/// The document about what a question says of a scenario, with its own fields as they are typed, or as `own`
/// has them: Markdown where the file's name ends with ".md", PDF where it ends with ".pdf", else HTML.
/// Refuses what the question refuses.
[[nodiscard]] Result<std::string> report_text(const Question& over, const OwnTexts& texts,
                                              const Scenario& scenario, std::string_view file,
                                              const RunControl& control, const OwnValues& own = {});

} // namespace meshslice
