#pragma once

#include "core/base/run_control.h"
#include "core/question/question.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <string_view>

namespace meshslice {

/// B, where a report is about two: its scenario, and what A and it are called.
struct ReportedAgainst {
    Scenario scenario;
    std::string first_name, name;
};

/// The document about what a question says of a scenario, with its own fields as they are typed, or as `own`
/// has them: Markdown where the file's name ends with ".md", PDF where it ends with ".pdf", else HTML.
/// Refuses what the question refuses.
[[nodiscard]] Result<std::string> report_text(const Question& over, const OwnTexts& texts,
                                              const Scenario& scenario, std::string_view file,
                                              const RunControl& control, const OwnValues& own = {},
                                              const std::optional<ReportedAgainst>& against = {});

} // namespace meshslice
