#include "ui/timeline/run_browser.h"

#include "core/base/text.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

struct RunBrowserWords {
    Q_DECLARE_TR_FUNCTIONS(RunBrowser)
};

constexpr int drag_from = 4; ///< pixels; less is a click

/// What a run inside a bar is, how long, and where it differs from what the bar takes.
QString findingInside(const RunKey& key, const Run& run) {
    const double lasts = in_seconds(run.end());
    const QString title = words(key.title);
    const QString time = words(seconds_text(lasts));
    QString finding = run.reading() == RunReading::simulated
                          ? RunBrowserWords::tr("%1, simulated: %2").arg(title, time)
                          : RunBrowserWords::tr("%1, by the closed form: %2").arg(title, time);
    if (std::abs(lasts - key.seconds) > 0.001 * key.seconds) {
        finding +=
            QLatin1Char(' ') +
            RunBrowserWords::tr("(the bar that it stands in takes %1)").arg(words(seconds_text(key.seconds)));
    }
    return finding;
}

} // namespace

RunBrowser::RunBrowser(std::function<void()> changed, std::function<void(const RunKey& key)> open)
    : changed_(std::move(changed)), open_(std::move(open)) {}

void RunBrowser::show(RunWindow outermost) {
    windows_.clear();
    windows_.push_back(std::move(outermost));
    press_.reset();
    changed_();
}

void RunBrowser::clear() {
    windows_.clear();
    press_.reset();
}

void RunBrowser::enter(const RunKey& key, const RunPtr& run) {
    if (windows_.empty()) {
        return;
    }
    RunWindow inner;
    inner.shown = shownRun(run, false);
    inner.words.finding = findingInside(key, *run);
    inner.range = inner.whole();
    inner.path = top().path;
    inner.path << words(key.title);
    windows_.push_back(std::move(inner));
    press_.reset();
    changed_();
}

bool RunBrowser::leave() {
    if (windows_.size() < 2) {
        return false;
    }
    windows_.pop_back();
    press_.reset();
    changed_();
    return true;
}

void RunBrowser::select(std::size_t row, std::optional<std::uint64_t> item) {
    if (!windows_.empty() && row < top().shown.rows.size()) {
        top().row = row;
        top().item = item;
        top().note.clear();
        changed_();
    }
}

void RunBrowser::note(const QString& sentence) {
    if (!windows_.empty() && top().note != sentence) {
        top().note = sentence;
        changed_();
    }
}

void RunBrowser::setRange(TimeRange range) {
    if (!windows_.empty()) {
        top().range = within(range, top().whole());
        changed_();
    }
}

std::optional<RunKey> RunBrowser::inside() const {
    if (windows_.empty() || windows_.back().shown.rows.empty()) {
        return std::nullopt;
    }
    const RunWindow& window = windows_.back();
    const std::size_t lane = window.shown.rows[window.row].lanes.front();
    if (window.item) {
        return window.shown.run->inside(lane, *window.item);
    }
    std::optional<RunKey> found;
    window.shown.run->visit(lane, window.range, 0, [&](std::span<const RunSlice> slices) {
        for (const RunSlice& slice : slices) {
            if (found) {
                return;
            }
            found = window.shown.run->inside(lane, slice.item);
        }
    });
    return found;
}

bool RunBrowser::key(int key, const QSize& size) {
    if (windows_.empty()) {
        return false;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        const std::optional<RunKey> found = inside();
        if (found) {
            open_(*found);
        }
        return found.has_value();
    }
    if (key == Qt::Key_Backspace) {
        return leave();
    }
    const std::optional<TimeStep> step = timeStep(key);
    if (step) {
        move(*step, layoutRun(size, top()).rows.center().x(), size);
    }
    return step.has_value();
}

void RunBrowser::move(const TimeStep& step, double x, const QSize& size) {
    if (windows_.empty()) {
        return;
    }
    RunWindow& window = top();
    const RunLayout layout = layoutRun(size, window);
    const auto rows = [&](double by) {
        const auto last = static_cast<double>(window.shown.rows.size()) - 1;
        window.row = static_cast<std::size_t>(
            std::clamp(static_cast<double>(window.row) + by, 0.0, std::max(0.0, last)));
        window.item.reset();
        reveal(size);
        changed_();
    };
    switch (step.move) {
    case TimeMove::zoom:
        return setRange(zoomed(window.range, layout.scale(window).time(x), step.by, window.whole()));
    case TimeMove::pan: {
        const double by = static_cast<double>(length(window.range).value()) * step.by;
        return setRange(panned(window.range, Time(std::llround(by)), window.whole()));
    }
    case TimeMove::rows: return rows(step.by < 0 ? std::floor(step.by) : std::ceil(step.by));
    case TimeMove::pages: return rows(step.by * static_cast<double>(layout.count));
    case TimeMove::fit:
    case TimeMove::whole: return setRange(window.whole());
    }
}

void RunBrowser::reveal(const QSize& size) {
    const RunLayout layout = layoutRun(size, top());
    if (top().row < layout.first) {
        top().firstRow = top().row;
    } else if (top().row >= layout.first + layout.count) {
        top().firstRow = top().row + 1 - layout.count;
    }
}

void RunBrowser::press(const QPoint& point) {
    if (!windows_.empty()) {
        press_ = Press{point, top().range};
    }
}

bool RunBrowser::drag(const QPoint& point, const QSize& size) {
    if (!press_ || windows_.empty()) {
        return false;
    }
    const int moved = point.x() - press_->at.x();
    press_->dragged = press_->dragged || std::abs(moved) >= drag_from;
    if (press_->dragged) {
        const TimeScale scale{press_->range, 0, layoutRun(size, top()).rows.width()};
        setRange(
            panned(press_->range, Time(std::llround(-moved * scale.picosecondsPerPixel())), top().whole()));
    }
    return true;
}

void RunBrowser::release(const QPoint& point, const QSize& size) {
    const bool clicked = press_ && !press_->dragged;
    press_.reset();
    if (!clicked || windows_.empty()) {
        return;
    }
    const RunLayout layout = layoutRun(size, top());
    const std::optional<RunHit> hit = hitAt(top(), layout, point);
    if (const std::optional<std::size_t> row = layout.rowAt(point.y())) {
        const bool own = hit && hit->more.empty() && hit->lane == top().shown.rows[*row].lanes.front();
        select(*row, own ? std::optional(hit->bar.item) : std::nullopt);
    }
}

void RunBrowser::doubleClick(const QPoint& point, const QSize& size) {
    if (windows_.empty()) {
        return;
    }
    const std::optional<RunHit> hit = hitAt(top(), layoutRun(size, top()), point);
    const std::optional<RunKey> found =
        hit && hit->more.empty() ? top().shown.run->inside(hit->lane, hit->bar.item) : std::nullopt;
    press_.reset();
    if (found) {
        open_(*found);
    } else {
        setRange(top().whole());
    }
}

} // namespace meshslice::ui
