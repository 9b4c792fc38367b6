#include "ui/timeline/strip/overview.h"

#include "ui/look/lettering.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct OverviewWords {
    Q_DECLARE_TR_FUNCTIONS(Overview)
};

constexpr int cores_height = 10;
constexpr int links_height = 5;
constexpr int lane_gap = 3;
constexpr int least_frame = 6;        ///< pixels wide, so that it can be grabbed
constexpr int least_framed_range = 4; ///< pixels; less is a click

/// As columns from the bottom of a lane, equal neighbours as one rectangle.
void paintColumns(QPainter& painter, const QRect& lane, const std::vector<float>& shares,
                  const QColor& fill) {
    const auto edge = [&](std::size_t part) {
        return lane.left() + static_cast<int>(static_cast<double>(part) * lane.width() /
                                              static_cast<double>(shares.size()));
    };
    const auto high = [&](std::size_t part) {
        const float share = shares[part];
        return share <= 0
                   ? 0
                   : std::max(1, static_cast<int>(std::lround(share * static_cast<float>(lane.height()))));
    };
    for (std::size_t part = 0; part < shares.size();) {
        std::size_t end = part + 1;
        while (end < shares.size() && high(end) == high(part)) {
            ++end;
        }
        const int height = high(part);
        painter.fillRect(QRect(edge(part), lane.bottom() + 1 - height, edge(end) - edge(part), height), fill);
        part = end;
    }
}

} // namespace

int overviewHeight(std::size_t steps) {
    return static_cast<int>(steps) * (cores_height + links_height + lane_gap) + lane_gap;
}

void paintOverview(QPainter& painter, const QRect& strip, const std::vector<StepDensity>& steps,
                   Theme theme) {
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(8, strip.top(), strip.left() - 16, strip.height()),
               Qt::AlignRight | Qt::AlignVCenter, lettering(Lettering::small),
               OverviewWords::tr("whole run"));
    painter.fillRect(strip, color(Role::panel, theme));
    int top = strip.top() + lane_gap;
    for (const StepDensity& step : steps) {
        paintColumns(painter, QRect(strip.left(), top, strip.width(), cores_height), step.cores,
                     color(Role::compute, theme));
        top += cores_height;
        paintColumns(painter, QRect(strip.left(), top, strip.width(), links_height), step.links,
                     color(Role::quietText, theme));
        top += links_height + lane_gap;
    }
}

void paintSummary(QPainter& painter, const QRect& area, const StepDensity& summary, Theme theme) {
    painter.fillRect(area, color(Role::panel, theme));
    const bool both = !summary.cores.empty() && !summary.links.empty();
    if (!both || area.height() < 4) {
        return;
    }
    const auto some = [](const std::vector<float>& shares) {
        return std::ranges::any_of(shares, [](float share) { return share > 0; });
    };
    // Where a group has only cores, or only links, they have all of the line.
    const int links = !some(summary.links) ? 0 : !some(summary.cores) ? area.height() - 1 : area.height() / 3;
    const int cores = area.height() - 1 - links - (links > 0 && some(summary.cores) ? 1 : 0);
    if (some(summary.cores)) {
        paintColumns(painter, QRect(area.left(), area.top(), area.width(), cores), summary.cores,
                     color(Role::compute, theme));
    }
    if (links > 0) {
        paintColumns(painter, QRect(area.left(), area.bottom() - links + 1, area.width(), links),
                     summary.links, color(Role::quietText, theme));
    }
}

void paintOverviewFrame(QPainter& painter, const QRect& strip, TimeRange whole, TimeRange range,
                        Theme theme) {
    if (range == whole || length(whole) <= Time(0)) {
        return;
    }
    const TimeScale scale{whole, strip.left(), strip.width()};
    int left = scale.pixel(range.begin);
    int right = scale.pixel(range.end);
    if (right - left < least_frame) {
        left = std::clamp((left + right - least_frame) / 2, strip.left(), strip.right() + 1 - least_frame);
        right = left + least_frame;
    }
    QColor veil = color(Role::background, theme);
    veil.setAlpha(150);
    painter.fillRect(QRect(strip.left(), strip.top(), left - strip.left(), strip.height()), veil);
    painter.fillRect(QRect(right, strip.top(), strip.right() + 1 - right, strip.height()), veil);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::text, theme), 1));
    painter.drawRect(QRect(left, strip.top(), right - left - 1, strip.height() - 1));
}

OverviewDrag::OverviewDrag(const QRect& strip, TimeRange whole, TimeRange range, int x)
    : scale_{whole, strip.left(), strip.width()}
    , range_(range)
    , grabbed_(scale_.time(x))
    , frames_(range == whole) {
    const int reach = least_frame / 2;
    if (!frames_ && (x < scale_.pixel(range.begin) - reach || x > scale_.pixel(range.end) + reach)) {
        const Time middle = range.begin + Time(length(range).value() / 2);
        range_ = panned(range, grabbed_ - middle, whole);
    }
}

TimeRange OverviewDrag::at(int x) const {
    const Time now = scale_.time(x);
    if (!frames_) {
        return panned(range_, now - grabbed_, scale_.range);
    }
    const bool moved = std::abs(scale_.pixel(now) - scale_.pixel(grabbed_)) >= least_framed_range;
    return moved ? within({std::min(now, grabbed_), std::max(now, grabbed_)}, scale_.range) : scale_.range;
}

} // namespace meshslice::ui
