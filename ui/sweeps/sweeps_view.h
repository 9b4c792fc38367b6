#pragma once

#include "core/search/sweep.h"
#include "ui/view/view.h"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

class QComboBox;
class QLineEdit;
class QPushButton;
class QTableView;

namespace meshslice::ui {

class ChartCanvas;
class TableModel;

/// The scenario again and again with one field or two varied: which, and through what values, is said above
/// the picture. The points are computed off the UI thread, and only while the view is seen; what is done
/// stays, so that a sweep goes on where it was left. A click on a point takes its values into the scenario.
class SweepsView : public View {
    Q_OBJECT
  public:
    explicit SweepsView(Session* session, QWidget* parent = nullptr);

    /// Sweeps one field, through values around what the scenario has.
    void sweepField(std::string_view key);

    /// Sweeps have a state of their own: a scenario that does not run leaves them alone.
    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isStale() const override { return false; }
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }
    void giveUp() override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;

    /// Of the first field, or the second.
    [[nodiscard]] QComboBox* field(std::size_t which) { return fields_[which]; }
    [[nodiscard]] QLineEdit* values(std::size_t which) { return values_[which]; }
    [[nodiscard]] QComboBox* depth() { return depth_; }
    [[nodiscard]] QPushButton* stop() { return stop_; }
    [[nodiscard]] ChartCanvas* canvas() { return canvas_; }
    [[nodiscard]] TableModel* rows() { return rows_; }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// Takes a point's values into the scenario, as one undo step.
    void take(std::size_t point);

    [[nodiscard]] QSize sizeHint() const override { return {900, 600}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 300}; }

  signals:
    /// A sweep is complete, or refused.
    void answered();

  protected:
    void resultsChanged() override {}
    void stateChanged() override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    /// The points of the newest sweep that are done, written by the thread that computes them.
    class Done;

    void makeControls();
    void layOut();
    /// The fields that have an effect in the scenario.
    void fillFields();
    void suggestValues(std::size_t which);
    [[nodiscard]] Result<Sweep> wanted() const;
    /// Asks for what is wanted, unless it is shown or under way.
    void renew();
    void stopOrGoOn();
    /// Adds the points that are done meanwhile.
    void showPoints();
    /// The chart, unless it is of nearly as many points and more are coming.
    void drawPoints(const Result<Sweep>& sweep, bool busy);
    [[nodiscard]] QString sentenceOf(const Result<Sweep>& sweep) const;

    std::array<QComboBox*, 2> fields_;
    std::array<QLineEdit*, 2> values_;
    QComboBox* depth_;
    QPushButton* stop_;
    ChartCanvas* canvas_;
    QTableView* table_ = nullptr;
    TableModel* rows_;
    QTimer growing_;               ///< shows points while more are being computed
    bool picked_ = false;          ///< the first field was chosen, not only suggested
    std::optional<Sweep> stopped_; ///< by the user; goes on when asked to
    std::optional<Sweep> shown_;
    std::vector<SweepPoint> points_;   ///< of the shown sweep
    std::optional<std::size_t> drawn_; ///< so many of them, in the chart
    std::shared_ptr<Done> done_;
    Inquiry<Sweep, std::vector<SweepPoint>> inquiry_;
};

} // namespace meshslice::ui
