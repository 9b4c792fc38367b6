// How the timeline answers to keys, wheel and mouse. The other half of TimelineView, which paints, is in
// timeline_view.cpp.

#include "ui/controls/search_bar.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/fault_menu.h"
#include "ui/timeline/view/time_keys.h"
#include "ui/timeline/view/timeline_view.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr int rows_per_notch = 3;
constexpr int drag_threshold = 4; ///< pixels; less is a click

} // namespace

bool TimelineView::inData(const QPoint& point) const {
    return picture().layout.inData(point);
}

std::optional<TimelineView::Hit> TimelineView::hit(const QPoint& point) const {
    if (!sentence().isEmpty() || !inData(point)) {
        return std::nullopt;
    }
    const TimelinePicture& shown = picture();
    const std::optional<std::size_t> pane = shown.layout.blockAt(point);
    if (!pane) {
        return std::nullopt;
    }
    Hit at;
    at.step = *pane;
    at.band = shown.layout.blocks[*pane].spans.contains(point);
    const std::optional<RowLine> line = shown.lineAt(at.step, point.y());
    if (line && !line->group) {
        at.row = line->index;
        at.there = barAt(*runs_[at.step], *at.row, pixelAt(shown.scale, point.x()));
    }
    const std::optional<std::size_t> piece = runs_[at.step]->piece_at(shown.scale.time(point.x() + 0.5));
    if (piece) {
        at.gemm = runs_[at.step]->pieces()[*piece].gemm;
    }
    return at;
}

QStringList TimelineView::linesAt(const QPoint& point) const {
    if (const std::optional<Name> name = nameAt(point)) {
        if (name->line.group) {
            const RowList::Group& group = (*lists_)[name->step].groups[name->line.index];
            QStringList lines = {group.name, tr("Click: fold or unfold it")};
            if (group.collapsed) {
                const std::vector<Row>& rows = runs_[name->step]->rows();
                const std::optional<MemoryStream> memory =
                    group.rows.empty() ? std::nullopt : rows[group.rows.front()].memory;
                lines << (!memory
                              ? tr("How many of its cores multiply, and below how many of its links are busy")
                          : *memory == MemoryStream::compute
                              ? tr("How many of its memories write what a GEMM has made")
                          : *memory == MemoryStream::communication
                              ? tr("How many of its memories read or add pieces of a reduce-scatter")
                              : tr("How many of its memories serve collectives that no GEMM feeds"));
            }
            return lines;
        }
        const Row& row = runs_[name->step]->rows()[name->line.index];
        QStringList lines = {QString::fromStdString(row_name(runs_[name->step]->torus(), row))};
        if (row.memory) {
            lines
                << (*row.memory == MemoryStream::compute
                        ? tr("When the chip's memory writes what the GEMM has made")
                    : *row.memory == MemoryStream::communication
                        ? tr("When the chip's memory reads pieces that are sent, and adds those that arrive")
                        : tr("When the chip's memory reads and writes for collectives that no GEMM feeds"))
                << tr("What a GEMM reads is not recorded");
        }
        lines << (rows_.groups == RowGroups::chip ? tr("Click: fold or unfold the chip's links")
                                                  : tr("Click: fold or unfold its group"));
        return lines;
    }
    if (sentence().isEmpty() && picture().layout.overview.contains(point)) {
        return {tr("The whole run: how many cores multiply, and below how many links are busy"),
                tr("Drag the frame to move in time")};
    }
    if (const QRect& ruler = picture().layout.ruler; sentence().isEmpty() && ruler.contains(point)) {
        const std::optional<std::size_t> mark = markAt(marks_, picture().scale, point.x() + 0.5);
        return mark ? markLines(marks_, *mark, picture().axis.readOut(marks_[*mark].at, picture().scale))
                    : QStringList();
    }
    if (const std::optional<std::size_t> note =
            sentence().isEmpty() ? noteAt(picture().notes, point) : std::nullopt) {
        return {markTitle(marks_, *note), picture().axis.readOut(marks_[*note].at, picture().scale),
                tr("Click its bar and press N to edit it; without words it goes away.")};
    }
    const std::optional<Hit> at = hit(point);
    if (!at) {
        const QRect& legend = picture().layout.legend;
        return sentence().isEmpty() && legend.contains(point)
                   ? legendLinesAt(legendOf(picture().window, picture().layout), legend.width() - 16.0,
                                   point - QPoint(8, legend.top() + 2))
                   : QStringList();
    }
    if (at->band && at->gemm) {
        return productLines(*runs_[at->step], *at->gemm);
    }
    return at->row ? linesOf(*runs_[at->step], *at->row, at->there) : QStringList();
}

