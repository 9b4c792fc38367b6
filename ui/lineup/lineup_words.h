#pragma once

#include <QCoreApplication>

namespace meshslice::ui {

/// The context of this room's words for a translator.
struct LineupWords {
    Q_DECLARE_TR_FUNCTIONS(Lineup)
};

} // namespace meshslice::ui
