#pragma once

#include "ui/charts/chart_view.h"

namespace meshslice::ui {

/// What bounds the scenario's GEMMs, as a sentence.
[[nodiscard]] QString rooflineFinding(const Results& results);

/// What bounds each GEMM: the chip's roofline next to the links' one, a mark for each GEMM.
class RooflineView : public ChartView {
    Q_OBJECT
  public:
    explicit RooflineView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

  protected:
    [[nodiscard]] Chart makeChart() const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString nothingToShow() const override;
};

} // namespace meshslice::ui
