#pragma once

#include <QCoreApplication>

namespace meshslice::ui {

/// The context of this room's words for a translator.
struct TunerWords {
    Q_DECLARE_TR_FUNCTIONS(Tuner)
};

} // namespace meshslice::ui
