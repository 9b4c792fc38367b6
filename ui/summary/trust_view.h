#pragma once

#include "core/evidence/training/training_evidence.h"
#include "core/plan/search/chosen_plan.h"
#include "core/report/chart/training_chart.h"
#include "ui/charts/chart_job_view.h"

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace meshslice::ui {

class TableModel;

/// What is marked: the runs that are nearest to this plan, where there is one.
struct TrustRequest {
    std::optional<ChosenPlan> plan;

    bool operator==(const TrustRequest&) const = default;
};
struct TrustAnswer {
    const std::vector<PredictedTraining>* rows = nullptr; ///< the shipped ones; never null
    std::vector<std::string> near;                        ///< ids
    std::string expected;                                 ///< of the plan, in words; empty without one
};

/// How far to trust what is said of a training run: predicted against measured times of published runs, by
/// constants that have not seen them, of all chips or one, of dense models, of those with experts or of both.
/// Those nearest to the selected plan are marked, and stand first in the table below. A run that is selected
/// in one of the two is selected in the other, and can be loaded into the scenario.
class TrustView : public ChartJobView {
    Q_OBJECT
  public:
    explicit TrustView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }
    [[nodiscard]] std::vector<KeyHelp> keys() const override;

    [[nodiscard]] QComboBox* hardware() { return hardware_; }
    [[nodiscard]] QComboBox* kind() { return kind_; }
    /// What is expected of the plan.
    [[nodiscard]] QLabel* expected() { return expected_; }
    [[nodiscard]] QTableView* runs() { return table_; }
    /// Loads the selected run.
    [[nodiscard]] QPushButton* loadButton() { return load_; }
    /// The selected run's source, and why it cannot be loaded where it cannot.
    [[nodiscard]] QLabel* selected() { return run_; }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }

  protected:
    void renew() override;
    void cancel(bool awaited) override;
    void stateChanged() override { renew(); }
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;

  private:
    void layOut();
    [[nodiscard]] TrustRequest wanted() const;
    [[nodiscard]] TrainingShown chosen() const;
    void fillHardware();
    void showAnswer();
    void showRuns();
    void select(int item);
    [[nodiscard]] const TrainingRow* selectedRun() const;
    void showSelected();
    void load();

    QComboBox* hardware_;
    QComboBox* kind_;
    QPushButton* load_;
    QLabel* expected_;
    QLabel* run_; ///< what is selected
    TableModel* rows_;
    QTableView* table_;
    std::vector<std::size_t> places_; ///< of the rows that are shown, row by row of the table
    Inquiry<TrustRequest, TrustAnswer> inquiry_;
};

} // namespace meshslice::ui
