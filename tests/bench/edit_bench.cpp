// From an edit to the repainted picture, in the real window: GPT-3 on 256 chips, MeshSlice next to
// Collective, every core and link shown. The figure to look at: the 95th percentile, under 100 ms, of edits
// one after the other.

#include "tests/bench/painted_run.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace meshslice::ui {
namespace {

/// Nobody edits in the moment in which the window opens.
void look() {
    QEventLoop loop;
    QTimer::singleShot(std::chrono::seconds(1), &loop, &QEventLoop::quit);
    loop.exec();
}

void edit_to_repaint(benchmark::State& state, const std::function<void(Scenario&, int)>& change,
                     bool variants = false) {
    OpenWindow open(state);
    if (!open.isReady()) {
        return;
    }
    MainWindow& window = open.window();
    const PaintedRun& painted = open.painted();
    if (variants) {
        const std::uint64_t first = window.session()->current()->number;
        if (!window.document()->duplicate(0) || !settle(window, painted, first)) {
            state.SkipWithError("the second variant was never painted");
            return;
        }
    }
    look();
    std::vector<double> took;
    int number = 0;
    for (auto _ : state) {
        Scenario next = window.document()->scenario();
        change(next, number++);
        const std::uint64_t before = window.session()->current()->number;
        QElapsedTimer timer;
        timer.start();
        if (!window.document()->edit(next, "faults.parts")) {
            state.SkipWithError("the edit was refused");
            break;
        }
        window.document()->endEdit();
        if (!settle(window, painted, before)) {
            state.SkipWithError("the edit was never painted");
            break;
        }
        took.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::ranges::sort(took);
    if (!took.empty()) {
        state.counters["p50_ms"] = took[took.size() / 2];
        state.counters["p95_ms"] = took[took.size() * 95 / 100];
    }
}

void slices(benchmark::State& state) {
    edit_to_repaint(state, [](Scenario& next, int number) { next.plan.slices = number % 2 == 0 ? 8 : 12; });
}
BENCHMARK(slices)
    ->Name("edit to repaint, slice count")
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void slices_of_a_variant(benchmark::State& state) {
    edit_to_repaint(
        state, [](Scenario& next, int number) { next.plan.slices = number % 2 == 0 ? 8 : 12; }, true);
}
BENCHMARK(slices_of_a_variant)
    ->Name("edit to repaint, slice count of one of two variants")
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void slow_link(benchmark::State& state) {
    edit_to_repaint(state, [](Scenario& next, int number) {
        next.assume.faults.parts = {*parse_fault(number % 2 == 0 ? "3,5 east 50%" : "3,5 east 25%")};
    });
}
BENCHMARK(slow_link)
    ->Name("edit to repaint, a slow link")
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void dead_link(benchmark::State& state) {
    edit_to_repaint(state, [](Scenario& next, int number) {
        next.assume.faults.parts = {*parse_fault(number % 2 == 0 ? "3,5 east dead" : "4,5 east dead")};
    });
}
BENCHMARK(dead_link)
    ->Name("edit to repaint, a dead link")
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void slow_core(benchmark::State& state) {
    edit_to_repaint(state, [](Scenario& next, int number) {
        next.assume.faults.parts = {*parse_fault(number % 2 == 0 ? "3,5 core 80%" : "3,5 core 60%")};
    });
}
BENCHMARK(slow_core)
    ->Name("edit to repaint, a slow core")
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void jitter(benchmark::State& state) {
    edit_to_repaint(state, [](Scenario& next, int number) {
        next.assume.faults.jitter = Time(number % 2 == 0 ? 2'000'000 : 3'000'000);
    });
}
BENCHMARK(jitter)
    ->Name("edit to repaint, jitter of every synchronization")
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// Of the time until a user sees something, what the window itself takes: without the start of the process.
void open_window(benchmark::State& state) {
    for (auto _ : state) {
        if (!OpenWindow(state).isReady()) {
            break;
        }
    }
}
BENCHMARK(open_window)
    ->Name("open the window until its first run is painted")
    ->Iterations(10)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace meshslice::ui
