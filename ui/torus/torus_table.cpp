#include "ui/torus/torus_table.h"

#include "core/base/language.h"
#include "core/base/text.h"
#include "core/simulate/record/timeline.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/view/timeline_geometry.h"

#include <QCoreApplication>

#include <cmath>
#include <utility>

namespace meshslice::ui {
namespace {

struct TorusTableWords {
    Q_DECLARE_TR_FUNCTIONS(Torus)
};

/// What is measured of a row.
QString measuredLine(const TorusPicture& picture, std::size_t row) {
    const TorusMeasure& measure = picture.measure;
    const QString value = row < measure.values.size() ? measure.text(row) : QString();
    const QString over = words(text(length(measure.range)));
    if (measure.values.empty()) {
        return picture.title; // it is not there yet
    }
    if (picture.run->chip_rows()[row].round && value.isEmpty()) {
        return TorusTableWords::tr("carries nothing itself: what goes round counts on the links it takes");
    }
    switch (picture.shows) {
    case TorusShows::load: return TorusTableWords::tr("busy for %1 of %2").arg(value, over);
    case TorusShows::bytes:
        return (picture.run->chip_rows()[row].is_core ? TorusTableWords::tr("its chip sends %1 in %2")
                                                      : TorusTableWords::tr("carries %1 in %2"))
            .arg(value, over);
    case TorusShows::now:
    case TorusShows::chunks:
    case TorusShows::slack: break;
    }
    return value.isEmpty() ? TorusTableWords::tr("does nothing in %1").arg(over)
           : *measure.values[row] == 0
               ? TorusTableWords::tr("no slack in %1: it sets the pace").arg(over)
               : TorusTableWords::tr("could have ended %1 later, in %2").arg(value, over);
}

} // namespace

Table torusTable(const StepRun& run, const TorusFrame& frame, TimeRange range, const StepSlack* found) {
    Table table;
    table.title = "torus";
    table.columns = {"chip",    "resource", "activity",   "operation",    "slice",
                     "since_s", "until_s",  "busy_share", "carried_bytes"};
    const std::vector<double> loads = loadsIn(run, range);
    const TorusMeasure bytes = bytesIn(run, range);
    const TorusMeasure slack = found != nullptr ? slackIn(run, range, *found) : TorusMeasure();
    if (found != nullptr) {
        table.columns.emplace_back("slack_s");
    }
    const Torus& torus = run.torus();
    for (std::size_t row = 0; row < frame.now.size(); ++row) {
        const Row& of = run.chip_rows()[row];
        std::vector<Table::Cell> cells = {place_text(torus, of.chip), resource_name(torus, of)};
        if (const auto& now = frame.now[row]) {
            const Interval& interval = run.interval(row, now->item);
            const Piece& piece = run.piece_of(now->item);
            cells.insert(cells.end(), {std::string(name(interval.activity)),
                                       piece.timeline->operations()[interval.operation].name,
                                       static_cast<std::int64_t>(interval.iteration), in_seconds(now->start),
                                       in_seconds(now->end)});
        } else {
            cells.insert(cells.end(),
                         {std::string("idle"), std::string(), std::string(), std::string(), std::string()});
        }
        cells.emplace_back(loads[row]);
        cells.emplace_back(static_cast<std::int64_t>(std::llround(bytes.values[row].value_or(0))));
        if (found != nullptr) {
            cells.push_back(slack.values[row] ? Table::Cell(*slack.values[row]) : Table::Cell(std::string()));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Result<Table> torusTableOf(const TorusTableRequest& request, const RunControl& control) {
    const InEnglish for_programs;
    const StepRun& run = *request.runs[request.step];
    const TorusFrame frame = frameAt(run, request.step, request.moment);
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    return torusTable(run, frame, request.range, request.slack ? &(*request.slack)[request.step] : nullptr);
}

QStringList rowLines(const TorusPicture& picture, std::size_t row) {
    const Row& of = picture.run->chip_rows()[row];
    const QString name = words(row_name(picture.run->torus(), of));
    if (picture.shows == TorusShows::chunks && of.is_core) {
        return chunkLines(picture.run->torus(), picture.chunks, of.chip);
    }
    if (!atMoment(picture.shows)) {
        return {name, measuredLine(picture, row)};
    }
    if (const auto& now = picture.frame.now[row]) {
        return barLines(*picture.run, row, *now);
    }
    return {name, picture.frame.piece && of.is_core ? TorusTableWords::tr("waits for communication")
                                                    : TorusTableWords::tr("idle")};
}

} // namespace meshslice::ui
