#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/question/catalogue/report.h"
#include "core/question/question.h"
#include "core/scenario/scenario.h"

#include <QString>

#include <optional>

namespace meshslice::ui {

/// Writes a report about a question of the scenario, with its own fields as they are typed or as `own` has
/// them, to a file, whole or not at all: Markdown where its name ends with .md, else HTML. Touches no widget,
/// so it may run on any thread. With `against` it is about two scenarios, this one as A.
[[nodiscard]] Result<void> saveReport(const Question& question, const OwnTexts& texts,
                                      const Scenario& scenario, const QString& path,
                                      const RunControl& control, const OwnValues& own = {},
                                      const std::optional<ReportedAgainst>& against = {});

} // namespace meshslice::ui
