#include "ui/timeline/timeline_view.h"

#include "core/base/text.h"
#include "core/report/headline.h"
#include "ui/look/lettering.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/critical_outline.h"
#include "ui/timeline/timeline_table.h"
#include "ui/timeline/wait.h"
#include "ui/view/finding.h"

#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

// QT_LOGGING_RULES="ui.timeline.frametime.debug=true" says how long the picture took to make.
Q_LOGGING_CATEGORY(frameTime, "ui.timeline.frametime", QtWarningMsg)

constexpr double read_out_width = 430;
constexpr double brief_read_out_width = 200; ///< enough for where the pointer is
constexpr double most_legend = 0.15;         ///< of the picture's height, else the legend is brief

} // namespace

TimelineView::TimelineView(Session* session, QWidget* parent)
    : PaintedView(session, parent), scroll_(new QScrollBar(Qt::Vertical, this)) {
    setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("When each core multiplies and each link moves. Step through the bars of a row with "
           "the full stop and comma keys."));
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setAccessibleName(tr("Rows of the timeline"));
    connect(scroll_, &QScrollBar::valueChanged, this, &TimelineView::changed);
    connect(&selection(), &Selection::rangeChanged, this, &TimelineView::changed);
    connect(&selection(), &Selection::momentChanged, this, qOverload<>(&TimelineView::update));
    connect(&selection(), &Selection::selectedChanged, this, [this] {
        describeSelection();
        update();
    });
    connect(&selection(), &Selection::goToAsked, this, [this] {
        if (selection().selected()) {
            reveal(*selection().selected());
        }
    });
    layoutScrollBar();
}

void TimelineView::resultsChanged() {
    model_ = TimelineModel(results());
    critical_known_ = false;
    clearMark();
    drag_ = Drag::none;
    if (!results()) { // the next good run is seen as the last one was
        layoutScrollBar();
        changed();
        return;
    }
    const bool sawAll = length(selection().range()).value() <= 0 || selection().range() == last_whole_;
    last_whole_ = model_.whole();
    if (selection().selected() && !model_.exists(*selection().selected())) {
        selection().select(std::nullopt);
    }
    selection().setRange(sawAll ? model_.whole() : within(selection().range(), model_.whole()));
    layoutScrollBar();
    scrollToNewFault();
    describeSelection();
    changed();
}

/// Whoever makes a part slow, or opens a scenario in which one is, wants to see it and what waits for it, not
/// chip 0,0.
void TimelineView::scrollToNewFault() {
    if (model_.mostRows() == 0) {
        return;
    }
    const std::vector<Fault> before = std::exchange(faults_, results()->scenario.faults.parts);
    for (const Fault& fault : faults_) {
        const bool is_new = std::ranges::find(before, fault.part, &Fault::part) == before.end();
        if (const std::optional<std::size_t> row = is_new ? model_.rowOf(fault.part) : std::nullopt) {
            const int place = static_cast<int>(*row);
            if (place < scroll_->value() || place >= scroll_->value() + scroll_->pageStep()) {
                scroll_->setValue(place - scroll_->pageStep() / 2);
            }
            return;
        }
    }
}

QString TimelineView::nothingToShow() const {
    if (model_.mostRows() > 0) {
        return {};
    }
    return whyNoBars(*results(), 0);
}

TimelineRoom TimelineView::room(const QSize& size, bool exported) const {
    TimelineRoom room;
    room.panes = std::max<std::size_t>(1, model_.stepCount());
    room.title = exported;
    room.headers = model_.stepCount() > 1;
    room.labels = labelWidth(model_, row_height_);
    room.scrollBar = exported ? 8 : toPicture(scroll_->sizeHint()).width();
    const auto legend_of = [&](bool brief) {
        return placeLegend(timelineLegend(model_, window().reasons != nullptr, brief), size.width() - 16.0);
    };
    LegendPlaces legend = legend_of(false);
    if (legend.lines * legend_line_height > most_legend * size.height()) {
        room.briefLegend = true;
        legend = legend_of(true);
    }
    // The read-out stands at the right of the legend's last line where there is room, else on a line of its
    // own.
    const bool beside =
        exported ||
        legend.lastWidth + (room.briefLegend ? brief_read_out_width : read_out_width) < size.width() - 16.0;
    room.legendLines = legend.lines + (beside ? 0 : 1);
    return room;
}

TimelineWindow TimelineView::window() const {
    return {within(selection().range(), model_.whole()), static_cast<std::size_t>(scroll_->value()),
            row_height_, mark_critical_ ? session().reasons() : nullptr};
}

