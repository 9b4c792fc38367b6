#pragma once

#include "core/run/run_key.h"
#include "ui/timeline/run_hit.h"
#include "ui/timeline/run_picture.h"
#include "ui/timeline/view/time_keys.h"

#include <QPoint>
#include <QSize>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// Runs that are looked at, and the runs inside their bars, one in the other: which of them is seen, what of
/// it, and how that answers to keys and the mouse. Points and sizes are the picture's.
class RunBrowser {
  public:
    /// `changed`: something is seen otherwise. `open`: a bar is to be opened; enter() answers.
    explicit RunBrowser(std::function<void()> changed, std::function<void(const RunKey& key)> open = {});

    /// Shows runs, with nothing around them.
    void show(RunWindow outermost);
    void clear();
    /// Goes into a run that was opened by this key.
    void enter(const RunKey& key, const RunPtr& run);
    /// Goes out of it; false where there is nothing around.
    bool leave();

    [[nodiscard]] std::size_t depth() const { return windows_.size(); }
    /// What is seen; null where there is nothing.
    [[nodiscard]] const RunWindow* window() const { return windows_.empty() ? nullptr : &windows_.back(); }
    [[nodiscard]] const RunWindow* outermost() const {
        return windows_.empty() ? nullptr : &windows_.front();
    }

    void select(std::size_t row, std::optional<std::uint64_t> item = {});
    void setRange(TimeRange range);
    /// So many pixels of the runs are above what is seen.
    void scrollTo(int pixels, const QSize& size);
    /// Says something about what is seen, such as why a bar does not open.
    void note(const QString& sentence);
    /// The key of the selected bar, or else of the first one in sight in its row that opens.
    [[nodiscard]] std::optional<RunKey> inside() const;

    /// Whether the key is the browser's, without Ctrl and the like. `act`: does what it asks.
    bool key(int key, const QSize& size, bool act = true);
    void move(const TimeStep& step, double x, const QSize& size);
    void press(const QPoint& point);
    /// Whether it drags.
    bool drag(const QPoint& point, const QSize& size);
    void release(const QPoint& point, const QSize& size);
    /// Goes into a bar, or shows all where none opens.
    void doubleClick(const QPoint& point, const QSize& size);
    /// Where the pointer is; nowhere.
    void hover(std::optional<QPoint> point) { cursor_ = point; }

    /// Over the picture: the pointer's moment.
    void paintCursor(QPainter& painter, const QSize& size, Theme theme) const;

  private:
    struct Press {
        QPoint at;
        TimeRange range;
        int scrolled = 0;
        bool dragged = false;
    };
    [[nodiscard]] RunWindow& top() { return windows_.back(); }
    void stepRows(double by, const QSize& size);
    /// Scrolls to the selected row.
    void reveal(const QSize& size);

    std::function<void()> changed_;
    std::function<void(const RunKey& key)> open_;
    std::vector<RunWindow> windows_;
    std::optional<Press> press_;
    std::optional<QPoint> cursor_;
};

} // namespace meshslice::ui
