#include "ui/timeline/view/timeline_view.h"

#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "ui/controls/search_bar.h"
#include "ui/look/figure_style.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/critical_outline.h"
#include "ui/timeline/view/timeline_table.h"
#include "ui/view/finding.h"

#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace meshslice::ui {
namespace {

// QT_LOGGING_RULES="ui.timeline.frametime.debug=true" says how long the picture took to make.
Q_LOGGING_CATEGORY(frameTime, "ui.timeline.frametime", QtWarningMsg)

constexpr int least_for_overview = 240; ///< pixels of height; of less the rows need all

} // namespace

TimelineView::TimelineView(Session* session, QWidget* parent)
    : PaintedView(session, parent)
    , scroll_(new QScrollBar(Qt::Vertical, this))
    , search_(new SearchBar(tr("Search the timeline"), tr("chip 3,5 east; sync; FF1 backward"),
                            tr("Words of a row, a GEMM or an activity: bars that all of them describe are "
                               "found. Enter: the next, Shift+Enter: the previous, Escape: close"),
                            this))
    , finder_(std::bind_front(&TimelineView::showFound, this))
    , lists_(std::make_shared<const std::vector<RowList>>())
    , links_(std::bind_front(&TimelineView::linksFound, this)) {
    setMouseTracking(true);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("When each core multiplies and each link moves. Step through the bars of a row with "
           "the full stop and comma keys."));
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setAccessibleName(tr("Rows of the timeline"));
    connect(scroll_, &QScrollBar::valueChanged, this, &TimelineView::changed);
    connect(search_, &SearchBar::wordsChanged, this, &TimelineView::search);
    connect(search_, &SearchBar::filterChanged, this, &TimelineView::search);
    connect(search_, &SearchBar::nextAsked, this, &TimelineView::goToMatch);
    connect(search_, &SearchBar::closed, this, &TimelineView::closeSearch);
    connect(&selection(), &Selection::rangeChanged, this, &TimelineView::changed);
    connect(&selection(), &Selection::momentChanged, this, qOverload<>(&TimelineView::update));
    connect(&selection(), &Selection::selectedChanged, this, &TimelineView::selectionChanged);
    const Document* document = session->document();
    marks_ = numbered(document->project().marks);
    connect(document, &Document::projectChanged, this, [this, document] {
        if (const std::vector<TimeMark> marks = numbered(document->project().marks); marks != marks_) {
            marks_ = marks;
            changed();
        }
    });
    connect(&selection(), &Selection::goToAsked, this, [this] {
        if (selection().selected()) {
            reveal(*selection().selected());
        }
    });
    layoutScrollBar();
}

void TimelineView::resultsChanged() {
    takeRuns();
    critical_known_ = false;
    links_.ask(nullptr, std::nullopt); // it keeps no results of its own
    summaries_ = {};
    clearMark();
    drag_ = Drag::none;
    if (results() && !own_groups_) {
        rows_ = foldedAlike(runs_, rows_);
    } else if (results()) {
        rows_.collapsed = collapsedThatExist(runs_, rows_);
    }
    search();         // in the new bars
    if (!results()) { // the next good run is seen as the last one was
        return;
    }
    const bool sawAll = length(selection().range()).value() <= 0 || selection().range() == last_whole_;
    last_whole_ = wholeOf(runs_);
    if (selection().selected() && !exists(runs_, *selection().selected())) {
        selection().select(std::nullopt);
    }
    selection().setRange(sawAll ? wholeOf(runs_) : within(selection().range(), wholeOf(runs_)));
    layoutScrollBar();
    scrollToNewFault();
    describeSelection();
    changed();
}

void TimelineView::takeRuns() {
    const StepRuns as_they_are = runsOf(results());
    if (aligned_ && (as_they_are.size() < 2 || !beginOf(*as_they_are[1], *aligned_))) {
        aligned_.reset();
    }
    runs_ = aligned_ ? alignedAt(as_they_are, *aligned_) : as_they_are;
    shifts_.clear();
    for (std::size_t step = 0; step < runs_.size(); ++step) {
        const std::vector<Piece>& pieces = runs_[step]->pieces();
        shifts_.push_back(pieces.empty() ? Time(0)
                                         : pieces.front().start - as_they_are[step]->pieces().front().start);
    }
}

/// Whoever makes a part slow, or opens a scenario in which one is, wants to see it and what waits for it, not
/// chip 0,0.
void TimelineView::scrollToNewFault() {
    if (mostRows(runs_) == 0) {
        return;
    }
    const std::vector<Fault> before = std::exchange(faults_, results()->scenario.assume.faults.parts);
    for (const Fault& fault : faults_) {
        const bool is_new = std::ranges::find(before, fault.part, &Fault::part) == before.end();
        if (const std::optional<std::size_t> row = is_new ? rowOf(runs_, fault.part) : std::nullopt) {
            if (!picture().placeOf(0, *row)) {
                scrollToRow(0, *row);
            }
            return;
        }
    }
}

