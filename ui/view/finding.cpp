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
    const auto waits = [](const TrainingStep& step) {
        return percent_text(ratio(step.usage.exposed, step.time));
    };
    const std::string ours = waits(results.steps[0]);
    const std::string theirs = waits(results.steps[1]);
    return ours == theirs
               ? QString()
               : QCoreApplication::translate("Finding", "The core waits %1 of the time with %2, %3 with %4")
                     .arg(words(ours), stepTitle(results.steps[0]), words(theirs),
                          stepTitle(results.steps[1]));
}

} // namespace meshslice::ui
