#pragma once

#include "core/base/run_control.h"
#include "core/question/question.h"

#include <QString>

#include <mutex>
#include <optional>

namespace meshslice::ui {

/// What is asked: the fields as they are typed, model and machine as the scenario has them, and a file of
/// requests to be read.
struct ServeRequest {
    OwnTexts texts;
    OwnValues own;
    QString arrivals;

    bool operator==(const ServeRequest&) const = default;
};

/// What is asked of the scenario, and of the one that it is compared with, where there is one.
struct ServeRequests {
    ServeRequest own;
    std::optional<ServeRequest> reference = {};

    bool operator==(const ServeRequests&) const = default;
};
/// Where the reference has no answer, `refusal` says why.
struct ServeAnswers {
    Answer own;
    std::optional<Answer> reference = {};
    QString refusal = {};
};

/// The newest answer to the reference is kept: edits change the other one.
class KnownReference {
  public:
    Result<Answer> of(const Question& question, const ServeRequest& request, const RunControl& control);

  private:
    std::mutex mutex_;
    std::optional<ServeRequest> request_;
    Answer answer_;
};

/// Reads the file of requests that one names, if any.
[[nodiscard]] Result<ServeAnswers> answersTo(const Question& question, const ServeRequests& requests,
                                             KnownReference& known, const RunControl& control);

} // namespace meshslice::ui
