#pragma once

#include "core/figure/role.h"
#include "ui/timeline/run_window.h"

#include <QCoreApplication>
#include <QString>

#include <cstddef>
#include <optional>

namespace meshslice::ui {

/// The words that a picture of runs and what is read at a point of it share.
struct RunPictureWords {
    Q_DECLARE_TR_FUNCTIONS(RunPicture)
};

[[nodiscard]] QString runRoleName(const RunWindow& window, Role role);
[[nodiscard]] QString runHeldText(double bytes);
[[nodiscard]] QString runTimeText(Time time);
/// The counter of a row's place.
[[nodiscard]] std::optional<std::size_t> runCounterOf(const RunWindow& window,
                                                      std::optional<std::size_t> row);
[[nodiscard]] QString runRowName(const RunRow& row);

} // namespace meshslice::ui
