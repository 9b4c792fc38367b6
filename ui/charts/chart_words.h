#pragma once

#include <QCoreApplication>

namespace meshslice::ui {

/// The context of a chart's words for a translator.
struct ChartTexts {
    Q_DECLARE_TR_FUNCTIONS(Chart)
};

} // namespace meshslice::ui
