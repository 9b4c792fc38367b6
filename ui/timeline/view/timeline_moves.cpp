// Where TimelineView goes, from bar to bar, to marks and matches, and which rows it shows on the way.

#include "core/base/text.h"
#include "core/scenario/file/project.h"
#include "ui/controls/search_bar.h"
#include "ui/timeline/view/timeline_view.h"

#include <QActionGroup>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr double bar_margin = 0.15; ///< on either side of a bar that is zoomed to
/// In characters, of which one may take four bytes.
constexpr qsizetype longest_typed_name = Project::longest_mark_name / 4;

} // namespace

double TimelineView::cursorX() const {
    const RunLayout& layout = picture().layout;
    return cursor_ && inData(*cursor_) ? cursor_->x() + 0.5 : (layout.left + layout.right) / 2.0;
}

void TimelineView::move(const TimeStep& step, double x) {
    switch (step.move) {
    case TimeMove::zoom:
    case TimeMove::pan:
        return selection().setRange(moved(choice().range, step, picture().scale.time(x), wholeOf(runs_)));
    case TimeMove::rows:
        return scrollRows(static_cast<int>(step.by < 0 ? std::floor(step.by) : std::ceil(step.by)));
    case TimeMove::pages: return scrollRows(static_cast<int>(step.by) * scroll_->pageStep());
    case TimeMove::fit: return fitSelection();
    case TimeMove::whole: return showWholeRun();
    }
}

void TimelineView::scrollRows(int rows) {
    scroll_->setValue(scroll_->value() + rows);
}

void TimelineView::showWholeRun() {
    selection().setRange(wholeOf(runs_));
}

void TimelineView::fitSelection() {
    std::optional<TimeRange> wanted;
    if (mark_) {
        wanted = within(mark_->range, wholeOf(runs_));
    } else if (selection().selected()) {
        if (const std::optional<TimeRange> range = rangeOf(runs_, *selection().selected())) {
            wanted = withMargin(*range, bar_margin, wholeOf(runs_));
        }
    }
    if (!wanted || *wanted == selection().range()) {
        showWholeRun();
    } else {
        selection().setRange(*wanted);
    }
}

void TimelineView::step(bool next) {
    const std::optional<Selected> selected = selection().selected();
    std::optional<RunSlice> to;
    std::size_t step = 0;
    const std::vector<RowLine> seen =
        picture().lines.empty() ? std::vector<RowLine>() : picture().lines.front();
    const auto first = std::ranges::find(seen, false, &RowLine::group);
    std::size_t row = first == seen.end() ? 0 : first->index;
    if (selected && exists(runs_, *selected)) {
        step = selected->step;
        row = selected->row.value_or(row);
    }
    if (selected && selected->interval && pieceOf(runs_, *selected)) {
        to = neighbour(runs_, *selected, next);
    } else if (row < runs_[step]->rows().size()) {
        to = bar_from(*runs_[step], row, 0, choice().range.begin + Time(1));
    }
    if (to) {
        const Selected found = selectedBar(runs_, step, row, to->item);
        selection().select(found);
        reveal(found);
    }
}

void TimelineView::reveal(const Selected& selected) {
    const std::optional<RunSlice> at = barOf(runs_, selected);
    if (!selected.row || !exists(runs_, selected)) {
        return;
    }
    const TimeRange range = choice().range;
    if (at && (at->end > range.end || at->start < range.begin)) {
        const Time middle(at->start.value() + (at->end - at->start).value() / 2);
        const Time by = middle - Time(range.begin.value() + length(range).value() / 2);
        selection().setRange(panned(range, by, wholeOf(runs_)));
    }
    if (!(*lists_)[selected.step].shows(*selected.row)) { // folded
        rows_.collapsed.erase(groupKey(*runs_[selected.step], *selected.row, rows_.groups));
        rowsChanged();
    }
    if (!(*lists_)[selected.step].shows(*selected.row)) { // filtered out
        search_->setFilters(false);
    }
    const auto place = (*lists_)[selected.step].placeOf(*selected.row);
    const int row = static_cast<int>(place.value_or(static_cast<std::size_t>(scroll_->value())));
    if (row < scroll_->value()) {
        scroll_->setValue(row);
    } else if (row >= scroll_->value() + scroll_->pageStep()) {
        scroll_->setValue(row - scroll_->pageStep() + 1);
    }
}

