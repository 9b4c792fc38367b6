#include "ui/timeline/bars/piece_text.h"

#include "core/base/text.h"
#include "core/explain/piece_history.h"
#include "ui/look/words.h"
#include "ui/timeline/strip/time_axis.h"

#include <QCoreApplication>

namespace meshslice::ui {
namespace {

struct PieceText {
    Q_DECLARE_TR_FUNCTIONS(PieceText)
};

template <class Quantity>
QString inWords(Quantity quantity) {
    return words(text(quantity));
}

} // namespace

std::vector<std::pair<QString, QString>> pieceEvents(const StepConditions& made, const GemmResult& product,
                                                     std::size_t row, const Interval& interval, Time start) {
    const Timeline& timeline = *product.timeline;
    const auto of = product.program != nullptr ? piece_of(*product.program, timeline, row, interval)
                                               : std::optional<PieceOfChip>();
    const auto piece = of ? piece_history(*product.program, timeline, of->collective, interval.iteration,
                                          of->chip, of->number)
                          : std::optional<PieceHistory>();
    if (!piece) {
        return {};
    }
    const Machine& hardware = made.machine;
    const Time near = hardware.stores().link_flight.value; // moments are closer than a flight
    const auto at = [&](Time time) { return moment(start + time, near); };
    const QString maker = words(place_text(timeline.torus(), of->chip));
    const Axis axis = std::get<ReduceScatter>(product.program->operations[of->collective]).axis;
    const Chip next = timeline.torus().neighbour(of->chip, axis, Direction::forward).value_or(of->chip);
    const QString receiver = words(place_text(timeline.torus(), next));
    std::vector<std::pair<QString, QString>> events;
    events.emplace_back(PieceText::tr("piece"), PieceText::tr("%1 of %2 of the chunk that chip %3 makes as "
                                                              "number %4 of %5")
                                                    .arg(piece->piece + 1)
                                                    .arg(piece->pieces)
                                                    .arg(maker)
                                                    .arg(piece->chunk + 1)
                                                    .arg(piece->chunks));
    events.emplace_back(PieceText::tr("made"), at(piece->made));
    events.emplace_back(
        PieceText::tr("counted"),
        piece->counted ? PieceText::tr("2 of 2 updates at %1").arg(at(piece->triggered()))
                       : PieceText::tr("not on this chip: its stores go straight to chip %1").arg(receiver));
    if (!piece->sent) {
        events.emplace_back(PieceText::tr("sent"), PieceText::tr("nowhere: it is this chip's own"));
        return events;
    }
    events.emplace_back(PieceText::tr("triggered"), at(piece->triggered()));
    if (piece->read) {
        events.emplace_back(PieceText::tr("read"),
                            PieceText::tr("%1 to %2").arg(at(piece->read->begin), at(piece->read->end)));
    }
    events.emplace_back(PieceText::tr("sent"),
                        PieceText::tr("%1 to %2").arg(at(piece->sent->begin), at(piece->sent->end)));
    const bool punctual = made.assume.faults.jitter == Time(0);
    events.emplace_back(PieceText::tr("arrived"),
                        punctual ? PieceText::tr("%1 at chip %2, after a flight of %3")
                                       .arg(at(piece->sent->end + near), receiver, inWords(near))
                                 : PieceText::tr("later at chip %1, by chance").arg(receiver));
    if (piece->added) {
        events.emplace_back(PieceText::tr("added"),
                            PieceText::tr("%1 in chip %2's memory").arg(at(*piece->added), receiver));
    }
    const QString why = !piece->read ? PieceText::tr("%1 for the link")
                                     : PieceText::tr("%1 for memory, being read and for the link");
    events.emplace_back(PieceText::tr("waited"), why.arg(inWords(*piece->waited())));
    return events;
}

QStringList pieceLines(const StepConditions& made, const GemmResult& product, std::size_t row,
                       const Interval& interval, Time start) {
    QStringList lines;
    for (const auto& [title, what] : pieceEvents(made, product, row, interval, start)) {
        lines += title + translated(": ") + what;
    }
    return lines;
}

QStringList memoryLines(const StepConditions& made, const GemmResult& product, std::size_t row,
                        const Interval& interval) {
    const Timeline& timeline = *product.timeline;
    const MemoryStretch* const stretch = timeline.stretch(timeline.rows_with_memory()[row], interval);
    if (stretch == nullptr) {
        return {};
    }
    const double lasts = in_seconds(stretch->end - stretch->start);
    const Bandwidth rate(lasts > 0 ? stretch->bytes / lasts : 0);
    QStringList lines{PieceText::tr("%1 at %2; it has %3 of the memory's bandwidth")
                          .arg(inWords(timeline.bytes(timeline.rows_with_memory()[row], interval)),
                               inWords(rate), words(percent_text(stretch->share)))};
    const bool ideal = made.assume.schedule.arbitration == MemoryPolicy::ideal;
    const double cost = made.machine.stores().near_memory_cost.value;
    const bool fed = product.program != nullptr && product.program->fusion_of(interval.operation) != nullptr;
    if (fed && stretch->use.source != DramSource::scatter_read) {
        lines +=
            ideal
                ? PieceText::tr("an update, which costs what a write does where memory is ideal")
                : PieceText::tr("an update, which takes as long as %1 writes").arg(words(number_text(cost)));
    }
    return lines;
}

} // namespace meshslice::ui
