#pragma once

#include "ui/session/latest_job.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>

namespace meshslice::ui {

/// Holds the work of a job until a test opens it, however fast the machine is. Work that is cancelled passes.
class Gate {
  public:
    /// Closes the gate before everything that the job starts from now on.
    explicit Gate(LatestJob* job) {
        job->setBeforeWork([state = state_](const std::stop_token& stop) {
            std::unique_lock lock(state->mutex);
            state->given_up = !state->changed.wait(lock, stop, [&] { return state->open; });
        });
    }
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void open() {
        const std::lock_guard lock(state_->mutex);
        state_->open = true;
        state_->changed.notify_all();
    }

    /// Work was cancelled while it was held.
    [[nodiscard]] bool hasGivenUp() const {
        const std::lock_guard lock(state_->mutex);
        return state_->given_up;
    }

  private:
    struct State {
        std::mutex mutex;
        std::condition_variable_any changed;
        bool open = false;
        bool given_up = false;
    };
    std::shared_ptr<State> state_ = std::make_shared<State>();
};

} // namespace meshslice::ui
