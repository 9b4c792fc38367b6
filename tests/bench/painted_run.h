#pragma once

#include "ui/session/runner.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/picture_area.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QEventLoop>
#include <QTimer>
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>

namespace meshslice::ui {

/// Remembers which run a widget last painted.
class PaintedRun : public QObject {
  public:
    PaintedRun(QWidget* widget, const MainWindow& window) : window_(window) {
        widget->installEventFilter(this);
    }

    /// The number of that run, 0 before the first.
    [[nodiscard]] std::uint64_t run() const { return run_; }

  private:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint && window_.session()->current()) {
            run_ = window_.session()->current()->number;
        }
        return false;
    }

    const MainWindow& window_;
    std::uint64_t run_ = 0;
};

/// Until the newest run is shown and painted; false when that takes absurdly long.
inline bool settle(const MainWindow& window, const PaintedRun& painted, std::uint64_t newer_than) {
    constexpr std::chrono::milliseconds patience(60'000);
    constexpr std::chrono::milliseconds look_again(100); // when no event comes
    QTimer wake;
    wake.start(look_again);
    QElapsedTimer waited;
    waited.start();
    while (painted.run() <= newer_than || window.session()->runner()->isBusy()) {
        if (waited.hasExpired(patience.count())) {
            return false;
        }
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return true;
}

/// A window with the timeline in front, once its first run is shown and painted.
class OpenWindow {
  public:
    /// Makes the benchmark skip where that takes absurdly long; then it is not ready. The timeline is found
    /// by its name: the lab has one of its own.
    explicit OpenWindow(benchmark::State& state)
        : painted_(window_.findChild<TimelineView*>(QStringLiteral("timeline")), window_) {
        window_.resize(1600, 1000);
        window_.show();
        window_.pictures()->show(window_.views().front()); // the timeline; a window opens with the summary
        ready_ = settle(window_, painted_, 0);
        if (!ready_) {
            state.SkipWithError("the first run was never painted");
        }
    }

    [[nodiscard]] bool isReady() const { return ready_; }
    [[nodiscard]] MainWindow& window() { return window_; }
    [[nodiscard]] const PaintedRun& painted() const { return painted_; }

  private:
    MainWindow window_{Memory::forget};
    PaintedRun painted_;
    bool ready_ = false;
};

} // namespace meshslice::ui
