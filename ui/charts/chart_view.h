#pragma once

#include "ui/charts/chart_surface.h"
#include "ui/view/painted_view.h"

namespace meshslice::ui {

/// A view of the run's results that is one chart: it makes the chart's value, and everything else is here.
/// Its items are GEMMs (see chart_item). The arrows step through them, Escape selects none.
class ChartView : public PaintedView {
    Q_OBJECT
  public:
    ChartView(Session* session, QWidget* parent);

    [[nodiscard]] ChartSurface* surface() { return surface_; }
    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;

  protected:
    /// The chart of the results; they have GEMMs.
    [[nodiscard]] virtual Chart makeChart() const = 0;

    [[nodiscard]] bool thereAreGemms() const { return there_are_gemms_; }

    void resultsChanged() override;
    void stateChanged() override;
    [[nodiscard]] double leastHeight(double width) const override;
    void paintContent(QPainter& painter) override;
    [[nodiscard]] double pictureHeight(double width) const override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void takeSelection();

    ChartSurface* surface_;
    std::optional<Chart> chart_; ///< of the results
    bool there_are_gemms_ = false;
};

} // namespace meshslice::ui
