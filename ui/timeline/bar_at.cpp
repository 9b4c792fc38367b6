#include "ui/timeline/bar_at.h"

#include "ui/timeline/bar_text.h"
#include "ui/timeline/wait.h"

#include <algorithm>

namespace meshslice::ui {

BarAt barAt(const TimelineModel& model, std::size_t step, std::size_t row, const TimeScale& scale, int x) {
    BarAt at;
    const Time middle = scale.time(x + 0.5);
    at.pixel = {scale.time(x), std::max(scale.time(x + 1.0), middle + Time(1))};
    // A bar that has a rectangle of its own covers the middle of each of its pixels.
    const TimelineModel::Found own = model.look(step, row, {middle, middle + Time(1)});
    at.found = model.look(step, row, at.pixel);
    if (own.longest &&
        (at.found.count == 1 || static_cast<double>((own.longest->end - own.longest->start).value()) >=
                                    scale.picosecondsPerPixel())) {
        at.bar = own.longest;
        at.found.count = 1;
    } else if (at.found.count == 1 && !own.longest) {
        at.bar = at.found.longest; // narrower than its pixel
    }
    const std::optional<std::size_t> piece = model.pieceAt(step, middle);
    if (piece && !at.bar && !own.longest && model.pieces(step)[*piece].timeline &&
        model.rows(step)[row].is_core) {
        const Piece& in = model.pieces(step)[*piece];
        at.next = model.intervalsIn(in, row, {middle, middle + Time(1)}).first;
        const TimeRange wait = waitBefore(*in.timeline, row, at.next);
        at.wait = TimeRange{in.start + wait.begin, in.start + wait.end};
    }
    return at;
}

QStringList linesOf(const TimelineModel& model, std::size_t step, std::size_t row, const BarAt& at) {
    if (at.bar) {
        return barLines(model, step, row, *at.bar);
    }
    if (at.found.count > 1) {
        return mergedLines(model, step, row, at.found, at.pixel);
    }
    if (at.wait) {
        return waitLines(model, step, row, *model.pieceAt(step, at.wait->begin), *at.wait);
    }
    return {};
}

} // namespace meshslice::ui
