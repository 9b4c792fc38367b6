#include "ui/roofline/roofline_picture.h"

#include "core/base/text.h"
#include "ui/charts/label_layout.h"
#include "ui/look/lettering.h"
#include "ui/view/finding.h"

#include <QCoreApplication>
#include <QLineF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace meshslice::ui {
namespace {

struct RooflineWords {
    Q_DECLARE_TR_FUNCTIONS(Roofline)
};

constexpr double title_height = 34;
constexpr double legend_height = 26;
constexpr double list_gap = 8; ///< above the list of numbered products
constexpr double list_margin = 14;
constexpr double lowest_plot = 130; ///< below it a list would take more than it gives
/// FLOP/s are told in one unit in the whole picture.
constexpr double tera = 1e12;

void paintRoofs(QPainter& painter, const RooflinePanel& panel, Theme theme) {
    const QFont font = lettering(Lettering::small);
    for (const RoofLine& roof : panel.roofs) {
        const QLineF& line = roof.line;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color(Role::text, theme), 1.6));
        painter.drawLine(line);
        if (roof.flat) {
            drawFitted(painter, QRectF(line.p1().x() + 2, line.y1() - 19, std::max(0.0, line.dx() - 6), 16),
                       Qt::AlignRight | Qt::AlignVCenter, font, roof.words);
            continue;
        }
        painter.save();
        painter.translate(line.p1());
        painter.rotate(-std::atan2(line.y1() - line.y2(), line.dx()) * 180 / std::numbers::pi);
        drawFitted(painter, QRectF(6, -19, std::max(0.0, line.length() - 12), 16),
                   Qt::AlignHCenter | Qt::AlignVCenter, font, roof.words);
        painter.restore();
    }
}

void paintRidges(QPainter& painter, const RooflinePanel& panel, Theme theme) {
    const QFont font = lettering(Lettering::small);
    for (const Ridge& ridge : panel.ridges) {
        const QPointF at = panel.pixel(ridge.intensity, ridge.flop_per_s);
        const QLineF line = cutTo(panel.plot, at, QPointF(at.x(), panel.plot.bottom()));
        if (line.isNull()) {
            continue;
        }
        painter.setPen(QPen(color(Role::quietText, theme), 1, Qt::DashLine));
        painter.drawLine(line);
        const QString words =
            RooflineWords::tr("ridge: %1 FLOP/B").arg(QString::fromStdString(number_text(ridge.intensity)));
        const double width = textWidth(font, words);
        const bool right = at.x() + width + 8 < panel.plot.right();
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter,
                   QRectF(right ? at.x() + 5 : at.x() - width - 5, panel.plot.bottom() - 17, width + 2, 15),
                   Qt::AlignLeft | Qt::AlignVCenter, font, words);
    }
}

void paintNames(QPainter& painter, const RooflinePanel& panel, Theme theme) {
    const QFont font = lettering(Lettering::small);
    for (const RooflineLabel& label : panel.labels) {
        // A thin line where the name had to go away from its dot.
        const QPointF nearest(std::clamp(label.anchor.x(), label.place.left(), label.place.right()),
                              std::clamp(label.anchor.y(), label.place.top(), label.place.bottom()));
        QLineF leader(nearest, label.anchor);
        if (leader.length() > label.radius + beside_dot) {
            leader.setLength(leader.length() - label.radius);
            painter.setPen(QPen(tint(Role::quietText, theme, 0.6), 1));
            painter.drawLine(leader);
        }
        // Grid lines pass behind a name, not through it.
        painter.fillRect(label.place, color(Role::background, theme));
        painter.setPen(color(Role::text, theme));
        const Qt::Alignment side = label.place.left() > label.anchor.x()    ? Qt::AlignLeft
                                   : label.place.right() < label.anchor.x() ? Qt::AlignRight
                                                                            : Qt::AlignHCenter;
        for (qsizetype line = 0; line < label.lines.size(); ++line) {
            const double top = label.place.top() + static_cast<double>(line) * label_line;
            drawFitted(painter, QRectF(label.place.left() + 2, top, label.place.width() - 3, label_line),
                       side | Qt::AlignVCenter, font, label.lines[line]);
        }
    }
}

