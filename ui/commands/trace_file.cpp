#include "ui/commands/trace_file.h"

#include "core/base/language.h"
#include "core/report/trace/chrome_trace.h"
#include "ui/document/whole_file.h"

#include <QCoreApplication>
#include <QSaveFile>

#include <ostream>
#include <streambuf>
#include <utility>

namespace meshslice::ui {
namespace {

/// Lets a standard stream write into a Qt file.
class DeviceBuffer : public std::streambuf {
  public:
    DeviceBuffer(QIODevice& device, std::stop_token stop) : device_(device), stop_(std::move(stop)) {}

  protected:
    int_type overflow(int_type character) override {
        const char byte = traits_type::to_char_type(character);
        return !stop_.stop_requested() && device_.putChar(byte) ? character : traits_type::eof();
    }
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        return stop_.stop_requested() ? 0 : device_.write(bytes, count);
    }

  private:
    QIODevice& device_;
    std::stop_token stop_;
};

} // namespace

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

Result<void> saveTrace(const ResultsPtr& results, const QString& path, const TraceChips& chips,
                       const std::stop_token& stop) {
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
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return refuse(tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString());
    }
    DeviceBuffer buffer(file, stop);
    std::ostream out(&buffer);
    {
        const InEnglish for_programs;
        write_chrome_trace(trace, out, stop);
    }
    out.flush();
    if (stop.stop_requested()) {
        return cancelled();
    }
    if (!out || !commitWhole(file)) {
        return refuse(tr("%1 cannot be written: %2.").arg(path, file.errorString()).toStdString());
    }
    return {};
}

} // namespace meshslice::ui
