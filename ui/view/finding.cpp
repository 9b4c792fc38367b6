#include "ui/view/finding.h"

#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "ui/look/words.h"

#include <QCoreApplication>

#include <cmath>

namespace meshslice::ui {

QString algorithmTitle(const std::string& id) {
    const Result<const Algorithm*> found = algorithm(id);
    const std::string_view title = found ? (*found)->title : std::string_view(id);
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

QString stepTitle(const TrainingStep& step) {
    return QString::fromStdString(title(step));
}

QString stepName(const Results& results, std::size_t step) {
    if (!results.reference) {
        return stepTitle(results.steps[step]);
    }
    return step == 0 ? QStringLiteral("B") : QStringLiteral("A");
}

QString timesText(Time reference, Time own) {
    if (text(reference) == text(own) || reference <= Time(0)) {
        return QStringLiteral("=");
    }
    const double share = ratio(own, reference);
    if (share >= 2) {
        return QStringLiteral("\u00d7\u2009%1").arg(words(number_text(share)));
    }
    return (share > 1 ? QStringLiteral("+%1") : QStringLiteral("\u2212%1"))
        .arg(words(percent_text(std::abs(share - 1))));
}

QString comparisonFinding(const Results& results) {
    if (results.steps.size() < 2) {
        return {};
    }
    const TrainingStep& ours = results.steps[0];
    const TrainingStep& theirs = results.steps[1];
    const QString name = stepTitle(ours);
    const QString other = stepTitle(theirs);
    if (ours.usage.exposed < theirs.usage.exposed) {
        const double less = 1.0 - ratio(ours.usage.exposed, theirs.usage.exposed);
        return QCoreApplication::translate("Finding", "With %1 the core waits %2 less than with %3")
            .arg(name, QString::fromStdString(percent_text(less)), other);
    }
    if (theirs.usage.exposed < ours.usage.exposed) {
        const double more = ratio(ours.usage.exposed, theirs.usage.exposed);
        if (theirs.usage.exposed.value() == 0) {
            return QCoreApplication::translate("Finding", "%1 exposes communication here; %2 exposes none")
                .arg(name, other);
        }
        return QCoreApplication::translate("Finding", "%1 exposes %2 times the communication of %3 here")
            .arg(name, QString::fromStdString(number_text(more)), other);
    }
    return {};
}

} // namespace meshslice::ui
