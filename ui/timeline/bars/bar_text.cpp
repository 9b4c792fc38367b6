#include "ui/timeline/bars/bar_text.h"

#include "core/base/text.h"
#include "core/cost/link_bandwidth.h"
#include "core/estimate/estimate.h"
#include "core/program/ring_schedule.h"
#include "core/report/words/resource_words.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/piece_text.h"
#include "ui/timeline/strip/time_axis.h"
#include "ui/timeline/wait.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct BarText {
    Q_DECLARE_TR_FUNCTIONS(BarText)
};
QString of(const std::string& words) {
    return QString::fromStdString(words);
}
template <class Quantity>
QString said(Quantity quantity) {
    return of(text(quantity));
}

QString kindName(Activity activity) {
    switch (activity) {
    case Activity::compute: return BarText::tr("multiply");
    case Activity::launch: return BarText::tr("launch");
    case Activity::sync: return BarText::tr("synchronization");
    case Activity::transfer: return BarText::tr("transfer");
    case Activity::copy: return BarText::tr("copy slices");
    }
    return {};
}

/// "FF1 forward, copy 5 of 8".
QString whichCopy(const GemmResult& product, const Piece& piece) {
    const QString words = of(product.title());
    return product.gemm.copies > 1
               ? BarText::tr("%1, copy %2 of %3").arg(words).arg(piece.copy + 1).arg(product.gemm.copies)
               : words;
}

/// "FF1 forward, slice 3 of 16".
QString whichProduct(const GemmResult& product, const Piece& piece, const Interval& interval) {
    QString words = whichCopy(product, piece);
    const std::int64_t slices = piece.timeline->iterations();
    if (slices > 1 && product.program->in_loop(interval.operation)) {
        words = BarText::tr("%1, slice %2 of %3").arg(words).arg(interval.iteration + 1).arg(slices);
    }
    return words;
}

QString lasts(Time start, Time end) {
    return BarText::tr("lasts %1, from %2 to %3")
        .arg(said(end - start), moment(start, end - start), moment(end, end - start));
}

/// What one step of a ring moves through this link, whether the interval is its synchronization or its
/// transfer.
Bytes chunk(const Timeline& timeline, const Row& row, const Interval& interval) {
    Interval moving = interval;
    moving.activity = Activity::transfer;
    return timeline.bytes(row, moving);
}

void addLinkLines(QStringList& lines, const StepConditions& made, const Timeline& timeline, const Row& row,
                  const Interval& interval) {
    const Machine& hardware = made.machine;
    const bool healthy = made.assume.faults.none();
    const Bytes bytes = chunk(timeline, row, interval);
    const Bandwidth peak = link_bandwidth(hardware.network, timeline.torus(), row.axis);
    const Time sync = hardware.sync.value;
    const Time moving = peak.value() > 0 ? bytes / peak : Time(0);
    if (interval.activity == Activity::transfer) {
        const double took = in_seconds(interval.end - interval.start);
        const double rate = took > 0 ? static_cast<double>(bytes.value()) / took : 0.0;
        const double withSync = static_cast<double>(bytes.value()) / std::max(1e-12, took + in_seconds(sync));
        const QString alone =
            BarText::tr("%1 at %2, %3 of the link's peak")
                .arg(said(bytes), said(Bandwidth(rate)), of(percent_text(rate / peak.value())));
        const bool fed = timeline.operations()[interval.operation].pieces > 1;
        lines += healthy && !fed
                     ? BarText::tr("%1; with its synchronization %2, %3")
                           .arg(alone, said(Bandwidth(withSync)), of(percent_text(withSync / peak.value())))
                     : alone;
    }
    if (timeline.torus().folded(row.axis)) {
        lines += BarText::tr("a ring folded onto a line: what travels back shares these links");
        return;
    }
    if (row.round) {
        lines +=
            BarText::tr("the %1 is dead: this goes round by the %2s, which share it with their own traffic")
                .arg(of(link_text(row.axis, row.direction)),
                     of(link_text(row.axis, opposite(row.direction))));
        return;
    }
    if (timeline.operations()[interval.operation].pieces > 1) {
        lines += BarText::tr("fed by the GEMM: sent as soon as it is made, without a synchronization");
        return;
    }
    const QString step = BarText::tr("synchronization %1 + %2 / %3 = %4")
                             .arg(said(sync), said(bytes), said(peak), said(sync + moving));
    lines += healthy ? BarText::tr("one step: %1").arg(step)
                     : BarText::tr("one step without faults: %1").arg(step);
}

