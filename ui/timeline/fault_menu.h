#pragma once

#include "core/simulate/record/timeline.h"
#include "core/torus/faults.h"

#include <cstddef>

class QMenu;

namespace meshslice::ui {

class Session;

/// Makes a part slow or dead, or at speed 1 healthy again.
void wantFault(Session& session, const Fault& wanted);

/// Adds what if the core or link of a row of a step were slow or dead, each an edit of the scenario. Adds
/// nothing where the row is of another variant, or no part of the scenario's mesh.
void addFaults(QMenu& menu, Session& session, std::size_t step, const Torus& torus, const Row& row);

} // namespace meshslice::ui
