#pragma once

#include "core/base/quantity.h"
#include "core/plan/pipeline/pipeline_run.h"

#include <cstddef>
#include <deque>
#include <vector>

namespace meshslice {

/// The link of a stage to the chips with the same layers, in the simulation of a pipeline. What is asked of
/// it follows one after the other. Where tensor-parallel groups send over the same links, they come first:
/// while a stage computes, only what they leave of the link is for gathers and reductions.
///
/// When something ends depends on what the stage computes until then, so end_of() may be asked only by what
/// waits for it: from then on the stage does not compute.
class DataLink {
  public:
    /// Which of all that were asked for, in this order.
    using Job = std::size_t;

    /// Something that takes so long on a link of its own and cannot start before `from`. `what` has no times.
    Job ask(Time from, Time takes, const PipelineInterval& what);
    /// The stage computes from `from` to `to`, not before it did last, and this share of the time, 0 to 1,
    /// its tensor-parallel group has the link.
    void taken(Time from, Time to, double share);
    /// When it is over, and all before it: recorded in the run. The stage computes nothing until then but
    /// what taken() has said.
    Time end_of(Job job, PipelineRun& run, std::size_t stage);
    /// The same of all that was asked for; 0 where nothing was.
    Time end_of_all(PipelineRun& run, std::size_t stage);

  private:
    struct Asked {
        Time from, takes;
        PipelineInterval what;
    };
    struct Taken {
        Time from, to;
        double share;
    };
    /// When something is over that begins at `start` and has the link for what is not taken.
    Time end(Time start, Time takes);

    std::deque<Asked> waiting_;
    std::deque<Taken> taken_; ///< that do not end before the last job that is over
    std::vector<Time> ends_;  ///< of the jobs that are over
};

} // namespace meshslice
