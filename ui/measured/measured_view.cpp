#include "ui/measured/measured_view.h"

#include "core/base/text.h"
#include "core/report/summary/expected_words.h"
#include "core/report/words/fit_words.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/tab_order.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/controls/wrapping_row.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/measured/log_pane.h"
#include "ui/session/plans.h"
#include "ui/timeline/panes/runs_pane.h"
#include "ui/view/painted_view.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr int look_again_ms = 100;
constexpr int parts_of_progress = 1000;

} // namespace

MeasuredView::MeasuredView(Session* session, QWidget* parent)
    : View(session, parent)
    , open_(new QPushButton(tr("Open a measured trace…"), this))
    , steps_(new QComboBox(this))
    , devices_(new QComboBox(this))
    , begins_(new QComboBox(this))
    , take_(new QPushButton(tr("Use as measured step"), this))
    , fit_(new QPushButton(tr("Fit the machine to this"), this))
    , bar_(new QProgressBar(this))
    , stop_(new QPushButton(tr("Stop"), this))
    , notice_(new QLabel(this))
    , runs_(new RunsPane(this))
    , parts_(new TableModel(this))
    , table_(makeTableView(parts_, tr("Parts of the step"), this))
    , steps_area_(makeScrolling(runs_, this))
    , log_pane_(new LogPane(this))
    , readings_(std::make_shared<TraceReadings>())
    , reading_([readings = readings_](const TraceRequest& request,
                                      const RunControl& control) { return readings->read(request, control); },
               [this] { takeReading(); })
    , predicting_(predictedTrace, [this] { showTrace(); })
    , logs_(std::make_shared<LogReadings>())
    , logging_([logs = logs_](const LogRequest& request,
                              const RunControl& control) { return loggedRun(request, logs, control); },
               [this] { takeLog(); })
    , fitting_(fittedStep, [this] { takeFit(); }) {
    setAccessibleName(tr("Measured trace"));
    runs_->setAccessibleName(tr("Timeline of the measured and the predicted step"));
    open_->setToolTip(
        tipParagraph(tr("What PyTorch's profiler (Kineto), XProf or this program wrote, .json or .json.gz, "
                        "Nsight Systems: .sqlite, Chakra's execution traces: .et; logs of Megatron-LM and of "
                        "nccl-tests, and what vLLM's and SGLang's benchmarks save")));
    steps_->setAccessibleName(tr("Step"));
    steps_->setToolTip(tr("Which step of the trace is shown"));
    devices_->setAccessibleName(tr("Device"));
    devices_->setToolTip(tr("Whose streams are shown; the table below has the mean of all devices"));
    begins_->setAccessibleName(tr("Where the two steps are aligned"));
    begins_->setToolTip(begins_->accessibleName());
    begins_->addItem(tr("aligned at the step's start"), static_cast<int>(StepBegin::step));
    begins_->addItem(tr("aligned at the first GEMM"), static_cast<int>(StepBegin::first_gemm));
    take_->setToolTip(tipParagraph(
        tr("The measured time becomes the measured step of the training run, which corrects what is "
           "expected of its plans; can be undone")));
    fit_->setToolTip(tipParagraph(tr(
        "Shares of the peak for GEMMs and for attention, the memory's bandwidth and what the links reach are "
        "set so that the prediction is what was measured; can be undone")));
    bar_->setRange(0, parts_of_progress);
    bar_->setTextVisible(false);
    bar_->setAccessibleName(tr("How much of the file has been read"));
    for (QPushButton* button : {open_, take_, fit_, stop_}) {
        button->setAutoDefault(false);
    }
    for (QComboBox* list : {steps_, devices_, begins_}) {
        list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        list->setMinimumContentsLength(10);
    }
    layOut();
    connect(open_, &QPushButton::clicked, this, &MeasuredView::askForFile);
    connect(stop_, &QPushButton::clicked, this, &MeasuredView::giveUp);
    connect(take_, &QPushButton::clicked, this, &MeasuredView::takeStep);
    connect(fit_, &QPushButton::clicked, this, &MeasuredView::fit);
    connect(steps_, &QComboBox::activated, this, [this] {
        TraceRequest next = wanted_;
        next.last = false;
        const int step = steps_->currentData().toInt();
        next.step = step > 0 ? std::optional(static_cast<std::size_t>(step)) : std::nullopt;
        read(next);
    });
    connect(devices_, &QComboBox::activated, this, &MeasuredView::showTrace);
    connect(begins_, &QComboBox::activated, this, [this] {
        TraceRequest next = wanted_;
        next.begin = static_cast<StepBegin>(begins_->currentData().toInt());
        read(next);
    });
    connect(session->plans(), &Plans::changed, this, &MeasuredView::renew);
    connect(session->plans(), &Plans::selectionChanged, this, &MeasuredView::renew);
    clock_.setInterval(look_again_ms);
    connect(&clock_, &QTimer::timeout, this, &MeasuredView::showReading);
    showTrace();
}

