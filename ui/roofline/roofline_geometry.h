#pragma once

#include "core/step/roofline.h"
#include "ui/charts/axis.h"
#include "ui/session/results.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// A product in one panel.
struct RooflineDot {
    std::size_t point = 0; ///< index into Roofline::points
    std::size_t step = 0;  ///< 0: the scenario's algorithm, 1: the compared one
    std::size_t gemm = 0;
    QPointF at;
    double radius = 0;
};

inline constexpr double label_line = 14; ///< height of a line of a dot's name

/// A roof as it is drawn: slanted ones end where they meet the lowest flat one.
struct RoofLine {
    QLineF line;
    QString words; ///< its name and value, or its value alone where there is no room for both
    bool flat = false;
};

/// What stands beside dots: the products' names, or their numbers, which a list below the panels explains.
enum class Naming : std::uint8_t { names, numbers };

/// A text beside one or several dots.
struct RooflineLabel {
    QRectF place;
    QStringList lines;
    QPointF anchor;
    double radius = 0; ///< of the dot it belongs to
};

/// Where a slanted roof meets the lowest flat one.
struct Ridge {
    std::size_t roof = 0;
    double intensity = 0;
    double flop_per_s = 0;
};

/// One log-log picture, ready for painting.
struct RooflinePanel {
    Roofline roofline;
    QRectF area;
    QRectF plot;
    PixelAxis x;
    PixelAxis y;
    std::vector<Ridge> ridges;
    std::vector<RoofLine> roofs;
    std::vector<RooflineDot> dots;
    std::vector<RooflineLabel> labels;
    bool allLabelled = true; ///< whether each dot has a label off dots, lines and other labels

    [[nodiscard]] QPointF pixel(double intensity, double flopPerSecond) const;
};

/// The ridges of a roofline: none without a flat roof or without a slanted one.
[[nodiscard]] std::vector<Ridge> ridgesOf(const Roofline& roofline);
/// The spans of both axes: all dots and ridges with a margin, a factor of eight or more in height, and zero
/// nowhere.
void spanAxes(const Roofline& roofline, PixelAxis& x, PixelAxis& y);
/// The radius of a dot whose area is the share of time; never too small to see or hit.
[[nodiscard]] double dotRadius(double timeShare);

/// Two areas side by side where there is width for it, else one above the other.
[[nodiscard]] std::vector<QRectF> panelAreas(const QRectF& area, std::size_t count);
/// Lays out a panel; the products are found in the results by algorithm and title. A label without room is
/// left out.
[[nodiscard]] RooflinePanel layoutPanel(const Results& results, const Roofline& roofline, const QRectF& area,
                                        Naming naming = Naming::names);

/// The dot under a point: the nearest within its radius and a little.
[[nodiscard]] std::optional<std::size_t> dotAt(const RooflinePanel& panel, const QPointF& point);

} // namespace meshslice::ui
