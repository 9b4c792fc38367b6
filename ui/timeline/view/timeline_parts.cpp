// The timeline as a screen reader reads it: the rows that are seen.

#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/timeline/row_list.h"
#include "ui/timeline/view/timeline_picture.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/finding.h"

namespace meshslice::ui {

QString TimelineView::atAGlance() const {
    QStringList lines;
    for (std::size_t step = 0; step < runs_.size(); ++step) {
        lines << words(headline(runs_[step]->step()));
    }
    return lines.join(QStringLiteral(". "));
}

std::vector<ReadablePart> TimelineView::readableParts() const {
    if (!sentence().isEmpty()) {
        return {};
    }
    if (!parts_) { // a screen reader asks again for each of them
        parts_ = makeReadableParts();
    }
    return *parts_;
}

std::vector<ReadablePart> TimelineView::makeReadableParts() const {
    std::vector<ReadablePart> parts;
    const TimelinePicture& shown = picture();
    const TimeRange range = shown.scale.range;
    const std::optional<Selected>& selected = selection().selected();
    for (std::size_t step = 0; step < runs_.size() && step < shown.lines.size(); ++step) {
        for (std::size_t line = 0; line < shown.lines[step].size() && parts.size() < most_readable_parts;
             ++line) {
            const QRect area = fromPicture(shown.lineRect(step, line));
            const RowLine& at = shown.lines[step][line];
            if (at.group) {
                const RowList::Group& group = (*shown.choice.rows)[step].groups[at.index];
                parts.push_back(
                    readablePart({tr("%1, rows: %2").arg(group.name).arg(group.rows.size())}, area, false));
                continue;
            }
            const LaneUse found = use_in(*runs_[step], at.index, range);
            const QString place = words(row_name(runs_[step]->torus(), runs_[step]->rows()[at.index]));
            const bool is_selected = selected && selected->step == step && selected->row == at.index;
            QStringList lines = {
                runs_.size() > 1 ? stepTitle(runs_[step]->step()) + translated(": ") + place : place,
                tr("bars: %1").arg(found.count),
                tr("busy for %1 of what is seen").arg(words(percent_text(ratio(found.busy, length(range)))))};
            if (is_selected) {
                lines << accessibleDescription();
            }
            parts.push_back(readablePart(lines, area, is_selected));
        }
    }
    return parts;
}

} // namespace meshslice::ui