void MeasuredView::layOut() {
    auto* controls = new WrappingRow(8);
    controls->setContentsMargins(12, 6, 12, 0);
    for (QWidget* one :
         {static_cast<QWidget*>(open_), static_cast<QWidget*>(steps_), static_cast<QWidget*>(devices_),
          static_cast<QWidget*>(begins_), static_cast<QWidget*>(take_), static_cast<QWidget*>(fit_)}) {
        controls->add(one);
    }
    controls->add(bar_, 1);
    controls->add(stop_);
    notice_->setWordWrap(true);
    notice_->setTextFormat(Qt::PlainText);
    notice_->setContentsMargins(12, 4, 12, 4);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addLayout(controls);
    all->addLayout(sentenceRow(notice_));
    all->addWidget(steps_area_, 3);
    all->addWidget(table_, 2);
    all->addWidget(log_pane_, 5);
    tabInOrder({open_, steps_, devices_, begins_, take_, fit_, stop_, runs_, table_, log_pane_});
    setFocusProxy(open_);
}

std::vector<KeyHelp> MeasuredView::keys() const {
    return runs_->keys();
}

void MeasuredView::askForFile() {
    const QString path = QFileDialog::getOpenFileName(
        window(), tr("Open a measured trace"),
        wanted_.path.isEmpty() ? QString() : QFileInfo(wanted_.path).path(),
        tr("Traces and logs (*.json *.jsonl *.gz *.sqlite *.et *.log *.txt *.out);;"
           "All files (*)"));
    if (!path.isEmpty()) {
        open(path);
    }
}

void MeasuredView::open(const QString& path) {
    const MeasuredFile kind = measuredFileAt(path);
    if (kind == MeasuredFile::collectives) {
        emit collectivesOpened(path);
        return;
    }
    fitting_.cancel();
    reading_.clear(); // the file may have changed
    logging_.cancel();
    wanted_log_ = {};
    if (kind == MeasuredFile::training || kind == MeasuredFile::serving) {
        wanted_log_ = {path, kind};
        readLog();
        return;
    }
    TraceRequest next;
    next.path = path;
    next.begin = wanted_.begin;
    read(next);
}

void MeasuredView::read(const TraceRequest& request) {
    if (!request.path.isEmpty()) {
        reading_.ask(request);
        showReading();
    }
}

/// Also of another scenario, if the view is seen, once it has run: not at every key; not while a trace is
/// read in its place.
void MeasuredView::readLog() {
    const bool again = wanted_log_.path.isEmpty();
    const LogFile& file = again ? log_file_ : wanted_log_;
    const bool waits = again && reading_.asked();
    if (!file.path.isEmpty() && isVisible() && !waits) {
        logging_.ask({file.path, QFileInfo(file.path).lastModified(), file.kind, session().state().scenario});
        showReading();
    }
}

void MeasuredView::takeLog() {
    wanted_log_ = {};
    if (logging_.answer()) {
        log_ = logging_.answer();
        log_file_ = {logging_.answered()->path, logging_.answered()->kind};
        fitting_.cancel();
    }
    showTrace();
}

QStringList MeasuredView::refusals() const {
    QStringList said = {reading_.refusal(), logging_.refusal()};
    said.removeAll(QString());
    if (!said.isEmpty() && (log_ || trace_)) {
        const QString path = log_ ? log_file_.path : wanted_.path;
        said << tr("What is shown is still %1.").arg(QFileInfo(path).fileName());
    }
    return said;
}

void MeasuredView::showLog() {
    for (QWidget* one :
         {static_cast<QWidget*>(steps_), static_cast<QWidget*>(devices_), static_cast<QWidget*>(begins_),
          static_cast<QWidget*>(fit_), static_cast<QWidget*>(table_), static_cast<QWidget*>(steps_area_)}) {
        one->hide();
    }
    log_pane_->setVisible(true);
    take_->setVisible(log_->step.has_value());
    take_->setEnabled(log_->step.has_value());
    QStringList said = refusals();
    QString about = words(log_->answer.about);
    said << about.replace(log_file_.path, QFileInfo(log_file_.path).fileName()) + QLatin1Char('.');
    if (!log_->lacks.isEmpty()) {
        said << tr("Nothing is predicted: %1").arg(log_->lacks);
    }
    log_pane_->show(*log_);
    setAccessibleDescription(log_pane_->accessibleDescription());
    notice_->setText(said.join(QLatin1Char(' ')));
}

