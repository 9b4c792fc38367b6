#include "ui/lineup/lineup_text.h"

#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "ui/lineup/lineup_words.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/timeline/timeline_geometry.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshslice::ui {
namespace {

/// "71% of peak".
QString shareText(const TrainingStep& step) {
    return LineupWords::tr("%1 of peak").arg(words(percent_text(step.utilisation)));
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

} // namespace

QString speedText(const TrainingStep& step) {
    return words(text(step.time)) + translated(", ") + shareText(step);
}

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

QString laneName(const Row& place) {
    return place.is_core ? LineupWords::tr("core") : words(link_text(place.axis, place.direction));
}

QString chipText(const Lineup& lineup, Chip chip) {
    const Torus torus = lineup.mesh;
    return words(place_text(torus, std::min(chip, torus.chips() - 1)));
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

QString phaseText(const LineupPhase& phase, const QFont& font, double width) {
    QStringList wishes;
    switch (phase.kind) {
    case LineupPhase::Kind::prologue: wishes = {LineupWords::tr("prologue")}; break;
    case LineupPhase::Kind::epilogue: wishes = {LineupWords::tr("epilogue")}; break;
    case LineupPhase::Kind::steady: {
        const Time each(length(phase.range).value() / phase.times);
        wishes = {
            LineupWords::tr("steady state, %1 × %2").arg(QString::number(phase.times), words(text(each))),
            LineupWords::tr("steady state"), LineupWords::tr("steady")};
        break;
    }
    }
    return firstFitting(font, wishes, width);
}

} // namespace meshslice::ui