void addComputeLines(QStringList& lines, const StepConditions& made, const OperationLabel& operation,
                     const Multiply* multiply, const Interval& interval) {
    const Machine& hardware = made.machine;
    const DataType type = made.assume.schedule.type;
    const FlopRate peak = hardware.peak_rate(type);
    const double took = in_seconds(interval.end - interval.start);
    if (operation.stages > 0) {
        const QString which = BarText::tr("stage %1 of %2").arg(interval.step / 2 + 1).arg(operation.stages);
        if (interval.step % 2 == 1) {
            lines += BarText::tr("%1: writes what it has made").arg(which);
        } else if (took > 0 && peak.value() > 0) {
            const Flop flop(operation.flop.value() / operation.stages);
            const double rate = static_cast<double>(flop.value()) / took;
            lines += BarText::tr("%1: %2 at %3, %4 of the chip's peak")
                         .arg(which, said(flop), said(FlopRate(rate)), of(percent_text(rate / peak.value())));
        }
        return;
    }
    if (took > 0 && peak.value() > 0) {
        const bool by_tiles = tiled(made.assume.schedule, hardware);
        const double rate = static_cast<double>(operation.flop.value()) / took;
        lines += BarText::tr("%1 at %2, %3 of the chip's peak")
                     .arg(said(operation.flop), said(FlopRate(rate)), of(percent_text(rate / peak.value())));
        if (!hardware.measured_products.value.empty() && type == DataType::bf16) {
            lines += BarText::tr("as measured: %1").arg(of(hardware.measured_products.source));
            return;
        }
        if (by_tiles) {
            lines += BarText::tr("tile by tile, while copies and links use the memory too");
            return;
        }
        const Time multiplying = operation.flop / hardware.effective_rate(type);
        QString healthy = BarText::tr("%1 / (%2 × %3 that large GEMMs reach) = %4")
                              .arg(said(operation.flop), said(peak),
                                   of(percent_text(hardware.effective_fraction.value)), said(multiplying));
        const Bytes moved = multiply == nullptr ? Bytes(0) : hbm_bytes(*multiply, type);
        const Time moving = moved / hardware.hbm_bandwidth.value;
        if (chip_model(made.assume.schedule, hardware) == ChipModel::roofline && moving > multiplying) {
            healthy = BarText::tr("bound by memory: %1 from and to HBM / %2 = %3, longer than %4")
                          .arg(said(moved), said(hardware.hbm_bandwidth.value), said(moving), healthy);
        }
        lines += made.assume.faults.none() ? healthy : BarText::tr("without faults: %1").arg(healthy);
    }
}

/// How many steps the run of the operation that the bar belongs to takes on its ring.
std::int32_t ringSteps(const Program& program, const OperationLabel& operation, const Interval& interval,
                       Chip chip) {
    if (operation.ring_steps.size() <= 1) {
        return operation.ring_steps.empty() ? 0 : operation.ring_steps.front();
    }
    const std::int32_t way =
        variant(program, program.operations[interval.operation], interval.iteration, chip);
    return operation.ring_steps[static_cast<std::size_t>(way)];
}

} // namespace

