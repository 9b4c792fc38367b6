#pragma once

#include "ui/look/palette.h"
#include "ui/timeline/row_list.h"
#include "ui/timeline/step_runs.h"
#include "ui/timeline/timeline_geometry.h"

#include <QRect>
#include <QString>

#include <span>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// Words that have room in a bar.
struct BarWords {
    QRect place;
    QString words;
    Role role = Role::compute; ///< of the bar
    int width = 0;             ///< of the words, in the middle of their place

    /// What the words themselves cover.
    [[nodiscard]] QRect lettered() const {
        return {place.left() + (place.width() - width) / 2, place.top(), width, place.height()};
    }
};

/// What the bars of the lines say, where they are wide enough: "slice 3 of 8", "AG_col, slice 3 of 8", or as
/// much of it as fits. Rows that are low, or full of bars too narrow for any word, say nothing.
[[nodiscard]] std::vector<BarWords> wordsInBars(const StepRun& run, const TimeScale& scale, const QRect& area,
                                                int rowHeight, std::span<const RowLine> lines);
void paintBarWords(QPainter& painter, const std::vector<BarWords>& all, Theme theme);

} // namespace meshslice::ui