void TimelineView::stateChanged() {
    PaintedView::stateChanged();
    const bool known = session().reasons() != nullptr;
    if (known != std::exchange(critical_known_, known) && mark_critical_) {
        layoutScrollBar(); // the legend has one thing more to say
        changed();
    }
    if (!isCurrent() || !session().isExplaining()) {
        for (const Completed& completed : std::exchange(waiting_, {})) {
            View::complete(completed);
        }
    }
}

void TimelineView::setMarksCriticalPath(bool mark) {
    mark_critical_ = mark;
    layoutScrollBar();
    changed();
}

void TimelineView::scrollToCriticalPath() {
    const TimelineWindow seen = window();
    const Time middle = seen.range.begin + Time(length(seen.range).value() / 2);
    for (std::size_t step = 0; seen.reasons && step < model_.stepCount(); ++step) {
        const std::optional<std::size_t> index = model_.pieceAt(step, middle);
        const Piece* piece = index ? &model_.pieces(step)[*index] : nullptr;
        const ProductWhy* why = piece ? seen.reasons->of(step, piece->gemm) : nullptr;
        const CriticalEvent* event = why ? eventAt(*why->path, middle - piece->start) : nullptr;
        if (event && event->row >= 0) {
            scroll_->setValue(event->row - scroll_->pageStep() / 2);
            return;
        }
    }
}

void TimelineView::complete(const Completed& completed) {
    if (isCurrent() && mark_critical_ && session().isExplaining()) {
        waiting_.push_back(completed);
    } else {
        View::complete(completed);
    }
}

std::vector<KeyHelp> TimelineView::keys() const {
    return {
        {tr("W, S"), tr("Zoom in and out at the cursor")},
        {tr("A, D or Left, Right"), tr("Move left and right in time")},
        {tr("Up, Down, Page Up, Page Down"), tr("Scroll the rows")},
        {tr("F"), tr("Fit the selection; again: the whole run")},
        {tr("Home"), tr("The whole run")},
        {tr(". and ,"), tr("Next and previous bar of the row")},
        {tr("C"), tr("Show or hide the critical path")},
        {tr("Drag"), tr("Mark a stretch of time; the details add up what happens in it")},
        {tr("Enter"), tr("Zoom to the marked stretch")},
        {tr("Escape"), tr("Clear mark and selection")},
        {tr("Wheel, Ctrl+wheel, Shift+wheel"), tr("Scroll the rows, zoom, move in time")},
        {tr("Shift+drag or middle button"), tr("Move in time")},
        {tr("Double click"), tr("Zoom to a bar")},
    };
}

const TimelinePicture& TimelineView::picture() const {
    if (!picture_) {
        QElapsedTimer timer;
        timer.start();
        picture_ = makePicture(model_, window(), pictureSize(), room(pictureSize(), false));
        std::size_t rects = 0;
        for (const Bars& bars : picture_->bars) {
            rects += bars.count();
        }
        qCDebug(frameTime) << "built" << rects << "rectangles in"
                           << static_cast<double>(timer.nsecsElapsed()) * 1e-6 << "ms";
    }
    return *picture_;
}

void TimelineView::changed() {
    picture_.reset();
    base_ = {};
    update();
}

void TimelineView::looksChanged() {
    layoutScrollBar();
    changed();
}

void TimelineView::layoutScrollBar() {
    const TimelineLayout layout = layoutTimeline(pictureSize(), room(pictureSize(), false));
    const int width = scroll_->sizeHint().width();
    const int top = layout.ruler.bottom() + 1;
    const QRect place = fromPicture({0, top, 0, std::max(0, layout.legend.top() - top)});
    scroll_->setGeometry(size().width() - width, place.top(), width, place.height());
    std::size_t fit = model_.mostRows();
    for (const TimelineLayout::Pane& pane : layout.panes) {
        fit = std::min(fit, rowsThatFit(pane.rows, pixels(row_height_)));
    }
    const auto hidden = static_cast<int>(model_.mostRows() - fit);
    scroll_->setRange(0, hidden);
    scroll_->setPageStep(std::max(1, static_cast<int>(fit)));
    scroll_->setVisible(hidden > 0 && sentence().isEmpty());
}

void TimelineView::setRowHeight(RowHeight height) {
    row_height_ = height;
    layoutScrollBar();
    changed();
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    layoutScrollBar();
    changed();
}

