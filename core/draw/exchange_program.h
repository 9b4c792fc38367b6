#pragma once

#include "core/base/result.h"
#include "core/cost/collective/exchange_bound.h"
#include "core/program/program.h"

namespace meshslice {

/// An exchange among all chips of a torus by itself, axis after axis, as a program that every reading takes.
/// Its first value, A, is what every chip begins with; its output, C, what every chip ends with. `rows` and
/// `columns`: of A on one chip.
///
/// Along the vertical axis it joins, cuts or sums rows, along the others columns, so that what is gathered
/// on a mesh lies as the chips do. An all-reduce is a reduce-scatter and an all-gather. An all-to-all cuts
/// columns into one chunk for each chip, the last axis fastest, and joins rows in that order. A broadcast is
/// from the first chip of every axis, a reduction to it; the other chips' C stays as it was. A send-receive
/// goes one chip forward.
///
/// Refuses sizes that do not divide, more than one axis or an open line for a send-receive, and one chip.
[[nodiscard]] Result<Program> exchange_program(Collective what, const Torus& torus, std::int64_t rows,
                                               std::int64_t columns);

} // namespace meshslice
