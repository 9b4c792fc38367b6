#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/question/sweep.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace meshslice {

struct ProcessMessage {
    int from = 0;
    std::string words;
};

/// A way to and from other processes that were started together, with the same arguments; from one thread at
/// a time. Messages from one process come in the order in which they were sent.
class ProcessLink {
  public:
    ProcessLink() = default;
    virtual ~ProcessLink() = default;
    ProcessLink(const ProcessLink&) = delete;
    ProcessLink& operator=(const ProcessLink&) = delete;

    [[nodiscard]] virtual int place() const = 0; ///< of this one, from 0
    [[nodiscard]] virtual int count() const = 0;
    virtual void send(int to, std::string_view words) = 0;
    /// The next message; none where there is none yet.
    [[nodiscard]] virtual std::optional<ProcessMessage> received() = 0;

    bool over = false; ///< whether the first process has said that there is no more work
};

/// How the points of a sweep are answered, from one on: run_sweep(), or by several processes.
using RunSweep = std::function<Result<void>(const Sweep& sweep, const TakePoint& take, std::size_t from,
                                            const RunControl& control)>;

/// A point with its numbers, or with the sentence why there are none. Refused only when stopped.
[[nodiscard]] Result<SweepPoint> answered_point(const Sweep& sweep, std::size_t point,
                                                const RunControl& control);

/// run_sweep() over all processes, in the first of them: hands out point after point to whichever has time,
/// itself too, and hands over in the order of the sweep, as run_sweep() does.
[[nodiscard]] Result<void> hand_out_sweep(const Sweep& sweep, const TakePoint& take, std::size_t from,
                                          const RunControl& control, ProcessLink& link);
/// In the others: answers points of the same sweep until the first one says that it is over. Then cancelled.
[[nodiscard]] Result<void> work_on_sweep(const Sweep& sweep, ProcessLink& link);
/// In one of the others that cannot answer points, until it is over: says so to each that it is given.
void decline_work(ProcessLink& link);
/// Once, in the first one, when it will hand out no more.
void end_work(ProcessLink& link);

} // namespace meshslice
