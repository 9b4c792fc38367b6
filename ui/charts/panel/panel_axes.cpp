#include "ui/charts/panel/panel_layouter.h"
#include "ui/look/words.h"

#include <algorithm>
#include <cmath>

namespace meshslice::ui {

double PanelLayouter::categoryPixel(double k) const {
    const double step = out.places.at[static_cast<std::size_t>(k)] + out.places.per_category / 2;
    return panel.horizontal() ? out.y.pixel(step) : out.x.pixel(step);
}

double PanelLayouter::stepSize() const {
    const double length = panel.horizontal() ? out.plot.height() : out.plot.width();
    return length / std::max(1, out.places.steps);
}

QPointF PanelLayouter::pixel(const ChartPoint& point) const {
    const bool named = !panel.categories().categories.empty();
    return {named && !panel.horizontal() ? categoryPixel(point.x) : out.x.pixel(point.x),
            named && panel.horizontal() ? categoryPixel(point.y) : out.y.pixel(point.y)};
}

void PanelLayouter::say(const QRectF& area, const QString& said, Qt::Alignment side, Role role,
                        Lettering size, bool bold, double turn, bool on_ground) {
    out.words.push_back({area, said, side, role, size, bold, turn, on_ground});
}

void PanelLayouter::spanAxes() {
    const PixelAxis steps{-0.5, out.places.steps - 0.5, 0, 1, false};
    const QRectF& plot = out.plot;
    if (!panel.x.categories.empty()) {
        out.x = steps;
        out.x.begin = plot.left();
        out.x.end = plot.right();
    } else {
        out.x = scaled(layout.chart, panel, true, plot.left(), plot.right());
    }
    if (panel.horizontal()) {
        out.y = steps;
        out.y.begin = plot.top();
        out.y.end = plot.bottom();
    } else {
        out.y = scaled(layout.chart, panel, false, plot.bottom(), plot.top());
    }
}

std::vector<Tick> PanelLayouter::ticksOf(bool along_x) const {
    const ChartAxis& axis = along_x ? panel.x : panel.y;
    const PixelAxis& scale = along_x ? out.x : out.y;
    if (!axis.names.empty()) {
        const QFont font = lettering(Lettering::small);
        return named_ticks(axis, scale, [&](std::string_view name) {
            return along_x ? textWidth(font, words(name)) : QFontMetricsF(font).height();
        });
    }
    const double spacing = axis.logarithmic ? (along_x ? 34 : 24) : along_x ? 64 : 40;
    return axis_ticks(scale, spacing, axis_unit(axis.unit, scale.high).first);
}

void PanelLayouter::spanAroundLabels() {
    spanAxes();
    double widest = 0;
    for (const Tick& tick : ticksOf(false)) {
        widest = std::max(widest, textWidth(lettering(Lettering::small), words(tick.label)));
    }
    if (const double more = std::ceil(widest) + 8 + name_room - left_room; more > 0) {
        left += more;
        out.plot.setLeft(std::min(out.plot.left() + more, out.plot.right() - 1));
        spanAxes();
    }
}

void PanelLayouter::placeAxis(bool along_x) {
    const ChartAxis& axis = along_x ? panel.x : panel.y;
    const PixelAxis& scale = along_x ? out.x : out.y;
    const QRectF& plot = out.plot;
    double free = plot.left() - 32; // where the next label along x may begin
    for (const Tick& tick : ticksOf(along_x)) {
        const double at = std::round(scale.pixel(tick.value)) + 0.5;
        out.grid.push_back(along_x ? QLineF(at, plot.top(), at, plot.bottom() + 3)
                                   : QLineF(plot.left() - 3, at, plot.right(), at));
        const double half = along_x ? textWidth(lettering(Lettering::small), words(tick.label)) / 2 : 0;
        if (along_x && at - half < free) {
            continue; // it would stand on the one before
        }
        free = at + half + 4;
        const double wide = std::max(32.0, half + 1);
        say(along_x ? QRectF(at - wide, plot.bottom() + 3, 2 * wide, 15)
                    : QRectF(plot.left() - left + name_room - 4, at - 9, left - name_room - 2, 18),
            words(tick.label), along_x ? Qt::AlignCenter : Qt::AlignRight | Qt::AlignVCenter,
            Role::quietText);
    }
    const QString name = words(axis_name(axis, scale.high));
    if (along_x) {
        nameBelow(name, plot.bottom() + 19);
    } else {
        const double length = plot.height() + 20;
        const QPointF middle(plot.left() - left + 10, plot.center().y());
        const bool fits = textWidth(lettering(Lettering::normal), name) <= length;
        say(QRectF(middle.x() - length / 2, middle.y() - 8, length, 16), name, Qt::AlignCenter, Role::text,
            fits ? Lettering::normal : Lettering::small, false, -90);
    }
}

void PanelLayouter::nameBelow(const QString& name, double top) {
    const double wide = textWidth(lettering(Lettering::normal), name);
    const QRectF& under = wide <= out.plot.width() ? out.plot : out.area;
    say(QRectF(under.left(), top, under.width(), 18), name, Qt::AlignCenter, Role::text,
        wide <= out.area.width() ? Lettering::normal : Lettering::small);
}

} // namespace meshslice::ui
