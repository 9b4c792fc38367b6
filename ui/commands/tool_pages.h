#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/figure/table.h"
#include "ui/session/results.h"

#include <QString>

namespace meshslice::ui {

/// What a tool has found: a sentence and the table behind it.
struct ToolPage {
    QString finding;
    Table table;
};

/// Every GEMM of the results run on real matrices, as `meshslice verify` does one: large ones on small
/// matrices that are cut alike.
[[nodiscard]] Result<ToolPage> verifiedPage(const Results& results, const RunControl& control);
/// The dataflow of every layer by which a step is fastest, next to the usual choice, as `meshslice tune
/// --dataflows` says it.
[[nodiscard]] Result<ToolPage> dataflowPage(const Scenario& scenario, const RunControl& control);

} // namespace meshslice::ui
