#include "ui/lineup/lineup_window.h"

#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "ui/lineup/lineup_words.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/view/timeline_picture.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// "71% of peak".
QString shareText(const TrainingStep& step) {
    return LineupWords::tr("%1 of peak").arg(words(percent_text(step.utilization)));
}

/// "ring of 16", "4x2x2": how the chips are arranged, where that is not the scenario's mesh.
QString arrangement(const Lineup& lineup, const LineupRun& run) {
    const Torus& torus = lineup.steps[*run.step]->torus();
    if (torus == lineup.mesh) {
        return {};
    }
    return torus.axis_count() == 1 ? LineupWords::tr("ring of %1").arg(QString::number(torus.chips()))
                                   : words(shape_text(torus));
}

/// "4.64 ms, 74% of peak".
QString speedText(const TrainingStep& step) {
    return words(text(step.time)) + translated(", ") + shareText(step);
}

/// "ring of 16, S = 8, waits 12%": how the chips are arranged where that is not the scenario's mesh, how the
/// GEMM is cut, and what share of the time the core waits.
QString waitText(const Lineup& lineup, const LineupRun& run) {
    const GemmResult& result = lineup.result(run);
    QStringList parts;
    if (const QString other = arrangement(lineup, run); !other.isEmpty()) {
        parts += other;
    }
    if (const auto found = algorithm(run.algorithm); found && takes(**found, OptionId::slices)) {
        parts += LineupWords::tr("S = %1").arg(QString::number(result.options.slices));
    }
    parts += LineupWords::tr("waits %1").arg(words(percent_text(ratio(result.usage.exposed, result.time))));
    return parts.join(translated(", "));
}

/// "core", "east link".
QString laneName(const Row& place) {
    return place.is_core ? LineupWords::tr("core") : words(link_text(place.axis, place.direction));
}

/// The chip's coordinates, "3,5".
QString chipText(const Lineup& lineup, Chip chip) {
    const Torus torus = lineup.mesh;
    return words(place_text(torus, std::min(chip, torus.chips() - 1)));
}

QStringList phaseLines(const LineupPhase& phase) {
    const QString whole = words(text(length(phase.range)));
    switch (phase.kind) {
    case LineupPhase::Kind::prologue:
        return {LineupWords::tr("prologue: %1").arg(whole),
                LineupWords::tr("everything before the loop's first multiplication"),
                LineupWords::tr("by the closed form")};
    case LineupPhase::Kind::epilogue:
        return {LineupWords::tr("epilogue: %1").arg(whole),
                LineupWords::tr("the last multiplication and everything after it"),
                LineupWords::tr("by the closed form")};
    case LineupPhase::Kind::steady: break;
    }
    return {
        LineupWords::tr("steady state: %1").arg(whole),
        LineupWords::tr("%1 iterations of %2 each, paced by the slowest of core and links")
            .arg(QString::number(phase.times), words(text(Time(length(phase.range).value() / phase.times)))),
        LineupWords::tr("by the closed form")};
}

/// From the whole name to the shortest.
QStringList phaseNames(const LineupPhase& phase) {
    switch (phase.kind) {
    case LineupPhase::Kind::prologue: return {LineupWords::tr("prologue")};
    case LineupPhase::Kind::epilogue: return {LineupWords::tr("epilogue")};
    case LineupPhase::Kind::steady: break;
    }
    const Time each(length(phase.range).value() / phase.times);
    return {LineupWords::tr("steady state, %1 × %2").arg(QString::number(phase.times), words(text(each))),
            LineupWords::tr("steady state"), LineupWords::tr("steady")};
}

/// A run as a whole, line by line.
QStringList runLines(const Lineup& lineup, const LineupRun& run) {
    const GemmResult& result = lineup.result(run);
    QStringList lines{run.name() + translated(": ") + speedText(lineup.step(run))};
    if (const auto found = algorithm(run.algorithm)) {
        lines += translated((*found)->summary);
    }
    lines += LineupWords::tr("communication %1, of which %2 behind multiplication; the core waits %3")
                 .arg(words(text(result.usage.communication())), words(text(result.usage.overlapped)),
                      words(text(result.usage.exposed)));
    lines += LineupWords::tr("by the closed form %1; mean of all chips").arg(words(text(result.estimated())));
    return lines;
}

/// An algorithm's block of the picture.
ShownRun shownAlgorithm(const Lineup& lineup, const LineupRun& run, Chip chip) {
    ShownRun shown;
    shown.name = {run.name()};
    if (!run.step) {
        shown.objection = LineupWords::tr("does not run here: %1").arg(run.objection);
        return shown;
    }
    const StepRun& step = *lineup.steps[*run.step];
    shown.run = lineup.steps[*run.step];
    shown.name << speedText(step.step()) << waitText(lineup, run);
    shown.ends = {words(text(step.step().time)), comparedWithFastest(lineup, run)};
    for (const std::size_t lane : lanesOf(step, chip)) {
        shown.rows.push_back({{lane}, laneName(step.rows()[lane])});
    }
    for (const LineupPhase& phase : phasesOf(lineup.result(run))) {
        shown.spans.push_back({phase.range, phaseNames(phase), phaseLines(phase)});
    }
    return shown;
}

} // namespace

RunWindow lineupWindow(const LineupPtr& lineup, Chip chip, LineupOrder order) {
    RunWindow window;
    std::vector<std::size_t> places; // in the line-up, of the picture's runs
    for (const std::size_t place : inOrder(*lineup, order)) {
        places.push_back(place);
        window.runs.push_back(shownAlgorithm(*lineup, lineup->runs[place], chip));
    }
    window.opening = openingRange(*lineup);
    window.range = window.opening;
    window.words.finding = lineupFinding(*lineup);
    window.words.run = [lineup, places](std::size_t run) {
        return runLines(*lineup, lineup->runs[places[run]]);
    };
    window.words.at = [runs = window.runs](std::size_t row, TimeRange pixel) {
        std::size_t run = 0;
        while (row >= runs[run].rows.size()) {
            row -= runs[run++].rows.size();
        }
        const auto& step = static_cast<const StepRun&>(*runs[run].run);
        const std::size_t lane = runs[run].rows[row].lanes.front();
        return linesOf(step, lane, barAt(step, lane, pixel));
    };
    window.words.legend = [lineup](bool brief) { return timelineLegend(lineup->steps, false, brief); };
    return window;
}

QString aboutLineup(const Lineup& lineup, std::optional<Chip> chip) {
    if (lineup.steps.empty()) {
        return lineup.product;
    }
    const Gemm& gemm = lineup.steps.front()->step().gemms.front().gemm;
    const QString mesh = words(shape_text(lineup.mesh));
    const QString stays = gemm.dataflow == Dataflow::OS   ? QStringLiteral("C")
                          : gemm.dataflow == Dataflow::LS ? QStringLiteral("A")
                                                          : QStringLiteral("B");
    const QString product = LineupWords::tr("M × N × K = %1 × %2 × %3, %4 stays in place")
                                .arg(QString::number(gemm.shape.m), QString::number(gemm.shape.n),
                                     QString::number(gemm.shape.k), stays);
    if (!chip) {
        return LineupWords::tr("%1, on %2").arg(product, mesh);
    }
    return gemm.layer.empty()
               ? LineupWords::tr("%1, on %2; what chip %3 does").arg(product, mesh, chipText(lineup, *chip))
               : LineupWords::tr("%1: %2, on %3; what chip %4 does")
                     .arg(lineup.product, product, mesh, chipText(lineup, *chip));
}

} // namespace meshslice::ui