QStringList barLines(const StepRun& run, std::size_t row, const RunSlice& placed) {
    const Piece& piece = run.piece_of(placed.item);
    const GemmResult& product = run.step().gemms[piece.gemm];
    const Timeline& timeline = *piece.timeline;
    const Interval& interval = run.interval(row, placed.item);
    const OperationLabel& operation = timeline.operations()[interval.operation];
    const Row& where = timeline.rows_with_memory()[row];

    const StepConditions& own = run.conditions();

    QStringList lines;
    const MemoryStretch* const served = timeline.stretch(where, interval);
    if (served != nullptr) {
        lines += translated(access_name(served->use)) + translated(": ") +
                 of(operation_words(product, interval.operation));
        lines += whichProduct(product, piece, interval);
        lines += served->use.source == DramSource::gemm_write
                     ? BarText::tr("%1, stage %2 of %3")
                           .arg(of(row_name(timeline.torus(), where)))
                           .arg(interval.step / 2 + 1)
                           .arg(operation.stages)
                     : of(row_name(timeline.torus(), where));
        lines += lasts(placed.start, placed.end);
        return lines + durationLines(own, product, row, interval) +
               pieceLines(own, product, row, interval, piece.start);
    }
    const bool sums = interval.activity == Activity::copy && staged(own.assume.schedule, own.machine);
    // The line of pseudocode says what is multiplied; what moves is said in words.
    const bool multiplies = interval.activity == Activity::compute;
    lines += (sums ? BarText::tr("add up") : kindName(interval.activity)) + translated(": ") +
             of(multiplies ? operation.detail : operation_words(product, interval.operation));
    lines += whichProduct(product, piece, interval);
    if (interval.activity == Activity::sync || interval.activity == Activity::transfer) {
        const std::string shard =
            shard_words(*product.program, own.assume.schedule.ring, where, interval, operation.pieces);
        lines += shard.empty() ? QStringList() : QStringList(of(shard));
    }
    QString place = of(row_name(timeline.torus(), where));
    if (!where.is_core && interval.activity != Activity::launch && interval.activity != Activity::copy) {
        place = (operation.pieces > 1 ? BarText::tr("%1, piece %2 of %3")
                                      : BarText::tr("%1, step %2 of %3 of the ring"))
                    .arg(place)
                    .arg(interval.step + 1)
                    .arg(ringSteps(*product.program, operation, interval, where.chip));
    }
    lines += place;
    lines += lasts(placed.start, placed.end);
    return lines + durationLines(own, product, row, interval) +
           pieceLines(own, product, row, interval, piece.start);
}

QStringList durationLines(const StepConditions& made, const GemmResult& product, std::size_t row,
                          const Interval& interval) {
    const Timeline& timeline = *product.timeline;
    if (timeline.rows_with_memory()[row].memory) {
        return memoryLines(made, product, row, interval);
    }
    const OperationLabel& operation = timeline.operations()[interval.operation];
    const Program* program = product.program.get();
    const Multiply* multiply = program != nullptr && interval.operation < program->operations.size()
                                   ? std::get_if<Multiply>(&program->operations[interval.operation])
                                   : nullptr;
    QStringList lines;
    switch (interval.activity) {
    case Activity::sync:
    case Activity::transfer:
        addLinkLines(lines, made, timeline, timeline.rows_with_memory()[row], interval);
        break;
    case Activity::compute: addComputeLines(lines, made, operation, multiply, interval); break;
    case Activity::launch:
        lines += BarText::tr("paid once for each operation: %1").arg(said(interval.end - interval.start));
        break;
    case Activity::copy:
        if (staged(made.assume.schedule, made.machine)) {
            lines +=
                BarText::tr("what arrived last is added up by the compute units: two chunks are read and "
                            "one is written");
            break;
        }
        lines += BarText::tr("blocks of B rows or columns, gathered in memory before the links move them, or "
                             "put back after");
        break;
    }
    return lines;
}

QStringList mergedLines(const StepRun& run, std::size_t row, const LaneUse& found, TimeRange pixel) {
    QStringList lines;
    lines += BarText::tr("%1 bars merge in this pixel").arg(found.count);
    lines +=
        BarText::tr("%1 wide, busy for %2 of it; zoom in (W, or Ctrl and the wheel) to see them one by one")
            .arg(said(length(pixel)), of(percent_text(ratio(found.busy, length(pixel)))));
    lines += BarText::tr("the longest of them:");
    lines += barLines(run, row, *found.longest);
    return lines;
}