void TimelineView::zoomTo(const Hit& at) {
    if (at.band && at.gemm) {
        selection().setRange(*rangeOf(runs_, Selected{at.step, *at.gemm, {}, {}}));
    } else if (at.there.bar) {
        selection().setRange(
            withMargin({at.there.bar->start, at.there.bar->end}, bar_margin, wholeOf(runs_)));
    } else if (at.there.found.count > 1) {
        selection().setRange(withMargin(at.there.pixel, bar_margin, wholeOf(runs_)));
    } else if (at.there.wait) {
        selection().setRange(withMargin(*at.there.wait, bar_margin, wholeOf(runs_)));
    }
}

void TimelineView::setMarks(const std::vector<TimeMark>& marks) {
    if (const auto set = session().document()->setMarks(numbered(marks)); !set) {
        note_ = QString::fromStdString(set.error().sentence);
        update();
    }
}

void TimelineView::toggleMark(double x) {
    setMarks(toggled(marks_, picture().scale, x));
}

void TimelineView::goToMark(std::size_t number) {
    if (number >= marks_.size()) {
        return;
    }
    const Time at = marks_[number].at;
    const TimeRange range = choice().range;
    if (at < range.begin || at > range.end) {
        const Time middle = range.begin + Time(length(range).value() / 2);
        selection().setRange(panned(range, at - middle, wholeOf(runs_)));
    }
    for (const NotePlace& note : notesOf(runs_, choice().runNames, marks_)) {
        if (note.mark == number) {
            scrollToRow(note.step, note.row);
            break;
        }
    }
    selection().setMoment(at);
}

void TimelineView::addMarkEntries(QMenu& menu, double x) {
    const bool there = markAt(marks_, picture().scale, x).has_value();
    // While a menu is open, a run may end that gives pixels another time.
    menu.addAction(there ? tr("Remove the mark here\tM") : tr("Mark this moment\tM"), this,
                   [this, next = toggled(marks_, picture().scale, x)] { setMarks(next); });
    const NoteTarget target = noteTarget();
    menu.addAction(target.mark           ? tr("Edit the note…\tN")
                   : target.part.empty() ? tr("Write a note at this moment…\tN")
                                         : tr("Write a note on this bar…\tN"),
                   this, [this, target] { askForNote(target); });
    if (marks_.empty()) {
        return;
    }
    QMenu* go = menu.addMenu(tr("Go to a mark"));
    QMenu* rename = menu.addMenu(tr("Rename a mark"));
    QMenu* remove = menu.addMenu(tr("Remove a mark"));
    for (std::size_t k = 0; k < marks_.size(); ++k) {
        // In a menu "&" underlines and a tab begins the keys.
        QString title = markTitle(marks_, k).simplified();
        title.replace(QLatin1Char('&'), QStringLiteral("&&"));
        const QString at = tr("%1 at %2").arg(title, QString::fromStdString(text(marks_[k].at)));
        go->addAction(k < 9 ? tr("%1\t%2").arg(at, QString::number(k + 1)) : at, this,
                      [this, k] { goToMark(k); });
        rename->addAction(at, this, [this, k] { renameMark(k); });
        remove->addAction(at, this, [this, mark = marks_[k]] {
            std::vector<TimeMark> marks = marks_;
            std::erase(marks, mark);
            setMarks(marks);
        });
    }
    remove->addSeparator();
    remove->addAction(tr("All marks"), this, [this] { setMarks({}); });
}

