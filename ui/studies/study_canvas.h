#pragma once

#include "core/papers/meshslice/study.h"

#include <QWidget>

#include <optional>

namespace meshslice::ui {

/// Paints a study's charts into the window; hover names a mark.
class StudyCanvas : public QWidget {
    Q_OBJECT
  public:
    explicit StudyCanvas(QWidget* parent = nullptr);

    /// A result, or the sentence that stands in its place.
    void show(const std::optional<StudyResult>& result, const QString& sentence);
    [[nodiscard]] QStringList linesAt(const QPointF& point) const;

    [[nodiscard]] QSize sizeHint() const override { return {700, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {280, 180}; }

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    std::optional<StudyResult> result_;
    QString sentence_;
};

} // namespace meshslice::ui
