#include "ui/timeline/view/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
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

} // namespace meshslice::ui
