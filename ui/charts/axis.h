#pragma once

#include "ui/look/palette.h"

#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// A tick: where, and what is written there.
struct Tick {
    double value = 0;
    QString label;
};

/// One axis of a chart, linear or logarithmic: the values it spans and the pixels it spans. `begin` is the
/// pixel of `low`; a vertical axis has begin > end, as pixels grow downward.
struct ChartAxis {
    double low = 0;
    double high = 1;
    double begin = 0;
    double end = 1;
    bool logarithmic = false;

    /// The pixel of a value. On a logarithmic axis values <= 0 lie at minus infinity: they are taken for
    /// `low`.
    [[nodiscard]] double pixel(double value) const;
    [[nodiscard]] double value(double pixel) const;
    [[nodiscard]] double clamped(double value) const;
};

/// Ticks of the axis about `spacing` pixels apart, written in `unit` (1e12 for TFLOP/s).
[[nodiscard]] std::vector<Tick> axisTicks(const ChartAxis& axis, double spacing, double unit = 1.0);

/// The grid lines and labels of an axis below a plot, and its name in the middle beneath them.
void paintAxisBelow(QPainter& painter, const QRectF& plot, const ChartAxis& axis,
                    const std::vector<Tick>& ticks, const QString& name, Theme theme);
/// The grid lines and labels of an axis left of a plot, and its name, turned, left of them.
void paintAxisLeft(QPainter& painter, const QRectF& plot, const ChartAxis& axis,
                   const std::vector<Tick>& ticks, const QString& name, Theme theme);

/// The room these two need beside the plot.
inline constexpr double below_axis = 40;
inline constexpr double left_axis = 62;

/// The part of the line from `a` to `b` that lies in `area`; a null line where there is none. SVG and PDF
/// files of Qt 6.4 are not clipped, so pictures are made of lines that need no clipping.
[[nodiscard]] QLineF cutTo(const QRectF& area, const QPointF& a, const QPointF& b);

} // namespace meshslice::ui
