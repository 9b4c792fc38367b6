#pragma once

#include "ui/charts/chart_surface.h"
#include "ui/tuner/tuner_picture.h"
#include "ui/view/painted_view.h"

#include <QTimer>

#include <optional>

class QComboBox;
class QPushButton;

namespace meshslice::ui {

/// The autotuner: how the scenario's algorithm does on every mesh with every slice count, where a cell's time
/// goes layer by layer, and each algorithm's best. Computed off the UI thread and only while the view is
/// seen; estimates at once, simulations on request.
///
/// Keys: the arrows go from cell to cell, Enter loads the cell into the scenario, Escape goes back to the
/// scenario's own. A click loads a cell, or an algorithm of the ranking.
class TunerView : public PaintedView {
    Q_OBJECT
  public:
    explicit TunerView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }
    void giveUp() override;

    /// What is shown; none before the first answer.
    [[nodiscard]] TunerAnswerPtr answer() const { return inquiry_.answer().value_or(nullptr); }
    /// What computes it.
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    [[nodiscard]] const TunerPicture& picture() const;
    /// The bars of the selected cell.
    [[nodiscard]] ChartSurface* bars() { return bars_; }
    [[nodiscard]] Depth depth() const { return depth_; }
    void setDepth(Depth depth);
    /// The cell whose bars are shown.
    [[nodiscard]] std::optional<TunerPlace> selectedCell() const;
    /// Asks for a scenario with these; without slices, the best of every GEMM.
    void choose(const std::string& algorithm, const std::vector<std::int32_t>& mesh,
                std::optional<std::int64_t> slices);
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;
    /// The cells, then the ranked algorithms.
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;

    [[nodiscard]] QSize sizeHint() const override { return {960, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

  protected:
    void resultsChanged() override;
    void stateChanged() override;
    void paintContent(QPainter& painter) override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;
    [[nodiscard]] double leastHeight(double width) const override;
    [[nodiscard]] QString nothingToShow() const override;

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void looksChanged() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    [[nodiscard]] std::optional<TunerRequest> wanted() const;
    /// Asks for what is wanted unless it is shown or under way, if anybody looks.
    void renew();
    void take();
    void describe();
    void renewBars();
    void renewControls();
    void placeControls();
    [[nodiscard]] std::optional<TunerPlace> currentCell() const;
    [[nodiscard]] TunerMarks marks() const;
    void move(int rows, int columns);
    void load(const TunerPlace& place);

    ChartSurface* bars_;
    QComboBox* depths_;
    QPushButton* cancel_;
    QTimer progress_;

    Depth depth_ = Depth::estimate;
    std::optional<TunerPlace> selected_; ///< by the user; none: the scenario's own
    mutable std::optional<TunerPicture> picture_;
    std::optional<Scenario> cells_of_; ///< the scenario of the newest answer
    Inquiry<TunerRequest, TunerAnswerPtr> inquiry_;
};

} // namespace meshslice::ui
