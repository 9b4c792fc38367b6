#pragma once

#include "ui/charts/chart_job_view.h"
#include "ui/session/plans.h"

#include <string_view>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QTableView;
class QModelIndex;
class QTabWidget;

namespace meshslice::ui {

class ClusterPane;
class LimitsPane;
class LoadedPlanBar;
class MachineLine;
class PipelinePane;
class PlanPane;
class PlanTableModel;
class ScalingPane;

/// How to split the training run of the scenario's model over a cluster: the best plans as bars of time by
/// part, time against memory, and all of them as a table. Cluster, number of chips and strategy are fields of
/// the scenario; what is chosen here is an undo step. Plans are searched off the UI thread and only while the
/// view is seen. A click selects a plan in both charts and the table; a double click in the table or a button
/// loads it into the scenario. Further pages look into the selected plan, its parts, its pipeline and its
/// places on the cluster, and at other numbers of chips. A's plan stands next to B's.
class PlannerView : public ChartJobView {
    Q_OBJECT
  public:
    explicit PlannerView(Session* session, QWidget* parent = nullptr);
    ~PlannerView() override;

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] bool isCurrent() const override;
    /// Of one GEMM there is no training run to plan.
    [[nodiscard]] bool isUnused() const override { return !session().plans()->question(); }
    [[nodiscard]] QStringList pages() const override;
    [[nodiscard]] int page() const override;
    void turnTo(int page) override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override;

    [[nodiscard]] QComboBox* cluster() { return cluster_; }
    [[nodiscard]] QLineEdit* chips() { return chips_; }
    [[nodiscard]] QComboBox* strategy() { return strategy_; }
    /// The order of the plans: by ideal or by expected time.
    [[nodiscard]] QComboBox* rank() { return rank_; }
    /// Of the whole training, whose days are said; empty where they are not.
    [[nodiscard]] QLineEdit* tokens() { return tokens_; }
    /// Why what is typed is not a number; hidden where it is one.
    [[nodiscard]] QLabel* refusal() { return refusal_; }
    /// Says that the plans are for other chips than the scenario's runs.
    [[nodiscard]] MachineLine* machine() { return machine_; }
    /// Time against memory; `canvas()` has the bars.
    [[nodiscard]] ChartCanvas* frontier() { return frontier_; }
    [[nodiscard]] PlanTableModel* rows() { return rows_; }
    /// Has the pages: the ranked plans first, then those of the panes.
    [[nodiscard]] QTabWidget* tabs() { return pages_; }
    /// The plans, below the pages.
    [[nodiscard]] QTableView* plansTable() { return table_; }
    [[nodiscard]] PipelinePane* pipeline() { return pipeline_; }
    [[nodiscard]] ClusterPane* places() { return places_; }
    [[nodiscard]] ScalingPane* scaling() { return scaling_; }
    /// The parts of the selected plan, and what is said about it.
    [[nodiscard]] LimitsPane* limits() { return limits_; }
    /// A plan's place in PlanAnswer::plans(); the best one's is 0.
    [[nodiscard]] int selected() const { return session().plans()->selected(); }
    void select(int plan) { session().plans()->select(plan); }
    /// What can be done with the selected plan, and which one is loaded.
    [[nodiscard]] LoadedPlanBar* bar() { return bar_; }

  signals:
    /// A variant has been added that the timeline shows.
    void timelineAsked();

  protected:
    void renew() override;
    void cancel(bool awaited) override;
    void takeScenario() override;
    void stateChanged() override;
    void paintCurrent(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// The strategies that run on a cluster can be chosen; of the others a tip says why not.
    void offerStrategies(const Machine& on);
    void makeControls();
    [[nodiscard]] QLayout* layOutControls();
    void layOut();
    /// Takes a text into the scenario as a value of its field.
    void edit(std::string_view field, const QString& text);
    /// The same of a part of the plan, which it fixes: "auto" or nothing leaves it to the search. Where a
    /// plan is pinned, the rest of it stays.
    void editPart(std::string_view field, const QString& text);
    /// Takes the next scenario over, or says why it is refused.
    void take(std::string_view field, const Result<Scenario>& next);
    void showRefusal(const QString& sentence);
    /// The pictures are of the scenario's plans as they are now.
    [[nodiscard]] bool isFound() const;
    void plansChanged();
    void showPlans();
    void showAnswer();
    void showSelected();
    void showFixed();
    /// A's plan next to the selected one's pipeline.
    void compareWithA(const RankedPlan& chosen);
    void showBar();
    /// The bars and the table have the plans in the order that is chosen.
    void showOrder();
    /// Whether the plans are shown in the order of expected times.
    [[nodiscard]] bool ranksByExpected() const;
    /// The row of a plan in the table, and the plan of a row.
    [[nodiscard]] int rowOf(int plan) const;
    [[nodiscard]] int planOf(int row) const;
    void fitColumns();
    void fitButtons();
    /// The selected plan becomes the scenario's.
    void useSelected();
    /// The search chooses all of it again.
    void release();
    /// A cell that can be edited is; any other pins its plan.
    void actOn(const QModelIndex& cell);
    void openGroup();
    [[nodiscard]] const RankedPlan* selectedPlan() const { return session().plans()->selectedPlan(); }
    [[nodiscard]] std::vector<PlanPane*> panes() const;
    /// The one that is seen; null where the ranked plans are.
    [[nodiscard]] PlanPane* shownPane() const;
    void paintRanking(QPainter& painter, const QSize& size, Theme theme) const;

    QComboBox* cluster_;
    QLineEdit* chips_;
    QComboBox* strategy_;
    QComboBox* rank_;
    QLineEdit* tokens_;
    QLabel* refusal_;
    Scenario refused_in_; ///< what the refusal is about
    MachineLine* machine_;
    ChartCanvas* frontier_;
    QBoxLayout* charts_ = nullptr;
    QTabWidget* pages_;
    PipelinePane* pipeline_;
    ClusterPane* places_;
    ScalingPane* scaling_;
    LimitsPane* limits_;
    QTableView* table_ = nullptr;
    PlanTableModel* rows_;
    LoadedPlanBar* bar_;
    FoundPlansPtr shown_;            ///< what the pictures are of; null where they are none
    std::vector<std::size_t> order_; ///< places of its plans, row by row
};

} // namespace meshslice::ui
