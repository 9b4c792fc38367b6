#pragma once

#include "ui/lineup/lineup_data.h"
#include "ui/timeline/run_browser.h"
#include "ui/view/painted_view.h"

#include <QPixmap>
#include <QPoint>

#include <optional>

class QComboBox;
class QScrollBar;

namespace meshslice::ui {

class ChipBox;

/// The timelines of all algorithms for one GEMM and one chip, stacked on one time axis: what the MeshSlice
/// paper's Figure 4 tells side by side. The GEMM is the selected one, else the first. Running them all
/// takes a while, so it is done only while the view is seen, off the UI thread. Where the scenario's own
/// algorithm does not run, it still shows the others.
///
/// Keys, wheel and drags are the browser's.
class LineupView : public PaintedView {
    Q_OBJECT
  public:
    explicit LineupView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }
    void giveUp() override;

    /// What is shown; none before the first answer.
    [[nodiscard]] LineupPtr lineup() const { return inquiry_.answer().value_or(nullptr); }
    /// What the scenario and the selection ask for.
    [[nodiscard]] LineupRequest wanted() const;
    /// What computes it, for tests.
    [[nodiscard]] Inquiry<LineupRequest, LineupPtr>& inquiry() { return inquiry_; }

    /// Whose algorithms are shown, where the scenario is compared with a variant.
    enum class Side : std::uint8_t { a, b, both };
    void setSide(Side side);

    [[nodiscard]] LineupOrder order() const { return order_; }
    void setOrder(LineupOrder order);
    [[nodiscard]] Chip chip() const { return chip_; }
    void setChip(Chip chip);

    [[nodiscard]] TimeRange range() const {
        return browser_.window() ? browser_.window()->range : TimeRange();
    }
    /// What is seen; null before the first answer.
    [[nodiscard]] const RunWindow* window() const { return browser_.window(); }
    [[nodiscard]] RunLayout layoutNow() const;
    /// What stands at a point, line by line; empty where there is nothing.
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;
    /// The algorithms.
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;

    [[nodiscard]] QSize sizeHint() const override { return {960, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

  protected:
    void resultsChanged() override {}
    void stateChanged() override;
    void paintContent(QPainter& painter) override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] double pictureHeight(double width) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;
    [[nodiscard]] QString nothingToShow() const override;
    void looksChanged() override;

    [[nodiscard]] QStringList tipAt(const QPoint& point) const override;
    bool handleKey(int key, bool act) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void makeControls();
    /// What they offer, and whether they are there.
    void renewControls();
    void placeControls();

    /// The scenario's GEMMs, in words: also of one that its own algorithm does not run.
    [[nodiscard]] QStringList productTitles() const;
    /// B's; A's where that alone is shown.
    [[nodiscard]] const Scenario& shownScenario() const;
    /// What the scenario is compared with; null where that is not a variant.
    [[nodiscard]] const Variant* reference() const;
    /// The run has ended; also one that was refused: the other algorithms may run.
    [[nodiscard]] bool mayAsk() const;
    /// Asks for what is wanted unless it is shown or under way, if the view is seen.
    void renew();
    void take();

    /// Builds what is seen again, from where it was looked at.
    void renewWindow();
    void changed();
    [[nodiscard]] bool isSeen() const { return browser_.window() != nullptr && sentence().isEmpty(); }

    QComboBox* products_;
    ChipBox* chips_;
    QComboBox* orders_;
    QComboBox* sides_;
    QScrollBar* scroll_;

    LineupPtr lineup_;   ///< the answer that the browser shows
    RunBrowser browser_; ///< whose axis is this GEMM's own, not the training step's
    Chip chip_ = 0;
    std::optional<Chip> chosen_chip_; ///< by the user; none: the one that tells most
    LineupOrder order_ = LineupOrder::asListed;
    Side side_ = Side::b;

    QPixmap base_;        ///< the painted picture without the cursor
    int about_left_ = 12; ///< where the controls end
    Inquiry<LineupRequest, LineupPtr> inquiry_;
};

} // namespace meshslice::ui
