#pragma once

#include "ui/charts/chart_surface.h"
#include "ui/tuner/difference_picture.h"
#include "ui/view/painted_view.h"

#include <QTimer>

#include <optional>
#include <utility>

class QComboBox;
class QPushButton;

namespace meshslice::ui {

/// Whose map the tuner shows, where there are two variants.
enum class TunerSide : std::uint8_t { a, b, difference };

/// The autotuner: how the scenario's algorithm does on every mesh with every slice count, where a cell's time
/// goes layer by layer, and each algorithm's best. Computed off the UI thread and only while the view is
/// seen; estimates at once, simulations on request.
///
/// Keys: the arrows go from cell to cell, Enter loads the cell into the scenario, Escape goes back to the
/// scenario's own. A click loads a cell, or an algorithm of the ranking.
/// Next to another variant it shows B's map, A's, or where B takes less or more time than A.
class TunerView : public PaintedView {
    Q_OBJECT
  public:
    explicit TunerView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override;
    void giveUp() override;

    /// What is shown, of the difference B's; none before the first answer.
    [[nodiscard]] TunerAnswerPtr answer() const;
    /// What is shown where it is the difference; null before both answers, and else.
    [[nodiscard]] TunerDifferencePtr difference() const;
    /// What computes it, and what computes A's.
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    [[nodiscard]] LatestJob* jobOfA() { return inquiry_of_a_.job(); }
    /// Of a scenario on its own it is B.
    [[nodiscard]] TunerSide side() const;
    void setSide(TunerSide side);
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

    [[nodiscard]] QStringList tipAt(const QPoint& point) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void looksChanged() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    /// None where it is not needed for what is shown.
    [[nodiscard]] std::optional<TunerRequest> wanted() const;
    [[nodiscard]] std::optional<TunerRequest> wantedOfA() const;
    /// Whose scenario the map is of, the frame is at, and the cells are loaded over.
    [[nodiscard]] const Scenario& shownScenario() const;
    /// "A" or "B" where there are two variants.
    [[nodiscard]] QString sideName() const;
    [[nodiscard]] bool hasPicture() const {
        return side() == TunerSide::difference ? difference() != nullptr : answer() != nullptr;
    }
    [[nodiscard]] bool runs(const TunerPlace& place) const;
    [[nodiscard]] QStringList linesOf(const TunerPlace& place) const;
    [[nodiscard]] QStringList linesOfLeader(std::size_t leader) const;
    void loadLeader(std::size_t leader);
    /// Asks for what is wanted unless it is shown or under way, if anybody looks.
    void renew();
    void take();
    void describe();
    void renewBars();
    void renewControls();
    void placeControls();
    [[nodiscard]] std::optional<TunerPlace> currentCell() const;
    [[nodiscard]] TunerMarks marks() const;
    [[nodiscard]] TunerPicture makePicture(const QSize& size) const;
    void move(int rows, int columns);
    /// None: the scenario's own.
    void select(const std::optional<TunerPlace>& place);
    void load(const TunerPlace& place);

    ChartSurface* bars_;
    QComboBox* depths_;
    QComboBox* sides_;
    QPushButton* cancel_;
    QTimer progress_;

    Depth depth_ = Depth::estimate;
    std::optional<TunerPlace> selected_;     ///< by the user; none: the scenario's own
    TunerSide selected_side_ = TunerSide::b; ///< in whose map that is a place
    mutable std::optional<TunerPicture> picture_;
    TunerSide side_ = TunerSide::b;
    mutable TunerDifferencePtr difference_; ///< of the two newest answers, once it is asked for
    /// Of which scenarios the cells are, B's and A's.
    std::pair<std::optional<Scenario>, std::optional<Scenario>> cells_of_;
    Inquiry<TunerRequest, TunerAnswerPtr> inquiry_;
    Inquiry<TunerRequest, TunerAnswerPtr> inquiry_of_a_;
};

} // namespace meshslice::ui
