#pragma once

#include "ui/planner/picture_pane.h"
#include "ui/planner/pipeline_text.h"
#include "ui/timeline/run_browser.h"

#include <QCoreApplication>
#include <QPoint>

#include <optional>
#include <string>

namespace meshslice::ui {

/// A simulated step of the selected plan, and its lanes.
struct SimulatedPipeline {
    PlanTimeline timeline;
    RunPtr run; ///< whose bars open
};

/// The pipeline of the selected plan as time goes by: a row for each stage, and what memory it holds. A bar
/// opens into what is inside it: a pass, its blocks, their tasks, a collective, the links.
class PipelinePane : public PicturePane<SimulatedPipeline> {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::PipelinePane)
  public:
    explicit PipelinePane(QWidget* parent = nullptr);

    /// The plan of A, whose pipeline stands above the selected one's from now on, and how the two compare;
    /// none: the selected one's alone. A plan that cannot be drawn is left out.
    void compareWith(const std::optional<ChosenPlan>& of_a, const QString& difference);
    [[nodiscard]] bool isReady() const override;
    [[nodiscard]] QString sentence() const override;
    void complete(const Completed& completed) override;
    void renew() override;

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    /// What each stage does in all, a stage a row.
    [[nodiscard]] Table table() const override;
    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    void cancel(bool awaited) override;

    /// What is shown, where isReady(); else null.
    [[nodiscard]] const PlanTimeline* timeline() const;
    [[nodiscard]] const RunBrowser& browser() const { return browser_; }
    [[nodiscard]] RunLayout layoutNow() const;
    void selectStage(std::size_t stage) { browser_.select(stage); }
    void setRange(TimeRange range) { browser_.setRange(range); }
    /// What opens bars, for tests.
    [[nodiscard]] LatestJob* opens() { return opening_.job(); }

  protected:
    void showAnswer() override;
    void paintNow(QPainter& painter, const QSize& size, Theme theme) const override;
    void paintOver(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] QStringList linesAt(const QPoint& point) const override;
    [[nodiscard]] int leastHeight(int width) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

  private:
    /// A bar to be opened: where one is, and which.
    struct Opening {
        std::size_t depth = 0;
        RunKey key;

        bool operator==(const Opening& other) const {
            return depth == other.depth && key.key == other.key.key && key.title == other.key.title;
        }
    };
    void browsed();
    void opened();

    std::optional<ChosenPlan> of_;     ///< that is browsed
    std::optional<ChosenPlan> beside_; ///< and next to it
    std::optional<ChosenPlan> wanted_of_a_;
    QString difference_;
    Inquiry<ChosenPlan, SimulatedPipeline> of_a_;
    RunBrowser browser_;
    std::shared_ptr<OpenedRuns> opened_runs_;
    Inquiry<Opening, RunPtr> opening_;
};

} // namespace meshslice::ui
