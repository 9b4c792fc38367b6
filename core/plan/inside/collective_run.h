#pragma once

#include "core/plan/inside/plan_run.h"

#include <memory>
#include <string>

namespace meshslice {

/// What a group of chips of a plan does together.
struct CollectiveOfGroup {
    Collective what = Collective::all_gather;
    double bytes = 0; ///< of the whole tensor
    ChipGroup group;
};
/// "all-gather".
[[nodiscard]] std::string collective_name(Collective what);

/// The recipe for what is inside a collective that takes so many seconds by the closed form: on a torus it is
/// simulated on a torus of the group's chips, link by link; behind switches it is drawn step by step and port
/// by port, as the closed form has it.
[[nodiscard]] RunKey collective_key(const PlanPtr& plan, const CollectiveOfGroup& collective, double seconds);
/// The same without a plan.
[[nodiscard]] RunKey collective_key(std::shared_ptr<const Machine> machine,
                                    const CollectiveOfGroup& collective, double seconds);

} // namespace meshslice
