// How the line-up answers to keys, wheel and mouse. The other half of LineupView, which asks and paints, is
// in lineup_view.cpp.

#include "core/base/text.h"
#include "ui/lineup/lineup_text.h"
#include "ui/lineup/lineup_view.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/time_keys.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
bool LineupView::inData(const QPoint& point) const {
    if (!lineup_ || !sentence().isEmpty()) {
        return false;
    }
    const LineupLayout& layout = picture().layout;
    return point.x() >= layout.left && point.x() < layout.right && point.y() >= layout.ruler.top() &&
           point.y() < layout.legend.top();
}

std::vector<KeyHelp> LineupView::keys() const {
    return {
        {tr("W, S"), tr("Zoom in and out at the cursor")},
        {tr("A, D or Left, Right"), tr("Move left and right in time")},
        {tr("Up, Down, Page Up, Page Down"), tr("Scroll the algorithms")},
        {tr("F"), tr("The GEMM as when the view opens; again: the whole time axis")},
        {tr("Home"), tr("The whole time axis")},
        {tr("Drag"), tr("Move in time")},
        {tr("Wheel, Ctrl+wheel, Shift+wheel"), tr("Scroll the algorithms, zoom, move in time")},
    };
}

QStringList LineupView::linesAt(const QPoint& point) const {
    if (!lineup_ || !sentence().isEmpty()) {
        return {};
    }
    const LineupPicture& shown = picture();
    const QRect& legend = shown.layout.legend;
    if (legend.contains(point)) {
        return legendLinesAt(shown.legend, shown.size.width() - 16.0, point - QPoint(8, legend.top() + 2));
    }
    const std::optional<LineupPlace> at = placeAt(shown.layout, point);
    if (!at) {
        return {};
    }
    const LineupRun& run = shown.run(at->block);
    if (!run.step) {
        return {tr("%1 does not run here").arg(run.title), run.objection};
    }
    const GemmResult& result = lineup_->result(run);
    if (at->phases) {
        const Time time = shown.scale.time(point.x() + 0.5);
        for (const LineupPhase& phase : phasesOf(result)) {
            if (phase.range.begin <= time && time < phase.range.end) {
                return phaseLines(phase);
            }
        }
        return {};
    }
    if (at->lane) {
        const std::size_t row = shown.lanes[at->block][*at->lane].row;
        return linesOf(*lineup_->steps[*run.step], row,
                       barAt(*lineup_->steps[*run.step], row, shown.scale, point.x()));
    }
    return point.x() < shown.layout.left ? runLines(*lineup_, run) : QStringList();
}

QStringList LineupView::tipAt(const QPoint& point) const {
    return linesAt(toPicture(point));
}

bool LineupView::handleKey(int key, bool act) {
    if (!lineup_) {
        return false;
    }
    const std::optional<TimeStep> step = timeStep(key);
    if (step && act) {
        move(*step, cursorX());
    }
    return step.has_value();
}

void LineupView::move(const TimeStep& step, double x) {
    const auto scroll = [this](double by) {
        scroll_->setValue(scroll_->value() + static_cast<int>(std::lround(by)));
    };
    switch (step.move) {
    case TimeMove::zoom: return zoom(step.by, x);
    case TimeMove::pan: return pan(step.by);
    case TimeMove::rows: return scroll(step.by * scroll_->singleStep());
    case TimeMove::pages: return scroll(step.by * scroll_->pageStep());
    case TimeMove::fit: return fit();
    case TimeMove::whole: return showWholeRun();
    }
}

double LineupView::cursorX() const {
    const LineupLayout& layout = picture().layout;
    return cursor_ && inData(*cursor_) ? cursor_->x() + 0.5 : (layout.left + layout.right) / 2.0;
}

void LineupView::setRange(TimeRange range) {
    if (range != range_) {
        range_ = range;
        changed();
    }
}

void LineupView::zoom(double factor, double x) {
    const TimeRange range = window().range;
    const Time fixed = std::clamp(picture().scale.time(x), range.begin, range.end);
    setRange(zoomed(range, fixed, factor, wholeOf(lineup_->steps)));
}

void LineupView::pan(double share) {
    const TimeRange range = window().range;
    const Time by(std::llround(static_cast<double>(length(range).value()) * share));
    setRange(panned(range, by, wholeOf(lineup_->steps)));
}

void LineupView::fit() {
    if (lineup_) {
        const TimeRange opening = openingRange(*lineup_);
        setRange(range_ == opening ? wholeOf(lineup_->steps) : opening);
    }
}

void LineupView::showWholeRun() {
    if (lineup_) {
        setRange(wholeOf(lineup_->steps));
    }
}

void LineupView::wheelEvent(QWheelEvent* event) {
    if (!lineup_ || !sentence().isEmpty()) {
        event->ignore();
        return;
    }
    TimeStep step = timeStep(*event);
    step.by *= step.move == TimeMove::rows ? 3 : 1;
    move(step, event->position().x() / pictureScale());
    event->accept();
}

void LineupView::mousePressEvent(QMouseEvent* event) {
    const bool pans = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
    if (!pans || !inData(toPicture(event->pos()))) {
        PaintedView::mousePressEvent(event);
        return;
    }
    press_ = toPicture(event->pos());
    press_range_ = window().range;
    press_scroll_ = scroll_->value();
    setCursor(Qt::ClosedHandCursor);
    update();
}

void LineupView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = toPicture(event->pos());
    cursor_ = at;
    if (press_ && lineup_ && sentence().isEmpty()) {
        const double perPixel = TimeScale{press_range_, 0, picture().scale.width}.picosecondsPerPixel();
        const Time by(std::llround((press_->x() - at.x()) * perPixel));
        setRange(panned(press_range_, by, wholeOf(lineup_->steps)));
        scroll_->setValue(press_scroll_ + press_->y() - at.y());
    }
    update();
}

void LineupView::mouseReleaseEvent(QMouseEvent* event) {
    press_.reset();
    unsetCursor();
    update();
    PaintedView::mouseReleaseEvent(event);
}

void LineupView::leaveEvent(QEvent* event) {
    cursor_.reset();
    update();
    PaintedView::leaveEvent(event);
}

} // namespace meshslice::ui
