#pragma once

#include "core/import/log_readings.h"
#include "ui/measured/logged_run.h"
#include "ui/measured/profiled_trace.h"
#include "ui/view/view.h"

#include <QTimer>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QTableView;

namespace meshslice::ui {

class LogPane;
class RunsPane;
class TableModel;

/// A measured step, as a profiler recorded it, above the step of the selected plan on one axis of time, and
/// their parts next to each other in a table. Or a logged run, next to what is expected of the scenario. A
/// file is read off the UI thread and can be given up meanwhile; one that cannot be read leaves what was
/// shown before, and the sentence says why.
class MeasuredView : public View {
    Q_OBJECT
  public:
    explicit MeasuredView(Session* session, QWidget* parent = nullptr);

    /// Asks for a file.
    void askForFile();
    /// Reads one; shows its last step.
    void open(const QString& path);

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isUnused() const override {
        return !trace_ && !log_ && !reading_.asked() && !logging_.asked();
    }
    [[nodiscard]] bool isStale() const override { return false; }
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    void giveUp() override;
    [[nodiscard]] double progress() const override { return reading_.progress(); }
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;

    /// What is shown; none before the first file.
    [[nodiscard]] const std::optional<MeasuredTrace>& shown() const { return trace_; }
    /// What the selected plan says of it; null where there is none.
    [[nodiscard]] const PredictedTrace* predicted() const;
    /// The logged run that is shown instead; none where a trace is, or nothing.
    [[nodiscard]] const std::optional<LoggedRun>& logged() const { return log_; }
    [[nodiscard]] QPushButton* openButton() { return open_; }
    [[nodiscard]] QPushButton* stopButton() { return stop_; }
    [[nodiscard]] QPushButton* takeButton() { return take_; }
    [[nodiscard]] QPushButton* fitButton() { return fit_; }
    [[nodiscard]] LogPane* logPane() { return log_pane_; }
    [[nodiscard]] QComboBox* steps() { return steps_; }
    [[nodiscard]] QComboBox* devices() { return devices_; }
    [[nodiscard]] QComboBox* begins() { return begins_; }
    [[nodiscard]] QProgressBar* progressBar() { return bar_; }
    [[nodiscard]] QLabel* notice() { return notice_; }
    [[nodiscard]] RunsPane* runs() { return runs_; }
    [[nodiscard]] TableModel* parts() { return parts_; }
    [[nodiscard]] LatestJob* job() { return reading_.job(); }
    [[nodiscard]] LatestJob* logJob() { return logging_.job(); }
    /// What reads logs, and how often it has.
    [[nodiscard]] const LogReadings& logReadings() const { return *logs_; }
    [[nodiscard]] LatestJob* fitJob() { return fitting_.job(); }

    [[nodiscard]] QSize sizeHint() const override { return {900, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return leastOfLayout({360, 300}); }

  signals:
    /// A log of nccl-tests was opened, which constants are fitted to.
    void collectivesOpened(const QString& path);

  protected:
    void resultsChanged() override {}
    void stateChanged() override { readLog(); }
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void layOut();
    [[nodiscard]] std::optional<ChosenPlan> chosen() const;
    void read(const TraceRequest& request);
    /// Asks for the log again, of another scenario, and for the plan's step, if the view is seen and shows a
    /// trace.
    void renew();
    void takeReading();
    void readLog();
    void takeLog();
    void showLog();
    /// Why files were not read, and what is shown still.
    [[nodiscard]] QStringList refusals() const;
    /// What a fit is asked for now; none where nothing is to be fitted.
    [[nodiscard]] std::optional<FitRequest> fitOfShown() const;
    /// Asks for the machine that makes the prediction what was measured.
    void fit();
    /// That machine becomes the scenario's, if it is of what is shown still.
    void takeFit();
    /// The measured time becomes the scenario's measured step.
    void takeStep();
    void fillLists();
    void showTrace();
    void showReading();

    QPushButton* open_;
    QComboBox* steps_;
    QComboBox* devices_;
    QComboBox* begins_;
    QPushButton* take_;
    QPushButton* fit_;
    QProgressBar* bar_;
    QPushButton* stop_;
    QLabel* notice_; ///< what the trace is, what else is known, or why a file was refused
    RunsPane* runs_;
    TableModel* parts_;
    QTableView* table_;
    QScrollArea* steps_area_; ///< around the timeline
    LogPane* log_pane_;
    QTimer clock_;        ///< while a file is read
    TraceRequest wanted_; ///< of what is shown
    std::optional<MeasuredTrace> trace_;
    std::shared_ptr<TraceReadings> readings_;
    Inquiry<TraceRequest, MeasuredTrace> reading_;
    Inquiry<ChosenPlan, PredictedTrace> predicting_;
    struct LogFile {
        QString path; ///< empty: none
        MeasuredFile kind = MeasuredFile::none;
    };
    LogFile wanted_log_; ///< that was opened and is not answered yet
    LogFile log_file_;   ///< of what is shown
    std::optional<LoggedRun> log_;
    std::shared_ptr<LogReadings> logs_; ///< so that another scenario does not read a file again
    Inquiry<LogRequest, LoggedRun> logging_;
    Inquiry<FitRequest, StepFit> fitting_;
    QString fitted_;                        ///< what a fit has found, until another trace is shown
    std::optional<Machine> fitted_machine_; ///< that the scenario got by it
};

} // namespace meshslice::ui