QStringList TimelineView::tipAt(const QPoint& point) const {
    return linesAt(toPicture(point));
}

bool TimelineView::handleKey(int key, bool act) {
    const auto done = [act](auto&& action) {
        if (act) {
            action();
        }
        return true;
    };
    if (const std::optional<TimeStep> step = timeStep(key)) {
        return done([&] { move(*step, cursorX()); });
    }
    switch (key) {
    case Qt::Key_C: return done([this] { setMarksCriticalPath(!mark_critical_); });
    case Qt::Key_M: return done([this] { toggleMark(cursorX()); });
    case Qt::Key_N: return done([this] { askForNote(); });
    case Qt::Key_G:
        return runs_.size() > 1 && done([this] {
                   const std::optional<std::size_t> gemm = gemmToAlign();
                   alignAt(gemm == aligned_ ? std::nullopt : gemm);
               });
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
    case Qt::Key_4:
    case Qt::Key_5:
    case Qt::Key_6:
    case Qt::Key_7:
    case Qt::Key_8:
    case Qt::Key_9: return done([this, key] { goToMark(static_cast<std::size_t>(key - Qt::Key_1)); });
    case Qt::Key_BracketLeft: return done([this] { goAlong(false); });
    case Qt::Key_BracketRight: return done([this] { goAlong(true); });
    case Qt::Key_Slash: return done([this] { openSearch(); });
    case Qt::Key_Period: return done([this] { step(true); });
    case Qt::Key_Comma: return done([this] { step(false); });
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return done([this] {
            if (mark_) {
                fitSelection();
            }
        });
    case Qt::Key_Escape:
        if (!mark_ && !selection().selected()) {
            // Without anything to clear the window may want the key.
            return !search_->isHidden() && done([this] { search_->closeBar(); });
        }
        return done([this] {
            clearMark();
            drag_ = Drag::none;
            selection().select(std::nullopt);
            update();
        });
    default: return false;
    }
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (!sentence().isEmpty()) {
        event->ignore();
        return;
    }
    TimeStep step = timeStep(*event);
    if (step.move == TimeMove::rows) {
        step.by *= rows_per_notch;
    }
    move(step, event->position().x() / pictureScale());
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (const auto name = nameAt(toPicture(event->pos())); name && event->button() == Qt::LeftButton) {
        fold(name->group);
        return;
    }
    const QRect strip = picture().layout.overview;
    if (sentence().isEmpty() && event->button() == Qt::LeftButton &&
        strip.contains(toPicture(event->pos()))) {
        drag_ = Drag::overview;
        const int x = toPicture(event->pos()).x();
        overview_drag_ = OverviewDrag(strip, wholeOf(runs_), choice().range, x);
        selection().setRange(overview_drag_.at(x));
        return;
    }
    if (!sentence().isEmpty() || !inData(toPicture(event->pos()))) {
        PaintedView::mousePressEvent(event);
        return;
    }
    press_ = toPicture(event->pos());
    press_range_ = choice().range;
    press_scroll_ = scroll_->value();
    const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && shift)) {
        drag_ = Drag::pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        drag_ = Drag::pressed;
    }
    update();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = toPicture(event->pos());
    cursor_ = at;
    if (!sentence().isEmpty()) {
        return;
    }
    const TimelinePicture& shown = picture();
    if (drag_ == Drag::overview) {
        selection().setRange(overview_drag_.at(at.x()));
    }
    if (drag_ == Drag::pressed && std::abs(at.x() - press_.x()) >= drag_threshold) {
        drag_ = Drag::mark;
    }
    if (drag_ == Drag::mark) {
        const auto timeAt = [&](int x) {
            return shown.scale.time(std::clamp(x, shown.layout.left, shown.layout.right));
        };
        const Time one = timeAt(press_.x());
        const Time other = timeAt(at.x());
        Mark mark{{std::min(one, other), std::max(one, other)}, {}, {}};
        mark.step = shown.layout.blockAt(press_);
        const auto line = mark.step ? shown.lineAt(*mark.step, press_.y()) : std::optional<RowLine>();
        if (line && !line->group) {
            mark.row = line->index;
        }
        mark_ = mark;
    } else if (drag_ == Drag::pan) {
        const double perPixel = TimeScale{press_range_, 0, shown.scale.width}.picosecondsPerPixel();
        const Time by(std::llround((press_.x() - at.x()) * perPixel));
        selection().setRange(panned(press_range_, by, wholeOf(runs_)));
        scroll_->setValue(press_scroll_ + (press_.y() - at.y()) / shown.layout.row);
    }
    update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    const Drag was = drag_;
    drag_ = Drag::none;
    unsetCursor();
    if (was == Drag::mark && mark_) {
        selection().setMarked(mark_->range); // adding up takes longer than a frame may
    }
    if (was == Drag::pressed && event->button() == Qt::LeftButton) {
        clearMark();
        if (const QPoint at = toPicture(event->pos()); sentence().isEmpty() && inData(at)) {
            selection().setMoment(std::max(Time(0), picture().scale.time(at.x() + 0.5)));
        }
        const std::optional<Hit> at = hit(toPicture(event->pos()));
        const std::optional<RunSlice> bar =
            at ? (at->there.bar ? at->there.bar : at->there.found.longest) : std::nullopt;
        if (bar && !at->band) {
            selection().select(selectedBar(runs_, at->step, *at->row, bar->item));
        } else if (at && at->there.wait && !at->band) {
            const std::size_t piece = *runs_[at->step]->piece_at(at->there.wait->begin);
            selection().select(selectedWait(runs_, at->step, *at->row, piece, at->there.next));
        } else if (at && at->gemm && at->band) {
            selection().select(Selected{at->step, *at->gemm, {}, {}});
        } else {
            selection().select(std::nullopt);
        }
    }
    update();
}