std::optional<std::size_t> TimelineView::gemmToAlign() const {
    const std::optional<Selected>& selected = selection().selected();
    if (selected && exists(runs_, *selected)) {
        return selected->gemm;
    }
    if (runs_.empty() || !sentence().isEmpty()) {
        return std::nullopt;
    }
    const auto piece = runs_.front()->piece_at(picture().scale.time(cursorX()));
    return piece ? std::optional(runs_.front()->pieces()[*piece].gemm) : std::nullopt;
}

void TimelineView::alignAt(std::optional<std::size_t> gemm) {
    aligned_ = gemm;
    takeRuns();
    links_.ask(nullptr, std::nullopt);
    summaries_ = {};
    clearMark();
    search();
    selection().setRange(within(selection().range(), wholeOf(runs_)));
    last_whole_ = wholeOf(runs_);
    selectionChanged();
    changed();
}

NoteTarget TimelineView::noteTarget() const {
    const std::vector<std::string> names = choice().runNames;
    const std::optional<Selected>& selected = selection().selected();
    const auto on = [&](std::size_t step, std::size_t row, RunSlice bar) {
        bar.start -= shifts_[step]; // in its own run
        bar.end -= shifts_[step];
        return noteOn(runs_, names, marks_, step, row, bar);
    };
    if (const auto bar = selected ? barOf(runs_, *selected) : std::nullopt) {
        return on(selected->step, *selected->row, *bar);
    }
    if (const std::optional<Hit> at = cursor_ ? hit(*cursor_) : std::nullopt;
        at && at->row && at->there.bar) {
        return on(at->step, *at->row, *at->there.bar);
    }
    NoteTarget target{std::max(Time(0), picture().scale.time(cursorX()))};
    target.mark = markAt(marks_, picture().scale, cursorX());
    return target;
}

void TimelineView::askForNote() {
    if (sentence().isEmpty()) {
        askForNote(noteTarget());
    }
}

void TimelineView::askForNote(const NoteTarget& target) {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Note on the timeline"));
    const QString at = QString::fromStdString(text(target.at));
    dialog->setLabelText(target.where.isEmpty() ? tr("Note at %1:").arg(at)
                                                : tr("Note on %1 at %2:").arg(target.where, at));
    dialog->setTextValue(target.mark ? markName(marks_, *target.mark) : QString());
    connect(dialog, &QInputDialog::textValueSelected, this, [this, target](const QString& typed) {
        setMarks(withNote(marks_, target, typed.simplified().left(longest_typed_name)));
    });
    dialog->open();
}

void TimelineView::renameMark(std::size_t number) {
    const TimeMark before = marks_[number];
    const QString name = markName(marks_, number);
    const QString next =
        QInputDialog::getText(this, tr("Rename a mark"), tr("Name of the mark:"), QLineEdit::Normal, name)
            .simplified()
            .left(longest_typed_name);
    std::vector<TimeMark> marks = marks_; // while the dialog was open they may have become others
    const auto mark = std::ranges::find(marks, before);
    if (!next.isEmpty() && next != name && mark != marks.end()) {
        mark->name = next.toStdString();
        setMarks(marks);
    }
}

void TimelineView::selectionChanged() {
    note_.clear();
    follow_.reset();
    const std::optional<Selected>& selected = selection().selected();
    links_.ask(selected && barOf(runs_, *selected) ? runs_[selected->step] : nullptr, selected);
    describeSelection();
    update();
}

void TimelineView::linksFound() {
    if (const std::optional<bool> later = std::exchange(follow_, std::nullopt)) {
        goAlong(*later);
    }
    update();
}

void TimelineView::goAlong(bool later) {
    const std::optional<Selected> selected = selection().selected();
    if (!selected || !barOf(runs_, *selected)) {
        return;
    }
    const GemmResult& gemm = runs_[selected->step]->step().gemms[selected->gemm];
    if (selected->row && gemm.timeline && *selected->row >= gemm.timeline->rows().size()) {
        note_ = tr("only cores and links show what waits for what");
        update();
        return;
    }
    const DirectDependencies* links = links_.of(selected);
    if (!links) { // they are looked for, or cannot be found
        note_ = links_.refusal();
        follow_ = note_.isEmpty() ? std::optional(later) : std::nullopt;
        update();
        return;
    }
    const std::vector<BarPlace>& bars = later ? links->after : links->before;
    if (bars.empty()) {
        note_ = later ? tr("nothing in this GEMM waited for it") : tr("it waited for nothing in this GEMM");
        update();
        return;
    }
    Selected next = *selected;
    next.row = bars.front().row;
    next.interval = bars.front().index;
    selection().goTo(next);
}

