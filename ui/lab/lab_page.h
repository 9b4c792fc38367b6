#pragma once

#include "core/figure/table.h"
#include "ui/look/palette.h"
#include "ui/session/inquiry.h"

#include <QSize>
#include <QString>
#include <QWidget>

class QPainter;

namespace meshslice::ui {

/// A page of the lab next to the sharded GEMM: the lab exports what it shows.
class LabPage : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    /// What has the focus when the page is turned to.
    [[nodiscard]] virtual QWidget* picture() = 0;
    /// The picture is of what is chosen and typed.
    [[nodiscard]] virtual bool isCurrent() const = 0;
    virtual void complete(const Completed& completed) = 0;
    /// What the picture is of, in a line.
    [[nodiscard]] virtual QString pictured() const = 0;
    [[nodiscard]] virtual Table table() const = 0;
    /// Into a rectangle that is laid out for a file.
    virtual void paintFor(QPainter& painter, const QSize& laid_out, Theme theme) const = 0;
};

} // namespace meshslice::ui
