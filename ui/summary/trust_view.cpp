#include "ui/summary/trust_view.h"

#include "core/evidence/measured_scenario.h"
#include "core/report/summary/expected_words.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/tab_order.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/plans.h"
#include "ui/summary/measured_run.h"

#include <QComboBox>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int widest_run_column = 300;

Result<TrustAnswer> trustOf(const TrustRequest& request, const RunControl& /*control*/) {
    TrustAnswer made;
    made.rows = &left_out_training();
    if (request.plan) {
        const ExpectedStep expected = expected_of(request.plan->question, request.plan->plan);
        made.expected = expected_words(expected);
        for (const MeasuredNearby& one : expected.nearest) {
            made.near.push_back(one.id);
        }
    }
    return made;
}

} // namespace

TrustView::TrustView(Session* session, QWidget* parent)
    : ChartJobView(session, parent)
    , hardware_(new QComboBox(this))
    , kind_(new QComboBox(this))
    , load_(new QPushButton(tr("Load this run"), this))
    , expected_(new QLabel(this))
    , run_(new QLabel(this))
    , rows_(new TableModel(this))
    , table_(makeTableView(rows_, tr("Measured training runs"), this))
    , inquiry_(trustOf, [this] {
        showAnswer();
        emit answered();
    }) {
    setAccessibleName(tr("How far to trust this"));
    canvas()->setAccessibleName(tr("Predicted against measured times of training runs"));
    hardware_->addItem(tr("all chips"), QString());
    hardware_->setAccessibleName(tr("Chips that were measured"));
    hardware_->setToolTip(hardware_->accessibleName());
    kind_->addItem(tr("all models"), QString());
    kind_->addItem(tr("dense models"), QStringLiteral("dense"));
    kind_->addItem(tr("models with experts"), QStringLiteral("experts"));
    kind_->setAccessibleName(tr("Kind of models"));
    kind_->setToolTip(kind_->accessibleName());
    load_->setAccessibleName(load_->text());
    load_->setAutoDefault(false);
    layOut();
    connect(load_, &QPushButton::clicked, this, &TrustView::load);
    connect(table_, &QTableView::activated, this, &TrustView::load);
    for (QComboBox* list : {hardware_, kind_}) {
        list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        list->setMinimumContentsLength(12);
        connect(list, &QComboBox::currentIndexChanged, this, &TrustView::showRuns);
    }
    connect(session->plans(), &Plans::changed, this, &TrustView::renew);
    connect(session->plans(), &Plans::selectionChanged, this, &TrustView::renew);
    connect(canvas()->surface(), &ChartSurface::picked, this,
            [this](std::optional<int> item) { select(item.value_or(-1)); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid()) {
                    canvas()->surface()->select(
                        static_cast<int>(places_[static_cast<std::size_t>(now.row())]));
                }
                showSelected();
            });
}

