#include "ui/roofline/roofline_geometry.h"

#include "ui/charts/label_layout.h"
#include "ui/look/lettering.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice::ui {
namespace {

constexpr double panel_title = 24;
constexpr double narrowest_panel = 330;
constexpr double between_panels = 12;
constexpr double narrow_plot = 400; ///< where names are shortened

/// The products at close quarters, one line for each layer: "FF1 forward, backward data".
QStringList joinedTitles(const Results& results, const RooflinePanel& panel,
                         const std::vector<std::size_t>& dots) {
    QStringList lines;
    std::string layer;
    for (const std::size_t index : dots) {
        const RooflineDot& dot = panel.dots[index];
        const Gemm& gemm = results.steps[dot.step].gemms[dot.gemm].gemm;
        if (!lines.isEmpty() && !gemm.layer.empty() && gemm.layer == layer) {
            lines.back() += QStringLiteral(", ") + QString::fromUtf8(name(gemm.pass).data());
        } else {
            lines += QString::fromStdString(panel.roofline.points[dot.point].title);
        }
        layer = gemm.layer;
    }
    if (panel.plot.width() < narrow_plot) {
        lines.replaceInStrings(QStringLiteral("backward"), QStringLiteral("bwd"));
        lines.replaceInStrings(QStringLiteral("forward"), QStringLiteral("fwd"));
    }
    return lines;
}

std::vector<QRectF> roofObstacles(const RooflinePanel& panel) {
    // Labels keep off the roofs: a row of little squares along each line.
    std::vector<QRectF> obstacles;
    for (double x = panel.plot.left(); x < panel.plot.right(); x += 8) {
        const double intensity = panel.x.value(x);
        for (const Roof& roof : panel.roofline.roofs) {
            const double limit = roof.flop_per_s > 0 ? roof.flop_per_s : roof.bytes_per_s * intensity;
            const double y = panel.y.pixel(limit);
            if (panel.plot.contains(QPointF(x, y))) {
                obstacles.emplace_back(x - 4, y - 4, 8, 8);
            }
        }
    }
    return obstacles;
}

void addJoiningLines(const RooflinePanel& panel, std::vector<QRectF>& obstacles) {
    for (const RooflineDot& other : panel.dots) {
        for (const RooflineDot& ours : panel.dots) {
            if (other.step == 1 && ours.step == 0 && other.gemm == ours.gemm) {
                const QLineF line(ours.at, other.at);
                for (double along = 0; along < line.length(); along += 6) {
                    const QPointF at = line.pointAt(along / line.length());
                    obstacles.emplace_back(at.x() - 3, at.y() - 3, 6, 6);
                }
            }
        }
    }
}

void placeNames(const Results& results, RooflinePanel& panel) {
    // The compared algorithm's dots are named by the line that joins them to ours.
    std::vector<QPointF> centres;
    std::vector<std::size_t> named;
    for (std::size_t dot = 0; dot < panel.dots.size(); ++dot) {
        if (panel.dots[dot].step == 0) {
            centres.push_back(panel.dots[dot].at);
            named.push_back(dot);
        }
    }
    std::vector<QRectF> obstacles = roofObstacles(panel);
    for (const RooflineDot& dot : panel.dots) {
        const double r = dot.radius;
        obstacles.emplace_back(dot.at.x() - r, dot.at.y() - r, 2 * r, 2 * r);
    }
    // The names of the roofs, see the painter: along the right end of each flat one.
    for (const Roof& roof : panel.roofline.roofs) {
        if (roof.flop_per_s > 0) {
            const double y = panel.y.pixel(roof.flop_per_s);
            obstacles.emplace_back(panel.plot.right() - 190, y - 20, 190, 24);
        }
    }
    const QFont font = lettering(Lettering::small);
    std::vector<LabelWish> wishes;
    std::vector<QStringList> words;
    for (const std::vector<std::size_t>& group : closeTogether(centres, 7)) {
        std::vector<std::size_t> dots;
        double radius = 0;
        for (const std::size_t member : group) {
            dots.push_back(named[member]);
            radius = std::max(radius, panel.dots[named[member]].radius);
        }
        QStringList lines = joinedTitles(results, panel, dots);
        double width = 0;
        for (QString& line : lines) {
            line = fitted(font, line, panel.plot.width() * 0.6);
            width = std::max(width, textWidth(font, line));
        }
        const QSizeF needed(width + 4, static_cast<double>(lines.size()) * label_line);
        words.push_back(std::move(lines));
        wishes.push_back({panel.dots[dots.front()].at, radius, needed});
    }
    // Off the lines between compared dots, if all names find a place so; else across them.
    const QRectF bounds = panel.plot.adjusted(2, 2, -2, -18);
    std::vector<QRectF> all = obstacles;
    addJoiningLines(panel, all);
    auto places = placeLabels(wishes, bounds, all);
    if (std::count(places.begin(), places.end(), std::nullopt) > 0) {
        places = placeLabels(wishes, bounds, obstacles);
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (places[k]) {
            panel.labels.push_back({*places[k], words[k], wishes[k].anchor, wishes[k].radius});
        }
    }
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

void spanAxes(const Roofline& roofline, ChartAxis& x, ChartAxis& y) {
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

RooflinePanel layoutPanel(const Results& results, const Roofline& roofline, const QRectF& area) {
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

    for (std::size_t k = 0; k < roofline.points.size(); ++k) {
        const RooflinePoint& point = roofline.points[k];
        if (!(point.intensity > 0) || !(point.achieved > 0)) {
            continue; // has no place on a logarithmic axis
        }
        for (std::size_t step = 0; step < results.steps.size(); ++step) {
            const std::vector<GemmResult>& gemms = results.steps[step].gemms;
            const auto found = std::find_if(gemms.begin(), gemms.end(), [&](const GemmResult& gemm) {
                return gemm.title() == point.title;
            });
            if (results.steps[step].algorithm == point.algorithm && found != gemms.end()) {
                panel.dots.push_back({k, step, static_cast<std::size_t>(found - gemms.begin()),
                                      panel.pixel(point.intensity, point.achieved),
                                      dotRadius(point.time_share)});
                break;
            }
        }
    }
    placeNames(results, panel);
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
