#include "ui/timeline/timeline_table.h"

namespace meshslice::ui {

namespace {

/// Adds the lines of one step; stops after `most`.
void addStep(Table& table, const TimelineModel& model, std::size_t step, TimeRange range, std::size_t most) {
    const std::size_t end = table.rows.size() + most;
    const TimelineModel::Span pieces = model.piecesIn(step, range);
    for (std::size_t row = 0; row < model.rows(step).size(); ++row) {
        for (std::size_t index = pieces.first; index < pieces.last; ++index) {
            const Piece& piece = model.pieces(step)[index];
            if (!piece.timeline || row >= piece.timeline->rows_with_memory().size()) {
                continue;
            }
            const Gemm& gemm = model.step(step).gemms[piece.gemm].gemm;
            const Row& where = piece.timeline->rows_with_memory()[row];
            const TimelineModel::Span span = model.intervalsIn(piece, row, range);
            for (std::size_t k = span.first; k < span.last; ++k) {
                if (table.rows.size() == end) {
                    return;
                }
                const Interval& interval = piece.timeline->intervals(row)[k];
                table.rows.push_back(
                    {model.step(step).algorithm, gemm.layer, std::string(name(gemm.pass)), piece.copy,
                     place_text(piece.timeline->torus(), where.chip),
                     resource_name(piece.timeline->torus(), where), std::string(name(interval.activity)),
                     piece.timeline->operations()[interval.operation].name,
                     static_cast<std::int64_t>(interval.iteration), static_cast<std::int64_t>(interval.step),
                     in_seconds(piece.start + interval.start), in_seconds(piece.start + interval.end),
                     piece.timeline->bytes(where, interval).value()});
            }
        }
    }
}

} // namespace

std::size_t barsIn(const TimelineModel& model, TimeRange range) {
    std::size_t bars = 0;
    for (std::size_t step = 0; step < model.stepCount(); ++step) {
        const TimelineModel::Span pieces = model.piecesIn(step, range);
        for (std::size_t index = pieces.first; index < pieces.last; ++index) {
            const Piece& piece = model.pieces(step)[index];
            for (std::size_t row = 0; piece.timeline && row < piece.timeline->rows_with_memory().size();
                 ++row) {
                const TimelineModel::Span span = model.intervalsIn(piece, row, range);
                bars += span.last - span.first;
            }
        }
    }
    return bars;
}

Table timelineTable(const TimelineModel& model, TimeRange range) {
    Table table;
    table.title = "timeline";
    table.columns = {"algorithm", "layer", "pass", "copy",    "chip",  "resource", "kind",
                     "operation", "slice", "step", "start_s", "end_s", "bytes"};
    std::vector<std::string> variants;
    for (std::size_t step = 0; step < model.stepCount(); ++step) {
        addStep(table, model, step, range, most_table_rows / model.stepCount());
        variants.resize(table.rows.size(), model.step(step).variant);
    }
    name_variants(table, variants);
    return table;
}

} // namespace meshslice::ui
