#include "ui/timeline/wait.h"

#include "core/program/operation_words.h"
#include "ui/look/words.h"
#include "ui/timeline/strip/time_axis.h"

#include <QCoreApplication>

#include <algorithm>
#include <tuple>

namespace meshslice::ui {
namespace {

struct Wait {
    Q_DECLARE_TR_FUNCTIONS(Wait)
};

/// The rows of one chip stand together, chips in order.
std::optional<std::size_t> linkRow(const Timeline& timeline, Chip chip, Axis axis, Direction direction) {
    const std::vector<Row>& rows = timeline.rows();
    const auto first =
        std::partition_point(rows.begin(), rows.end(), [&](const Row& row) { return row.chip < chip; });
    for (auto row = first; row != rows.end() && row->chip == chip; ++row) {
        if (!row->is_core && row->axis == axis && row->direction == direction) {
            return static_cast<std::size_t>(row - rows.begin());
        }
    }
    return std::nullopt;
}

/// The last transfer of a row that ends in (begin, end].
std::optional<std::size_t> lastTransfer(const Timeline& timeline, std::size_t row, TimeRange range) {
    const auto all = timeline.intervals(row);
    const auto after = std::partition_point(
        all.begin(), all.end(), [&](const Interval& interval) { return interval.end <= range.end; });
    for (auto index = static_cast<std::size_t>(after - all.begin()); index-- > 0;) {
        if (all[index].end <= range.begin) {
            break;
        }
        if (all[index].activity == Activity::transfer) {
            return index;
        }
    }
    return std::nullopt;
}

} // namespace

TimeRange waitBefore(const Timeline& timeline, std::size_t row, std::size_t next) {
    const auto all = timeline.intervals(row);
    return {next > 0 ? all[next - 1].end : Time(0), next < all.size() ? all[next].start : timeline.end()};
}

std::optional<WaitCause> causeOf(const Timeline& timeline, std::size_t row, std::size_t next) {
    const Torus& torus = timeline.torus();
    const Chip chip = timeline.rows()[row].chip;
    const TimeRange wait = waitBefore(timeline, row, next);
    const auto all = timeline.intervals(row);
    std::optional<WaitCause> best;
    const auto rank = [&](const WaitCause& cause) {
        const Interval& transfer = timeline.intervals(cause.row)[cause.index];
        const bool needed = next < all.size() && transfer.iteration == all[next].iteration;
        return std::tuple(transfer.end, needed, cause.arrives);
    };
    const auto consider = [&](std::optional<std::size_t> link, bool arrives) {
        const std::optional<std::size_t> index =
            link ? lastTransfer(timeline, *link, wait) : std::optional<std::size_t>();
        if (!index) {
            return;
        }
        const WaitCause cause{*link, *index, arrives};
        if (!best || rank(cause) > rank(*best)) {
            best = cause;
        }
    };
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        for (const Direction direction : both_directions) {
            if (const std::optional<Chip> sender = torus.neighbour(chip, axis, opposite(direction))) {
                consider(linkRow(timeline, *sender, axis, direction), true);
            }
            consider(linkRow(timeline, chip, axis, direction), false);
        }
    }
    return best;
}

QString waitSentence(const Program& program, const Timeline& timeline, std::size_t row, std::size_t next,
                     Time start) {
    const TimeRange wait = waitBefore(timeline, row, next);
    const bool last = next >= timeline.intervals(row).size();
    const std::optional<WaitCause> cause = causeOf(timeline, row, next);
    if (!cause) {
        return last ? Wait::tr("this chip is done; the GEMM ends when the last chip is")
                    : Wait::tr("no transfer of this chip ends in this time");
    }
    const auto at = [&](Time time) { return moment(start + time, wait.end - wait.begin); };
    const Row& link = timeline.rows()[cause->row];
    const Interval& transfer = timeline.intervals(cause->row)[cause->index];
    const OperationLabel& operation = timeline.operations()[transfer.operation];
    QString what =
        words(transfer.operation < program.operations.size() ? operation_words(program, transfer.operation)
                                                             : operation.detail);
    if (timeline.iterations() > 1 && program.in_loop(transfer.operation)) {
        what = Wait::tr("%1, slice %2").arg(what).arg(transfer.iteration + 1);
    }
    if (last) {
        const QString still = operation.adds ? Wait::tr("the sums are still being scattered: %1, until %2")
                                             : Wait::tr("the last transfer is still under way: %1, until %2");
        return still.arg(what, at(transfer.end));
    }
    if (link.round) {
        const QString links = words(links_text(link.axis, opposite(link.direction)));
        if (timeline.torus().missing({link.chip, link.axis, link.direction})) {
            return cause->arrives ? Wait::tr("waits for %1: its last byte arrives from chip %2, back over "
                                             "the %3, at %4")
                                        .arg(what, words(place_text(timeline.torus(), link.chip)), links,
                                             at(transfer.end))
                                  : Wait::tr("waits for %1: its last byte has gone back over the %2 at %3")
                                        .arg(what, links, at(transfer.end));
        }
        return cause->arrives
                   ? Wait::tr("waits for %1: its last byte arrives from chip %2, round by the %3, at %4")
                         .arg(what, words(place_text(timeline.torus(), link.chip)), links, at(transfer.end))
                   : Wait::tr("waits for %1: its last byte has gone round by the %2 at %3")
                         .arg(what, links, at(transfer.end));
    }
    if (!cause->arrives) {
        return Wait::tr("waits for %1: its last byte leaves on the %2 at %3")
            .arg(what, words(link_text(link.axis, link.direction)), at(transfer.end));
    }
    return Wait::tr("waits for %1: its last byte arrives from chip %2 on the %3 at %4")
        .arg(what, words(place_text(timeline.torus(), link.chip)),
             words(link_text(link.axis, opposite(link.direction))), at(transfer.end));
}

} // namespace meshslice::ui