void paintPanel(QPainter& painter, const RooflinePanel& panel, Theme theme) {
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(panel.plot.left(), panel.area.top(), panel.plot.width(), 22),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true),
               QString::fromStdString(panel.roofline.title));
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintAxisBelow(
        painter, panel.plot, panel.x, axis_ticks(panel.x, 34),
        RooflineWords::tr("%1 (log scale)").arg(QString::fromStdString(panel.roofline.intensity_name)),
        theme);
    paintAxisLeft(painter, panel.plot, panel.y, axis_ticks(panel.y, 24, tera),
                  RooflineWords::tr("TFLOP/s of one chip (log scale)"), theme);
    painter.setRenderHint(QPainter::Antialiasing);
    // From each compared product to the same product of the scenario's algorithm.
    painter.setPen(QPen(tint(Role::quietText, theme, 0.6), 1));
    for (const RooflineDot& other : panel.dots) {
        for (const RooflineDot& ours : panel.dots) {
            if (other.step == 1 && ours.step == 0 && other.gemm == ours.gemm) {
                painter.drawLine(other.at, ours.at);
            }
        }
    }
    paintRidges(painter, panel, theme);
    paintRoofs(painter, panel, theme);
    paintNames(painter, panel, theme);
    for (std::size_t step = 2; step-- > 0;) {
        for (const RooflineDot& dot : panel.dots) {
            if (dot.step == step) {
                paintDot(painter, dot, theme, false);
            }
        }
    }
}

std::vector<RooflinePanel> layoutPanels(const Results& results, const Roofline& chip, const Roofline& links,
                                        const QRectF& area, Naming naming) {
    const std::vector<QRectF> areas = panelAreas(area, 2);
    return {layoutPanel(results, chip, areas[0], naming), layoutPanel(results, links, areas[1], naming)};
}

} // namespace

void paintDot(QPainter& painter, const RooflineDot& dot, Theme theme, bool marked) {
    const Role role = dot.step == 0 ? Role::compute : Role::quietText;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(color(role, theme));
    painter.setPen(QPen(color(marked ? Role::text : Role::background, theme), marked ? 2 : 1));
    const double r = dot.radius + (marked ? 1 : 0);
    if (dot.step == 0) {
        painter.drawEllipse(dot.at, r, r);
    } else {
        // A diamond of the same area as the circle.
        const double d = r * std::sqrt(std::numbers::pi / 2);
        painter.drawPolygon(QPolygonF({dot.at + QPointF(d, 0), dot.at + QPointF(0, d),
                                       dot.at + QPointF(-d, 0), dot.at + QPointF(0, -d)}));
    }
    painter.setBrush(Qt::NoBrush);
}

QString rooflineFinding(const Results& results, const Roofline& chip, const Roofline& links) {
    if (results.steps.empty()) {
        return {};
    }
    const std::string& id = results.steps.front().algorithm;
    const QString name = algorithmTitle(id);
    const auto slanted = [&](const Roofline& roofline) {
        return static_cast<int>(
            std::count_if(roofline.points.begin(), roofline.points.end(), [&](const RooflinePoint& point) {
                return point.algorithm == id &&
                       std::any_of(roofline.roofs.begin(), roofline.roofs.end(), [&](const Roof& roof) {
                           return roof.name == point.bound && roof.bytes_per_s > 0;
                       });
            }));
    };
    const int all = static_cast<int>(results.steps.front().gemms.size());
    const int byLinks = slanted(links);
    const int byMemory = slanted(chip);
    if (byLinks > 0) {
        return RooflineWords::tr("The links bound %1 of the %2 products of %3")
            .arg(byLinks)
            .arg(all)
            .arg(name);
    }
    // Simulated times count FLOP and link traffic; memory traffic is only compared with them here.
    if (byMemory > 0) {
        return all == 1
                   ? RooflineWords::tr(
                         "Memory would limit this product of %1; its simulated time leaves that out")
                         .arg(name)
                   : RooflineWords::tr(
                         "Memory would limit %1 of the %2 products of %3; simulated times leave that out")
                         .arg(byMemory)
                         .arg(all)
                         .arg(name);
    }
    return RooflineWords::tr("Neither memory nor links bound %1: every product could reach the chip's peak")
        .arg(name);
}