QString TimelineView::nothingToShow() const {
    if (mostRows(runs_) > 0) {
        return {};
    }
    const StepRuns runs = runs_.empty() ? runsOf(results()) : runs_; // it may not have followed yet
    return whyNoBars(*runs.front());
}

TimelineChoice TimelineView::choice() const {
    TimelineChoice made;
    made.range = within(selection().range(), wholeOf(runs_));
    made.firstRow = static_cast<std::size_t>(scroll_->value());
    made.rowHeight = row_height_;
    made.reasons = mark_critical_ ? session().reasons() : nullptr;
    made.rows = lists_;
    made.marks = marks_;
    if (results()) {
        made.runNames = runNames(*results(), session().document()->project());
    }
    made.shifts = shifts_;
    if (aligned_ && !runs_.empty()) {
        made.aligned = QString::fromStdString(runs_.front()->step().gemms[*aligned_].title());
    }
    return made;
}

TimelineChoice TimelineView::choiceHere() const {
    TimelineChoice made = choice();
    made.inWindow = true;
    made.top = search_->isHidden() ? 0 : toPicture(QSize(0, search_->height())).height();
    made.overview = pictureSize().height() >= least_for_overview;
    made.scrollBar = toPicture(scroll_->sizeHint()).width();
    return made;
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
    const TimelineChoice seen = choice();
    const Time middle = seen.range.begin + Time(length(seen.range).value() / 2);
    for (std::size_t step = 0; seen.reasons && step < runs_.size(); ++step) {
        const std::optional<std::size_t> index = runs_[step]->piece_at(middle);
        const Piece* piece = index ? &runs_[step]->pieces()[*index] : nullptr;
        const ProductWhy* why = piece ? seen.reasons->of(step, piece->gemm) : nullptr;
        const CriticalEvent* event = why ? eventAt(*why->path, middle - piece->start) : nullptr;
        if (event && event->row >= 0) {
            scrollToRow(step, static_cast<std::size_t>(event->row));
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
        {tr("[ and ]"), tr("To the bar that the selected one waited for, and to one that waited for it")},
        {tr("M"), tr("Mark the moment at the cursor, or remove the mark that is there")},
        {tr("1 to 9"), tr("Go to a mark; they are counted from left to right")},
        {tr("N"), tr("Write a note on the selected bar, or at the moment at the cursor; edit the one there")},
        {tr("G"), tr("Align both runs at the selected GEMM, or let both begin at 0 again")},
        {tr("C"), tr("Show or hide the critical path")},
        {tr("/"),
         tr("Search bars by words of their row, GEMM or activity; Enter, Shift+Enter: next, previous")},
        {tr("Click on the name of a chip or group"), tr("Fold it, or unfold it")},
        {tr("Drag"), tr("Mark a stretch of time; the details add up what happens in it")},
        {tr("Enter"), tr("Zoom to the marked stretch")},
        {tr("Escape"), tr("Clear mark and selection")},
        {tr("Drag in the strip of the whole run"), tr("Move what is seen; while all is, zoom in")},
        {tr("Wheel, Ctrl+wheel, Shift+wheel"), tr("Scroll the rows, zoom, move in time")},
        {tr("Shift+drag or middle button"), tr("Move in time")},
        {tr("Double click"), tr("Zoom to a bar")},
    };
}

const TimelinePicture& TimelineView::picture() const {
    if (!picture_) {
        QElapsedTimer timer;
        timer.start();
        TimelineChoice seen = choiceHere();
        seen.found = &finder_.found();
        seen.summaries = &summaries_;
        picture_ = makePicture(runs_, seen, pictureSize());
        qCDebug(frameTime) << "made in" << static_cast<double>(timer.nsecsElapsed()) * 1e-6 << "ms";
    }
    return *picture_;
}

void TimelineView::changed() {
    picture_.reset();
    parts_.reset();
    base_ = {};
    update();
}

void TimelineView::looksChanged() {
    placeSearch();
    layoutScrollBar();
    changed();
}

void TimelineView::layoutScrollBar() {
    const RunLayout layout = layoutTimeline(runs_, choiceHere(), pictureSize());
    const int width = scroll_->sizeHint().width();
    const int top = layout.ruler.bottom() + 1;
    const QRect place = fromPicture({0, top, 0, std::max(0, layout.legend.top() - top)});
    scroll_->setGeometry(size().width() - width, place.top(), width, place.height());
    std::size_t hidden = 0;
    std::size_t page = mostRows(runs_);
    for (std::size_t step = 0; step < lists_->size(); ++step) {
        const RowList& list = (*lists_)[step];
        const std::size_t fit = layout.rowsThatFit(step);
        page = std::min(page, list.roomForOthers(fit));
        hidden = std::max(hidden, list.others.size() - std::min(list.others.size(), list.roomForOthers(fit)));
    }
    scroll_->setRange(0, static_cast<int>(hidden));
    scroll_->setPageStep(std::max(1, static_cast<int>(page)));
    scroll_->setVisible(hidden > 0 && sentence().isEmpty());
}

void TimelineView::setRowHeight(RowHeight height) {
    row_height_ = height;
    layoutScrollBar();
    changed();
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    placeSearch();
    layoutScrollBar();
    changed();
}

void TimelineView::paintContent(QPainter& painter) {
    QElapsedTimer timer;
    timer.start();
    scroll_->setVisible(scroll_->maximum() > 0);
    paintBuffered(painter, base_, [&](QPainter& base_painter) {
        (void)picture();
        paint(base_painter, *picture_, pictureSize(), theme());
        if (const QRect& strip = picture().layout.overview; strip.height() > 0) {
            paintOverview(base_painter, strip, results()->densities, theme());
            paintOverviewFrame(base_painter, strip, wholeOf(runs_), picture().scale.range, theme());
        }
        qCDebug(frameTime) << "painted in" << static_cast<double>(timer.nsecsElapsed()) * 1e-6 << "ms";
    });
    paintOverlay(painter);
}

void TimelineView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    QString about = comparisonFinding(*results());
    if (runs_.size() == 1) {
        about = QString::fromStdString(headline(runs_.front()->step(), SaidEdits::nearby));
    } else if (about.isEmpty()) {
        about = tr("When does each core multiply, and when does each link move?");
    }
    TimelineChoice chosen = choice();
    chosen.title = about;
    {
        // The rows that are said to be seen may make the title a line longer, and that the rows fewer. What
        // the title is stands below.
        const FigureStyle tried(figureTitle(), pictureFamily(), titleStandsAbove());
        const std::size_t first = chosen.firstRow;
        const RowList& list = lists_->front();
        const std::size_t lines = list.pinned.size() + list.others.size();
        for (int pass = 0; pass < 2; ++pass) {
            const TimelinePicture shown = makePicture(runs_, chosen, size);
            const auto seen =
                static_cast<std::size_t>(std::ranges::count(shown.lines.front(), false, &RowLine::group));
            const bool as_recorded = rows_ == RowChoice{};
            if (as_recorded && seen < lines) { // a file does not scroll
                chosen.title =
                    tr("Rows %L2 to %L3 of %L4. %1").arg(about).arg(first + 1).arg(first + seen).arg(lines);
            } else if (seen < mostRows(runs_)) {
                chosen.title = tr("%L2 of %L3 rows. %1").arg(about).arg(seen).arg(mostRows(runs_));
            }
        }
    }
    TimelinePicture shown = makePicture(runs_, chosen, size);
    paint(painter, shown, size, theme);
}

