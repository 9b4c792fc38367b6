#pragma once

#include "core/base/quantity.h"
#include "core/run/stretch.h"

#include <QObject>

#include <cstddef>
#include <optional>

namespace meshslice::ui {

/// One busy interval of one timeline: which step (0: the scenario's algorithm, 1: the compared one), which
/// GEMM of the step, which row and which interval in it, and in which copy of the GEMM (which expert).
/// Without row and interval, the GEMM as a whole, all copies. A wait is named by the bar that ends it: the
/// core's idle time before `interval`, which for the wait after the last bar is how many bars there are.
struct Selected {
    std::size_t step = 0;
    std::size_t gemm = 0;
    std::optional<std::size_t> row;
    std::optional<std::size_t> interval;
    std::size_t copy = 0;
    bool wait = false;

    bool operator==(const Selected&) const = default;
};

/// The half-open stretch of simulated time that all views show.
using TimeRange = Stretch;

/// What the views share: one selection, one visible time range and one moment. No pixels in it.
class Selection : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    [[nodiscard]] const std::optional<Selected>& selected() const { return selected_; }
    [[nodiscard]] TimeRange range() const { return range_; }

    void select(const std::optional<Selected>& selected);
    void setRange(TimeRange range);
    /// The moment of simulated time that all views show; none until somebody chooses one. It may lie after
    /// the end of a run.
    [[nodiscard]] std::optional<Time> moment() const { return moment_; }
    void setMoment(Time moment);
    /// The stretch of time that the user has marked, to be measured.
    [[nodiscard]] const std::optional<TimeRange>& marked() const { return marked_; }
    void setMarked(const std::optional<TimeRange>& marked);
    /// Selects, and asks the views to scroll to it.
    void goTo(const Selected& selected);

  signals:
    void selectedChanged();
    void markedChanged();
    void goToAsked();
    void rangeChanged();
    void momentChanged();

  private:
    std::optional<Selected> selected_;
    TimeRange range_;
    std::optional<Time> moment_;
    std::optional<TimeRange> marked_;
};

} // namespace meshslice::ui
