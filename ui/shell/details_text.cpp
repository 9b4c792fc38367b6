#include "ui/shell/details_text.h"

#include "core/base/text.h"
#include "core/simulate/timeline.h"
#include "ui/document/words.h"
#include "ui/view/finding.h"

#include <QCoreApplication>
#include <QStringList>

namespace meshslice::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("meshslice::ui::Details", text);
}

/// A number and its unit stay on one line: a thin space may be broken at. (The narrow no-break space would be
/// right, but Qt reads it as any white space in rich text.)
template <class Quantity>
QString shown(Quantity quantity) {
    return words(text(quantity)).replace(QChar(0x2009), QChar(QChar::Nbsp));
}

QString heading(const QString& title) {
    return QStringLiteral("<h4>%1</h4>").arg(title);
}
QString paragraph(const QString& sentence) {
    return QStringLiteral("<p>%1</p>").arg(sentence);
}

/// Rows of a name and right-aligned values.
class Lines {
  public:
    void head(const QStringList& cells) { add(QStringLiteral("th"), cells); }
    void add(const QStringList& cells) { add(QStringLiteral("td"), cells); }
    [[nodiscard]] QString html() const { return QStringLiteral("<table width='100%'>%1</table>").arg(rows_); }

  private:
    void add(const QString& tag, const QStringList& cells) {
        rows_ += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < cells.size(); ++i) {
            rows_ += QStringLiteral("<%1 align='%2' style='padding: 1px 6px 1px 0'>%3</%1>")
                         .arg(tag, i == 0 ? QStringLiteral("left") : QStringLiteral("right"), cells[i]);
        }
        rows_ += QStringLiteral("</tr>");
    }

    QString rows_;
};

QString meaning(Dataflow dataflow) {
    switch (dataflow) {
    case Dataflow::OS: return tr("output stationary, C = A B");
    case Dataflow::LS: return tr("left stationary, C = A B<sup>T</sup>");
    case Dataflow::RS: return tr("right stationary, C = A<sup>T</sup> B");
    }
    return {};
}

QString opening(const GemmResult& product, const TrainingStep& step) {
    QString text = QStringLiteral("<h3>%1</h3>").arg(words(product.title()).toHtmlEscaped());
    text += paragraph(
        tr("%1 (%2, %3) with %4 on %5 chips, S = %6")
            .arg(words(meshslice::text(product.gemm.shape)).replace(QLatin1Char('x'), QStringLiteral(" × ")),
                 words(name(product.gemm.dataflow)), meaning(product.gemm.dataflow),
                 algorithmTitle(step.algorithm),
                 words(shape_text(product.program.torus)).replace(QLatin1Char('x'), QStringLiteral(" × ")))
            .arg(product.slices));
    if (product.gemm.copies > 1) {
        text += paragraph(tr("%1 copies run one after the other; the times below are of one copy.")
                              .arg(product.gemm.copies));
    }
    return text;
}

QString intervalText(const GemmResult& product, const Selected& selected, const Hardware& hardware) {
    if (!product.timeline || !selected.row || !selected.interval ||
        *selected.row >= product.timeline->rows().size() ||
        *selected.interval >= product.timeline->intervals(*selected.row).size()) {
        return {};
    }
    const Timeline& timeline = *product.timeline;
    const Row& row = timeline.rows()[*selected.row];
    const Interval& interval = timeline.intervals(*selected.row)[*selected.interval];
    const OperationLabel& operation = timeline.operations()[interval.operation];
    const Time duration = interval.end - interval.start;
    Lines lines;
    lines.add({tr("where"), words(row_name(timeline.torus(), row))});
    lines.add({tr("what"), words(name(interval.activity))});
    lines.add({tr("operation"), words(operation.detail).toHtmlEscaped()});
    lines.add({tr("slice"), tr("%1 of %2").arg(interval.iteration + 1).arg(timeline.iterations())});
    if (!row.is_core) {
        lines.add({tr("step of the ring"), QString::number(interval.step + 1)});
    }
    lines.add({tr("from"), shown(interval.start)});
    lines.add({tr("to"), shown(interval.end)});
    lines.add({tr("lasts"), shown(duration)});
    const Bytes bytes = timeline.bytes(row, interval);
    if (interval.activity == Activity::transfer && bytes.value() > 0) {
        lines.add({tr("moves"), shown(bytes)});
        lines.add({tr("so"), tr("%1 / %2 = %3")
                                 .arg(shown(bytes), shown(hardware.link_bandwidth.value),
                                      shown(bytes / hardware.link_bandwidth.value))});
    }
    return heading(tr("Selected bar")) + lines.html();
}

