#pragma once

#include "core/evidence/training/training_rows.h"
#include "core/scenario/scenario.h"

namespace meshslice {

/// A measured training run as a scenario: its model, machine, chips, split, batch and measured step; what it
/// does not say stays open, and all else is `base`'s. Refused with why where it cannot be expressed, such as
/// a run of LoRA.
[[nodiscard]] Result<Scenario> measured_scenario(const TrainingRow& row, Scenario base);

/// The shipped run of this id; null where there is none.
[[nodiscard]] const TrainingRow* measured_run(std::string_view id);

/// The measured chip that a machine is of; null where there is none.
[[nodiscard]] const TrainingChip* measured_chip(const Machine& machine);
/// Of the machines that come with the program, the one with this chip that has the nearest numbers; null
/// where none has it.
[[nodiscard]] const Machine* usual_machine(const TrainingChip& chip);

} // namespace meshslice
