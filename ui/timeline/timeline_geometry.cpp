#include "ui/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr int title_height = 30;
constexpr int ruler_height = 24;
constexpr int header_height = 22;
constexpr int bands_height = 34; ///< the layer above the pass
constexpr int legend_line = 20;
constexpr int gap = 6; ///< between panes

} // namespace

double TimeScale::x(Time time) const {
    const double position = left + static_cast<double>((time - range.begin).value()) * pixelsPerPicosecond();
    return std::clamp(position, left - 2000.0, left + width + 2000.0);
}

int TimeScale::pixel(Time time) const {
    return static_cast<int>(std::floor(x(time) + 0.5));
}

Time TimeScale::time(double x) const {
    return range.begin + Time(std::llround((x - left) * picosecondsPerPixel()));
}

double TimeScale::pixelsPerPicosecond() const {
    const auto span = static_cast<double>(length(range).value());
    return span > 0 && width > 0 ? width / span : 0.0;
}

double TimeScale::picosecondsPerPixel() const {
    const auto span = static_cast<double>(length(range).value());
    return span > 0 && width > 0 ? span / width : 0.0;
}

TimeRange pixelAt(const TimeScale& scale, int x) {
    const Time middle = scale.time(x + 0.5);
    return {std::min(scale.time(x), middle), std::max(scale.time(x + 1.0), middle + Time(1))};
}

TimeRange within(TimeRange range, TimeRange whole) {
    if (range.end <= whole.begin || range.begin >= whole.end || range.end <= range.begin) {
        return whole;
    }
    TimeRange result{std::max(range.begin, whole.begin), std::min(range.end, whole.end)};
    if (length(result) < least_range) {
        const Time begin = std::min(result.begin, whole.end - least_range);
        result = {std::max(begin, whole.begin), std::max(begin, whole.begin) + least_range};
        result.end = std::min(result.end, std::max(whole.end, whole.begin + Time(1)));
    }
    return result;
}

TimeRange zoomed(TimeRange range, Time fixed, double factor, TimeRange whole) {
    const auto old = static_cast<double>(length(range).value());
    const auto longest = static_cast<double>(length(whole).value());
    if (old <= 0 || longest <= 0 || !(factor > 0)) {
        return whole;
    }
    const double least = std::min(static_cast<double>(least_range.value()), longest);
    const double wanted = std::clamp(old * factor, least, longest);
    const double share = static_cast<double>((fixed - range.begin).value()) / old;
    const Time begin = fixed - Time(std::llround(share * wanted));
    return panned({begin, begin + Time(std::llround(wanted))}, Time(0), whole);
}

TimeRange panned(TimeRange range, Time by, TimeRange whole) {
    const Time span = std::min(length(range), length(whole));
    const Time begin = std::clamp(range.begin + by, whole.begin, whole.end - span);
    return {begin, begin + span};
}

TimeRange withMargin(TimeRange range, double share, TimeRange whole) {
    const Time margin(std::llround(static_cast<double>(length(range).value()) * share));
    return within({range.begin - margin, range.end + margin}, whole);
}

std::optional<std::size_t> TimelineLayout::paneAt(int y) const {
    for (std::size_t pane = 0; pane < panes.size(); ++pane) {
        if (y >= panes[pane].header.top() && y <= panes[pane].rows.bottom()) {
            return pane;
        }
    }
    return std::nullopt;
}

TimelineLayout layoutTimeline(const QSize& size, const TimelineRoom& room) {
    TimelineLayout layout;
    layout.labels = std::min(room.labels, size.width() / 3);
    layout.right = std::max(layout.labels, size.width() - room.scrollBar - 1);
    int y = room.top;
    layout.title = QRect(0, y, size.width(), room.title ? title_height : 0);
    y += layout.title.height();
    layout.overview = QRect(layout.labels, y, layout.dataWidth(), room.overview);
    y += room.overview;
    layout.ruler = QRect(layout.labels, y, layout.dataWidth(), ruler_height);
    y += ruler_height;

    const int legend = room.legendLines * legend_line + 4;
    layout.legend = QRect(0, std::max(y, size.height() - legend), size.width(), legend);
    const auto panes = static_cast<int>(std::max<std::size_t>(1, room.panes));
    const int each = std::max(0, (layout.legend.top() - y - (panes - 1) * gap) / panes);
    for (int pane = 0; pane < panes; ++pane) {
        const int top = y + pane * (each + gap);
        const int header = room.headers ? header_height : 0;
        TimelineLayout::Pane place;
        place.header = QRect(0, top, layout.right, header);
        place.bands = QRect(layout.labels, top + header, layout.dataWidth(), bands_height);
        const int used = header + bands_height + 2;
        place.rows = QRect(layout.labels, top + used, layout.dataWidth(), std::max(0, each - used));
        layout.panes.push_back(place);
    }
    return layout;
}

std::size_t rowsThatFit(const QRect& area, int rowHeight) {
    return static_cast<std::size_t>(std::max(0, area.height() / std::max(1, rowHeight)));
}

QRect lineRect(const QRect& area, int rowHeight, std::size_t line) {
    return {area.left(), area.top() + static_cast<int>(line) * rowHeight, area.width(), rowHeight};
}

std::optional<std::size_t> lineAt(const QRect& area, int rowHeight, std::size_t lines, int y) {
    if (y < area.top() || rowHeight < 1) {
        return std::nullopt;
    }
    const auto line = static_cast<std::size_t>((y - area.top()) / rowHeight);
    return line < std::min(lines, rowsThatFit(area, rowHeight)) ? std::optional(line) : std::nullopt;
}

} // namespace meshslice::ui
