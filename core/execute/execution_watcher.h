#pragma once

#include "core/program/fed_chunk.h"
#include "core/program/program.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <vector>

namespace meshslice {

template <class Number>
class Chips;

/// What one link carries in one step of a communication: a part of a chunk, which is numbered as in
/// RingSchedule.
template <class Number>
struct LinkMessage {
    Link link;
    std::int32_t chunk = 0;
    bool adds = false; ///< to what is there, instead of replacing it
    std::vector<Number> numbers;

    bool operator==(const LinkMessage&) const = default;
};

/// One step of a GEMM and the collective that it feeds.
template <class Number>
struct FedStep {
    bool makes = true; ///< every chip a chunk; else the rings carry what was on its way
    std::vector<LinkMessage<Number>> crossed; ///< the links, in this step
    std::vector<FedProgress> chips;           ///< after it
};

/// Looks on while a program is executed. It is called in the order in which things happen, on the thread that
/// executes. While somebody looks on, all rings of an axis take their steps together, and what has arrived is
/// stored after every step.
template <class Number>
class ExecutionWatcher {
  public:
    virtual ~ExecutionWatcher() = default;

    /// A and B lie on the chips.
    virtual void placed(Chips<Number>& chips) = 0;
    /// A run of an operation begins on all chips. Of a GEMM that feeds a collective this is not said, but in
    /// the collective's run the steps of both.
    virtual void begins(Chips<Number>& chips, OperationId operation, std::int64_t iteration) = 0;
    /// Every ring has taken one more step of the communication.
    virtual void stepped(Chips<Number>& chips, std::vector<LinkMessage<Number>> crossed) = 0;
    /// A GEMM and the collective that it feeds have taken one more step. What the GEMM makes is then what
    /// lies in each chip's memory, and NaN what does not lie there.
    virtual void fed(Chips<Number>& chips, FedStep<Number> step) = 0;
    virtual void done(Chips<Number>& chips) = 0;
};

} // namespace meshslice
