#include "ui/serve/serve_request.h"

#include "core/base/json/json_reader.h"
#include "ui/look/words.h"

#include <string>
#include <utility>

namespace meshslice::ui {
namespace {

Result<Asked> askedOf(const Question& question, const ServeRequest& request) {
    Result<Asked> asked = asked_of(question, request.texts, Speech::form);
    if (!asked) {
        return asked;
    }
    for (const auto& [key, value] : request.own) {
        asked->own[key] = value;
    }
    if (!request.arrivals.isEmpty()) {
        const std::string path = request.arrivals.toStdString();
        Result<std::string> text = read_text_file(path);
        if (!text) {
            return refuse(text.error());
        }
        asked->own["arrivals"] = JsonPart{*std::move(text), path};
    }
    return asked;
}

} // namespace

Result<Answer> KnownReference::of(const Question& question, const ServeRequest& request,
                                  const RunControl& control) {
    const std::scoped_lock lock(mutex_);
    if (request_ != request) {
        const Result<Answer> made = askedOf(question, request).and_then([&](const Asked& asked) {
            return question.answer(asked, control);
        });
        if (!made) {
            return made;
        }
        request_ = request;
        answer_ = *made;
    }
    return answer_;
}

Result<ServeAnswers> answersTo(const Question& question, const ServeRequests& requests, KnownReference& known,
                               const RunControl& control) {
    Result<Asked> asked = askedOf(question, requests.own);
    if (!asked) {
        return refuse(asked.error());
    }
    Result<Answer> own = question.answer(*asked, control);
    if (!own) {
        return refuse(own.error());
    }
    ServeAnswers answers{*std::move(own)};
    if (requests.reference) {
        Result<Answer> other = known.of(question, *requests.reference, control);
        if (other) {
            answers.reference = *std::move(other);
        } else if (other.error().kind == Error::Kind::cancelled) {
            return refuse(other.error());
        } else {
            answers.refusal = words(other.error().sentence);
        }
    }
    return answers;
}

} // namespace meshslice::ui
