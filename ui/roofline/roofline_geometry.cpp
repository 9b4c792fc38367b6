#include "ui/roofline/roofline_geometry.h"

#include "core/base/text.h"
#include "ui/look/lettering.h"
#include "ui/roofline/roofline_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice::ui {
namespace {

constexpr double panel_title = 24;
constexpr double narrowest_panel = 330;
constexpr double between_panels = 12;

double lowestFlatRoof(const Roofline& roofline) {
    double lowest = 0;
    for (const Roof& roof : roofline.roofs) {
        if (roof.flop_per_s > 0) {
            lowest = lowest > 0 ? std::min(lowest, roof.flop_per_s) : roof.flop_per_s;
        }
    }
    return lowest;
}

/// The roofs, cut to the plot, with their words.
std::vector<RoofLine> roofLines(const RooflinePanel& panel) {
    const QFont font = lettering(Lettering::small);
    const double flat = lowestFlatRoof(panel.roofline);
    double firstRidge = panel.x.low;
    for (const Ridge& ridge : panel.ridges) {
        firstRidge = std::max(panel.x.low, std::min(ridge.intensity, panel.x.high));
    }
    std::vector<RoofLine> lines;
    for (const Roof& roof : panel.roofline.roofs) {
        const QString name = QString::fromStdString(roof.name) + QStringLiteral(": ");
        if (roof.flop_per_s > 0) {
            const QLineF line = cutTo(panel.plot, panel.pixel(firstRidge, roof.flop_per_s),
                                      panel.pixel(panel.x.high, roof.flop_per_s));
            lines.push_back({line, name + QString::fromStdString(text(FlopRate(roof.flop_per_s))), true});
            continue;
        }
        const double top = flat > 0 ? flat : panel.y.high;
        const QLineF line = cutTo(panel.plot, panel.pixel(panel.x.low, roof.bytes_per_s * panel.x.low),
                                  panel.pixel(top / roof.bytes_per_s, top));
        const QString value = QString::fromStdString(text(Bandwidth(roof.bytes_per_s)));
        const bool room = textWidth(font, name + value) <= line.length() - 12;
        lines.push_back({line, room ? name + value : value, false}); // a cut-off number would mislead
    }
    std::erase_if(lines, [](const RoofLine& roof) { return roof.line.isNull(); });
    return lines;
}

/// Where each product stands that has a place on the axes.
std::vector<RooflineDot> dotsOf(const Results& results, const RooflinePanel& panel) {
    std::vector<RooflineDot> dots;
    for (std::size_t k = 0; k < panel.roofline.points.size(); ++k) {
        const RooflinePoint& point = panel.roofline.points[k];
        if (!(point.intensity > 0) || !(point.achieved > 0)) {
            continue; // has no place on a logarithmic axis
        }
        for (std::size_t step = 0; step < results.steps.size(); ++step) {
            const std::vector<GemmResult>& gemms = results.steps[step].gemms;
            const auto found = std::find_if(gemms.begin(), gemms.end(), [&](const GemmResult& gemm) {
                return gemm.title() == point.title;
            });
            if (results.steps[step].algorithm == point.algorithm && found != gemms.end()) {
                dots.push_back({k, step, static_cast<std::size_t>(found - gemms.begin()),
                                panel.pixel(point.intensity, point.achieved), dotRadius(point.time_share)});
                break;
            }
        }
    }
    return dots;
}

} // namespace

QPointF RooflinePanel::pixel(double intensity, double flopPerSecond) const {
    return {x.pixel(intensity), y.pixel(flopPerSecond)};
}

std::vector<Ridge> ridgesOf(const Roofline& roofline) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Roof& roof : roofline.roofs) {
        if (roof.flop_per_s > 0) {
            lowest = std::min(lowest, roof.flop_per_s);
        }
    }
    std::vector<Ridge> ridges;
    for (std::size_t k = 0; k < roofline.roofs.size() && std::isfinite(lowest); ++k) {
        if (roofline.roofs[k].bytes_per_s > 0) {
            ridges.push_back({k, lowest / roofline.roofs[k].bytes_per_s, lowest});
        }
    }
    return ridges;
}

