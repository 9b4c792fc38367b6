#pragma once

#include "core/program/program.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <vector>

namespace meshslice {

template <class Number>
class Machine;

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

/// Looks on while a program is executed. It is called in the order in which things happen, on the thread that
/// executes. While somebody looks on, all rings of an axis take their steps together, and what has arrived is
/// stored after every step.
template <class Number>
class ExecutionWatcher {
  public:
    virtual ~ExecutionWatcher() = default;

    /// A and B lie on the chips.
    virtual void placed(Machine<Number>& chips) = 0;
    /// A run of an operation begins on all chips. Where a GEMM feeds a collective in the loop, the GEMMs of
    /// all iterations come before the collective's.
    virtual void begins(Machine<Number>& chips, OperationId operation, std::int64_t iteration) = 0;
    /// Every ring has taken one more step of the communication.
    virtual void stepped(Machine<Number>& chips, std::vector<LinkMessage<Number>> crossed) = 0;
    virtual void done(Machine<Number>& chips) = 0;
};

} // namespace meshslice