void TrustView::layOut() {
    auto* controls = new WrappingRow(6);
    controls->setContentsMargins(12, 6, 12, 4);
    controls->add(hardware_, 2);
    controls->add(kind_, 2);
    controls->add(load_);
    expected_->setWordWrap(true);
    expected_->setTextFormat(Qt::PlainText);
    expected_->setAccessibleName(tr("What is expected of the plan"));
    expected_->setContentsMargins(12, 0, 12, 4);
    expected_->hide();
    run_->setWordWrap(true);
    run_->setTextFormat(Qt::PlainText);
    run_->setAccessibleName(tr("The selected run"));
    run_->setContentsMargins(12, 0, 12, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addLayout(sentenceRow(expected_));
    all->addLayout(sentenceRow(run_));
    all->addWidget(makeStack(makeScrolling(canvas(), this), table_), 1);
    tabInOrder({hardware_, kind_, load_, canvas(), table_});
    showSelected();
    setFocusProxy(hardware_);
}

std::vector<KeyHelp> TrustView::keys() const {
    std::vector<KeyHelp> all = ChartJobView::keys();
    all.push_back({tr("Up, Down in the table"), tr("Select a run, here and in the chart")});
    all.push_back({tr("Enter or double click in the table"), tr("Load the run into the scenario")});
    return all;
}

TrustRequest TrustView::wanted() const {
    const FoundPlansPtr found = session().plans()->current();
    const RankedPlan* plan = session().plans()->selectedPlan();
    return {found && plan != nullptr ? std::optional(ChosenPlan{found->answer.question, plan->plan})
                                     : std::nullopt};
}

bool TrustView::isCurrent() const {
    return inquiry_.answer() && inquiry_.answered() == wanted();
}

QString TrustView::sentence() const {
    return inquiry_.answer()              ? QString()
           : inquiry_.refusal().isEmpty() ? tr("Computing…")
                                          : inquiry_.refusal();
}

void TrustView::renew() {
    if (isVisible()) {
        session().plans()->want(this, true);
        inquiry_.ask(wanted());
    }
}

void TrustView::cancel(bool awaited) {
    if (awaited) {
        inquiry_.cancel();
    } else {
        session().plans()->want(this, false);
        inquiry_.cancelUnlessAwaited();
    }
}

/// The runs are shown also where there are no plans.
void TrustView::complete(const Completed& completed) {
    session().plans()->complete(
        [this, completed](const Result<void>&) { inquiry_.ask(wanted(), completed); });
}

TrainingShown TrustView::chosen() const {
    TrainingShown shown{
        hardware_->currentData().toString().toStdString(), kind_->currentData().toString().toStdString(), {}};
    if (inquiry_.answer()) {
        shown.near = inquiry_.answer()->near;
    }
    return shown;
}

void TrustView::fillHardware() {
    const QSignalBlocker quiet(hardware_);
    for (const auto& [name, rows] : hardware_of(*inquiry_.answer()->rows)) {
        hardware_->addItem(tr("%1: %2 runs").arg(words(name)).arg(rows), words(name));
    }
}

void TrustView::showAnswer() {
    if (inquiry_.answer() && hardware_->count() == 1) {
        fillHardware();
    }
    const QString expected = inquiry_.answer() ? words(inquiry_.answer()->expected) : QString();
    expected_->setText(expected);
    expected_->setVisible(!expected.isEmpty());
    showRuns();
}

void TrustView::showRuns() {
    places_.clear();
    if (!inquiry_.answer()) {
        rows_->setTable({});
        canvas()->show(std::nullopt, sentence());
        setAccessibleDescription(sentence());
        return;
    }
    const std::vector<PredictedTraining>& all = *inquiry_.answer()->rows;
    const TrainingShown shown = chosen();
    places_ = shown_runs(all, shown);
    const Chart chart = training_chart(all, shown);
    canvas()->show(chart.panels.empty() ? std::nullopt : std::optional(chart), words(chart.title));
    canvas()->surface()->select(std::nullopt);
    rows_->setTable(training_chart_table(all, shown));
    table_->resizeColumnsToContents();
    showSelected();
    for (int column = 0; column < rows_->columnCount(); ++column) {
        table_->setColumnWidth(column, std::min(widest_run_column, table_->columnWidth(column)));
    }
    setAccessibleDescription(words(chart.title));
}

void TrustView::select(int item) {
    const auto at = std::ranges::find(places_, static_cast<std::size_t>(item));
    if (item < 0 || at == places_.end()) {
        table_->selectionModel()->clear();
        canvas()->surface()->select(std::nullopt);
        showSelected();
        return;
    }
    const QModelIndex row = rows_->index(static_cast<int>(at - places_.begin()), 0);
    table_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                       QItemSelectionModel::Rows);
    table_->scrollTo(row);
}

const TrainingRow* TrustView::selectedRun() const {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    const auto at = rows.isEmpty() ? places_.size() : static_cast<std::size_t>(rows.front().row());
    return at < places_.size() && inquiry_.answer() ? &(*inquiry_.answer()->rows)[places_[at]].row()
                                                    : nullptr;
}

void TrustView::showSelected() {
    const TrainingRow* row = selectedRun();
    run_->setVisible(row != nullptr);
    load_->setEnabled(row != nullptr);
    load_->setToolTip(tipParagraph(tr("Model, machine, chips, split, batch and measured step of the selected "
                                      "run become the scenario's; can be undone")));
    if (row == nullptr) {
        return;
    }
    const Result<Scenario> its = measured_scenario(*row, session().document()->scenario());
    load_->setEnabled(its.has_value());
    const QString source = tr("%1 on %2 %3. Source: %4.")
                               .arg(words(row->model))
                               .arg(row->chips)
                               .arg(words(row->hardware), words(row->source));
    run_->setText(its ? source : tr("%1 It cannot be loaded. %2").arg(source, words(its.error().sentence)));
}

void TrustView::load() {
    if (const TrainingRow* row = selectedRun(); row != nullptr && load_->isEnabled()) {
        loadMeasuredRun(session(), row->id);
    }
}

Table TrustView::makeTable() const {
    return training_chart_table(*inquiry_.answer()->rows, chosen());
}

QString TrustView::pictured() const {
    return tr("Published training runs: %1, %2; each by constants fitted without it")
        .arg(hardware_->currentText(), kind_->currentText());
}

} // namespace meshslice::ui
