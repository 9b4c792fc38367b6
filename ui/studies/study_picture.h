#pragma once

#include "core/report/study_chart.h"
#include "ui/look/palette.h"

#include <QSize>

class QPainter;

namespace meshslice::ui {

/// The charts of a study in the window's letters.
[[nodiscard]] StudyChart layoutStudy(const StudyResult& result, const QSize& size);
void paint(QPainter& painter, const StudyChart& chart, Theme theme);

} // namespace meshslice::ui
