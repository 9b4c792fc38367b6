#include "ui/commands/examples.h"

#include "core/scenario/examples.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace meshslice::ui {
namespace {

struct ExampleWords {
    Q_DECLARE_TR_FUNCTIONS(Examples)
};

QString joined(const std::vector<std::int32_t>& mesh, const QString& times) {
    QStringList sizes;
    for (const std::int32_t size : mesh) {
        sizes << QString::number(size);
    }
    return sizes.join(times);
}

} // namespace

std::vector<Example> examples() {
    std::vector<Example> all;
    for (const ExampleScenario& one : example_scenarios()) {
        const auto& gemm = one.scenario.gemm;
        const QString work = gemm ? ExampleWords::tr("One GEMM of %1 × %2 × %3")
                                        .arg(gemm->shape.m)
                                        .arg(gemm->shape.n)
                                        .arg(gemm->shape.k)
                                  : words(one.scenario.model.title);
        all.push_back({QStringLiteral("%1, %2, %3")
                           .arg(work, joined(one.scenario.mesh, QStringLiteral(" × ")),
                                words(one.scenario.hardware.title)),
                       words(one.point), one.scenario});
    }
    return all;
}

QString proposedFileName(const Scenario& scenario) {
    const auto& gemm = scenario.gemm;
    const QString work =
        gemm ? QStringLiteral("gemm-%1x%2x%3").arg(gemm->shape.m).arg(gemm->shape.n).arg(gemm->shape.k)
             : words(scenario.model.name);
    QString name = QStringLiteral("%1-%2-%3")
                       .arg(work, joined(scenario.mesh, QStringLiteral("x")), words(scenario.algorithm));
    static const QRegularExpression unusual(QStringLiteral("[^A-Za-z0-9._-]+"));
    return name.replace(unusual, QStringLiteral("-")) + QStringLiteral(".json");
}

} // namespace meshslice::ui