void TimelineView::paintContent(QPainter& painter) {
    QElapsedTimer timer;
    timer.start();
    scroll_->setVisible(scroll_->maximum() > 0);
    paintBuffered(painter, base_, [&](QPainter& base_painter) {
        paint(base_painter, picture(), pictureSize(), theme());
        qCDebug(frameTime) << "painted in" << static_cast<double>(timer.nsecsElapsed()) * 1e-6 << "ms";
    });
    paintOverlay(painter);
}

void TimelineView::paintOverlay(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintMark(painter);
    paintSelected(painter);
    paintMoment(painter);
    paintCursor(painter);
    // Without anything to read out, its place says how to get about.
    const QString words = readOut();
    const QString shown =
        words.isEmpty() ? tr("drag: measure   W S: zoom   A D: pan   F: fit   Home: whole run") : words;
    const QRectF legend = picture().layout.legend;
    painter.setPen(color(words.isEmpty() ? Role::quietText : Role::text, theme()));
    const QRectF line(8, legend.bottom() - 22, legend.width() - 16, legend_line_height);
    drawFitted(painter, line, Qt::AlignRight | Qt::AlignVCenter, lettering(Lettering::small), shown);
}

void TimelineView::paintSelected(QPainter& painter) {
    const std::optional<Selected>& selected = selection().selected();
    if (!selected || !model_.exists(*selected)) {
        return;
    }
    const TimelinePicture& shown = picture();
    const TimelineLayout::Pane& pane = shown.layout.panes[selected->step];
    const auto frame = [&](TimeRange range, const QRect& place) {
        const int left = std::max(shown.scale.pixel(range.begin), shown.layout.labels);
        const int right = std::min(std::max(shown.scale.pixel(range.end), left + 1), shown.layout.right);
        if (range.end > shown.scale.range.begin && range.begin < shown.scale.range.end && right > left) {
            paintSelection(painter, QRect(left, place.top(), right - left, place.height()), theme());
        }
    };
    const std::optional<TimeRange> product = model_.rangeOf({selected->step, selected->gemm, {}, {}});
    frame(*product, pane.bands.adjusted(0, selection_frame, 0, -selection_frame));
    const auto frameInRow = [&](TimeRange range, std::size_t index) {
        if (index >= shown.window.firstRow &&
            index < shown.window.firstRow + rowsThatFit(pane.rows, shown.rowHeight())) {
            const QRect row = rowRect(pane.rows, shown.rowHeight(), shown.window.firstRow, index);
            frame(range, row.adjusted(0, 2, 0, -2));
        }
    };
    const std::optional<std::size_t> piece = model_.pieceOf(*selected);
    if (!piece || !selected->interval) {
        return;
    }
    frameInRow(*model_.rangeOf(*selected), *selected->row);
    if (!selected->wait) {
        return;
    }
    // And the transfer that is waited for.
    const Timeline& timeline = *model_.pieces(selected->step)[*piece].timeline;
    if (const std::optional<WaitCause> cause = causeOf(timeline, *selected->row, *selected->interval)) {
        const PlacedInterval bar = model_.placed(selected->step, cause->row, *piece, cause->index);
        frameInRow({bar.start, bar.end}, cause->row);
    }
}

void TimelineView::paintMark(QPainter& painter) {
    if (!mark_) {
        return;
    }
    const TimelinePicture& shown = picture();
    const int left = std::max(shown.scale.pixel(mark_->range.begin), shown.layout.labels);
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
    if (!moment || x < shown.layout.labels || x >= shown.layout.right) {
        return;
    }
    const QRect ruler = shown.layout.ruler;
    const QColor colour = palette().color(QPalette::Highlight);
    painter.fillRect(QRect(x, ruler.bottom(), 1, shown.layout.legend.top() - 1 - ruler.bottom()), colour);
    painter.fillRect(QRect(x - 4, ruler.bottom() - 5, 9, 5), colour);
}

