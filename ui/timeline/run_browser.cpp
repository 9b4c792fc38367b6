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
    inner.runs = {shownRun(run, false)};
    inner.words.finding = findingInside(key, *run);
    inner.range = inner.whole();
    inner.row = 0;
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
    if (!windows_.empty() && row < top().rowCount()) {
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
    if (!windows_.empty() && range != top().range) {
        top().range = within(range, top().whole());
        changed_();
    }
}

void RunBrowser::scrollTo(int pixels, const QSize& size) {
    if (windows_.empty()) {
        return;
    }
    const int next = std::clamp(pixels, 0, layoutRun(size, top()).hidden);
    if (next != top().scrolled) {
        top().scrolled = next;
        changed_();
    }
}

std::optional<RunKey> RunBrowser::inside() const {
    if (windows_.empty() || !windows_.back().row || *windows_.back().row >= windows_.back().rowCount()) {
        return std::nullopt;
    }
    const RunWindow& window = windows_.back();
    const Run& run = window.runAt(*window.row);
    const std::size_t lane = window.at(*window.row).lanes.front();
    if (window.item) {
        return run.inside(lane, *window.item);
    }
    std::optional<RunKey> found;
    run.visit(lane, window.range, 0, [&](std::span<const RunSlice> slices) {
        for (const RunSlice& slice : slices) {
            if (found) {
                return;
            }
            found = run.inside(lane, slice.item);
        }
    });
    return found;
}

bool RunBrowser::key(int key, const QSize& size, bool act) {
    if (windows_.empty()) {
        return false;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        const std::optional<RunKey> found = inside();
        if (found && act) {
            open_(*found);
        }
        return found.has_value();
    }
    if (key == Qt::Key_Backspace) {
        return act ? leave() : depth() > 1;
    }
    const std::optional<TimeStep> step = timeStep(key);
    if (step && act) {
        const RunLayout layout = layoutRun(size, top());
        const bool at_pointer = cursor_ && layout.inData(*cursor_);
        move(*step, at_pointer ? cursor_->x() + 0.5 : (layout.left + layout.right) / 2.0, size);
    }
    return step.has_value();
}

void RunBrowser::move(const TimeStep& step, double x, const QSize& size) {
    if (windows_.empty()) {
        return;
    }
    const RunWindow& window = top();
    const RunLayout layout = layoutRun(size, window);
    switch (step.move) {
    case TimeMove::zoom:
    case TimeMove::pan:
        return setRange(moved(window.range, step, layout.scale(window).time(x), window.whole()));
    case TimeMove::rows: return stepRows(step.by < 0 ? std::floor(step.by) : std::ceil(step.by), size);
    case TimeMove::pages: return stepRows(step.by * std::max(1, layout.body.height() / layout.row), size);
    case TimeMove::fit: return setRange(window.range == window.first() ? window.whole() : window.first());
    case TimeMove::whole: return setRange(window.whole());
    }
}

void RunBrowser::stepRows(double by, const QSize& size) {
    RunWindow& window = top();
    if (!window.row) {
        const int row = layoutRun(size, window).row;
        return scrollTo(window.scrolled + static_cast<int>(by) * row, size);
    }
    const auto last = static_cast<double>(window.rowCount()) - 1;
    window.row =
        static_cast<std::size_t>(std::clamp(static_cast<double>(*window.row) + by, 0.0, std::max(0.0, last)));
    window.item.reset();
    reveal(size);
    changed_();
}

void RunBrowser::reveal(const QSize& size) {
    const RunLayout layout = layoutRun(size, top());
    const QRect row = layout.rowOf(*top().row);
    const int above = layout.body.top() - row.top();
    const int below = row.bottom() - layout.body.bottom();
    top().scrolled = std::clamp(top().scrolled + (above > 0 ? -above : std::max(0, below)), 0, layout.hidden);
}

void RunBrowser::press(const QPoint& point) {
    if (!windows_.empty()) {
        press_ = Press{point, top().range, top().scrolled};
    }
}

bool RunBrowser::drag(const QPoint& point, const QSize& size) {
    if (!press_ || windows_.empty()) {
        return false;
    }
    const QPoint by = point - press_->at;
    press_->dragged = press_->dragged || by.manhattanLength() >= drag_from;
    if (press_->dragged) {
        TimeScale scale = layoutRun(size, top()).scale(top());
        scale.range = press_->range;
        setRange(
            panned(press_->range, Time(std::llround(-by.x() * scale.picosecondsPerPixel())), top().whole()));
        scrollTo(press_->scrolled - by.y(), size);
    }
    return true;
}

void RunBrowser::release(const QPoint& point, const QSize& size) {
    const bool clicked = press_ && !press_->dragged;
    press_.reset();
    if (!clicked || windows_.empty() || !top().row) {
        return;
    }
    const RunLayout layout = layoutRun(size, top());
    const std::optional<RunHit> hit = hitAt(top(), layout, point);
    if (const std::optional<std::size_t> row = layout.rowAt(point)) {
        const bool own = hit && hit->more.empty() && hit->lane == top().at(*row).lanes.front();
        select(*row, own ? std::optional(hit->bar.item) : std::nullopt);
    }
}

void RunBrowser::doubleClick(const QPoint& point, const QSize& size) {
    if (windows_.empty()) {
        return;
    }
    const std::optional<RunHit> hit = hitAt(top(), layoutRun(size, top()), point);
    const std::optional<RunKey> found =
        hit && hit->more.empty() ? top().runAt(hit->row).inside(hit->lane, hit->bar.item) : std::nullopt;
    press_.reset();
    if (found) {
        open_(*found);
    } else {
        setRange(top().whole());
    }
}

void RunBrowser::paintCursor(QPainter& painter, const QSize& size, Theme theme) const {
    if (windows_.empty() || press_ || !cursor_) {
        return;
    }
    const RunLayout layout = layoutRun(size, windows_.back());
    if (layout.inData(*cursor_)) {
        paintRunCursor(painter, windows_.back(), layout, cursor_->x(), theme);
    }
}

} // namespace meshslice::ui