std::optional<FitRequest> MeasuredView::fitOfShown() const {
    const std::optional<ChosenPlan> plan = chosen();
    if (!plan || !trace_ || log_) {
        return std::nullopt;
    }
    const QString name = QFileInfo(wanted_.path).fileName();
    return FitRequest{trace_->step, *plan,
                      trace_->number ? QStringLiteral("%1, step %2").arg(name).arg(*trace_->number) : name};
}

void MeasuredView::fit() {
    if (const std::optional<FitRequest> request = fitOfShown()) {
        fitting_.clear();
        fitting_.ask(*request);
        showReading();
    }
}

void MeasuredView::takeFit() {
    fitted_machine_.reset();
    const Scenario& now = session().document()->scenario(); // which the plans may not follow yet
    if (fitting_.answered() != fitOfShown() || !(session().state().scenario == now)) {
        fitted_ = tr("The fit was of another plan or step, and is left out.");
    } else if (!fitting_.answer()) {
        fitted_ = fitting_.refusal();
    } else {
        const StepFit& made = *fitting_.answer();
        QStringList said = {words(fit_finding(*trace_->step, made))};
        for (const std::string& sentence : fit_limits(*trace_->step, made)) {
            said << words(sentence);
        }
        fitted_ = said.join(QLatin1Char(' '));
        fitted_machine_ = made.machine;
        session().edit([&](Scenario& next) { next.hardware = made.machine; }, "hardware");
    }
    showTrace();
}

void MeasuredView::giveUp() {
    reading_.cancel();
    predicting_.cancel();
    logging_.cancel();
    fitting_.cancel();
    wanted_log_ = {};
    showReading();
    showTrace();
}

void MeasuredView::takeReading() {
    if (reading_.answer()) {
        const bool other = wanted_.path != reading_.answered()->path;
        trace_ = reading_.answer();
        wanted_log_ = log_file_ = {};
        log_.reset();
        logging_.clear();
        fitting_.clear();
        fitted_.clear();
        fitted_machine_.reset();
        wanted_ = *reading_.answered();
        wanted_.step = trace_->number;
        wanted_.last = false;
        if (other) {
            devices_->clear();
        }
        fillLists();
    }
    showReading();
    showTrace();
    renew();
}

void MeasuredView::fillLists() {
    const QSignalBlocker quiet_steps(steps_);
    steps_->clear();
    const auto named = static_cast<int>(trace_->step->trace->steps.size());
    steps_->addItem(named > 0 ? tr("mean of all %1").arg(named) : tr("all of it"), 0);
    for (int step = 1; step <= named; ++step) {
        steps_->addItem(tr("step %1 of %2").arg(step).arg(named), step);
    }
    steps_->setCurrentIndex(static_cast<int>(trace_->number.value_or(0)));
    if (devices_->count() == 0) {
        const std::vector<DeviceUse>& uses = trace_->step->devices;
        for (const DeviceUse& one : uses) {
            devices_->addItem(words(device_words(one.device)), words(one.device));
        }
        devices_->addItem(tr("all devices"), QString());
        const auto slowest = std::ranges::min_element(uses, {}, &DeviceUse::idle_s);
        devices_->setCurrentIndex(static_cast<int>(slowest - uses.begin()));
    }
}

std::optional<ChosenPlan> MeasuredView::chosen() const {
    const FoundPlansPtr found = session().plans()->current();
    const RankedPlan* plan = session().plans()->selectedPlan();
    return found && plan != nullptr ? std::optional(ChosenPlan{found->answer.question, plan->plan})
                                    : std::nullopt;
}

void MeasuredView::renew() {
    readLog();
    if (!isVisible() || !trace_) {
        return;
    }
    session().plans()->want(this, true);
    if (const std::optional<ChosenPlan> plan = chosen()) {
        predicting_.ask(*plan);
    }
    showTrace();
}

const PredictedTrace* MeasuredView::predicted() const {
    return predicting_.answer() && predicting_.answered() == chosen() ? &*predicting_.answer() : nullptr;
}

bool MeasuredView::isCurrent() const {
    return log_ ? !logging_.asked() && !reading_.asked()
                : trace_ && !reading_.asked() && !predicting_.asked() && !logging_.asked();
}

void MeasuredView::complete(const Completed& completed) {
    if (logging_.asked()) {
        logging_.ask(*logging_.asked(), completed);
    } else if (reading_.asked()) {
        reading_.ask(*reading_.asked(), completed);
    } else if (predicting_.asked()) {
        predicting_.ask(*predicting_.asked(), [completed](const Result<void>&) { completed({}); });
    } else {
        completed(trace_ || log_ ? Result<void>() : refuse(sentence().toStdString()));
    }
}

void MeasuredView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    renew();
}