QStringList waitLines(const StepRun& run, std::size_t row, std::size_t piece, TimeRange wait) {
    const Piece& at = run.pieces()[piece];
    const GemmResult& product = run.step().gemms[at.gemm];
    const std::size_t next = StepRun::intervals_in(at, row, {wait.begin, wait.begin + Time(1)}).first;
    return {BarText::tr("the core waits: exposed communication"),
            waitSentence(*product.program, *at.timeline, row, next, at.start),
            whichCopy(product, at),
            of(row_name(at.timeline->torus(), at.timeline->rows_with_memory()[row])),
            lasts(wait.begin, wait.end),
            (product.gemm.copies > 1 ? BarText::tr("this copy: %1 exposed of %2 (mean of all chips)")
                                     : BarText::tr("this GEMM: %1 exposed of %2 (mean of all chips)"))
                .arg(said(product.usage.exposed), said(at.timeline->end()))};
}

QStringList productLines(const StepRun& run, std::size_t gemm) {
    const GemmResult& product = run.step().gemms[gemm];
    QStringList lines{of(product.title())};
    lines += BarText::tr("%1 of shape M×N×K = %2, in %3 slices")
                 .arg(of(std::string(name(product.gemm.dataflow))), of(text(product.gemm.shape)))
                 .arg(product.options.slices);
    if (product.gemm.copies > 1) {
        lines += BarText::tr("%1 copies, one after the other").arg(product.gemm.copies);
    }
    lines +=
        BarText::tr("lasts %1, from %2 (by the closed form: %3)")
            .arg(said(product.time),
                 product.start > Time(0) ? moment(product.start, product.time) : BarText::tr("the start"),
                 said(product.estimated()));
    if (!product.timeline) {
        lines += BarText::tr("estimated only: there is no timeline of it");
    }
    return lines;
}

QString whyNoBars(const StepRun& run) {
    const std::string& because = run.conditions().not_simulated;
    const QString why =
        because.empty()
            ? BarText::tr("Simulating every chip and link would take too long or too much memory.")
            : of(because);
    return BarText::tr("This run was estimated, not simulated: there are times, but no bars to draw. %1")
        .arg(why);
}

QStringList passNames(Pass pass) {
    switch (pass) {
    case Pass::forward: return {BarText::tr("forward"), BarText::tr("fwd")};
    case Pass::backward_data:
        return {BarText::tr("backward data"), BarText::tr("bwd data"), BarText::tr("data")};
    case Pass::backward_weight:
        return {BarText::tr("backward weight"), BarText::tr("bwd weight"), BarText::tr("weight")};
    case Pass::update: break; // never a GEMM
    }
    return {};
}

BarAt barAt(const StepRun& run, std::size_t row, TimeRange pixel) {
    BarAt at;
    at.pixel = pixel;
    const Time middle = pixel.begin + Time(length(pixel).value() / 2);
    // A bar that has a rectangle of its own covers the middle of each of its pixels.
    const LaneUse own = use_in(run, row, {middle, middle + Time(1)});
    at.found = use_in(run, row, at.pixel);
    if (own.longest && (at.found.count == 1 || own.longest->end - own.longest->start >= length(pixel))) {
        at.bar = own.longest;
        at.found.count = 1;
    } else if (at.found.count == 1 && !own.longest) {
        at.bar = at.found.longest; // narrower than its pixel
    }
    const std::optional<std::size_t> piece = run.piece_at(middle);
    if (piece && !at.bar && !own.longest && run.pieces()[*piece].timeline && run.rows()[row].is_core) {
        const Piece& in = run.pieces()[*piece];
        at.next = StepRun::intervals_in(in, row, {middle, middle + Time(1)}).first;
        const TimeRange wait = waitBefore(*in.timeline, row, at.next);
        at.wait = TimeRange{in.start + wait.begin, in.start + wait.end};
    }
    return at;
}

QStringList linesOf(const StepRun& run, std::size_t row, const BarAt& at) {
    if (at.bar) {
        return barLines(run, row, *at.bar);
    }
    if (at.found.count > 1) {
        return mergedLines(run, row, at.found, at.pixel);
    }
    if (at.wait) {
        return waitLines(run, row, *run.piece_at(at.wait->begin), *at.wait);
    }
    return {};
}

} // namespace meshslice::ui
