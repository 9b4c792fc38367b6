#pragma once

#include "ui/charts/chart_view.h"

namespace meshslice::ui {

/// What the breakdown shows, as a sentence; a question where there is nothing to say.
[[nodiscard]] QString breakdownFinding(const Results& results);

/// Where the time of each GEMM goes: multiplication and exposed communication, and below it all communication
/// by cause; both algorithms next to each other.
class BreakdownView : public ChartView {
    Q_OBJECT
  public:
    explicit BreakdownView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {800, 520}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 260}; }

  protected:
    [[nodiscard]] Chart makeChart() const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString nothingToShow() const override;
};

} // namespace meshslice::ui