RooflinePicture makeRooflines(const Results& results, const Roofline& chip, const Roofline& links,
                              const QSize& size) {
    RooflinePicture picture;
    picture.size = size;
    picture.title = rooflineFinding(results, chip, links);
    for (const TrainingStep& step : results.steps) {
        picture.algorithms.push_back(algorithmTitle(step.algorithm));
    }
    const QRectF area(0, title_height, size.width(),
                      std::max(40.0, size.height() - title_height - legend_height));
    picture.panels = layoutPanels(results, chip, links, area, Naming::names);
    const bool named = std::ranges::all_of(picture.panels, &RooflinePanel::allLabelled);
    if (named) {
        return picture;
    }
    // Both panels alike: the same numbers, one list.
    std::vector<NumberedName> names = listNames(results, area.adjusted(list_margin, 0, -list_margin, 0));
    double height = list_gap;
    for (const NumberedName& name : names) {
        height = std::max(height, name.place.bottom() - area.top() + list_gap);
    }
    std::vector<RooflinePanel> numbered =
        layoutPanels(results, chip, links, area.adjusted(0, 0, 0, -height), Naming::numbers);
    const auto tooLow = [](const RooflinePanel& panel) { return panel.plot.height() < lowest_plot; };
    if (std::ranges::any_of(numbered, tooLow)) {
        return picture; // with the names that have room
    }
    for (NumberedName& name : names) {
        name.place.translate(0, area.height() - height);
    }
    picture.panels = std::move(numbered);
    picture.names = std::move(names);
    return picture;
}

namespace {

/// As much as there is room for.
QString aboutTheMarks(const QFont& font, double width) {
    const QString whole =
        RooflineWords::tr("The larger the mark, the more of the step's time the product takes.");
    return textWidth(font, whole) <= width ? whole
                                           : RooflineWords::tr("Larger mark: more of the step's time.");
}

} // namespace

void paint(QPainter& painter, const RooflinePicture& picture, Theme theme) {
    const QSize size = picture.size;
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(12, 6, size.width() - 24, 24), Qt::AlignLeft | Qt::AlignVCenter,
               lettering(Lettering::title, true), picture.title);
    for (const RooflinePanel& panel : picture.panels) {
        paintPanel(painter, panel, theme);
    }
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::text, theme));
    for (const NumberedName& name : picture.names) {
        drawFitted(painter, name.place, Qt::AlignLeft | Qt::AlignVCenter, font, name.words);
    }
    const double y = size.height() - legend_height / 2;
    double x = 20;
    for (std::size_t step = 0; step < picture.algorithms.size(); ++step) {
        paintDot(painter, {0, step, 0, QPointF(x, y), 5.5}, theme, false);
        const double width = textWidth(font, picture.algorithms[step]);
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(x + 11, y - 9, width + 2, 18), Qt::AlignLeft | Qt::AlignVCenter, font,
                   picture.algorithms[step]);
        x += width + 34;
    }
    painter.setPen(color(Role::quietText, theme));
    const QRectF room(x, y - 9, std::max(0.0, size.width() - x - 8), 18);
    drawFitted(painter, room, Qt::AlignLeft | Qt::AlignVCenter, font, aboutTheMarks(font, room.width()));
}

} // namespace meshslice::ui