void TimelineView::rowsChanged() {
    std::vector<RowList> lists;
    for (std::size_t step = 0; step < runs_.size(); ++step) {
        lists.push_back(rowList(*runs_[step], step, rows_));
    }
    lists_ = std::make_shared<const std::vector<RowList>>(std::move(lists));
    layoutScrollBar();
    changed();
}

void TimelineView::scrollToRow(std::size_t step, std::size_t row) {
    if (const std::optional<std::size_t> place = (*lists_)[step].placeOf(row)) {
        scroll_->setValue(static_cast<int>(*place) - scroll_->pageStep() / 2);
    }
}

void TimelineView::setRowGroups(RowGroups groups) {
    own_groups_ = true;
    rows_.groups = groups;
    rows_.collapsed.clear();
    rowsChanged();
}

void TimelineView::pin(std::size_t step, std::size_t row, bool pinned) {
    pinPart(partOfRow(runs_[step]->torus(), runs_[step]->rows()[row]), pinned);
}

void TimelineView::pinPart(const FaultyPart& part, bool pinned) {
    std::erase(rows_.pinned, part);
    if (pinned) {
        rows_.pinned.push_back(part);
    }
    rowsChanged();
}

void TimelineView::placeSearch() {
    search_->setGeometry(0, 0, width(), search_->sizeHint().height());
}

void TimelineView::openSearch() {
    placeSearch();
    search_->open();
    search();
}

void TimelineView::search() {
    go_.reset();
    finder_.ask(search_->isHidden() ? StepRuns() : runs_, search_->words());
    showFound();
}

void TimelineView::showFound() {
    const BarSearch& found = finder_.found();
    const std::optional<Selected>& selected = selection().selected();
    const bool searching = finder_.isSearching();
    const auto bar = selected && !searching && found.count() > 0 ? barOf(runs_, *selected) : std::nullopt;
    const BarSearch::Place place =
        bar ? found.placeOf(selected->step, *selected->row, *bar) : BarSearch::Place{};
    search_->say(searching            ? tr("searching…")
                 : !found.hasWords()  ? QString()
                 : found.count() == 0 ? tr("nothing found")
                 : place.matches      ? tr("%L1 of %L2").arg(place.before + 1).arg(found.count())
                                      : tr("%L1 found").arg(found.count()));
    const auto are_there = [this](const auto& matching) { // the rows of the last results may be others
        bool all = matching.size() == runs_.size();
        for (std::size_t step = 0; all && step < matching.size(); ++step) {
            all = matching[step].empty() || matching[step].back() < runs_[step]->rows().size();
        }
        return all;
    };
    if (!searching || !search_->filters() || !are_there(rows_.matching)) {
        const bool filtered = found.hasWords() && search_->filters();
        const bool other_rows = filtered != rows_.filtered;
        rows_.filtered = filtered;
        rows_.matching.clear();
        for (std::size_t step = 0; rows_.filtered && step < runs_.size(); ++step) {
            rows_.matching.push_back(found.rows(step));
        }
        rowsChanged();
        // What is selected stays in sight when all rows come back, or only some of them stay.
        if (other_rows && selected && selected->row && selected->step < runs_.size()) {
            scrollToRow(selected->step, *selected->row);
        }
    } else {
        rowsChanged();
    }
    if (go_ && !searching) {
        goToMatch(*std::exchange(go_, std::nullopt));
    }
}

void TimelineView::closeSearch() {
    search();
    setFocus();
}

