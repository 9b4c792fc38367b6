#include "ui/path/path_view.h"

#include "core/report/path_table.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/look/words.h"
#include "ui/view/finding.h"
#include "ui/view/painted_view.h"
#include "ui/view/table_picture.h"

#include <QCheckBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int path_column_gap = 12;

/// Of B and A, in this order, as results have them.
bool comparesTwo(const Reasons& reasons) {
    return reasons.results->reference && reasons.steps.size() == 2 && reasons.steps[0] && reasons.steps[1];
}

} // namespace

PathView::PathView(Session* session, QWidget* parent)
    : View(session, parent)
    , model_(new TableModel(this))
    , rows_(makeTableView(model_, tr("Critical path"), this))
    , summary_(new QLabel(this))
    , each_hop_(new QCheckBox(tr("Each &hop by itself"), this))
    , list_(new QWidget(this))
    , sentence_(new QLabel(this))
    , pages_(new QStackedLayout(this)) {
    rows_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    rows_->setAccessibleDescription(
        tr("Choosing a line selects its bar in all views; Enter shows it in the timeline."));
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setWordWrap(true);
    sentence_->setMargin(24);
    summary_->setWordWrap(true);
    summary_->setTextFormat(Qt::PlainText);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setAccessibleName(tr("What the critical path is made of"));
    summary_->setToolTip(tipParagraph(
        tr("Shares of the chain of activities that sets the time of the run. While the core waits, the chain "
           "goes over links or over slower chips.")));
    summary_->setMargin(6);
    auto* column = new QVBoxLayout(list_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    each_hop_->setToolTip(tr("Every synchronization and transfer of a link has a line of its own"));
    connect(each_hop_, &QCheckBox::toggled, this, &PathView::renew);
    column->addWidget(summary_);
    column->addWidget(each_hop_);
    column->addWidget(rows_, 1);
    pages_->addWidget(sentence_);
    pages_->addWidget(list_);
    setFocusProxy(rows_);
    connect(rows_->selectionModel(), &QItemSelectionModel::currentChanged, this, &PathView::goToLine);
    connect(rows_, &QTableView::activated, this, &PathView::timelineAsked);
    connect(&selection(), &Selection::selectedChanged, this, &PathView::followSelection);
}

std::vector<KeyHelp> PathView::keys() const {
    return {
        {tr("Up and down"), tr("Select the bar of the next or the previous line; the timeline goes there")},
        {tr("Enter or double click"), tr("Show the bar in the timeline")},
        {tr("Ctrl+A, Ctrl+C"), tr("Copy the whole list for a spreadsheet; Ctrl+C alone, the chosen lines")}};
}

std::vector<std::size_t> PathView::stepsWithPath() const {
    std::vector<std::size_t> steps;
    const ReasonsPtr reasons = session().reasons();
    for (std::size_t step = 0; reasons && step < reasons->steps.size(); ++step) {
        if (reasons->steps[step] && path_length(*reasons->steps[step]) > 0) {
            steps.push_back(step);
        }
    }
    return steps;
}

std::size_t PathView::mostLines() const {
    return most_path_lines / std::max<std::size_t>(1, stepsWithPath().size());
}

void PathView::resultsChanged() {
    renew();
}

void PathView::stateChanged() {
    if (isAnother(listed_, session().reasons())) {
        renew();
    }
    const QString said = sentence();
    sentence_->setText(said);
    pages_->setCurrentWidget(said.isEmpty() ? list_ : static_cast<QWidget*>(sentence_));
    if (!isCurrent() || !session().isExplaining()) {
        for (const Completed& completed : std::exchange(waiting_, {})) {
            View::complete(completed);
        }
    }
}

void PathView::complete(const Completed& completed) {
    if (isCurrent() && session().isExplaining()) {
        waiting_.push_back(completed);
    } else {
        View::complete(completed);
    }
}

QString PathView::nothingToShow() const {
    if (!stepsWithPath().empty()) {
        return {};
    }
    const ReasonsPtr reasons = session().reasons();
    if (!reasons) {
        return session().isExplaining() ? tr("Looking for the critical path\u2026")
                                        : tr("There is no critical path of this run.");
    }
    QStringList refusals;
    for (const Result<StepWhy>& step : reasons->steps) {
        const QString refusal = step ? QString() : words(step.error().sentence);
        if (!refusal.isEmpty() && !refusals.contains(refusal)) {
            refusals << refusal;
        }
    }
    const std::vector<TrainingStep>& all = reasons->results->steps;
    if (refusals.isEmpty() && std::ranges::any_of(all, &TrainingStep::in_stages)) {
        return tr("What waits for what is not followed where GPUs make GEMMs in stages. The details say what "
                  "bounds the run and what contention for memory costs it.");
    }
    return refusals.isEmpty() ? tr("There is no critical path of this run.")
                              : refusals.join(QLatin1Char(' '));
}

Table PathView::makeTable() const {
    return joined([this](const TrainingStep& step, const StepWhy& why) {
        return path_table(step, why, path_places(why, mostLines()));
    });
}

Table PathView::joined(const std::function<Table(const TrainingStep& step, const StepWhy& why)>& path) const {
    Table all;
    const ReasonsPtr reasons = session().reasons();
    const std::vector<std::size_t> steps = stepsWithPath();
    std::vector<std::string> variants;
    for (const std::size_t step : steps) {
        const StepWhy& why = *reasons->steps[step];
        const TrainingStep& of = reasons->results->steps[step];
        Table one = path(of, why);
        if (reasons->results->steps.size() > 1 && of.variant.empty()) {
            one.columns.insert(one.columns.begin(), "algorithm");
            for (auto& row : one.rows) {
                row.insert(row.begin(), of.algorithm);
            }
        }
        all.title = tr("Critical path").toStdString();
        all.columns = one.columns;
        std::ranges::move(one.rows, std::back_inserter(all.rows));
        variants.resize(all.rows.size(), of.variant);
    }
    name_variants(all, variants);
    return all;
}

/// With the names of algorithms that people use.
Table PathView::shownTable() const {
    Table table =
        each_hop_->isChecked() ? makeTable() : joined([](const TrainingStep& step, const StepWhy& why) {
            return path_group_table(step, why, path_groups(step, why));
        });
    if (!table.columns.empty() && table.columns.front() == "algorithm") {
        for (auto& row : table.rows) {
            row.front() = algorithmTitle(std::get<std::string>(row.front())).toStdString();
        }
    }
    return table;
}

QString PathView::summary() const {
    const ReasonsPtr reasons = session().reasons();
    QStringList lines;
    for (const std::size_t step : stepsWithPath()) {
        const QString sum = words(path_summary(*reasons->steps[step]));
        if (!sum.isEmpty()) {
            lines << tr("%1, %2.").arg(stepTitle(reasons->results->steps[step]), sum);
        }
    }
    if (reasons && comparesTwo(*reasons)) {
        const QString difference = words(path_difference(*reasons->steps[1], *reasons->steps[0]));
        if (!difference.isEmpty()) {
            lines << QStringLiteral("B \u2212 A, %1").arg(difference) + translated(".");
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QString PathView::whatTableLacks() const {
    const ReasonsPtr reasons = session().reasons();
    std::size_t all = 0;
    std::size_t listed = 0;
    for (const std::size_t step : stepsWithPath()) {
        const std::size_t length = path_length(*reasons->steps[step]);
        all += length;
        listed += std::min(length, mostLines());
    }
    return all == listed ? QString()
                         : tr("The table has the first %L1 of %L2 activities.").arg(listed).arg(all);
}

void PathView::renew() {
    listed_ = session().reasons();
    made_ = false;
    if (isVisible()) {
        makeList();
    }
}

void PathView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    makeList();
}

void PathView::makeList() {
    if (std::exchange(made_, true)) {
        return;
    }
    const ReasonsPtr reasons = session().reasons();
    following_ = true; // resetting the model moves the current line; the user has chosen nothing
    events_.clear();
    first_of_.clear();
    line_of_.clear();
    for (const std::size_t step : stepsWithPath()) {
        const StepWhy& why = *reasons->steps[step];
        const TrainingStep& of = reasons->results->steps[step];
        const std::vector<PathGroup> groups =
            each_hop_->isChecked() ? std::vector<PathGroup>() : path_groups(of, why);
        std::size_t group = 0;
        std::size_t left = 0; // of the events of the line
        for (const PathPlace& place :
             path_places(why, each_hop_->isChecked() ? mostLines() : path_length(why))) {
            const CriticalEvent& event = why.products[place.gemm].path->events[place.event];
            Selected line{step, place.gemm, {}, {}};
            line.row = row_of(*of.gemms[place.gemm].timeline, event);
            if (event.row >= 0) {
                line.interval = event.index;
            }
            if (left == 0) {
                left = groups.empty() ? 1 : groups[group++].count;
                first_of_.push_back(events_.size());
            }
            --left;
            line_of_.push_back(first_of_.size() - 1);
            events_.push_back(line);
        }
    }
    summary_->setText(summary());
    summary_->setVisible(!summary_->text().isEmpty());
    model_->setTable(shownTable());
    rows_->resizeColumnsToContents();
    for (int column = 0; column < model_->columnCount(); ++column) {
        rows_->setColumnWidth(column, rows_->columnWidth(column) + path_column_gap);
    }
    // Only the first lines were measured, which are those of one step.
    const ResultsPtr shown = results();
    for (const std::size_t step :
         shown && shown->steps.size() > 1 ? stepsWithPath() : std::vector<std::size_t>()) {
        const TrainingStep& of = shown->steps[step];
        const int width = rows_->fontMetrics().horizontalAdvance(stepTitle(of));
        rows_->setColumnWidth(0, std::max(rows_->columnWidth(0), width + 2 * path_column_gap));
    }
    fitRowHeight(rows_);
    following_ = false;
    followSelection();
}

/// Columns are as wide as their letters need.
void PathView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        renew();
    }
}

void PathView::goToLine() {
    const int line = rows_->currentIndex().row();
    if (!following_ && line >= 0 && static_cast<std::size_t>(line) < first_of_.size()) {
        selection().goTo(events_[first_of_[static_cast<std::size_t>(line)]]);
    }
}

void PathView::followSelection() {
    if (!made_) {
        return;
    }
    const auto& selected = selection().selected();
    const int now = rows_->currentIndex().row();
    const auto event = selected && selected->row ? std::ranges::find(events_, *selected) : events_.end();
    const int line = event == events_.end()
                         ? -1
                         : static_cast<int>(line_of_[static_cast<std::size_t>(event - events_.begin())]);
    if (now == line) {
        return;
    }
    following_ = true;
    rows_->setCurrentIndex(line < 0 ? QModelIndex() : model_->index(line, 0));
    following_ = false;
}

void PathView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    if (isCurrent() && nothingToShow().isEmpty()) {
        Table table = shownTable();
        table.title = summary().toStdString();
        paintTable(painter, size, theme, font(), table);
        return;
    }
    painter.fillRect(QRect({0, 0}, size), color(Role::background, theme));
    paintSentence(painter, QRectF(QPointF(0, 0), size), isCurrent() ? nothingToShow() : whyNotCurrent(),
                  theme);
}

} // namespace meshslice::ui
