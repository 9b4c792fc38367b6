#include "ui/details/details_text.h"

#include "core/base/text.h"
#include "core/cost/link_bandwidth.h"
#include "core/report/words/block_words.h"
#include "core/report/words/machine_words.h"
#include "core/report/words/slice_words.h"
#include "core/simulate/record/timeline.h"
#include "core/step/roofline.h"
#include "ui/details/rich_text.h"
#include "ui/details/variant_text.h"
#include "ui/details/why_text.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/bars/piece_text.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/timeline/wait.h"
#include "ui/view/finding.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace meshslice::ui {
namespace {

QString detailsTr(const char* text) {
    return QCoreApplication::translate("meshslice::ui", text);
}

QString meaning(Dataflow dataflow) {
    switch (dataflow) {
    case Dataflow::OS: return detailsTr("output stationary, C = A B");
    case Dataflow::LS: return detailsTr("left stationary, C = A B<sup>T</sup>");
    case Dataflow::RS: return detailsTr("right stationary, C = A<sup>T</sup> B");
    }
    return {};
}

QString opening(const GemmResult& product, const TrainingStep& step) {
    const QString gemm = words(product.title());
    const QString whose = step.variant.empty() ? gemm : detailsTr("%1: %2").arg(stepTitle(step), gemm);
    QString text = QStringLiteral("<h3>%1</h3>").arg(whose.toHtmlEscaped());
    text += paragraph(
        detailsTr("%1 (%2, %3) with %4 on %5 chips, S = %6")
            .arg(words(meshslice::text(product.gemm.shape)).replace(QLatin1Char('x'), QStringLiteral(" × ")),
                 words(name(product.gemm.dataflow)), meaning(product.gemm.dataflow),
                 algorithmTitle(step.algorithm),
                 words(shape_text(product.program->torus)).replace(QLatin1Char('x'), QStringLiteral(" × ")))
            .arg(product.options.slices));
    if (product.gemm.copies > 1) {
        text += paragraph(
            detailsTr("%1 copies run one after the other; the times of the GEMM are those of one copy.")
                .arg(product.gemm.copies));
    }
    return text;
}

/// When the copy that is selected begins in the step.
Time startOf(const GemmResult& product, const Selected& selected) {
    return product.start + product.timeline->end() * static_cast<std::int64_t>(selected.copy);
}

/// The moments as the axis of the timeline has them, and how long after the GEMM's start that is.
void addTimes(Lines& lines, const GemmResult& product, const Selected& selected, TimeRange in) {
    const Time duration = in.end - in.begin;
    const Time start = startOf(product, selected);
    lines.add({detailsTr("from"), whole(moment(start + in.begin, duration))});
    lines.add({detailsTr("to"), whole(moment(start + in.end, duration))});
    if (start > Time(0)) {
        lines.add({product.gemm.copies > 1 ? detailsTr("begins after this copy's start")
                                           : detailsTr("begins after the GEMM's start"),
                   whole(moment(in.begin, duration))});
    }
    lines.add({detailsTr("lasts"), shown(duration)});
}

void addCopy(Lines& lines, const GemmResult& product, const Selected& selected) {
    if (product.gemm.copies > 1) {
        lines.add({detailsTr("copy"), detailsTr("%1 of %2").arg(selected.copy + 1).arg(product.gemm.copies)});
    }
}

/// The idle time of a core.
QString waitText(const GemmResult& product, const Selected& selected) {
    const Timeline& timeline = *product.timeline;
    const Row& row = timeline.rows_with_memory()[*selected.row];
    if (!row.is_core || *selected.interval > timeline.intervals(*selected.row).size()) {
        return {};
    }
    Lines lines;
    lines.add({detailsTr("where"), words(row_name(timeline.torus(), row))});
    addCopy(lines, product, selected);
    addTimes(lines, product, selected, waitBefore(timeline, *selected.row, *selected.interval));
    const QString why = waitSentence(*product.program, timeline, *selected.row, *selected.interval,
                                     startOf(product, selected));
    return heading(detailsTr("Selected wait: exposed communication")) +
           paragraph(detailsTr("Why: %1.").arg(whole(why).toHtmlEscaped())) + lines.html();
}

QString intervalText(const GemmResult& product, const Selected& selected, const Scenario& scenario) {
    if (!product.timeline || !selected.row || !selected.interval ||
        *selected.row >= product.timeline->rows_with_memory().size() ||
        selected.copy >= static_cast<std::size_t>(std::max<std::int64_t>(1, product.gemm.copies))) {
        return {};
    }
    const Timeline& timeline = *product.timeline;
    if (selected.wait) {
        return waitText(product, selected);
    }
    if (*selected.interval >= timeline.intervals(*selected.row).size()) {
        return {};
    }
    const Row& row = timeline.rows_with_memory()[*selected.row];
    const Interval& interval = timeline.intervals(*selected.row)[*selected.interval];
    const OperationLabel& operation = timeline.operations()[interval.operation];
    Lines lines;
    lines.add({detailsTr("where"), words(row_name(timeline.torus(), row))});
    const MemoryStretch* const served = timeline.stretch(row, interval);
    lines.add({detailsTr("what"),
               translated(served != nullptr ? access_name(served->use) : name(interval.activity))});
    lines.add({detailsTr("operation"), words(operation.detail).toHtmlEscaped()});
    addCopy(lines, product, selected);
    if (product.program->in_loop(interval.operation)) {
        lines.add({detailsTr("slice"),
                   detailsTr("%1 of %2").arg(interval.iteration + 1).arg(timeline.iterations())});
    }
    if (!row.is_core && !row.memory) {
        lines.add({detailsTr("step of the ring"), QString::number(interval.step / operation.pieces + 1)});
    }
    addTimes(lines, product, selected, {interval.start, interval.end});
    const Bytes bytes = timeline.bytes(row, interval);
    if (!row.memory && interval.activity == Activity::transfer && bytes.value() > 0) {
        lines.add({detailsTr("moves"), shown(bytes)});
        const Bandwidth peak = link_bandwidth(scenario.hardware.network, timeline.torus(), row.axis);
        lines.add({scenario.assume.faults.none() ? detailsTr("so") : detailsTr("without faults"),
                   detailsTr("%1 / %2 = %3").arg(shown(bytes), shown(peak), shown(bytes / peak))});
    }
    QString text = heading(detailsTr("Selected bar")) + lines.html();
    const auto events =
        pieceEvents(step_conditions(scenario), product, *selected.row, interval, startOf(product, selected));
    if (!events.empty()) {
        Lines piece;
        for (const auto& [event, what] : events) {
            piece.add({event, whole(what)});
        }
        text += heading(detailsTr("What happens to this piece")) + piece.html();
    }
    if (row.is_core || row.memory || bytes.value() == 0) { // of a transfer it stands above
        for (const QString& line :
             durationLines(step_conditions(scenario), product, *selected.row, interval)) {
            text += paragraph(whole(line).toHtmlEscaped());
        }
    }
    return text;
}

/// Prologue, steady state and epilogue with their numbers; parts that take no time are left out.
QString closedForm(const GemmResult& product) {
    const Estimate& estimate = product.estimate;
    QStringList parts;
    if (estimate.prologue > Time(0)) {
        parts << shown(estimate.prologue);
    }
    if (product.program->iterations > 1 && estimate.steady > Time(0)) {
        parts << QStringLiteral("%1 × %2").arg(product.program->iterations - 1).arg(shown(estimate.steady));
    }
    if (estimate.epilogue > Time(0)) {
        parts << shown(estimate.epilogue);
    }
    return parts.isEmpty() ? shown(estimate.total) : parts.join(QStringLiteral(" + "));
}

/// `why`: what its critical path says.
QString timeText(const GemmResult& product, const std::string& not_simulated, const QString& why) {
    const Estimate& estimate = product.estimate;
    QString text = heading(detailsTr("Why it takes this long")) + why;
    text += why.isEmpty() ? QString() : heading(detailsTr("By formula and by simulation"));
    text += paragraph(detailsTr("By closed form, prologue + further iterations × steady state + epilogue:"));
    text += QStringLiteral("<p>%1<br>= <b>%2</b></p>").arg(closedForm(product), shown(estimate.total));
    if (!product.timeline) {
        return text +
               paragraph(detailsTr("Estimated, not simulated. %1").arg(words(not_simulated).toHtmlEscaped()));
    }
    const Usage& usage = product.usage;
    text += paragraph(detailsTr("Simulated, every chip and link by itself: <b>%1</b>.")
                          .arg(shown(product.timeline->end())));
    Lines lines;
    lines.head({QString(), detailsTr("simulated"), detailsTr("closed form")});
    lines.add({detailsTr("multiplication"), shown(usage.compute), shown(estimate.compute)});
    lines.add({detailsTr("launches"), shown(usage.launch), shown(estimate.launch)});
    lines.add({detailsTr("synchronization"), shown(usage.sync), shown(estimate.sync)});
    lines.add({detailsTr("transfers"), shown(usage.transfer), shown(estimate.transfer)});
    if (usage.copy > Time(0)) {
        lines.add({detailsTr("copying slices"), shown(usage.copy), shown(estimate.copy)});
    }
    lines.add({detailsTr("exposed: the core waits"), shown(usage.exposed), shown(estimate.exposed)});
    return text + lines.html();
}

QString countText(const GemmResult& product, const Machine& hardware) {
    const Count& count = *product.count;
    Lines lines;
    lines.add({detailsTr("sent by the busiest chip"), shown(count.sent_per_chip)});
    lines.add({detailsTr("over the busiest link"), shown(count.busiest_link)});
    lines.add({detailsTr("multiplied"), shown(count.flop_per_chip)});
    lines.add({detailsTr("read and written in memory"), shown(count.hbm_per_chip)});
    lines.add({detailsTr("shards of A, B and C"), shown(count.shards_per_chip)});
    lines.add({detailsTr("buffers of the loop"), shown(count.buffers_per_chip)});
    lines.add({detailsTr("memory in all"), shown(count.peak_memory())});
    QString text = heading(detailsTr("On one chip")) + lines.html();
    if (hardware.hbm.value.value() > 0 && count.peak_memory() > hardware.hbm.value) {
        text += paragraph(
            detailsTr("<b>This is more than the chip's memory of %1.</b>").arg(shown(hardware.hbm.value)));
    }
    return text;
}

QString memoryText(const Results& results) {
    QString text;
    for (std::size_t k = 0; k < results.steps.size(); ++k) {
        const TrainingStep& step = results.steps[k];
        if (const std::string note = memory_note(step, results.scenario_of(k)); !note.empty()) {
            text += paragraph(stepTitle(step) + translated(": ") + words(note).toHtmlEscaped());
        }
    }
    if (const std::string note = ring_note(results.scenario); !note.empty()) {
        text += paragraph(words(note).toHtmlEscaped());
    }
    return text;
}

/// Whether a chip holds it: the answer for each algorithm, the parts next to each other, and what they count.
QString fitText(const Results& results) {
    QString text = heading(detailsTr("Does it fit into a chip's memory?"));
    QStringList head{QString()};
    QStringList total{detailsTr("together")};
    QStringList block{detailsTr("of one block alone")};
    for (const std::size_t column : columnsOf(results)) {
        const TrainingStep& step = results.steps[column];
        const QString answer = whole(words((step.fits() ? said("fits: ") : std::string()) + fit_words(step)));
        const QString line = stepTitle(step).toHtmlEscaped() + QLatin1Char(' ') + answer + translated(".");
        text += paragraph(step.fits() ? line : QStringLiteral("<b>%1</b>").arg(line));
        head << stepName(results, column);
        total << shown(step.memory.bytes());
        block << shown(step.block_memory.bytes());
    }
    Lines lines;
    const bool compares = comparesVariants(results);
    if (compares) {
        head << differenceTitle();
        total << moreText(results.steps[1].memory.bytes(), results.steps[0].memory.bytes());
        block << moreText(results.steps[1].block_memory.bytes(), results.steps[0].block_memory.bytes());
    }
    if (results.steps.size() > 1) {
        lines.head(head);
    }
    std::vector<std::string> names; // of a GEMM on its own there are fewer
    for (const TrainingStep& step : results.steps) {
        for (const auto& [name, bytes] : memory_parts(step)) {
            if (std::ranges::find(names, name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    for (const std::string& name : names) {
        QStringList line{words(name)};
        std::vector<Bytes> values;
        for (const std::size_t column : columnsOf(results)) {
            const auto parts = memory_parts(results.steps[column]);
            const auto part = std::ranges::find(parts, name, &std::pair<std::string, Bytes>::first);
            values.push_back(part == parts.end() ? Bytes(0) : part->second);
            line << (part == parts.end() ? QString() : shown(part->second));
        }
        if (compares) {
            line << moreText(values[0], values[1]);
        }
        lines.add(line);
    }
    lines.add(total);
    if (results.steps.front().blocks > 1) {
        lines.add(block);
    }
    text += lines.html();
    const std::string scope = memory_scope_words(results.steps.front());
    return scope.empty() ? text : text + paragraph(words(scope).toHtmlEscaped());
}

/// What to read before anything is selected: the block or the GEMM, one column for each algorithm.
QString stepText(const Results& results, const ReasonsPtr& reasons) {
    const std::pair<QString, Time Usage::*> parts[] = {
        {detailsTr("multiplication"), &Usage::compute},
        {detailsTr("launches"), &Usage::launch},
        {detailsTr("synchronization"), &Usage::sync},
        {detailsTr("transfers"), &Usage::transfer},
        {detailsTr("copying slices"), &Usage::copy},
        {detailsTr("exposed: the core waits"), &Usage::exposed}};
    QStringList head{QString()};
    const bool simulated = results.all_simulated();
    QStringList time{simulated ? detailsTr("time, simulated") : detailsTr("time")};
    QStringList estimated{detailsTr("by closed form")};
    QStringList peak{detailsTr("of the peak")};
    QStringList hidden{detailsTr("communication hidden")};
    const std::int64_t blocks = results.steps.front().blocks;
    QStringList model{detailsTr("all %1 blocks").arg(blocks)};
    for (const std::size_t column : columnsOf(results)) {
        const TrainingStep& step = results.steps[column];
        head << stepName(results, column);
        time << shown(step.time);
        estimated << shown(step.estimated);
        peak << words(percent_text(step.utilization));
        hidden << (step.usage.communication() > Time(0) ? words(percent_text(step.hidden_share()))
                                                        : QStringLiteral("–"));
        model << whole(words(model_time_text(step)));
    }
    if (comparesVariants(results)) {
        const TrainingStep& a = results.steps[1];
        const TrainingStep& b = results.steps[0];
        head << differenceTitle();
        time << moreText(a.time, b.time);
        estimated << moreText(a.estimated, b.estimated);
        peak << morePointsText(a.utilization, b.utilization);
        hidden << morePointsText(a.hidden_share(), b.hidden_share());
        model << (a.blocks == b.blocks ? moreText(a.time * a.blocks, b.time * b.blocks) : QString());
    }
    Lines lines;
    lines.head(head);
    lines.add(time);
    if (simulated) {
        lines.add(estimated);
    }
    lines.add(peak);
    lines.add(hidden);
    if (blocks > 0) {
        lines.add(model);
    }
    Lines usage;
    usage.head(head);
    for (const auto& [title, part] : parts) {
        QStringList line{title};
        for (const std::size_t column : columnsOf(results)) {
            line << shown(results.steps[column].usage.*part);
        }
        if (comparesVariants(results)) {
            line << moreText(results.steps[1].usage.*part, results.steps[0].usage.*part);
        }
        usage.add(line);
    }
    const Transformer& of = results.scenario.model;
    const QString title =
        results.scenario.gemm
            ? detailsTr("The GEMM")
            : detailsTr("One block of %1").arg(words(of.title.empty() ? of.name : of.title).toHtmlEscaped());
    const std::string left_out = left_out_words(results.steps.front());
    QString note;
    for (std::size_t step = 0; step < results.steps.size(); ++step) {
        if (const std::string because = results.not_simulated(step); !because.empty()) {
            note += paragraph(
                detailsTr("%1 is estimated, not simulated. %2")
                    .arg(stepTitle(results.steps[step]).toHtmlEscaped(), words(because).toHtmlEscaped()));
        }
    }
    return QStringLiteral("<h3>%1</h3>").arg(title) + note + differencesText(results) +
           (comparesVariants(results) ? heading(detailsTr("A and B")) : QString()) + lines.html() +
           (left_out.empty() ? QString() : paragraph(words(left_out).toHtmlEscaped())) + fitText(results) +
           memoryText(results) + stepWhyText(reasons) +
           heading(detailsTr("How one chip spends it, on average")) + usage.html() +
           paragraph(detailsTr(
               "The links of both axes and the core work at the same time, so the parts add up to more "
               "than the time."));
}

QString programText(const GemmResult& product) {
    QString slices;
    for (const std::string& one : slice_words(*product.program)) {
        slices += paragraph(words(one).toHtmlEscaped());
    }
    return heading(detailsTr("What every chip runs")) +
           QStringLiteral("<pre style='white-space: pre-wrap'>%1</pre>")
               .arg(words(pseudocode(*product.program)).toHtmlEscaped()) +
           slices;
}

} // namespace

QString detailsText(const ResultsPtr& results, const std::optional<Selected>& selected,
                    const ReasonsPtr& reasons) {
    if (!results) {
        return paragraph(detailsTr("Details appear here when the first run has finished."));
    }
    const ReasonsPtr of_these = reasons && reasons->results == results ? reasons : nullptr;
    if (!selected || selected->step >= results->steps.size() ||
        selected->gemm >= results->steps[selected->step].gemms.size()) {
        return stepText(*results, of_these) +
               paragraph(detailsTr("Click a bar of the timeline, or a row of the GEMMs, to "
                                   "see what it is and why it takes "
                                   "the time it takes."));
    }
    const TrainingStep& step = results->steps[selected->step];
    const GemmResult& product = step.gemms[selected->gemm];
    const Scenario& scenario = results->scenario_of(selected->step);
    return opening(product, step) + sameGemmText(*results, *selected) +
           intervalText(product, *selected, scenario) +
           timeText(product, results->not_simulated(selected->step),
                    productWhyText(of_these, selected->step, selected->gemm)) +
           countText(product, scenario.hardware) + programText(product);
}

} // namespace meshslice::ui
