#pragma once

#include "core/machine/machine.h"

class QComboBox;

namespace meshslice::ui {

/// The machines that plans can be for, each with its name as data: fast domains, then tori.
void fillMachines(QComboBox* list);
/// Chooses one, also one that the list does not have: edited, or with domains of another size.
void chooseMachine(QComboBox* list, const Machine& machine);

} // namespace meshslice::ui