/// From the selected bar on, round and round.
void TimelineView::goToMatch(bool forward) {
    if (finder_.isSearching()) {
        go_ = forward;
        return;
    }
    const BarSearch& found = finder_.found();
    const std::size_t count = found.count();
    if (count == 0) {
        return;
    }
    std::size_t number = forward ? 0 : count - 1;
    const std::optional<Selected>& selected = selection().selected();
    if (const auto bar = selected ? barOf(runs_, *selected) : std::nullopt) {
        const BarSearch::Place place = found.placeOf(selected->step, *selected->row, *bar);
        number = forward ? place.before + (place.matches ? 1 : 0) : place.before + count - 1;
        number %= count;
    }
    const BarSearch::Match match = found.at(number);
    search_->say(tr("%L1 of %L2").arg(number + 1).arg(count));
    selection().goTo(selectedBar(runs_, match.step, match.row, match.bar.item));
}

std::optional<TimelineView::Name> TimelineView::nameAt(const QPoint& point) const {
    if (!sentence().isEmpty() || point.x() < 0 || point.x() >= picture().layout.right) {
        return std::nullopt;
    }
    const TimelinePicture& shown = picture();
    const std::optional<std::size_t> step = shown.layout.blockAt(point);
    if (!step || *step >= shown.lines.size()) {
        return std::nullopt;
    }
    const std::optional<RowLine> line = shown.lineAt(*step, point.y());
    if (!line || (!line->group && point.x() >= shown.layout.left)) {
        return std::nullopt;
    }
    return Name{*step, *line,
                line->group ? (*lists_)[*step].groups[line->index].key
                            : groupKey(*runs_[*step], line->index, rows_.groups)};
}

void TimelineView::fold(std::int64_t group) {
    own_groups_ = true;
    if (rows_.collapsed.erase(group) == 0) {
        rows_.collapsed.insert(group);
    }
    rowsChanged();
}

void TimelineView::addRowEntries(QMenu& menu, const std::optional<Name>& name) {
    if (name && !name->line.group) {
        const std::size_t step = name->step;
        const std::size_t row = name->line.index;
        if (const Row& one = runs_[step]->rows()[row]; !one.memory) {
            const FaultyPart part = partOfRow(runs_[step]->torus(), one);
            const bool pinned = std::ranges::find(rows_.pinned, part) != rows_.pinned.end();
            menu.addAction(pinned ? tr("Unpin this row") : tr("Pin this row to the top"), this,
                           [this, part, pinned] { pinPart(part, !pinned); });
        }
    }
    if (!rows_.pinned.empty()) {
        menu.addAction(tr("Unpin all rows"), this, [this] {
            rows_.pinned.clear();
            rowsChanged();
        });
    }
    QMenu* together = menu.addMenu(tr("Group rows"));
    auto* groups = new QActionGroup(together);
    const auto add = [&](const QString& words, RowGroups value) {
        QAction* action = together->addAction(words, this, [this, value] { setRowGroups(value); });
        action->setCheckable(true);
        action->setChecked(value == rows_.groups);
        groups->addAction(action);
    };
    add(tr("by chip"), RowGroups::chip);
    add(tr("by row of the mesh"), RowGroups::row);
    add(tr("by column of the mesh"), RowGroups::column);
    add(tr("by core and link"), RowGroups::resource);
    add(tr("by alike chips"), RowGroups::alike);
    together->addSeparator();
    together->addAction(tr("Fold all"), this, [this] {
        own_groups_ = true;
        for (std::size_t step = 0; step < runs_.size(); ++step) {
            for (std::size_t row = 0; row < runs_[step]->rows().size(); ++row) {
                rows_.collapsed.insert(groupKey(*runs_[step], row, rows_.groups));
            }
        }
        rowsChanged();
    });
    together->addAction(tr("Unfold all"), this, [this] {
        own_groups_ = true;
        rows_.collapsed.clear();
        rowsChanged();
    });
    menu.addAction(tr("Search\t/"), this, &TimelineView::openSearch);
    menu.addSeparator();
}

} // namespace meshslice::ui
