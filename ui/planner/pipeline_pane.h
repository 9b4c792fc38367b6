#pragma once

#include "ui/planner/picture_pane.h"
#include "ui/planner/pipeline_picture.h"

#include <QCoreApplication>
#include <QPoint>

#include <optional>

namespace meshslice::ui {

/// The pipeline of the selected plan as time goes by: a row for each stage, and what memory it holds.
/// Ctrl+wheel zooms at the pointer, dragging moves, a click selects a stage.
class PipelinePane : public PicturePane<PlanTimeline> {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::PipelinePane)
  public:
    explicit PipelinePane(QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    /// What each stage does in all, a stage a row.
    [[nodiscard]] Table table() const override;
    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;

    /// What is shown, where isReady().
    [[nodiscard]] const std::optional<PipelinePicture>& picture() const { return picture_; }
    [[nodiscard]] PipelineLayout layoutNow() const;
    void selectStage(std::size_t stage);
    void setRange(TimeRange range);

  protected:
    void showAnswer() override;
    void paintNow(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] QStringList linesAt(const QPoint& point) const override;
    [[nodiscard]] int leastHeight(int width) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    void zoom(double factor, double x);
    void pan(double share);

    std::optional<PipelinePicture> picture_;
    std::optional<QPoint> pressed_; ///< in the picture's pixels
    TimeRange at_press_{};
    bool dragged_ = false;
};

} // namespace meshslice::ui
