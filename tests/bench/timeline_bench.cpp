// How fast the timeline redraws. The figures to look at: the whole GPT-3 step of 256 chips, millions of busy
// intervals, well under the 16 ms of a frame; and hovering, which must not rebuild anything.

#include "core/step/training_step.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <benchmark/benchmark.h>

namespace meshslice::ui {
namespace {

ResultsPtr gpt3_results() {
    static const ResultsPtr results = [] {
        auto made = std::make_shared<Results>();
        made->number = 1;
        made->scenario = default_scenario();
        for (const char* algorithm : {"meshslice", "collective"}) {
            made->steps.push_back(*training_step(made->scenario, algorithm, Depth::simulate));
        }
        return ResultsPtr(made);
    }();
    return results;
}

double interval_count() {
    std::size_t sum = 0;
    for (const TrainingStep& step : gpt3_results()->steps) {
        for (const GemmResult& result : step.gemms) {
            sum += result.timeline->interval_count();
        }
    }
    return static_cast<double>(sum);
}

/// Argument: the share of the run that is visible, in thousandths. Every frame shows another range, so every
/// frame is built again.
void pan_and_paint(benchmark::State& state) {
    HandMadeSession session;
    Selection& selection = *session.selection();
    TimelineView view(&session);
    view.resize(1600, 900);
    session.show(gpt3_results());
    const Time end = gpt3_results()->steps.back().time;
    const std::int64_t width = end.value() * state.range(0) / 1000;
    QImage image(view.size(), QImage::Format_ARGB32_Premultiplied);
    std::int64_t shift = 0;
    for (auto _ : state) {
        shift = (shift + 1'000'000) % (width / 2);
        selection.setRange({Time(shift), Time(shift + width)});
        view.render(&image);
    }
    state.counters["intervals"] = interval_count();
}
BENCHMARK(pan_and_paint)
    ->Name("pan the timeline one step and paint it, 1600x900, share of the run in thousandths")
    ->Arg(1000)
    ->Arg(100)
    ->Arg(10)
    ->Unit(benchmark::kMillisecond);

/// Every frame of a run that plays moves the time in both views. A 60th of a second is 16.7 ms.
void play(benchmark::State& state) {
    HandMadeSession session;
    TimelineView timeline(&session);
    timeline.resize(800, 900);
    TorusView torus(&session);
    torus.resize(800, 900);
    session.show(gpt3_results());
    QImage left(timeline.size(), QImage::Format_ARGB32_Premultiplied);
    QImage right(torus.size(), QImage::Format_ARGB32_Premultiplied);
    const Time end = gpt3_results()->steps.back().time;
    std::int64_t moment = 0;
    for (auto _ : state) {
        moment = (moment + end.value() / 1200) % end.value(); // 20 s for all of it
        session.selection()->setMoment(Time(moment));
        timeline.render(&left);
        torus.render(&right);
    }
}
BENCHMARK(play)->Name("play: a frame of timeline and torus, 800x900 each")->Unit(benchmark::kMillisecond);

void hover(benchmark::State& state) {
    HandMadeSession session;
    TimelineView view(&session);
    view.resize(1600, 900);
    session.show(gpt3_results());
    QImage image(view.size(), QImage::Format_ARGB32_Premultiplied);
    view.render(&image);
    int x = 200;
    for (auto _ : state) {
        x = x < 1200 ? x + 1 : 200;
        QMouseEvent move(QEvent::MouseMove, QPointF(x, 300), QPointF(x, 300), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&view, &move);
        view.render(&image);
    }
}
BENCHMARK(hover)->Name("hover over the timeline and paint it, 1600x900")->Unit(benchmark::kMillisecond);

} // namespace
} // namespace meshslice::ui

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
