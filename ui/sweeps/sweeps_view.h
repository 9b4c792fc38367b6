#pragma once

#include "core/figure/heat_map.h"
#include "core/question/sweep.h"
#include "ui/charts/chart_job_view.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;
class QRadioButton;

namespace meshslice::ui {

class DonePoints;
class HeatCanvas;
class TableModel;

/// The scenario again and again with one field or two varied: which, and through what values, is said above
/// the picture. The points are computed off the UI thread, and only while the view is seen; what is done
/// stays, so that a sweep goes on where it was left. Two fields are shown as lines or as a heat map. A click
/// on a point takes its values into the scenario. A text that is refused changes nothing: the last good sweep
/// stays, and a sentence above it says why.
class SweepsView : public ChartJobView {
    Q_OBJECT
  public:
    explicit SweepsView(Session* session, QWidget* parent = nullptr);
    ~SweepsView() override;

    /// Sweeps one field, through values around what the scenario has.
    void sweepField(std::string_view key);

    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override { return inquiry_.progress(); }

    /// Of the first field, or the second.
    [[nodiscard]] QComboBox* field(std::size_t which) { return fields_[which]; }
    [[nodiscard]] QLineEdit* values(std::size_t which) { return values_[which]; }
    [[nodiscard]] QComboBox* depth() { return depth_; }
    [[nodiscard]] QPushButton* stop() { return stop_; }
    /// What shows two fields as lines, or as a heat map.
    [[nodiscard]] QRadioButton* asLines() { return as_lines_; }
    [[nodiscard]] QRadioButton* asHeatMap() { return as_heat_map_; }
    /// Whose points two fields' picture has where there is an A: B's, A's, or the time of B against A.
    [[nodiscard]] QComboBox* whose() { return whose_; }
    [[nodiscard]] HeatCanvas* heat() { return heat_; }
    /// Why what is typed or chosen is not what is shown; hidden where it is.
    [[nodiscard]] QLabel* refusal() { return refusal_; }
    [[nodiscard]] TableModel* rows() { return rows_; }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }
    /// Takes a point's values into the scenario, as one undo step.
    void take(std::size_t point);
    /// Keeps the scenario of a point as a variant of its own, named by its values.
    void keep(std::size_t point);

  protected:
    void renew() override;
    void cancel(bool awaited) override;
    void takeScenario() override { fillFields(); }
    [[nodiscard]] double pictureHeight(double width) const override;
    void paintCurrent(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;
    void changeEvent(QEvent* event) override;

  private:
    /// Places in the list of whose points are shown.
    enum Whose : int { whose_b, whose_a, whose_both };
    /// What is asked at every point; places in the list.
    enum class Asks : int { estimates, simulations, plans };
    /// What is varied, in words that were understood.
    struct Chosen {
        std::vector<Vary> fields;
        Asks asks = Asks::estimates;
    };
    /// Why the controls say no sweep, and whose text it is, if of one.
    struct Refusal {
        std::string sentence;
        std::optional<std::size_t> which;
    };

    void makeControls();
    void layOut();
    bool followTask();
    /// The fields that have an effect in the scenario.
    void fillFields();
    void suggestValues(std::size_t which);
    /// What the controls say; the refusal where it is not a sweep.
    [[nodiscard]] std::optional<Chosen> read(Refusal& refusal) const;
    /// Chooses what they say, or shows why they say nothing.
    void takeControls();
    /// The sweep of what was chosen last.
    [[nodiscard]] Result<Sweep> wanted() const;
    /// The same of A; none where there is no A, or where it does not have the field.
    [[nodiscard]] std::optional<Sweep> wantedOfA() const;
    /// A's points, once all are known; null before and where there is no A.
    [[nodiscard]] const std::vector<SweepPoint>* pointsOfA() const;
    [[nodiscard]] Result<Sweep> sweepOf(const Chosen& chosen) const;
    /// A sweep of the scenario over nothing yet, as the list says.
    [[nodiscard]] Sweep sweepOver(Asks asks) const;
    [[nodiscard]] Asks asks() const;
    void showRefusal(const Refusal& refusal);
    /// Takes the refusal back as soon as it is not true any more.
    void readAgain();
    [[nodiscard]] bool showsHeatMap() const;
    /// Of points that are there.
    [[nodiscard]] Chart lines(const Sweep& sweep, const std::string& finding) const;
    [[nodiscard]] HeatMap heatMap(const Sweep& sweep, const std::string& finding) const;
    [[nodiscard]] Table shownTable(const Sweep& sweep, const std::vector<SweepPoint>& more) const;
    void leaveRoomForValues();
    void fitColumns();
    void pick(std::size_t point);
    void stopOrGoOn();
    /// Adds the points that are done meanwhile.
    void showPoints();
    /// The chart, unless it is of nearly as many points and more are coming.
    void drawPoints(const Result<Sweep>& sweep, bool busy);
    [[nodiscard]] QString sentenceOf(const Result<Sweep>& sweep) const;

    std::array<QComboBox*, 2> fields_;
    std::array<QLineEdit*, 2> values_;
    QGridLayout* controls_ = nullptr;
    QComboBox* depth_;
    QPushButton* stop_;
    QRadioButton* as_lines_;
    QRadioButton* as_heat_map_;
    QComboBox* whose_;
    QLabel* refusal_;
    QStackedWidget* pictures_;
    HeatCanvas* heat_;
    QTableView* table_ = nullptr;
    TableModel* rows_;
    QTimer growing_;               ///< shows points while more are being computed
    bool picked_ = false;          ///< the first field was chosen, not only suggested
    Chosen chosen_;                ///< last; what is refused leaves it alone
    Refusal refused_;              ///< of what the controls say now
    std::optional<Sweep> stopped_; ///< by the user; goes on when asked to
    std::optional<Sweep> shown_;
    std::vector<SweepPoint> points_;   ///< of the shown sweep
    std::optional<std::size_t> drawn_; ///< so many of them, in the chart
    std::shared_ptr<DonePoints> done_;
    Inquiry<Sweep, std::vector<SweepPoint>> inquiry_;
    Inquiry<Sweep, std::vector<SweepPoint>> inquiry_of_a_;
    bool shows_a_ = false; ///< in the table
};

} // namespace meshslice::ui
