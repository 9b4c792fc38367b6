#include "ui/timeline/run_hit.h"

#include "core/base/text.h"
#include "core/run/run_key.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/timeline/strip/time_axis.h"

#include <QCoreApplication>

#include <algorithm>
#include <span>

namespace meshslice::ui {
namespace {

struct RunHitWords {
    Q_DECLARE_TR_FUNCTIONS(RunPicture)
};

QString bytesText(double bytes) {
    return words(bytes_text(bytes));
}
QString timeText(Time time) {
    return words(text(time));
}

QString nameOf(const RunRow& row) {
    return row.where + row.name;
}

/// What stands in a row at a point, where labels are all there is to say.
QStringList barLinesAt(const RunWindow& window, const RunLayout& layout, std::size_t row,
                       const QPoint& point) {
    const std::optional<RunHit> hit = hitAt(window, layout, point);
    if (!hit) {
        return {};
    }
    const Run& run = window.runAt(row);
    const QString name = nameOf(window.at(row));
    QStringList lines;
    if (!hit->more.empty()) {
        lines << RunHitWords::tr("%1: %2 stretches of time within a pixel").arg(name).arg(hit->more.size());
        for (const Role role : window.runs[window.runOf(row)].roles) {
            Time all;
            for (const RunSlice& slice : hit->more) {
                all += slice.role == role ? slice.busy : Time(0);
            }
            if (all > Time(0)) {
                lines << RunHitWords::tr("%1: %2").arg(roleName(window, role), timeText(all));
            }
        }
        lines << RunHitWords::tr("Zoom in to tell them apart.");
    } else {
        const QStringList own = window.words.bar
                                    ? window.words.bar(hit->lane, hit->bar.item)
                                    : QStringList{words(run.label(hit->lane, hit->bar.item).name)};
        lines << RunHitWords::tr("%1: %2").arg(name, own.value(0));
        lines << own.mid(1);
        const Time lasts = hit->bar.end - hit->bar.start;
        lines << RunHitWords::tr("%1, from %2").arg(timeText(lasts), moment(hit->bar.start, lasts));
        if (run.inside(hit->lane, hit->bar.item)) {
            lines << RunHitWords::tr("Double click or Enter: go into it");
        }
    }
    if (const std::optional<std::size_t> lane = counterOf(window, row)) {
        lines << RunHitWords::tr("holds %1 then").arg(bytesText(counterAt(run, *lane, hit->bar.start)));
    }
    return lines;
}

} // namespace

std::vector<RunSlice> slicesOf(const RunWindow& window, std::size_t row, TimeRange range, double pixel) {
    std::vector<RunSlice> slices;
    const std::vector<std::size_t>& lanes = window.at(row).lanes;
    for (const std::size_t lane : lanes) {
        const bool own = lane == lanes.front();
        window.runAt(row).visit(lane, range, pixel, [&](std::span<const RunSlice> some) {
            for (RunSlice slice : some) {
                if (!own) {
                    slice.item = ~slice.item; // of another lane
                }
                slices.push_back(slice);
            }
        });
    }
    if (lanes.size() > 1) {
        std::ranges::stable_sort(slices, {}, &RunSlice::start);
    }
    return slices;
}
std::optional<std::size_t> counterOf(const RunWindow& window, std::optional<std::size_t> row) {
    const ShownRun& shown = window.runs.front();
    for (const std::size_t lane : shown.counters) {
        if (row && shown.run->lane(lane).place == window.at(*row).place) {
            return lane;
        }
    }
    return std::nullopt;
}

double counterAt(const Run& run, std::size_t lane, Time time) {
    const std::vector<RunValue> values = run.values(lane, {time, time + Time(1)});
    return values.empty() ? 0 : values.front().value;
}

std::optional<RunHit> hitAt(const RunWindow& window, const RunLayout& layout, const QPoint& point) {
    const std::optional<std::size_t> row = layout.rowAt(point);
    if (!row || point.x() < layout.left || point.x() >= layout.right) {
        return std::nullopt;
    }
    const TimeRange pixel = pixelAt(layout.scale(window), point.x());
    RunHit hit;
    hit.row = *row;
    hit.more = slicesOf(window, *row, pixel, 0);
    if (hit.more.empty()) {
        return std::nullopt;
    }
    const auto within = [&](const RunSlice& slice) {
        return std::min(slice.end, pixel.end) - std::max(slice.start, pixel.begin);
    };
    hit.bar = *std::ranges::max_element(hit.more, {}, within);
    const bool wide = (hit.bar.end - hit.bar.start) >= length(pixel);
    if (hit.more.size() == 1 || wide) {
        hit.more.clear();
    }
    const RunRow& shown = window.at(*row);
    hit.lane = shown.lanes.front();
    if (!isOwn(hit.bar)) {
        hit.bar.item = ~hit.bar.item;
        hit.lane = shown.lanes.back();
    }
    return hit;
}

QStringList runLinesAt(const RunWindow& window, const RunLayout& layout, const QPoint& point) {
    const TimeScale scale = layout.scale(window);
    if (layout.legend.contains(point)) {
        return legendLinesAt(legendOf(window, layout), layout.legend.width() - 16.0,
                             point - QPoint(8, layout.legend.top() + 2));
    }
    if (layout.held.contains(point)) {
        const std::optional<std::size_t> lane = counterOf(window, window.row);
        const Time at = scale.time(point.x());
        return lane ? QStringList{RunHitWords::tr("%1 holds %2")
                                      .arg(nameOf(window.at(*window.row)),
                                           bytesText(counterAt(*window.runs.front().run, *lane, at))),
                                  RunHitWords::tr("at %1").arg(timeText(at))}
                    : QStringList();
    }
    const std::optional<std::size_t> number = layout.blockAt(point);
    if (!number) {
        return {};
    }
    const ShownRun& shown = window.runs[*number];
    const RunLayout::Block& block = layout.blocks[*number];
    if (block.count == 0) {
        return shown.name.mid(0, 1) + QStringList{shown.objection};
    }
    if (block.spans.contains(point)) {
        const Time time = scale.time(point.x() + 0.5);
        const auto at = std::ranges::find_if(shown.spans, [&](const RunSpan& span) {
            return span.range.begin <= time && time < span.range.end;
        });
        return at == shown.spans.end() ? QStringList() : at->lines;
    }
    if (point.x() < layout.left && window.words.run) {
        return window.words.run(*number);
    }
    const std::optional<std::size_t> row = layout.rowAt(point);
    if (!row || point.x() >= layout.right) {
        return {};
    }
    if (point.x() < layout.left) {
        return window.words.row ? window.words.row(*row) : QStringList{nameOf(window.at(*row))};
    }
    return window.words.at ? window.words.at(*row, pixelAt(scale, point.x()))
                           : barLinesAt(window, layout, *row, point);
}

std::vector<ReadablePart> readableRuns(const RunWindow& window, const RunLayout& layout) {
    std::vector<ReadablePart> parts;
    if (window.words.run) {
        for (std::size_t run = 0; run < layout.blocks.size(); ++run) {
            const ShownRun& shown = window.runs[run];
            parts.push_back(readablePart(shown.run ? window.words.run(run)
                                                   : shown.name.mid(0, 1) + QStringList{shown.objection},
                                         fromPicture(layout.blocks[run].area)));
        }
        return parts;
    }
    for (const std::size_t row : layout.seen()) {
        if (parts.size() < most_readable_parts) {
            parts.push_back(
                readablePart(window.words.row ? window.words.row(row) : QStringList{nameOf(window.at(row))},
                             fromPicture(layout.rowOf(row)), row == window.row));
        }
    }
    return parts;
}

} // namespace meshslice::ui
