#pragma once

#include "core/base/run_control.h"
#include "core/import/log_readings.h"
#include "core/question/answer.h"
#include "core/scenario/scenario.h"
#include "ui/measured/measured_file.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <optional>

namespace meshslice::ui {

/// A log of a program that trains or serves, and the scenario that it is held against.
struct LogRequest {
    QString path;
    QDateTime written; ///< when the file was
    MeasuredFile kind = MeasuredFile::training;
    Scenario scenario;

    bool operator==(const LogRequest&) const = default;
};

/// What `meshslice trace` says of it, with the scenario's first plan or its deployment.
struct LoggedRun {
    Answer answer;
    QString lacks;                   ///< why nothing is predicted; empty where something is
    std::optional<double> step = {}; ///< seconds of a step, of a log of training
};
[[nodiscard]] Result<LoggedRun> loggedRun(const LogRequest& request, const std::shared_ptr<LogReadings>& logs,
                                          const RunControl& control);

} // namespace meshslice::ui
