#pragma once

#include "ui/look/palette.h"
#include "ui/measured/logged_run.h"

#include <QWidget>

class QPainter;
class QPlainTextEdit;

namespace meshslice::ui {

class ChartCanvas;

/// A logged run: its steps over time where it is a training, and what the command line says of it.
class LogPane : public QWidget {
    Q_OBJECT
  public:
    explicit LogPane(QWidget* parent = nullptr);

    void show(const LoggedRun& run);
    [[nodiscard]] ChartCanvas* chart() { return chart_; }
    [[nodiscard]] QPlainTextEdit* text() { return text_; }
    /// Paints the chart, or the headline where there is none.
    void paintFor(QPainter& painter, const QSize& size, Theme theme) const;

  private:
    ChartCanvas* chart_;
    QPlainTextEdit* text_;
    QString headline_;
    bool charted_ = false;
};

} // namespace meshslice::ui
