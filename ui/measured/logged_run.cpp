#include "ui/measured/logged_run.h"

#include "core/question/catalogue/evidence/trace_question.h"
#include "core/question/catalogue/questions.h"
#include "core/scenario/fields.h"
#include "ui/look/words.h"

#include <QFile>

#include <string>
#include <utility>

namespace meshslice::ui {
namespace {

/// The question about a measured file, over what the scenario says of it; null: about the file alone.
Result<Answer> traceAnswer(const LogRequest& request, const std::shared_ptr<LogReadings>& logs,
                           const Question* over, const RunControl& control) {
    const Question alone = trace_question_by(logs);
    const Question question = over == nullptr ? alone : alone.over(*over);
    OwnTexts texts;
    if (over != nullptr && request.kind == MeasuredFile::serving) {
        for (const auto& [key, text] : request.scenario.serving) {
            if (key != "arrivals") { // the log says its own load
                texts[key] = text;
            }
        }
    }
    for (const char* const key : {"model", "hardware"}) { // needed; the scenario's own below
        if (over != nullptr && over->field(key) != nullptr) {
            texts[key] = first_words(*over->field(key));
        }
    }
    texts["file"] = QFile::encodeName(request.path).toStdString();
    Result<Asked> asked = asked_of(question, texts, Speech::form);
    if (!asked) {
        return refuse(asked.error());
    }
    if (over != nullptr && request.kind == MeasuredFile::serving) {
        for (const char* const key : {"model", "hardware"}) {
            asked->own[key] = scenario_field(key).get(request.scenario);
        }
    }
    asked->scenario = &request.scenario;
    return question.answer(*asked, control);
}

} // namespace

Result<LoggedRun> loggedRun(const LogRequest& request, const std::shared_ptr<LogReadings>& logs,
                            const RunControl& control) {
    const Question over = request.kind == MeasuredFile::serving ? serve_question() : plan_question();
    LoggedRun made;
    Result<Answer> answer = traceAnswer(request, logs, &over, control);
    if (!answer && answer.error().kind != Error::Kind::cancelled) {
        Result<Answer> alone = traceAnswer(request, logs, nullptr, control);
        if (!alone) {
            return refuse(alone.error());
        }
        made.lacks = words(answer.error().sentence);
        answer = std::move(alone);
    }
    if (!answer) {
        return refuse(answer.error());
    }
    made.answer = *std::move(answer);
    const Tree* const seconds = made.answer.values.find("time_s");
    if (const auto* step = seconds == nullptr ? nullptr : std::get_if<double>(&seconds->value())) {
        made.step = *step;
    }
    return made;
}

} // namespace meshslice::ui
