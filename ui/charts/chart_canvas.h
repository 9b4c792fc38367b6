#pragma once

#include "ui/charts/chart_surface.h"
#include "ui/view/readable.h"
#include "ui/view/view.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace meshslice::ui {

/// A widget with a chart alone, or the sentence that stands in its place; in a scroll area it is as high as
/// its chart needs.
class ChartCanvas : public QWidget, public Readable {
    Q_OBJECT
  public:
    explicit ChartCanvas(QWidget* parent = nullptr);

    void show(std::optional<Chart> chart, const QString& sentence);
    /// What the keyboard does here.
    [[nodiscard]] std::vector<KeyHelp> keys() const;
    [[nodiscard]] QString readAloud() const override { return accessibleDescription(); }
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    [[nodiscard]] ChartSurface* surface() { return surface_; }
    [[nodiscard]] const ChartSurface* surface() const { return surface_; }

    [[nodiscard]] QSize sizeHint() const override { return {700, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {280, 180}; }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void takeHeight();

    ChartSurface* surface_;
    QString sentence_;
};

} // namespace meshslice::ui
