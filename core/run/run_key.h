#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/run/run.h"

#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>

namespace meshslice {

/// How to make the run inside a bar: a plain value that can be kept, made when it is asked for.
struct RunKey {
    std::string key;   ///< the same for bars that do the same
    std::string title; ///< "forward pass, layer 3": what a breadcrumb says
    /// What the bar takes in the run around it. The run inside may differ, where another reading made it;
    /// neither is rescaled.
    double seconds = 0;
    std::function<Result<RunPtr>(const RunControl&)> make;
};

/// Runs that were opened, the last ones kept. From any thread.
class OpenedRuns {
  public:
    /// `most` intervals of all that are kept.
    explicit OpenedRuns(std::size_t most = 4'000'000) : most_(most) {}

    /// The run inside a bar: made, or the one that was made for the same key.
    [[nodiscard]] Result<RunPtr> open(const RunKey& key, const RunControl& control = {});
    void clear();

  private:
    struct Opened {
        std::string key;
        RunPtr run;
    };
    std::size_t most_;
    std::mutex mutex_;
    std::list<Opened> kept_; ///< the last one first
};

} // namespace meshslice
