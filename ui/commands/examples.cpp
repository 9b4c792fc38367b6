#include "ui/commands/examples.h"

#include "core/scenario/examples.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

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
    for (const ExampleProject& one : example_projects()) {
        const Scenario& scenario = one.project.scenario();
        const auto& gemm = scenario.gemm;
        const bool training = one.project.task == ProjectTask::training;
        const bool serving = one.project.task == ProjectTask::serving;
        const QString model = words(scenario.model.title);
        const QString work = training  ? ExampleWords::tr("Training of %1").arg(model)
                             : serving ? ExampleWords::tr("Serving %1").arg(model)
                             : gemm    ? ExampleWords::tr("One GEMM of %1 × %2 × %3")
                                          .arg(gemm->shape.m)
                                          .arg(gemm->shape.n)
                                          .arg(gemm->shape.k)
                                    : model;
        QString title = work + translated(", ");
        if (training) {
            title += ExampleWords::tr("%1 chips").arg(scenario.planning.chips.value_or(1)) + translated(", ");
        } else if (!serving) {
            title += joined(scenario.mesh, QStringLiteral(" × ")) + translated(", ");
        }
        title += words(scenario.hardware.title);
        if (one.project.pinned) {
            const auto name = [&](std::size_t variant) {
                return words(shown_name(one.project.variants[variant].name));
            };
            title = ExampleWords::tr("A: %1, B: %2. %3")
                        .arg(name(*one.project.pinned), name(one.project.current), work);
        }
        all.push_back({title, words(one.point), one.project});
    }
    // Whole runs first, then those that hold two variants next to each other: each makes one point.
    std::ranges::stable_sort(all, {}, [](const Example& example) {
        return example.project.task != ProjectTask::step ? 0 : example.project.pinned ? 1 : 2;
    });
    return all;
}

QString proposedFileName(const Project& project) {
    const Scenario& scenario = project.scenario();
    const auto& gemm = scenario.gemm;
    const QString work =
        gemm ? QStringLiteral("gemm-%1x%2x%3").arg(gemm->shape.m).arg(gemm->shape.n).arg(gemm->shape.k)
             : words(scenario.model.name);
    QString name = QStringLiteral("%1-%2-%3")
                       .arg(work, joined(scenario.mesh, QStringLiteral("x")), words(scenario.plan.algorithm));
    static const QRegularExpression unusual(QStringLiteral("[^A-Za-z0-9._-]+"));
    return name.replace(unusual, QStringLiteral("-")) +
           (project.plain() ? QStringLiteral(".json") : QStringLiteral(".meshslice.json"));
}

} // namespace meshslice::ui
