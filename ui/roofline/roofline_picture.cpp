#include "ui/roofline/roofline_picture.h"

#include "core/base/text.h"
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
/// FLOP/s are told in one unit in the whole picture.
constexpr double tera = 1e12;

void paintRoofs(QPainter& painter, const RooflinePanel& panel, Theme theme) {
    const QFont font = lettering(Lettering::small);
    const QRectF& plot = panel.plot;
    double flat = 0; // slanted roofs end where they meet the lowest flat one
    for (const Roof& roof : panel.roofline.roofs) {
        if (roof.flop_per_s > 0) {
            flat = flat > 0 ? std::min(flat, roof.flop_per_s) : roof.flop_per_s;
        }
    }
    double firstRidge = panel.x.low;
    for (const Ridge& ridge : panel.ridges) {
        firstRidge = std::max(panel.x.low, std::min(ridge.intensity, panel.x.high));
    }
    for (const Roof& roof : panel.roofline.roofs) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color(Role::text, theme), 1.6));
        if (roof.flop_per_s > 0) {
            const QLineF line = cutTo(plot, panel.pixel(firstRidge, roof.flop_per_s),
                                      panel.pixel(panel.x.high, roof.flop_per_s));
            if (line.isNull()) {
                continue;
            }
            painter.drawLine(line);
            const QString words = QStringLiteral("%1: %2").arg(
                QString::fromStdString(roof.name), QString::fromStdString(text(FlopRate(roof.flop_per_s))));
            painter.setPen(color(Role::text, theme));
            drawFitted(painter, QRectF(line.p1().x() + 2, line.y1() - 19, std::max(0.0, line.dx() - 6), 16),
                       Qt::AlignRight | Qt::AlignVCenter, font, words);
            continue;
        }
        const double top = flat > 0 ? flat : panel.y.high;
        const QPointF from = panel.pixel(panel.x.low, roof.bytes_per_s * panel.x.low);
        const QPointF to = panel.pixel(top / roof.bytes_per_s, top);
        const QLineF line = cutTo(plot, from, to);
        if (line.isNull()) {
            continue;
        }
        painter.drawLine(line);
        const QString value = QString::fromStdString(text(Bandwidth(roof.bytes_per_s)));
        QString words = QStringLiteral("%1: %2").arg(QString::fromStdString(roof.name), value);
        if (textWidth(font, words) > line.length() - 12) {
            words = value; // a cut-off number would mislead
        }
        painter.save();
        painter.translate(line.p1());
        painter.rotate(-std::atan2(line.y1() - line.y2(), line.dx()) * 180 / std::numbers::pi);
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(6, -19, std::max(0.0, line.length() - 12), 16),
                   Qt::AlignHCenter | Qt::AlignVCenter, font, words);
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
        if (leader.length() > label.radius + 10) {
            leader.setLength(leader.length() - label.radius);
            painter.setPen(QPen(tint(Role::quietText, theme, 0.6), 1));
            painter.drawLine(leader);
        }
        // The lines between compared dots pass behind a name, not through it.
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
    const std::vector<QRectF> areas = panelAreas(area, 2);
    picture.panels.push_back(layoutPanel(results, chip, areas[0]));
    picture.panels.push_back(layoutPanel(results, links, areas[1]));
    return picture;
}

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
    drawFitted(painter, QRectF(x, y - 9, std::max(0.0, size.width() - x - 8), 18),
               Qt::AlignLeft | Qt::AlignVCenter, font,
               RooflineWords::tr("The larger the mark, the more of the step's time the product takes."));
}

} // namespace meshslice::ui
