#include "ui/commands/report_file.h"

#include "core/base/output_file.h"
#include "ui/document/whole_file.h"

namespace meshslice::ui {

Result<void> saveReport(const Question& question, const OwnTexts& texts, const Scenario& scenario,
                        const QString& path, const RunControl& control, const OwnValues& own,
                        const std::optional<ReportedAgainst>& against) {
    return OutputFile::open(fileName(path)).and_then([&](OutputFile file) {
        return report_text(question, texts, scenario, path.toStdString(), control, own, against)
            .and_then([&](const std::string& report) {
                file.stream() << report;
                return file.finish();
            })
            .and_then([&] { return file.put(); });
    });
}

} // namespace meshslice::ui