void spanAxes(const Roofline& roofline, PixelAxis& x, PixelAxis& y) {
    constexpr double none = std::numeric_limits<double>::infinity();
    double least_x = none;
    double most_x = 0;
    double least_y = none;
    double most_y = 0;
    const auto take = [&](double intensity, double rate) {
        if (intensity > 0 && rate > 0 && std::isfinite(intensity) && std::isfinite(rate)) {
            least_x = std::min(least_x, intensity);
            most_x = std::max(most_x, intensity);
            least_y = std::min(least_y, rate);
            most_y = std::max(most_y, rate);
        }
    };
    for (const RooflinePoint& point : roofline.points) {
        take(point.intensity, point.achieved);
    }
    for (const Ridge& ridge : ridgesOf(roofline)) {
        take(ridge.intensity, ridge.flop_per_s);
    }
    if (!(most_x > 0)) {
        least_x = 1;
        most_x = 1000;
        least_y = 1e12;
        most_y = 1e14;
    }
    for (const Roof& roof : roofline.roofs) {
        most_y = std::max(most_y, roof.flop_per_s);
    }
    x.logarithmic = true;
    x.low = least_x / 2.5;
    x.high = most_x * 4; // names stand right of the dots
    y.logarithmic = true;
    y.high = most_y * 1.4;
    y.low = std::min(least_y / 1.6, y.high / 8);
}

double dotRadius(double timeShare) {
    return std::clamp(26 * std::sqrt(std::max(0.0, timeShare)), 4.0, 16.0);
}

std::vector<QRectF> panelAreas(const QRectF& area, std::size_t count) {
    std::vector<QRectF> areas;
    const auto n = static_cast<double>(std::max<std::size_t>(1, count));
    const double width = (area.width() - (n - 1) * between_panels) / n;
    const bool beside = width >= narrowest_panel || area.width() > 1.6 * area.height();
    const double height = (area.height() - (n - 1) * between_panels) / n;
    for (std::size_t k = 0; k < count; ++k) {
        const auto at = static_cast<double>(k);
        if (beside) {
            areas.emplace_back(area.left() + at * (width + between_panels), area.top(), width, area.height());
        } else {
            areas.emplace_back(area.left(), area.top() + at * (height + between_panels), area.width(),
                               height);
        }
    }
    return areas;
}

RooflinePanel layoutPanel(const Results& results, const Roofline& roofline, const QRectF& area,
                          Naming naming) {
    RooflinePanel panel;
    panel.roofline = roofline;
    panel.area = area;
    panel.plot = area.adjusted(left_axis + 6, panel_title + 4, -10, -below_axis);
    panel.plot.setWidth(std::max(10.0, panel.plot.width()));
    panel.plot.setHeight(std::max(10.0, panel.plot.height()));
    spanAxes(roofline, panel.x, panel.y);
    panel.x.begin = panel.plot.left();
    panel.x.end = panel.plot.right();
    panel.y.begin = panel.plot.bottom();
    panel.y.end = panel.plot.top();
    panel.ridges = ridgesOf(roofline);
    panel.roofs = roofLines(panel);
    panel.dots = dotsOf(results, panel);
    placeLabels(results, panel, naming);
    return panel;
}

std::optional<std::size_t> dotAt(const RooflinePanel& panel, const QPointF& point) {
    std::optional<std::size_t> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < panel.dots.size(); ++k) {
        const double distance = QLineF(panel.dots[k].at, point).length();
        if (distance <= panel.dots[k].radius + 4 && distance < least) {
            nearest = k;
            least = distance;
        }
    }
    return nearest;
}

} // namespace meshslice::ui