void TimelineView::paintCursor(QPainter& painter) {
    if (!cursor_ || !inData(*cursor_) || drag_ == Drag::pan) {
        return;
    }
    const TimelinePicture& shown = picture();
    const QRect ruler = shown.layout.ruler;
    const int x = cursor_->x();
    painter.fillRect(QRect(x, ruler.bottom(), 1, shown.layout.legend.top() - 1 - ruler.bottom()),
                     tint(Role::quietText, theme(), 0.8));
    const QFont font = lettering(Lettering::small, true);
    const QString words = shown.axis.readOut(shown.scale.time(x + 0.5), shown.scale);
    const double width = textWidth(font, words) + 10;
    const double left = std::clamp(x - width / 2, static_cast<double>(ruler.left()),
                                   std::max<double>(ruler.left(), shown.layout.right - width));
    painter.fillRect(QRectF(left, ruler.top() + 2, width, ruler.height() - 6), color(Role::text, theme()));
    painter.setPen(color(Role::background, theme()));
    drawFitted(painter, QRectF(left, ruler.top() + 2, width, ruler.height() - 6), Qt::AlignCenter, font,
               words);

    if (const std::optional<Hit> at = hit(*cursor_); at && at->there.bar && drag_ == Drag::none) {
        const TimelineLayout::Pane& pane = shown.layout.panes[at->step];
        const QRect row = rowRect(pane.rows, shown.rowHeight(), shown.window.firstRow, *at->row);
        const int from = std::max(shown.scale.pixel(at->there.bar->start), shown.layout.labels);
        const int to =
            std::min(std::max(shown.scale.pixel(at->there.bar->end), from + 1), shown.layout.right);
        painter.setPen(QPen(color(Role::text, theme()), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(from, row.top() + 1, to - from - 1, row.height() - 3));
    }
}

void TimelineView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    TimelinePicture shown = makePicture(model_, window(), size, room(size, true));
    shown.title = comparisonFinding(*results());
    if (model_.stepCount() == 1) {
        shown.title = QString::fromStdString(headline(model_.step(0), SaidEdits::nearby));
    } else if (shown.title.isEmpty()) {
        shown.title = tr("When does each core multiply, and when does each link move?");
    }
    const std::size_t first = shown.window.firstRow;
    const std::size_t fit = rowsThatFit(shown.layout.panes.front().rows, shown.rowHeight());
    if (first > 0 || first + fit < model_.mostRows()) { // a file does not scroll
        shown.title = tr("Rows %L2 to %L3 of %L4. %1")
                          .arg(shown.title)
                          .arg(first + 1)
                          .arg(std::min(first + fit, model_.mostRows()))
                          .arg(model_.mostRows());
    }
    paint(painter, shown, size, theme);
}

Table TimelineView::makeTable() const {
    return timelineTable(model_, window().range);
}

QString TimelineView::whatTableLacks() const {
    const std::size_t bars = barsIn(model_, window().range);
    return bars <= most_table_rows ? QString()
                                   : tr("The table has the first %L1 of %L2 bars; show a shorter stretch of "
                                        "time to get all of it, "
                                        "or write the whole run with meshslice simulate --intervals.")
                                         .arg(most_table_rows)
                                         .arg(bars);
}

std::optional<TimeRange> TimelineView::marked() const {
    return mark_ ? std::optional(mark_->range) : std::nullopt;
}

QString TimelineView::readOut() const {
    if (!mark_) {
        return {};
    }
    const TimelinePicture& shown = picture();
    QString words = tr("%1 to %2: %3")
                        .arg(shown.axis.readOut(mark_->range.begin, shown.scale),
                             shown.axis.readOut(mark_->range.end, shown.scale),
                             QString::fromStdString(text(length(mark_->range))));
    if (mark_->step && mark_->row) {
        const Time busy = model_.look(*mark_->step, *mark_->row, mark_->range).busy;
        words += tr("; %1 busy %2")
                     .arg(QString::fromStdString(
                              row_name(model_.torus(*mark_->step), model_.rows(*mark_->step)[*mark_->row])),
                          QString::fromStdString(percent_text(ratio(busy, length(mark_->range)))));
    }
    return words;
}

void TimelineView::describeSelection() {
    const std::optional<Selected>& selected = selection().selected();
    QStringList lines;
    if (selected && model_.exists(*selected)) {
        const std::optional<PlacedInterval> at = model_.place(*selected);
        const std::optional<std::size_t> piece = model_.pieceOf(*selected);
        if (at) {
            lines = barLines(model_, selected->step, *selected->row, *at);
        } else if (piece && selected->interval) {
            lines = waitLines(model_, selected->step, *selected->row, *piece, *model_.rangeOf(*selected));
        } else {
            lines = productLines(model_, selected->step, selected->gemm);
        }
    }
    setAccessibleDescription(lines.isEmpty()
                                 ? tr("Nothing is selected. Step through the bars of a row with the full "
                                      "stop and comma keys.")
                                 : lines.join(QStringLiteral("; ")));
}

} // namespace meshslice::ui
