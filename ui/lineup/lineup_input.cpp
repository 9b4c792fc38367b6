// How the line-up answers to keys, wheel and mouse. The other half of LineupView, which asks and paints, is
// in lineup_view.cpp.

#include "core/base/text.h"
#include "ui/lineup/lineup_text.h"
#include "ui/lineup/lineup_view.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/bar_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr double zoom_step = 1.4; ///< a key press, or a notch of the wheel
constexpr double pan_step = 0.12; ///< of the visible range

} // namespace

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
        return linesOf(lineup_->model, *run.step, row,
                       barAt(lineup_->model, *run.step, row, shown.scale, point.x()));
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
    const auto done = [act](auto&& action) {
        if (act) {
            action();
        }
        return true;
    };
    const auto scroll = [this](int by) { scroll_->setValue(scroll_->value() + by); };
    switch (key) {
    case Qt::Key_W: return done([this] { zoom(1 / zoom_step, cursorX()); });
    case Qt::Key_S: return done([this] { zoom(zoom_step, cursorX()); });
    case Qt::Key_A:
    case Qt::Key_Left: return done([this] { pan(-pan_step); });
    case Qt::Key_D:
    case Qt::Key_Right: return done([this] { pan(pan_step); });
    case Qt::Key_Up: return done([&] { scroll(-scroll_->singleStep()); });
    case Qt::Key_Down: return done([&] { scroll(scroll_->singleStep()); });
    case Qt::Key_PageUp: return done([&] { scroll(-scroll_->pageStep()); });
    case Qt::Key_PageDown: return done([&] { scroll(scroll_->pageStep()); });
    case Qt::Key_F: return done([this] { fit(); });
    case Qt::Key_Home: return done([this] { showWholeRun(); });
    default: return false;
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
    setRange(zoomed(range, fixed, factor, lineup_->model.whole()));
}

void LineupView::pan(double share) {
    const TimeRange range = window().range;
    const Time by(std::llround(static_cast<double>(length(range).value()) * share));
    setRange(panned(range, by, lineup_->model.whole()));
}

void LineupView::fit() {
    if (lineup_) {
        const TimeRange opening = openingRange(*lineup_);
        setRange(range_ == opening ? lineup_->model.whole() : opening);
    }
}

void LineupView::showWholeRun() {
    if (lineup_) {
        setRange(lineup_->model.whole());
    }
}

void LineupView::wheelEvent(QWheelEvent* event) {
    if (!lineup_ || !sentence().isEmpty()) {
        event->ignore();
        return;
    }
    // Alt and, on some desktops, Shift turn the wheel's vertical movement into a horizontal one.
    const QPoint turned = event->angleDelta();
    const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier) {
        zoom(std::pow(zoom_step, -notches), event->position().x() / pictureScale());
    } else if ((event->modifiers() & Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y())) {
        pan(-notches * pan_step);
    } else {
        scroll_->setValue(scroll_->value() -
                          static_cast<int>(std::lround(notches * 3 * scroll_->singleStep())));
    }
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
        setRange(panned(press_range_, by, lineup_->model.whole()));
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
