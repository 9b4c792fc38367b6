#pragma once

#include "ui/lab/lab_picture.h"
#include "ui/view/readable.h"
#include "ui/view/view.h"

#include <QWidget>

#include <optional>

namespace meshslice::ui {

/// The lab's picture: the three matrices in the colours of the chips that hold their blocks, and the mesh. A
/// click on a block or a chip outlines what that chip has; the arrows go from step to step. A letter of the
/// mesh that is dragged onto the rows or columns of a matrix splits them.
class LabCanvas : public QWidget, public Readable {
    Q_OBJECT
  public:
    explicit LabCanvas(QWidget* parent);

    /// Shows a plan of a question, from its beginning; none: the sentence instead.
    void show(const std::optional<LabQuestion>& question, const std::optional<CostedPlan>& plan, int number,
              int plans, const QString& sentence);
    /// How long the plan takes in the simulation, or why that is not known.
    void setSimulated(const QString& words);
    [[nodiscard]] bool isReady() const { return question_ && plan_; }
    [[nodiscard]] const QString& sentence() const { return sentence_; }
    /// isReady().
    [[nodiscard]] LabShown shown() const;
    [[nodiscard]] std::size_t steps() const { return plan_ ? plan_->plan.steps.size() : 0; }
    [[nodiscard]] std::size_t done() const { return done_; }
    void setDone(std::size_t done);
    [[nodiscard]] std::int64_t chip() const { return chip_; }
    void setChip(std::int64_t chip);
    /// Where everything stands, in the picture's pixels; isReady().
    [[nodiscard]] LabLayout layoutNow() const;

    [[nodiscard]] static std::vector<KeyHelp> keys();
    void paintFor(QPainter& painter, const QSize& size, Theme theme) const;

    [[nodiscard]] QString readAloud() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    [[nodiscard]] QSize sizeHint() const override { return {900, 360}; }

  signals:
    void stepped();
    /// A letter was dropped on a matrix, which is to lie as this says: "A[I_X, J]".
    void sharded(Operand which, const QString& array);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void changed();
    [[nodiscard]] std::optional<std::int64_t> chipAt(const QPoint& point) const;
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;

    std::optional<LabQuestion> question_;
    std::optional<CostedPlan> plan_;
    int number_ = 0, plans_ = 0;
    std::size_t done_ = 0;
    std::int64_t chip_ = 0;
    QString sentence_, simulated_;
    std::optional<std::size_t> dragged_; ///< an axis of the mesh, by its letter
    QPointF drag_at_;                    ///< in the picture's pixels
};

} // namespace meshslice::ui
