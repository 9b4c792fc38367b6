#include "ui/session/subject.h"

#include "core/scenario/meshes.h"
#include "ui/look/words.h"

#include <QCoreApplication>

namespace meshslice::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("meshslice::ui", text);
}

/// "GPT-3 175B, batch 128 x 2048 tokens"; "a GEMM with M = 4096, N = 512 and K = 1024".
QString work(const Scenario& scenario) {
    if (scenario.gemm) {
        const GemmShape& shape = scenario.gemm->shape;
        return tr("a GEMM with M = %1, N = %2 and K = %3").arg(shape.m).arg(shape.n).arg(shape.k);
    }
    return tr("%1, batch %2 x %3 tokens")
        .arg(words(scenario.model.title))
        .arg(scenario.batch)
        .arg(scenario.sequence);
}

} // namespace

QString subject(const Scenario& scenario) {
    const std::int64_t chips = chips_of(scenario.mesh);
    return tr("%1, %2; %3: %4")
        .arg(work(scenario), words(name(scenario.assume.schedule.type)),
             chips == 1 ? tr("one chip") : tr("%1 chips").arg(chips), words(scenario.hardware.title));
}

QString trainingSubject(const Scenario& scenario) {
    const std::int64_t chips = scenario.chips();
    return tr("%1; training run on %2: %3")
        .arg(work(scenario), chips == 1 ? tr("one chip") : tr("%1 chips").arg(chips),
             words(scenario.hardware.title));
}

} // namespace meshslice::ui
