// What TimelineView paints over the finished picture: selection, mark, moment and pointer.

#include "core/base/text.h"
#include "ui/look/lettering.h"
#include "ui/timeline/view/timeline_bars.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/timeline/wait.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr std::size_t most_arrows = 16; ///< in each direction; more are a thicket
constexpr double arrow_head = 6;

/// From a bar's end to another's start, its head at the end.
void paintLinkArrow(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& ink,
                    const QColor& halo) {
    const QLineF line(from, to);
    if (line.length() < 1) {
        return;
    }
    const QPointF along((to - from) / line.length() * arrow_head);
    const QPointF across(-along.y() / 2, along.x() / 2);
    QPolygonF head;
    head << to << to - along + across << to - along - across;
    painter.setPen(QPen(halo, 4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(line);
    painter.setPen(QPen(ink, 1.5));
    painter.drawLine(line);
    painter.setBrush(ink);
    painter.drawPolygon(head);
}

} // namespace

void TimelineView::paintOverlay(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintMark(painter);
    paintLinks(painter);
    paintSelected(painter);
    paintMoment(painter);
    paintCursor(painter);
    // Without anything to read out, its place says how to get about. It is right of the legend's last line,
    // or has one of its own.
    const QString words = readOut();
    const QString keys = tr("drag: measure   W S: zoom   A D: pan   /: search   F: fit   Home: whole run");
    const QRectF line = noteLine(picture().window, picture().layout);
    painter.setPen(color(words.isEmpty() ? Role::quietText : Role::text, theme()));
    const QFont font = lettering(Lettering::small);
    QString shown = words.isEmpty() ? keys : words;
    while (words.isEmpty() && !shown.isEmpty() && textWidth(font, shown) > line.width()) {
        shown = shown.left(std::max<qsizetype>(0, shown.lastIndexOf(QStringLiteral("   ")))); // whole keys
    }
    drawFitted(painter, line, Qt::AlignRight | Qt::AlignVCenter, font, shown);
}

void TimelineView::paintSelected(QPainter& painter) {
    const std::optional<Selected>& selected = selection().selected();
    if (!selected || !exists(runs_, *selected)) {
        return;
    }
    const TimelinePicture& shown = picture();
    const RunLayout::Block& pane = shown.layout.blocks[selected->step];
    const auto frame = [&](TimeRange range, const QRect& place) {
        const int left = std::max(shown.scale.pixel(range.begin), shown.layout.left);
        const int right = std::min(std::max(shown.scale.pixel(range.end), left + 1), shown.layout.right);
        if (range.end > shown.scale.range.begin && range.begin < shown.scale.range.end && right > left) {
            paintSelection(painter, QRect(left, place.top(), right - left, place.height()), theme());
        }
    };
    const std::optional<TimeRange> product = rangeOf(runs_, {selected->step, selected->gemm, {}, {}});
    frame(*product, pane.spans.adjusted(0, selection_frame, 0, -selection_frame));
    const auto frameInRow = [&](TimeRange range, std::size_t index) {
        if (const std::optional<QRect> row = shown.placeOf(selected->step, index)) {
            frame(range, row->adjusted(0, 2, 0, -2));
        }
    };
    const std::optional<std::size_t> piece = pieceOf(runs_, *selected);
    if (selected->row && !selected->interval) { // something of the row that has no bar
        if (const std::optional<QRect> row = shown.placeOf(selected->step, *selected->row)) {
            paintSelection(painter,
                           QRect(selection_frame, row->top() + selection_frame,
                                 shown.layout.left - 2 * selection_frame,
                                 row->height() - 2 * selection_frame),
                           theme());
        }
    }
    if (!piece || !selected->interval) {
        return;
    }
    frameInRow(*rangeOf(runs_, *selected), *selected->row);
    if (!selected->wait) {
        return;
    }
    // And the transfer that is waited for.
    const Timeline& timeline = *runs_[selected->step]->pieces()[*piece].timeline;
    if (const std::optional<WaitCause> cause = causeOf(timeline, *selected->row, *selected->interval)) {
        const RunSlice bar = runs_[selected->step]->slice(cause->row, StepRun::item(*piece, cause->index));
        frameInRow({bar.start, bar.end}, cause->row);
    }
}

/// Arrows from what the selected bar waited for, and to what waited for it. Rows out of sight are beyond the
/// edge at which their arrows end.
void TimelineView::paintLinks(QPainter& painter) {
    const std::optional<Selected>& selected = selection().selected();
    const std::optional<RunSlice> bar = selected ? barOf(runs_, *selected) : std::nullopt;
    const DirectDependencies* links = bar ? links_.of(selected) : nullptr;
    if (!links) {
        return;
    }
    const TimelinePicture& shown = picture();
    const QRect area = shown.layout.blocks[selected->step].rows;
    const RowList& list = (*lists_)[selected->step];
    const auto height = [&](std::size_t row) -> double {
        if (const std::optional<QRect> place = shown.placeOf(selected->step, row)) {
            return place->center().y() + 0.5;
        }
        const std::optional<std::size_t> place = list.placeOf(row);
        return place && *place < static_cast<std::size_t>(scroll_->value()) ? area.top() - 8.0
                                                                            : area.bottom() + 8.0;
    };
    QColor halo = color(Role::background, theme());
    halo.setAlpha(170);
    const QColor ink = color(Role::text, theme());
    const auto arrow = [&](std::size_t from, Time leaves, std::size_t to, Time arrives) {
        paintLinkArrow(painter, {shown.scale.x(leaves), height(from)}, {shown.scale.x(arrives), height(to)},
                       ink, halo);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    const std::size_t piece = StepRun::bar(bar->item).piece;
    for (std::size_t k = 0; k < std::min(most_arrows, links->before.size()); ++k) {
        const BarPlace& before = links->before[k];
        arrow(before.row, runs_[selected->step]->slice(before.row, StepRun::item(piece, before.index)).end,
              *selected->row, bar->start);
    }
    for (std::size_t k = 0; k < std::min(most_arrows, links->after.size()); ++k) {
        const BarPlace& after = links->after[k];
        arrow(*selected->row, bar->end, after.row,
              runs_[selected->step]->slice(after.row, StepRun::item(piece, after.index)).start);
    }
    painter.restore();
}

void TimelineView::paintMark(QPainter& painter) {
    if (!mark_) {
        return;
    }
    const TimelinePicture& shown = picture();
    const int left = std::max(shown.scale.pixel(mark_->range.begin), shown.layout.left);
    const int right = std::min(shown.scale.pixel(mark_->range.end), shown.layout.right);
    if (right < left) {
        return;
    }
    QColor veil = color(Role::text, theme());
    veil.setAlpha(28);
    const int top = shown.layout.ruler.top();
    const int height = shown.layout.legend.top() - 1 - top;
    painter.fillRect(QRect(left, top, right - left, height), veil);
    painter.fillRect(QRect(left, top, 1, height), color(Role::text, theme()));
    painter.fillRect(QRect(right, top, 1, height), color(Role::text, theme()));
}

/// The moment that the torus shows, with a handle on the axis.
void TimelineView::paintMoment(QPainter& painter) {
    const TimelinePicture& shown = picture();
    const std::optional<Time> moment = selection().moment();
    const int x = shown.scale.pixel(moment.value_or(Time(0)));
    if (!moment || x < shown.layout.left || x >= shown.layout.right) {
        return;
    }
    const QRect ruler = shown.layout.ruler;
    const QColor colour = palette().color(QPalette::Highlight);
    for (const auto& [from, to] :
         stretchesOf(x, ruler.bottom(), shown.layout.legend.top() - 2, shown.lettered)) {
        painter.fillRect(QRect(x, from, 1, to - from + 1), colour);
    }
    painter.fillRect(QRect(x - 4, ruler.bottom() - 5, 9, 5), colour);
}

void TimelineView::paintCursor(QPainter& painter) {
    if (!cursor_ || !inData(*cursor_) || drag_ == Drag::pan) {
        return;
    }
    const TimelinePicture& shown = picture();
    paintRunCursor(painter, shown.window, shown.layout, cursor_->x(), theme(), shown.flags);
    if (const std::optional<Hit> at = hit(*cursor_); at && at->there.bar && drag_ == Drag::none) {
        const QRect row = *shown.placeOf(at->step, *at->row);
        const int from = std::max(shown.scale.pixel(at->there.bar->start), shown.layout.left);
        const int to =
            std::min(std::max(shown.scale.pixel(at->there.bar->end), from + 1), shown.layout.right);
        painter.setPen(QPen(color(Role::text, theme()), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(from, row.top() + 1, to - from - 1, row.height() - 3));
    }
}

} // namespace meshslice::ui
