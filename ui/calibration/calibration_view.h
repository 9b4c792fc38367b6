#pragma once

#include "core/calibrate/calibration.h"
#include "ui/view/view.h"

#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace meshslice::ui {

class ChartCanvas;
class TableModel;

/// Which files are fitted, and onto which machine.
struct CalibrationRequest {
    QString collectives; ///< paths of CSV files; at least one
    QString gemms;
    RingMode ring = RingMode::both_ways;
    DataType type = DataType::bf16;
    Machine hardware;

    bool operator==(const CalibrationRequest&) const = default;
};

/// Measured times of collectives and GEMMs, the constants that are fitted to them, and how far the fit is
/// from every measured time; one click takes the fitted machine over into the scenario. A file that cannot be
/// read or fitted leaves what was shown before, and the sentence says why.
class CalibrationView : public View {
    Q_OBJECT
  public:
    explicit CalibrationView(Session* session, QWidget* parent = nullptr);

    /// Measurements are there or not, whether the scenario runs or not.
    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isUnused() const override { return !shown_ && !inquiry_.asked(); }
    [[nodiscard]] bool isStale() const override { return false; }
    [[nodiscard]] bool isCurrent() const override { return shown_.has_value() && !inquiry_.asked(); }
    void complete(const Completed& completed) override;
    void giveUp() override;
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;

    /// Fits a file of measured collectives, or of GEMMs, together with what is open already.
    void openCollectives(const QString& path);
    void openGemms(const QString& path);

    /// What is shown; none before the first fit.
    [[nodiscard]] const std::optional<Calibration>& shown() const { return shown_; }
    [[nodiscard]] ChartCanvas* canvas() { return canvas_; }
    [[nodiscard]] QComboBox* ring() { return ring_; }
    [[nodiscard]] QLabel* notice() { return notice_; }
    [[nodiscard]] QPushButton* use() { return use_; }
    [[nodiscard]] TableModel* constants() { return constants_; }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }

    [[nodiscard]] QSize sizeHint() const override { return {900, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return leastOfLayout({360, 260}); }

  protected:
    void resultsChanged() override {}
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;

  private:
    void layOut();
    [[nodiscard]] QString askForFile(const QString& what);
    void fit(const CalibrationRequest& request);
    /// What was asked for last, answered or not.
    [[nodiscard]] CalibrationRequest newest() const;
    void take();
    void takeOver();
    void showFit();

    QPushButton* open_collectives_;
    QPushButton* open_gemms_;
    QComboBox* ring_;
    QPushButton* use_;
    QLabel* notice_; ///< which files these are, or why a file was refused
    ChartCanvas* canvas_;
    TableModel* constants_;
    QTableView* table_;
    CalibrationRequest wanted_; ///< of what is shown
    std::optional<Calibration> shown_;
    Inquiry<CalibrationRequest, Calibration> inquiry_;
};

} // namespace meshslice::ui
