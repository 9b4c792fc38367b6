#pragma once

#include "core/base/result.h"
#include "core/cost/collective/exchange_bound.h"
#include "core/machine/machine.h"
#include "core/sharding/notation.h"

#include <vector>

namespace meshslice {

/// What the hardware has along an axis of a mesh: chips, link, and whether it closes the ring in a slice of
/// this shape. An axis of one chip has no links.
struct MeshLinks {
    ExchangeAxis along;
    bool closes = true;
};

/// Of every axis of a mesh that is a slice of the torus: those of more than one chip take the machine's axes
/// in turn. Refuses hardware without a torus, more axes than it has, and a slice larger than its pod.
[[nodiscard]] Result<std::vector<MeshLinks>> links_of(const NamedMesh& slice, const Machine& hardware);

} // namespace meshslice
