// For how long the window stands still while something large is asked of it: GPT-3 on 256 chips, MeshSlice
// next to Collective. The figure to look at: the longest time in which nothing that a user does is answered,
// under 100 ms.

#include "tests/bench/painted_run.h"
#include "ui/commands/export_commands.h"
#include "ui/document/document.h"
#include "ui/shell/main_window.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace meshslice::ui {
namespace {

/// Asks every millisecond whether it is asked, and remembers the longest time in which it was not.
class Pauses : public QObject {
  public:
    Pauses() {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] {
            longest_ns_ = std::max(longest_ns_, since_.nsecsElapsed());
            since_.start();
        });
        since_.start();
        timer_.start(std::chrono::milliseconds(1));
    }

    [[nodiscard]] double longestMs() const {
        return static_cast<double>(std::max(longest_ns_, since_.nsecsElapsed())) / 1e6;
    }

  private:
    QTimer timer_;
    QElapsedTimer since_;
    qint64 longest_ns_ = 0;
};

void export_every_view(benchmark::State& state) {
    OpenWindow open(state);
    if (!open.isReady()) {
        return;
    }
    MainWindow& window = open.window();
    double longest = 0;
    for (auto _ : state) {
        const QTemporaryDir folder;
        const Pauses pauses;
        window.exports()->exportAllTo(folder.path());
        while (window.exports()->isBusy()) {
            QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
        }
        longest = std::max(longest, pauses.longestMs());
        state.counters["files"] = static_cast<double>(QDir(folder.path()).entryList(QDir::Files).size());
    }
    state.counters["longest_pause_ms"] = longest;
}
BENCHMARK(export_every_view)
    ->Name("export every view as PNG, SVG, PDF and CSV")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// Each view is brought to the front, and its first picture waited for.
void show_every_view(benchmark::State& state) {
    OpenWindow open(state);
    if (!open.isReady()) {
        return;
    }
    MainWindow& window = open.window();
    double longest = 0;
    std::string slowest;
    for (auto _ : state) {
        for (View* view : window.views()) {
            const Pauses pauses;
            window.findChild<PictureArea*>()->show(view);
            QElapsedTimer looked;
            looked.start();
            while (!looked.hasExpired(300)) {
                QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
            }
            if (pauses.longestMs() > longest) {
                longest = pauses.longestMs();
                slowest = view->id().toStdString();
            }
        }
    }
    state.counters["longest_pause_ms"] = longest;
    state.SetLabel("longest: " + slowest);
}
BENCHMARK(show_every_view)
    ->Name("show every view, one after the other")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace meshslice::ui
