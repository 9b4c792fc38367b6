#pragma once

#include "core/papers/study.h"
#include "ui/charts/chart_surface.h"

#include <QWidget>

#include <optional>

namespace meshslice::ui {

/// A study's charts, or the sentence that stands in their place.
class StudyCanvas : public QWidget {
    Q_OBJECT
  public:
    explicit StudyCanvas(QWidget* parent = nullptr);

    void show(const std::optional<StudyResult>& result, const QString& sentence);
    [[nodiscard]] ChartSurface* surface() { return surface_; }
    [[nodiscard]] const ChartSurface* surface() const { return surface_; }

    [[nodiscard]] QSize sizeHint() const override { return {700, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {280, 180}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    ChartSurface* surface_;
    QString sentence_;
};

} // namespace meshslice::ui
