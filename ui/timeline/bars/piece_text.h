#pragma once

#include "core/step/run/step_run.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <utility>
#include <vector>

namespace meshslice::ui {

/// What happens to the piece that an interval of a row of this GEMM is about, where the GEMM feeds its
/// reduce-scatter: a title and what stands behind it for each event, in their order. `start`: of the GEMM's
/// run. Empty for other bars.
[[nodiscard]] std::vector<std::pair<QString, QString>> pieceEvents(const StepConditions& made,
                                                                   const GemmResult& product, std::size_t row,
                                                                   const Interval& interval, Time start);
/// The same as lines of a tooltip.
[[nodiscard]] QStringList pieceLines(const StepConditions& made, const GemmResult& product, std::size_t row,
                                     const Interval& interval, Time start);

/// What a stretch of a memory's row moves, and how fast; empty for other rows.
[[nodiscard]] QStringList memoryLines(const StepConditions& made, const GemmResult& product, std::size_t row,
                                      const Interval& interval);

} // namespace meshslice::ui
