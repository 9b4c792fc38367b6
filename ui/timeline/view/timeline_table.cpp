#include "ui/timeline/view/timeline_table.h"

#include "ui/timeline/view/timeline_notes.h"

namespace meshslice::ui {

namespace {

/// Adds the lines of one step; stops after `most`.
void addStep(Table& table, const StepRun& run, TimeRange range, std::size_t most) {
    const std::size_t end = table.rows.size() + most;
    const StepRun::Span pieces = run.pieces_in(range);
    for (std::size_t row = 0; row < run.rows().size(); ++row) {
        for (std::size_t index = pieces.first; index < pieces.last; ++index) {
            const Piece& piece = run.pieces()[index];
            if (!piece.timeline || row >= piece.timeline->rows_with_memory().size()) {
                continue;
            }
            const Gemm& gemm = run.step().gemms[piece.gemm].gemm;
            const Row& where = piece.timeline->rows_with_memory()[row];
            const StepRun::Span span = StepRun::intervals_in(piece, row, range);
            for (std::size_t k = span.first; k < span.last; ++k) {
                if (table.rows.size() == end) {
                    return;
                }
                const Interval& interval = piece.timeline->intervals(row)[k];
                table.rows.push_back(
                    {run.step().algorithm, gemm.layer, std::string(name(gemm.pass)), piece.copy,
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

std::size_t barsIn(const StepRuns& runs, TimeRange range) {
    std::size_t bars = 0;
    for (std::size_t step = 0; step < runs.size(); ++step) {
        const StepRun::Span pieces = runs[step]->pieces_in(range);
        for (std::size_t index = pieces.first; index < pieces.last; ++index) {
            const Piece& piece = runs[step]->pieces()[index];
            for (std::size_t row = 0; piece.timeline && row < piece.timeline->rows_with_memory().size();
                 ++row) {
                const StepRun::Span span = StepRun::intervals_in(piece, row, range);
                bars += span.last - span.first;
            }
        }
    }
    return bars;
}

Table timelineTable(const StepRuns& runs, TimeRange range, const std::vector<TimeMark>& marks,
                    const std::vector<std::string>& names) {
    const std::vector<NotePlace> notes = notesOf(runs, names, marks);
    Table table;
    table.title = "timeline";
    table.columns = {"algorithm", "layer", "pass", "copy",    "chip",  "resource", "kind",
                     "operation", "slice", "step", "start_s", "end_s", "bytes"};
    std::vector<std::string> variants;
    for (std::size_t step = 0; step < runs.size(); ++step) {
        addStep(table, *runs[step], range, most_table_rows / runs.size());
        const auto add = [&](const TimeMark& mark, const std::string& chip, const std::string& resource) {
            if (mark.at >= range.begin && mark.at <= range.end) {
                table.rows.push_back({runs[step]->step().algorithm, std::string(), std::string(),
                                      std::int64_t{0}, chip, resource, std::string("note"), mark.name,
                                      std::int64_t{0}, std::int64_t{0}, in_seconds(mark.at),
                                      in_seconds(mark.at), std::int64_t{0}});
            }
        };
        for (const NotePlace& note : notes) {
            if (note.step == step) {
                const Row& row = runs[step]->rows()[note.row];
                add(marks[note.mark], place_text(runs[step]->torus(), row.chip),
                    resource_name(runs[step]->torus(), row));
            }
        }
        for (const TimeMark& mark : marks) {
            if (!mark.is_note() && step == 0) { // of all runs
                add(mark, {}, {});
            }
        }
        variants.resize(table.rows.size(), runs[step]->step().variant);
    }
    name_variants(table, variants);
    return table;
}

} // namespace meshslice::ui
