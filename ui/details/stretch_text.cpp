#include "ui/details/stretch_text.h"

#include "core/base/text.h"
#include "ui/details/rich_text.h"
#include "ui/details/variant_text.h"
#include "ui/look/words.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/view/finding.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>
#include <vector>

namespace meshslice::ui {
namespace {

QString stretchTr(const char* text) {
    return QCoreApplication::translate("meshslice::ui", text);
}

/// "+39%", "\u00d7 2.4": the column is narrow, and the amounts stand next to it.
QString moreShareText(double before, double after) {
    const double ratio = before > 0 ? after / before : 1;
    if (words(percent_text(std::abs(ratio - 1))) == words(percent_text(0))) {
        return before > 0 || after == before ? stretchTr("the same") : QString();
    }
    if (ratio >= 2) {
        return QStringLiteral("\u00d7\u00a0%1").arg(words(number_text(ratio)));
    }
    return (ratio > 1 ? QStringLiteral("+%1") : QStringLiteral("\u2212%1"))
        .arg(words(percent_text(std::abs(ratio - 1))));
}

} // namespace

QString stretchHeading(TimeRange marked) {
    const Time length = marked.end - marked.begin;
    return heading(stretchTr("Marked stretch")) +
           paragraph(stretchTr("%1 to %2: <b>%3</b>")
                         .arg(whole(moment(marked.begin, length)), whole(moment(marked.end, length)),
                              shown(length)));
}

QString stretchText(const Results& results, TimeRange marked, const std::vector<StepStretch>& all) {
    const std::vector<std::size_t> columns = columnsOf(results);
    const bool differs = comparesVariants(results);
    Lines lines;
    QStringList head{QString()};
    for (const std::size_t column : columns) {
        head << stepName(results, column);
    }
    if (differs) {
        head << differenceTitle();
    }
    if (columns.size() > 1) {
        lines.head(head);
    }
    const auto add = [&](const QString& title, const auto& value, const auto& more) {
        QStringList line{title};
        for (const std::size_t column : columns) {
            line << (all[column].use.length > Time(0) ? value(all[column]) : QStringLiteral("\u2013"));
        }
        if (differs) {
            const bool both = all[0].use.length > Time(0) && all[1].use.length > Time(0);
            line << (both ? more(all[1], all[0]) : QString());
        }
        lines.add(line);
    };
    const auto addAmount = [&](const QString& title, const auto& of) {
        add(
            title, [&](const StepStretch& one) { return shown(of(one)); },
            [&](const StepStretch& a, const StepStretch& b) {
                return moreShareText(static_cast<double>(of(a).value()), static_cast<double>(of(b).value()));
            });
    };
    const auto addShare = [&](const QString& title, const auto& of) {
        add(
            title, [&](const StepStretch& one) { return words(percent_text(of(one))); },
            [&](const StepStretch& a, const StepStretch& b) { return morePointsText(of(a), of(b)); });
    };
    addShare(stretchTr("cores multiply"), [](const StepStretch& one) { return one.multiply_share(); });
    addShare(stretchTr("links busy"), [](const StepStretch& one) { return one.links_busy_share(); });
    addAmount(stretchTr("bytes moved"), [](const StepStretch& one) { return one.use.moved; });
    addAmount(stretchTr("FLOP done"), [](const StepStretch& one) { return one.use.flop; });
    addAmount(stretchTr("communication"),
              [](const StepStretch& one) { return one.use.usage.communication(); });
    addAmount(stretchTr("of it hidden"), [](const StepStretch& one) { return one.use.usage.overlapped; });
    addShare(stretchTr("hidden share"), [](const StepStretch& one) { return one.hidden_share(); });
    addAmount(stretchTr("exposed: the core waits"),
              [](const StepStretch& one) { return one.use.usage.exposed; });

    QString text = stretchHeading(marked) + lines.html();
    for (const std::size_t column : columns) {
        const TrainingStep& step = results.steps[column];
        if (all[column].estimated > Time(0)) {
            text += paragraph(stretchTr("%1: %2 of it were only estimated and are not counted.")
                                  .arg(stepTitle(step).toHtmlEscaped(), shown(all[column].estimated)));
        }
        if (step.time < marked.end) {
            text += paragraph(
                step.time > marked.begin
                    ? stretchTr("%1 is done after %2; only the time until then counts.")
                          .arg(stepTitle(step).toHtmlEscaped(), shown(step.time))
                    : stretchTr("%1 is done before it begins.").arg(stepTitle(step).toHtmlEscaped()));
        }
    }
    return text +
           paragraph(
               stretchTr("Shares and times are averages over the chips or links, bytes and FLOP sums "
                         "over all of them. A bar that is cut by an edge counts by the share of its "
                         "time that lies within. Communication adds both axes up, which may be busy at the "
                         "same time; exposed is what the core waits for.")) +
           paragraph(QStringLiteral("<a href='%1'>%2</a>")
                         .arg(QLatin1String(copy_stretch_link), stretchTr("Copy this table")));
}

} // namespace meshslice::ui
