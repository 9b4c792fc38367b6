// The timeline as a screen reader reads it: the rows that are seen.

#include "core/base/text.h"
#include "core/report/headline.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/timeline/timeline_picture.h"
#include "ui/timeline/timeline_view.h"
#include "ui/view/finding.h"

#include <algorithm>

namespace meshslice::ui {

QString TimelineView::atAGlance() const {
    QStringList lines;
    for (std::size_t step = 0; step < model_.stepCount(); ++step) {
        lines << words(headline(model_.step(step)));
    }
    return lines.join(QStringLiteral(". "));
}

std::vector<ReadablePart> TimelineView::readableParts() const {
    std::vector<ReadablePart> parts;
    if (!sentence().isEmpty()) {
        return parts;
    }
    const TimelinePicture& shown = picture();
    const TimeRange range = shown.scale.range;
    const std::optional<Selected>& selected = selection().selected();
    for (std::size_t step = 0; step < model_.stepCount() && step < shown.layout.panes.size(); ++step) {
        const QRect& pane = shown.layout.panes[step].rows;
        const std::size_t first = shown.window.firstRow;
        const std::size_t last =
            std::min(model_.rows(step).size(), first + rowsThatFit(pane, shown.rowHeight()));
        for (std::size_t row = first; row < last && parts.size() < most_readable_parts; ++row) {
            const TimelineModel::Found found = model_.look(step, row, range);
            const QString place = words(row_name(model_.torus(step), model_.rows(step)[row]));
            const bool is_selected = selected && selected->step == step && selected->row == row;
            QStringList lines = {
                model_.stepCount() > 1 ? QStringLiteral("%1: %2").arg(stepTitle(model_.step(step)), place)
                                       : place,
                tr("bars: %1").arg(found.count),
                tr("busy for %1 of what is seen").arg(words(percent_text(ratio(found.busy, length(range)))))};
            if (is_selected) {
                lines << accessibleDescription();
            }
            const QRect area = rowRect(pane, shown.rowHeight(), first, row);
            parts.push_back(readablePart(lines, fromPicture(area), is_selected));
        }
    }
    return parts;
}

} // namespace meshslice::ui
