#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "ui/look/words.h"
#include "ui/session/latest_job.h"

#include <QString>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice::ui {

/// Called once, in the UI thread, when something is complete, or with the sentence that says why it will not
/// be.
using Completed = std::function<void(const Result<void>&)>;

/// A question that a view asks apart from the run: computed off the UI thread, one at a time, the newest
/// counts. It knows what was answered, and what is under way, so that nothing is computed twice and no answer
/// is shown under another question.
template <class Request, class Answer>
class Inquiry {
  public:
    using Compute = std::function<Result<Answer>(const Request&, const RunControl&)>;

    /// `compute` runs in another thread and touches nothing of the window; `answered` is called when there is
    /// a new answer, or a new sentence that says why there is none.
    Inquiry(Compute compute, std::function<void()> answered)
        : compute_(std::move(compute)), tell_(std::move(answered)) {}

    /// The newest answer; none where there is none or it was refused.
    [[nodiscard]] const std::optional<Answer>& answer() const { return answer_; }
    /// Why there is no answer; empty where there is, or nothing was asked.
    [[nodiscard]] const QString& refusal() const { return refusal_; }
    /// What `answer` and `refusal` belong to.
    [[nodiscard]] const std::optional<Request>& answered() const { return answered_; }
    /// What is being computed.
    [[nodiscard]] const std::optional<Request>& asked() const { return asked_; }
    [[nodiscard]] double progress() const { return job_.progress(); }
    /// What computes, for tests that hold it at a gate.
    [[nodiscard]] LatestJob* job() { return &job_; }

    /// Asks, unless this is answered or under way; another question under way is given up. True if there is
    /// now something under way.
    bool ask(const Request& request) {
        if (request == asked_) {
            return true;
        }
        cancel();
        if (request == answered_) {
            return false;
        }
        asked_ = request;
        job_.start([this, request, compute = compute_](const RunControl& control) -> LatestJob::Tell {
            const Result<Answer> answer = withoutExceptions([&] { return compute(request, control); });
            return [this, request, answer] { take(request, answer); };
        });
        return true;
    }

    /// The same for a file: says when it is answered, also if that is at once.
    void ask(const Request& request, const Completed& completed) {
        if (ask(request)) {
            waiting_.push_back(completed);
        } else {
            completed(outcome());
        }
    }

    /// Gives up what is under way.
    void cancel() {
        job_.cancel();
        asked_.reset();
        tellWaiting(meshslice::cancelled());
    }
    /// The same, unless a file waits for it.
    void cancelUnlessAwaited() {
        if (waiting_.empty()) {
            cancel();
        }
    }
    /// Forgets the answer, too.
    void clear() {
        cancel();
        forget();
    }
    /// Takes an answer from elsewhere.
    void take(const Request& request, const Result<Answer>& answer) {
        forget();
        asked_.reset();
        answered_ = request;
        if (answer) {
            answer_ = *answer;
        } else {
            refusal_ = words(answer.error().sentence);
        }
        tell_();
        tellWaiting(outcome());
    }

  private:
    void forget() {
        answered_.reset();
        answer_.reset();
        refusal_.clear();
    }
    [[nodiscard]] Result<void> outcome() const {
        return answer_ ? Result<void>() : refuse(refusal_.toStdString());
    }
    void tellWaiting(const Result<void>& outcome) {
        for (const Completed& completed : std::exchange(waiting_, {})) {
            completed(outcome);
        }
    }

    Compute compute_;
    std::function<void()> tell_;
    std::optional<Request> asked_;
    std::optional<Request> answered_;
    std::optional<Answer> answer_;
    QString refusal_;
    std::vector<Completed> waiting_;
    LatestJob job_; ///< last: it ends before what it touches
};

} // namespace meshslice::ui
