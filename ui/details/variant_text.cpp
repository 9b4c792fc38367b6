#include "ui/details/variant_text.h"

#include "core/base/text.h"
#include "core/scenario/differences.h"
#include "ui/details/rich_text.h"
#include "ui/look/words.h"
#include "ui/view/finding.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

QString variantTr(const char* text) {
    return QCoreApplication::translate("meshslice::ui", text);
}

const QString& minus() {
    static const QString sign = QStringLiteral("\u2212");
    return sign;
}

template <typename Quantity>
QString more(Quantity before, Quantity after) {
    if (text(before) == text(after)) {
        return variantTr("the same");
    }
    const Quantity by = after > before ? after - before : before - after;
    const QString sign = after > before ? QStringLiteral("+") : minus();
    QString share;
    if (before > Quantity(0)) {
        const double times = static_cast<double>(by.value()) / static_cast<double>(before.value());
        share = QStringLiteral(", %1%2").arg(sign, words(percent_text(times)));
    }
    return whole(sign + words(text(by)) + share);
}

} // namespace

bool comparesVariants(const Results& results) {
    return results.reference.has_value() && results.steps.size() == 2;
}

std::vector<std::size_t> columnsOf(const Results& results) {
    if (comparesVariants(results)) {
        return {1, 0};
    }
    std::vector<std::size_t> columns(results.steps.size());
    for (std::size_t step = 0; step < columns.size(); ++step) {
        columns[step] = step;
    }
    return columns;
}

QString differenceTitle() {
    return QStringLiteral("B %1 A").arg(minus());
}

QString moreText(Time before, Time after) {
    return more(before, after);
}

QString moreText(Bytes before, Bytes after) {
    return more(before, after);
}

QString morePointsText(double before, double after) {
    const double points = (after - before) * 100;
    if (std::abs(points) < 0.05) {
        return variantTr("the same");
    }
    return unbroken(variantTr("%1%2 points")
                        .arg(points > 0 ? QStringLiteral("+") : minus())
                        .arg(std::abs(points), 0, 'f', std::abs(points) < 10 ? 1 : 0));
}

QString differencesText(const Results& results) {
    if (!results.reference) {
        return {};
    }
    const std::vector<Difference> all = differences(results.reference->scenario, results.scenario);
    if (all.empty()) {
        return heading(variantTr("What differs")) + paragraph(variantTr("Nothing: A and B are alike."));
    }
    Lines lines;
    lines.head({QString(), QStringLiteral("A"), QStringLiteral("B")});
    const auto said = [](const std::string& value) {
        return value.empty() ? variantTr("none") : whole(words(value).toHtmlEscaped());
    };
    for (const Difference& one : all) {
        lines.add({words(one.name).toHtmlEscaped(), said(one.from), said(one.to)});
    }
    return heading(variantTr("What differs")) + lines.html();
}

QString sameGemmText(const Results& results, const Selected& selected) {
    if (!comparesVariants(results)) {
        return {};
    }
    const GemmResult& own = results.steps[selected.step].gemms[selected.gemm];
    const auto& others = results.steps[1 - selected.step].gemms;
    const std::string title = own.title();
    const auto other =
        std::ranges::find_if(others, [&](const GemmResult& gemm) { return gemm.title() == title; });
    if (other == others.end()) {
        return {};
    }
    const GemmResult& a = selected.step == 0 ? *other : own;
    const GemmResult& b = selected.step == 0 ? own : *other;
    return paragraph(
        variantTr("A takes %1, B %2: %3.")
            .arg(whole(words(text(a.time))), whole(words(text(b.time))), moreText(a.time, b.time)));
}

} // namespace meshslice::ui