Table TimelineView::makeTable() const {
    const TimelineChoice shown = choice();
    return timelineTable(runsOf(results()), shown.range, shown.marks, shown.runNames);
}

std::function<Table()> TimelineView::makeTableLater() const {
    return [runs = runsOf(results()), shown = choice()] {
        return timelineTable(runs, shown.range, shown.marks, shown.runNames);
    };
}

QString TimelineView::whatTableLacks() const {
    const std::size_t bars = barsIn(runs_, choice().range);
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
        return note_;
    }
    const TimelinePicture& shown = picture();
    QString words = tr("%1 to %2: %3")
                        .arg(shown.axis.readOut(mark_->range.begin, shown.scale),
                             shown.axis.readOut(mark_->range.end, shown.scale),
                             QString::fromStdString(text(length(mark_->range))));
    if (mark_->step && mark_->row) {
        const Time busy = use_in(*runs_[*mark_->step], *mark_->row, mark_->range).busy;
        words += tr("; %1 busy %2")
                     .arg(QString::fromStdString(row_name(runs_[*mark_->step]->torus(),
                                                          runs_[*mark_->step]->rows()[*mark_->row])),
                          QString::fromStdString(percent_text(ratio(busy, length(mark_->range)))));
    }
    return words;
}

void TimelineView::describeSelection() {
    parts_.reset();
    const std::optional<Selected>& selected = selection().selected();
    QStringList lines;
    if (selected && exists(runs_, *selected)) {
        const std::optional<RunSlice> at = barOf(runs_, *selected);
        const std::optional<std::size_t> piece = pieceOf(runs_, *selected);
        if (at) {
            lines = barLines(*runs_[selected->step], *selected->row, *at);
        } else if (piece && selected->interval) {
            lines = waitLines(*runs_[selected->step], *selected->row, *piece, *rangeOf(runs_, *selected));
        } else {
            lines = productLines(*runs_[selected->step], selected->gemm);
        }
    }
    setAccessibleDescription(lines.isEmpty()
                                 ? tr("Nothing is selected. Step through the bars of a row with the full "
                                      "stop and comma keys.")
                                 : lines.join(QStringLiteral("; ")));
}

} // namespace meshslice::ui
