#pragma once

#include "ui/planner/cluster/cluster_picture.h"
#include "ui/planner/picture_pane.h"

#include <QCoreApplication>

namespace meshslice::ui {

/// Where the groups of the selected plan stand: fast domains as boxes of chips, the groups of one chip
/// coloured, and which traffic crosses the slow network. A click or the arrows select another chip.
class ClusterPane : public PicturePane<PlanPlaces> {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::ClusterPane)
  public:
    explicit ClusterPane(QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    /// The traffic of each group, a group a row.
    [[nodiscard]] Table table() const override;
    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;

    [[nodiscard]] const PlanChip& selected() const { return selected_; }
    void select(const PlanChip& chip);
    /// Where the parts stand; isReady().
    [[nodiscard]] ClusterLayout layoutNow() const;

  protected:
    void showAnswer() override;
    void paintNow(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] QStringList linesAt(const QPoint& point) const override;
    [[nodiscard]] int leastHeight(int width) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    void walk(int turn);

    PlanChip selected_;
    std::optional<ChosenPlan> shown_;
};

} // namespace meshslice::ui
