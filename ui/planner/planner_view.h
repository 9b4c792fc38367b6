#pragma once

#include "core/plan/search/loaded_plan.h"
#include "core/plan/search/plan_question.h"
#include "ui/charts/chart_job_view.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QTableView;
class QTabWidget;

namespace meshslice::ui {

class ClusterPane;
class LoadedPlanBar;
class MachineLine;
class PipelinePane;
class PlanPane;
class ScalingPane;
class SelectedPlanPage;
class TableModel;

/// How to split the training run of the scenario's model over a cluster: the best plans as bars of time by
/// part, time against memory, and all of them as a table. Cluster, number of chips and strategy are fields of
/// the scenario; what is chosen here is an undo step. Plans are searched off the UI thread and only while the
/// view is seen. A click selects a plan in both charts and the table, and shows its parts; a double click in
/// the table or a button loads it into the scenario. Further pages look into the selected plan, its pipeline
/// and its places on the cluster, and at other numbers of chips. A's plan stands next to B's.
class PlannerView : public ChartJobView {
    Q_OBJECT
  public:
    explicit PlannerView(Session* session, QWidget* parent = nullptr);
    ~PlannerView() override;

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] bool isCurrent() const override;
    /// Of one GEMM there is no training run to plan.
    [[nodiscard]] bool isUnused() const override { return !wanted(); }
    [[nodiscard]] QStringList pages() const override;
    [[nodiscard]] int page() const override;
    void turnTo(int page) override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override;

    [[nodiscard]] QComboBox* cluster() { return cluster_; }
    [[nodiscard]] QLineEdit* chips() { return chips_; }
    [[nodiscard]] QComboBox* strategy() { return strategy_; }
    /// Of the whole training, whose days are said; empty where they are not.
    [[nodiscard]] QLineEdit* tokens() { return tokens_; }
    /// Why what is typed is not a number; hidden where it is one.
    [[nodiscard]] QLabel* refusal() { return refusal_; }
    /// Says that the plans are for other chips than the scenario's runs.
    [[nodiscard]] MachineLine* machine() { return machine_; }
    /// Time against memory; `canvas()` has the bars.
    [[nodiscard]] ChartCanvas* frontier() { return frontier_; }
    [[nodiscard]] TableModel* rows() { return rows_; }
    /// The parts of the selected plan, and what is said about it.
    [[nodiscard]] SelectedPlanPage* selectedPage() { return selected_page_; }
    [[nodiscard]] TableModel* parts();
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// What its searches and those of its pages have tuned.
    [[nodiscard]] const TunedGroups& groups() const { return *groups_; }
    /// Has the pages: the ranked plans first, then those of the panes.
    [[nodiscard]] QTabWidget* tabs() { return pages_; }
    /// The tables below them: the plans, and the parts of the selected one.
    [[nodiscard]] QTabWidget* tables() { return tables_; }
    [[nodiscard]] PipelinePane* pipeline() { return pipeline_; }
    [[nodiscard]] ClusterPane* places() { return places_; }
    [[nodiscard]] ScalingPane* scaling() { return scaling_; }
    /// A plan's place in PlanAnswer::plans(); the best one's is 0.
    [[nodiscard]] int selected() const { return selected_; }
    void select(int plan);
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
    void showRefusal(const QString& sentence);
    [[nodiscard]] Result<PlanQuestion> wanted() const;
    /// Plans of the question as it is now were found.
    [[nodiscard]] bool isFound() const;
    void showAnswer();
    void showBar();
    void fitColumns();
    void fitButtons();
    /// The selected plan becomes the scenario's.
    void useSelected();
    void openGroup();
    [[nodiscard]] const RankedPlan* selectedPlan() const;
    [[nodiscard]] std::vector<PlanPane*> panes() const;
    /// The one that is seen; null where the ranked plans are.
    [[nodiscard]] PlanPane* shownPane() const;
    void paintRanking(QPainter& painter, const QSize& size, Theme theme) const;

    /// What was tuned for one search is there for the next, so that an edit costs only what is new.
    const std::shared_ptr<TunedGroups> groups_ = std::make_shared<TunedGroups>();
    QComboBox* cluster_;
    QLineEdit* chips_;
    QComboBox* strategy_;
    QLineEdit* tokens_;
    QLabel* refusal_;
    MachineLine* machine_;
    ChartCanvas* frontier_;
    QBoxLayout* charts_ = nullptr;
    QTabWidget* pages_;
    PipelinePane* pipeline_;
    ClusterPane* places_;
    ScalingPane* scaling_;
    QTabWidget* tables_;
    QTableView* table_ = nullptr;
    TableModel* rows_;
    SelectedPlanPage* selected_page_;
    int selected_ = 0;
    /// What the picture shows: the scenario's plans and, where there is an A that has others, A's.
    struct Shown {
        AskedPlans own;
        std::optional<AskedPlans> of_a;
        std::string name_of_a;

        bool operator==(const Shown&) const = default;
    };
    [[nodiscard]] std::optional<Shown> wantedShown() const;

    LoadedPlanBar* bar_;
    std::optional<Shown> shown_;
    PlanAnswer answer_;             ///< the search's, with what is loaded; of what is shown
    std::vector<RankedPlan> plans_; ///< its
    Inquiry<PlanQuestion, PlanAnswer> inquiry_;
    Inquiry<ChosenPlan, RankedPlan> loaded_;
    Inquiry<AskedPlans, PlanAnswer> of_a_;
};

} // namespace meshslice::ui
