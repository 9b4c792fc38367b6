#pragma once

#include "core/plan/evaluate/evaluate.h"

#include <optional>

namespace meshslice {

/// One kind of a plan's communication in a step, seconds: what computing hides of it, and how much more it
/// could hide. A step that is all compute can still be one that a slower network lengthens.
struct HiddenCommunication {
    double whole = 0;   ///< were nothing hidden
    double exposed = 0; ///< what a step has of it
    double room = 0;    ///< the most that its computing could hide
    /// As many times as slow a network still hides all that is hidden now, so that what is exposed grows in
    /// proportion and no faster; 1 where there is no room left. None where nothing is hidden, and of
    /// programs, of which no closed form says it.
    std::optional<double> slower = {};

    [[nodiscard]] double hidden() const { return whole - exposed; }

    bool operator==(const HiddenCommunication&) const = default;
};

/// Of the weights and gradients among chips that hold the same. Of a plan that PlanModel::check() lets
/// through, as the other.
[[nodiscard]] HiddenCommunication hidden_data(const PlanModel& model, const Plan& plan);
/// Of the tensor-parallel group. Of programs `room` is what is hidden.
[[nodiscard]] HiddenCommunication hidden_tensor(const PlanModel& model, const Plan& plan);

} // namespace meshslice
