#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/figure/table.h"
#include "ui/session/results.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace meshslice::ui {

/// What a tool has found that is better than what a variant has, to be taken over with a button.
struct ToolOffer {
    QString title;                        ///< of the button
    std::string variant;                  ///< by name
    Scenario searched;                    ///< the variant's when it was searched
    std::optional<Stationary> stationary; ///< the dataflow of its layers
};

/// What a tool has found: a sentence, the table behind it, and how to read that.
struct ToolPage {
    QString finding;
    Table table;
    QString caption;
    std::vector<ToolOffer> offers;
};

/// Every GEMM of the results run on real matrices, as `meshslice verify` does one: large ones on small
/// matrices that are cut alike.
[[nodiscard]] Result<ToolPage> verifiedPage(const Results& results, const RunControl& control);
/// The dataflow of every layer by which a step of each variant is fastest, next to the usual choice, as
/// `meshslice tune --dataflows` says it; and of those that a scenario can ask for the fastest, where it is
/// another. Refused where it is refused for all of them.
[[nodiscard]] Result<ToolPage> dataflowPage(const std::vector<Variant>& variants, const RunControl& control);

} // namespace meshslice::ui
