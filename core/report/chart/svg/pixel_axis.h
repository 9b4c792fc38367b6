#pragma once

#include <string>
#include <vector>

namespace meshslice {

/// A tick: where, and what is written there.
struct Tick {
    double value = 0;
    std::string label;
};

/// One axis of a chart, linear or logarithmic: the values it spans and the pixels it spans. `begin` is the
/// pixel of `low`; a vertical axis has begin > end, as pixels grow downward.
struct PixelAxis {
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
[[nodiscard]] std::vector<Tick> axis_ticks(const PixelAxis& axis, double spacing, double unit = 1.0);

} // namespace meshslice
