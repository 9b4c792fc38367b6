#pragma once

#include "ui/session/session.h"

namespace meshslice::ui {

/// A session whose state a test says; nothing runs.
class HandMadeSession : public Session {
  public:
    explicit HandMadeSession(const ResultsPtr& results = nullptr) : Session(&own_document) {
        if (results) {
            show(results);
        }
    }

    /// The run has ended with these.
    void show(const ResultsPtr& results, const ReasonsPtr& reasons = nullptr) {
        SessionState next;
        if (results) {
            next.kind = Kind::ready;
            next.scenario = results->scenario;
            next.results = results;
            next.reasons = reasons;
        }
        become(std::move(next));
    }
    void fail(const QString& sentence) {
        SessionState next = state();
        next.kind = Kind::failed;
        next.results = nullptr;
        next.sentence = sentence;
        become(std::move(next));
    }
    /// The next run begins.
    void compute() { compute(state().scenario); }
    void compute(const Scenario& scenario) {
        SessionState next = state();
        next.kind = Kind::computing;
        next.scenario = scenario;
        become(std::move(next));
    }

    Document own_document;
};

} // namespace meshslice::ui
