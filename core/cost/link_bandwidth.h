#pragma once

#include "core/base/quantity.h"
#include "core/hardware/network.h"
#include "core/torus/torus.h"

namespace meshslice {

/// Of one healthy link, one way, along an axis of more than one chip. The axes of a mesh are those of the
/// machine, in the same order; where the machine has fewer, those with more than one chip take the machine's
/// in turn, so that 1 x 8 runs on a machine of one axis. A ring that winds through several axes goes as fast
/// as the slowest of them: every step waits for its slowest link.
[[nodiscard]] Bandwidth link_bandwidth(const Network& network, const Torus& torus, Axis axis);

} // namespace meshslice
