#pragma once

#include "core/figure/table.h"
#include "ui/torus/torus_picture.h"

#include <QStringList>

namespace meshslice::ui {

/// A row for each core and link: what it does at the moment, and how busy it is over the range, what it
/// carries, and its slack where that is known (else null).
[[nodiscard]] Table torusTable(const StepRun& run, const TorusFrame& frame, TimeRange range,
                               const StepSlack* slack);

/// What a table asks: of one run at a moment, over a stretch of time.
struct TorusTableRequest {
    StepRuns runs;
    std::size_t step = 0;
    Time moment;
    TimeRange range;
    SlackPtr slack; ///< of all steps; null: left out

    bool operator==(const TorusTableRequest&) const = default;
};
/// In English, as programs read it; refused when it is stopped.
[[nodiscard]] Result<Table> torusTableOf(const TorusTableRequest& request, const RunControl& control = {});

/// What a row is and what its colour says, line by line: "chip 0,0  east link", "carries 1.20 MB in 61.7 ms".
[[nodiscard]] QStringList rowLines(const TorusPicture& picture, std::size_t row);

} // namespace meshslice::ui
