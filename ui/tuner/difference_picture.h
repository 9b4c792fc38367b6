#pragma once

#include "ui/tuner/tuner_picture.h"

namespace meshslice::ui {

/// How high a picture so wide has to be for all rows.
[[nodiscard]] double leastHeight(const TunerDifference& difference, double width);
/// The map of what B takes less or more than A: its leaders are the lines of the list, one for each row.
[[nodiscard]] TunerPicture makeDifferencePicture(const TunerDifferencePtr& difference, const QSize& size);
/// What the cells and the marks stand for and what is left out, as one line.
[[nodiscard]] QString differenceKey(const TunerPicture& picture, const TunerMarks& marks);

/// Blue where B takes less time, vermilion where it takes more, the stronger the larger the difference; no
/// colour where both take the same time. Two hues that nobody takes for each other; a sign says it, too.
[[nodiscard]] QColor differenceColor(const TunerDifference& difference, const DifferenceCell& cell,
                                     Theme theme);
/// Everything except ground, title and bars.
void paintDifference(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme);

} // namespace meshslice::ui
