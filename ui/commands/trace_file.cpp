#include "ui/commands/trace_file.h"

#include "core/base/language.h"
#include "core/report/trace/chrome_trace.h"
#include "ui/document/whole_file.h"
#include "ui/timeline/view/timeline_notes.h"

#include <QCoreApplication>

#include <cstdint>

namespace meshslice::ui {
std::span<const TrainingStep> tracedSteps(const Results& results) {
    std::size_t count = 0;
    while (count < results.steps.size() && results.not_simulated(count).empty()) {
        ++count;
    }
    return std::span(results.steps).first(count);
}

Result<std::vector<TracedRun>> tracedRuns(const Results& results, const TraceChips& chips) {
    return traced_runs(tracedSteps(results), results.scenarios(), chips);
}

namespace {

/// In the language that places and lanes are called in now.
std::vector<RunNote> runNotes(const ResultsPtr& results, const TraceMarks& marks) {
    std::vector<RunNote> notes;
    const StepRuns runs = runsOf(results);
    for (const NotePlace& note : notesOf(runs, marks.runs, marks.marks)) {
        const TimeMark& mark = marks.marks[note.mark];
        const Lane lane = runs[note.step]->lane(note.row);
        notes.push_back({mark.name, mark.at, note.step, lane.place, lane.name});
    }
    for (const TimeMark& mark : marks.marks) {
        if (!mark.is_note()) {
            notes.push_back({mark.name, mark.at});
        }
    }
    return notes;
}

} // namespace

Result<void> saveTrace(const ResultsPtr& results, const QString& path, const TraceChips& chips,
                       const std::stop_token& stop, const TraceMarks& marks) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("meshslice::ui", text); };
    if (!results || results->steps.empty()) {
        return refuse(tr("There is no run to export yet.").toStdString());
    }
    if (const std::string because = results->not_simulated(0); !because.empty()) {
        return refuse(
            tr("There is no timeline to export: %1").arg(QString::fromStdString(because)).toStdString());
    }
    const auto runs = tracedRuns(*results, chips);
    if (!runs) {
        return refuse(runs.error());
    }
    const std::vector<RunPtr> trace = trace_of(*runs, stop);
    if (const Result<void> small = exportable(trace); !small) {
        return small;
    }
    return OutputFile::open(fileName(path)).and_then([&](OutputFile file) {
        file.watch([&](std::int64_t /*bytes*/) { return !stop.stop_requested(); });
        const InEnglish for_programs;
        write_chrome_trace(trace, file.stream(), stop, runNotes(results, marks));
        return stop.stop_requested() ? Result<void>(cancelled())
                                     : file.finish().and_then([&] { return file.put(); });
    });
}

} // namespace meshslice::ui