void TimelineView::clearMark() {
    mark_.reset();
    selection().setMarked(std::nullopt);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    const std::optional<Hit> at = hit(toPicture(event->pos()));
    if (at && event->button() == Qt::LeftButton) {
        zoomTo(*at);
    }
}

void TimelineView::leaveEvent(QEvent* event) {
    cursor_.reset();
    update();
    PaintedView::leaveEvent(event);
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    const QPoint point = toPicture(event->pos());
    std::optional<Name> name = nameAt(point);
    if (const std::optional<Hit> at = hit(point); at && at->row) {
        name = Name{at->step, {*at->row, false}, 0};
    }
    fillMenu(menu, name, inData(point) ? point.x() + 0.5 : cursorX());
    menu.exec(event->globalPos());
}

QString TimelineView::offer(QMenu& menu) {
    if (!sentence().isEmpty()) {
        return {};
    }
    const std::optional<Selected>& selected = selection().selected();
    std::optional<Name> name;
    QString about;
    if (selected && selected->row && exists(runs_, *selected)) {
        name = Name{selected->step, {*selected->row, false}, 0};
        about = QString::fromStdString(
            row_name(runs_[name->step]->torus(), runs_[name->step]->rows()[*selected->row]));
    }
    fillMenu(menu, name, cursorX());
    return about;
}

void TimelineView::fillMenu(QMenu& menu, const std::optional<Name>& name, double x) {
    if (name && !name->line.group) {
        addFaults(menu, session(), name->step, runs_[name->step]->torus(),
                  runs_[name->step]->rows()[name->line.index]);
    }
    addRowEntries(menu, name);
    addMarkEntries(menu, x);
    if (runs_.size() > 1) {
        const std::optional<std::size_t> gemm = gemmToAlign();
        if (aligned_) {
            menu.addAction(tr("Let both runs begin at 0"), this, [this] { alignAt(std::nullopt); });
        }
        if (gemm && gemm != aligned_) {
            menu.addAction(tr("Align both runs at %1\tG")
                               .arg(QString::fromStdString(runs_.front()->step().gemms[*gemm].title())),
                           this, [this, gemm] { alignAt(gemm); });
        }
    }
    menu.addAction(tr("Show the whole run\tHome"), this, &TimelineView::showWholeRun);
    menu.addAction(tr("Fit the selection\tF"), this, &TimelineView::fitSelection);
    menu.addSeparator();
    QAction* critical =
        menu.addAction(tr("Mark the critical path\tC"), this, &TimelineView::setMarksCriticalPath);
    critical->setCheckable(true);
    critical->setChecked(mark_critical_);
    menu.addAction(tr("Scroll to the critical path"), this, &TimelineView::scrollToCriticalPath)
        ->setEnabled(choice().reasons != nullptr);
    menu.addSeparator();
    auto* heights = new QActionGroup(&menu);
    const auto add = [&](const QString& words, RowHeight height) {
        QAction* action = menu.addAction(words, this, [this, height] { setRowHeight(height); });
        action->setCheckable(true);
        action->setChecked(height == row_height_);
        heights->addAction(action);
    };
    add(tr("Compact rows"), RowHeight::compact);
    add(tr("Normal rows"), RowHeight::normal);
    add(tr("Comfortable rows"), RowHeight::comfortable);
}

} // namespace meshslice::ui