QString timeText(const GemmResult& product) {
    const Estimate& estimate = product.estimate;
    QString text = heading(tr("Why it takes this long"));
    text += paragraph(tr("By closed form, prologue + (S − 1) × steady state + epilogue:"));
    text += QStringLiteral("<p>%1 + %2 × %3 + %4<br>= <b>%5</b></p>")
                .arg(shown(estimate.prologue))
                .arg(product.program.iterations - 1)
                .arg(shown(estimate.steady), shown(estimate.epilogue), shown(estimate.total));
    if (!product.timeline) {
        return text;
    }
    const Usage& usage = product.usage;
    text += paragraph(
        tr("Simulated, every chip and link by itself: <b>%1</b>.").arg(shown(product.timeline->end())));
    Lines lines;
    lines.head({QString(), tr("simulated"), tr("closed form")});
    lines.add({tr("multiplication"), shown(usage.compute), shown(estimate.compute)});
    lines.add({tr("launches"), shown(usage.launch), shown(estimate.launch)});
    lines.add({tr("synchronisation"), shown(usage.sync), shown(estimate.sync)});
    lines.add({tr("transfers"), shown(usage.transfer), shown(estimate.transfer)});
    lines.add({tr("exposed: the core waits"), shown(usage.exposed), shown(estimate.exposed)});
    return text + lines.html();
}

QString countText(const GemmResult& product, const Hardware& hardware) {
    const Count& count = product.count;
    Lines lines;
    lines.add({tr("sent by the busiest chip"), shown(count.sent_per_chip)});
    lines.add({tr("over the busiest link"), shown(count.busiest_link)});
    lines.add({tr("multiplied"), shown(count.flop_per_chip)});
    lines.add({tr("read and written in memory"), shown(count.hbm_per_chip)});
    lines.add({tr("shards of A, B and C"), shown(count.shards_per_chip)});
    lines.add({tr("buffers of the loop"), shown(count.buffers_per_chip)});
    lines.add({tr("memory in all"), shown(count.peak_memory())});
    QString text = heading(tr("On one chip")) + lines.html();
    if (hardware.hbm.value.value() > 0 && count.peak_memory() > hardware.hbm.value) {
        text +=
            paragraph(tr("<b>This is more than the chip's memory of %1.</b>").arg(shown(hardware.hbm.value)));
    }
    return text;
}

/// What to read before anything is selected: the whole step, one column for each algorithm.
QString stepText(const Results& results) {
    const std::pair<QString, Time Usage::*> parts[] = {{tr("multiplication"), &Usage::compute},
                                                       {tr("launches"), &Usage::launch},
                                                       {tr("synchronisation"), &Usage::sync},
                                                       {tr("transfers"), &Usage::transfer},
                                                       {tr("exposed: the core waits"), &Usage::exposed}};
    QStringList head{QString()};
    QStringList time{tr("time, simulated")};
    QStringList estimated{tr("by closed form")};
    QStringList peak{tr("of the peak")};
    QStringList hidden{tr("communication hidden")};
    for (const TrainingStep& step : results.steps) {
        head << algorithmTitle(step.algorithm);
        time << shown(step.time);
        estimated << shown(step.estimated);
        peak << words(percent_text(step.utilisation));
        hidden << words(percent_text(step.hidden_share()));
    }
    Lines lines;
    lines.head(head);
    for (const QStringList& line : {time, estimated, peak, hidden}) {
        lines.add(line);
    }
    Lines usage;
    usage.head(head);
    for (const auto& [title, part] : parts) {
        QStringList line{title};
        for (const TrainingStep& step : results.steps) {
            line << shown(step.usage.*part);
        }
        usage.add(line);
    }
    return QStringLiteral("<h3>%1</h3>").arg(tr("The whole step")) + lines.html() +
           heading(tr("How one chip spends it, on average")) + usage.html();
}

QString programText(const GemmResult& product) {
    return heading(tr("What every chip runs")) + QStringLiteral("<pre style='white-space: pre-wrap'>%1</pre>")
                                                     .arg(words(pseudocode(product.program)).toHtmlEscaped());
}

} // namespace

QString detailsText(const ResultsPtr& results, const std::optional<Selected>& selected) {
    if (!results) {
        return paragraph(tr("Details appear here when the first run has finished."));
    }
    if (!selected || selected->step >= results->steps.size() ||
        selected->gemm >= results->steps[selected->step].gemms.size()) {
        return stepText(*results) + paragraph(tr("Click a bar of the timeline, or a row of the products, to "
                                                 "see what it is and why it takes "
                                                 "the time it takes."));
    }
    const TrainingStep& step = results->steps[selected->step];
    const GemmResult& product = step.gemms[selected->gemm];
    const Hardware& hardware = results->scenario.hardware;
    return opening(product, step) + intervalText(product, *selected, hardware) + timeText(product) +
           countText(product, hardware) + programText(product);
}

} // namespace meshslice::ui
