#pragma once

#include "core/base/result.h"
#include "ui/session/results.h"

#include <QString>

#include <stop_token>

namespace meshslice::ui {

/// Writes the Chrome trace of one algorithm's step to a file, whole or not at all; not at all
/// when it is stopped. Touches no widget, so it
/// may run on any thread.
[[nodiscard]] Result<void> saveTrace(const ResultsPtr& results, std::size_t step, const QString& path,
                                     const std::stop_token& stop = {});

} // namespace meshslice::ui
