#pragma once

#include "core/cost/operation_cost.h"
#include "core/program/ring_schedule.h"
#include "core/torus/faults.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// What a run needs to know of one operation, or of one variant of it: the same for every chip except
/// for its position in the ring.
struct OperationPlan {
    std::optional<Communication> communication; ///< none for the core
    OperationCost cost;
    bool syncs = false; ///< whether a step begins with a synchronisation that takes time
    /// By direction and ring position, of one launch: the first step, the number of sends, and of arrivals.
    std::array<std::vector<std::int32_t>, 2> first_step, sends, arrivals;
};

/// Of every operation and each of its variants.
using Plans = std::vector<std::vector<OperationPlan>>;
[[nodiscard]] Plans plans(const Program& program, const Hardware& hardware, const Schedule& schedule,
                          const Conditions& conditions = {});

/// Whether an operation takes any time at all; the others need no engine.
[[nodiscard]] bool takes_time(const Program& program, const Plans& plans, OperationId id);

/// How many busy intervals all runs of an operation leave behind: in the row of a core, or in the row of the
/// link by which a chip sends in `direction`.
[[nodiscard]] std::int64_t intervals_on_core(const Program& program, const Plans& plans, OperationId id);
[[nodiscard]] std::int64_t intervals_on_link(const Program& program, const Plans& plans, OperationId id,
                                             Chip chip, Direction direction);

} // namespace meshslice
