#include "ui/timeline/strip/time_axis.h"

#include "core/report/chart/ticks.h"
#include "ui/look/lettering.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice::ui {
namespace {

struct TimeAxisWords {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

struct Unit {
    std::int64_t picoseconds;
    const char16_t* name;
};
constexpr std::array<Unit, 5> units = {
    {{1'000'000'000'000, u"s"}, {1'000'000'000, u"ms"}, {1'000'000, u"µs"}, {1'000, u"ns"}, {1, u"ps"}}};

constexpr QChar thin_space(0x2009);

} // namespace

TimeAxis TimeAxis::choose(const TimeScale& scale, int spacing) {
    TimeAxis axis;
    const Time span = std::max(length(scale.range), Time(1));
    // Without any width, one step for the whole range.
    const double least = scale.width > 0 ? scale.picosecondsPerPixel() * std::max(1, spacing)
                                         : static_cast<double>(span.value());
    axis.step = Time(nice_step(static_cast<std::int64_t>(std::ceil(std::max(1.0, least)))));
    for (const Unit& unit : units) {
        axis.unit = Time(unit.picoseconds);
        axis.unitName = QString::fromUtf16(unit.name);
        if (span >= axis.unit) {
            break;
        }
    }
    return axis;
}

std::vector<Time> TimeAxis::ticks(TimeRange range) const {
    std::vector<Time> all;
    if (length(range).value() <= 0) {
        return all;
    }
    const std::int64_t first = (range.begin.value() + step.value() - 1) / step.value();
    for (std::int64_t k = std::max<std::int64_t>(0, first); k * step.value() <= range.end.value(); ++k) {
        all.push_back(k * step);
    }
    return all;
}

QString TimeAxis::number(Time time, Time resolution) const {
    const double smallest =
        static_cast<double>(std::max(resolution, Time(1)).value()) / static_cast<double>(unit.value());
    const int decimals = decimals_for(smallest);
    const double value = static_cast<double>(time.value()) / static_cast<double>(unit.value());
    QString digits = QString::number(value, 'f', decimals);
    const auto point = digits.indexOf(QLatin1Char('.'));
    const auto whole = point < 0 ? digits.size() : point;
    const qsizetype sign = value < 0 ? 1 : 0;
    // Four digits stay together, as in "1500"; from five on, groups of three.
    if (whole - sign > 4) {
        for (auto at = whole - 3; at > sign; at -= 3) {
            digits.insert(at, thin_space);
        }
    }
    return digits;
}

QString TimeAxis::readOut(Time time, const TimeScale& scale) const {
    const double pixel = std::max(1.0, scale.picosecondsPerPixel());
    const Time resolution(static_cast<std::int64_t>(std::pow(10.0, std::floor(std::log10(pixel)))));
    return number(time, resolution) + thin_space + unitName;
}

QString preciseTime(Time time, Time resolution) {
    TimeAxis axis;
    for (const Unit& unit : units) {
        axis.unit = Time(unit.picoseconds);
        axis.unitName = QString::fromUtf16(unit.name);
        if (time >= axis.unit || time == Time(0)) {
            break; // nothing is "0 s", not "0 ps"
        }
    }
    if (time == Time(0)) {
        return QLatin1Char('0') + QString(thin_space) + axis.unitName;
    }
    const double exact = std::max(1.0, static_cast<double>(resolution.value()));
    const Time power(static_cast<std::int64_t>(std::pow(10.0, std::floor(std::log10(exact)))));
    return axis.number(time, power) + thin_space + axis.unitName;
}

QString moment(Time time, Time length) {
    return preciseTime(time, Time(length.value() / 100));
}

void paintRuler(QPainter& painter, const QRect& ruler, const TimeScale& scale, const TimeAxis& axis,
                Theme theme) {
    const int right = ruler.x() + ruler.width();
    const QFont font = lettering(Lettering::small);
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(8, ruler.top(), ruler.left() - 16, ruler.height()),
               Qt::AlignRight | Qt::AlignVCenter, font, TimeAxisWords::tr("time (%1)").arg(axis.unitName));
    double free = ruler.left() - 1.0;
    for (const Time tick : axis.ticks(scale.range)) {
        const int x = scale.pixel(tick);
        if (x >= right) {
            continue;
        }
        const QString label = axis.tickLabel(tick);
        const double width = textWidth(font, label);
        painter.fillRect(QRect(x, ruler.bottom() - 3, 1, 4), color(Role::quietText, theme));
        // At the left edge a label stands right of its tick, so that "0" is not lost.
        double left = std::max(x - width / 2, static_cast<double>(ruler.left()));
        if (left < free || left + width > right + 1) {
            continue;
        }
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, QRectF(left, ruler.top(), width + 1, ruler.height() - 5),
                   Qt::AlignLeft | Qt::AlignVCenter, font, label);
        free = left + width + 6;
    }
}

} // namespace meshslice::ui
