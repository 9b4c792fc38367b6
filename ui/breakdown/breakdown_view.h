#pragma once

#include "ui/charts/chart_view.h"

#include <cstddef>

class QAbstractButton;
class QToolButton;

namespace meshslice::ui {

/// What the breakdown shows, as a sentence; a question where there is nothing to say.
[[nodiscard]] QString breakdownFinding(const Results& results);

/// Where the time of each GEMM goes: multiplication and exposed communication, and below it all communication
/// by cause; both algorithms next to each other. The GEMMs whose core waits longest come first, and the
/// others are shown when they are asked for.
class BreakdownView : public ChartView {
    Q_OBJECT
  public:
    explicit BreakdownView(Session* session, QWidget* parent = nullptr);

    /// So many GEMMs are shown until all are asked for.
    static constexpr std::size_t first_gemms = 3;
    [[nodiscard]] bool showsAll() const { return all_; }
    void showAll(bool all);
    /// Asks for all, or for the worst again; hidden where there are no more.
    [[nodiscard]] QAbstractButton* moreButton();

    [[nodiscard]] QSize sizeHint() const override { return {800, 520}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 260}; }

  protected:
    [[nodiscard]] Chart makeChart() const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString nothingToShow() const override;
    void stateChanged() override;
    [[nodiscard]] double leastHeight(double width) const override;
    void paintContent(QPainter& painter) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    [[nodiscard]] std::size_t gemms() const;
    /// Below the chart, in the pixels it is laid out in; 0 without a button.
    [[nodiscard]] double footHeight() const;
    void placeButton();

    QToolButton* more_;
    bool all_ = false;
};

} // namespace meshslice::ui