void MeasuredView::hideEvent(QHideEvent* event) {
    View::hideEvent(event);
    session().plans()->want(this, false);
    predicting_.cancelUnlessAwaited();
    logging_.cancelUnlessAwaited();
    fitting_.cancel();
}

QString MeasuredView::sentence() const {
    return trace_ || log_
               ? QString()
               : tr("Open what a profiler recorded of a step: PyTorch's profiler (Kineto) or XProf, .json or "
                    ".json.gz, or Nsight Systems, .sqlite. The measured step then stands above the step of "
                    "the selected plan, on one "
                    "axis of time, and a table holds their parts against each other. Or open a log of "
                    "Megatron-LM, or what vLLM's or SGLang's benchmark of a server saved.");
}

void MeasuredView::showReading() {
    const bool logging = logging_.asked().has_value();
    const bool reading = reading_.asked() || logging || fitting_.asked();
    bar_->setVisible(reading);
    stop_->setVisible(reading);
    const double done = logging ? logging_.progress() : reading_.progress();
    bar_->setValue(static_cast<int>(std::lround(done * parts_of_progress)));
    if (reading && !clock_.isActive()) {
        clock_.start();
    } else if (!reading) {
        clock_.stop();
    }
}

void MeasuredView::showTrace() {
    showReading();
    if (log_) {
        showLog();
        return;
    }
    log_pane_->hide();
    steps_area_->show();
    const bool there = trace_.has_value();
    for (QWidget* one :
         {static_cast<QWidget*>(steps_), static_cast<QWidget*>(devices_), static_cast<QWidget*>(begins_),
          static_cast<QWidget*>(take_), static_cast<QWidget*>(fit_), static_cast<QWidget*>(table_)}) {
        one->setVisible(there);
    }
    QStringList said = refusals();
    if (!there) {
        notice_->setText(said.join(QLatin1Char(' ')));
        runs_->say(sentence());
        parts_->setTable({});
        return;
    }
    const ProfiledStep& step = *trace_->step;
    const bool measured = !step.trace->predicted;
    take_->setEnabled(step.steps > 0 && measured);
    fit_->setEnabled(predicted() != nullptr && step.steps > 0 && measured);
    if (!fitted_machine_ || *fitted_machine_ == session().document()->scenario().hardware) {
        said << fitted_; // until it is undone
    }
    if (!measured) {
        said << tr("This is a prediction that MeshSlice Explorer wrote; nothing of it is measured.");
    }
    said << tr("%1, written by %2; devices: %3.")
                .arg(QFileInfo(wanted_.path).fileName(), words(name(step.trace->writer)))
                .arg(step.devices.size());
    const PredictedTrace* const ours = predicted();
    if (ours != nullptr) {
        said << words(expected_words(ours->expected));
        if (const std::int64_t chips = predicting_.answered()->question.chips;
            chips != static_cast<std::int64_t>(step.devices.size())) {
            said << tr("The plan has %1 chips.").arg(chips);
        }
        said << words(ours->lacks);
    } else if (!session().plans()->state().sentence.isEmpty()) {
        said << tr("Nothing is predicted: %1").arg(session().plans()->state().sentence);
    }
    said << tr("What a kernel does is guessed from its name.");
    said.removeAll(QString());
    notice_->setText(said.join(QLatin1Char(' ')));
    runs_->show(tracesWindow(*trace_, ours, devices_->currentData().toString().toStdString()));
    setAccessibleDescription(tracesFinding(*trace_, ours));
    parts_->setTable(tracesTable(*trace_, ours));
    table_->resizeColumnsToContents();
    const int row = table_->verticalHeader()->defaultSectionSize();
    const int header = table_->horizontalHeader()->sizeHint().height() + 2;
    table_->setMinimumHeight(header + 2 * row);
    table_->setMaximumHeight(header + (parts_->rowCount() + 1) * row);
}

void MeasuredView::takeStep() {
    const double seconds =
        log_ && log_->step ? *log_->step : trace_->step->a_step(trace_->step->whole.seconds);
    session().edit([&](Scenario& next) { next.planning.measured_step = seconds; },
                   "planning.measured_step_in_s");
}

void MeasuredView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    paintEnlarged(painter, size, theme, [&](const QSize& laid_out) {
        if (log_) {
            log_pane_->paintFor(painter, laid_out, theme);
        } else {
            runs_->paintFor(painter, laid_out, theme);
        }
    });
}

QString MeasuredView::pictured() const {
    return tr("Measured: %1").arg(QFileInfo(log_ ? log_file_.path : wanted_.path).fileName());
}

Table MeasuredView::makeTable() const {
    if (log_) {
        return whole_table(log_->answer.tables.front()).value_or(Table());
    }
    return tracesTable(*trace_, predicted());
}

} // namespace meshslice::ui
