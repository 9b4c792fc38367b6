#pragma once

#include "core/cost/collective/transfer.h"
#include "core/figure/chart.h"

#include <string>

namespace meshslice {

struct Machine;

/// The slice with the ways that bytes take, and how long each part of the way takes: the longest counts. Its
/// title is the time and what bounds it. The first axis goes down, the second across, and slices along a
/// third stand next to each other.
[[nodiscard]] Chart transfer_chart(const TransferAsked& asked, const Transfer& found,
                                   const Machine& hardware);
/// The parts of the way.
[[nodiscard]] Table transfer_table(const TransferAsked& asked, const Transfer& found);
/// "(0, 0) to (3, 3)", "all chips to (3, 3)".
[[nodiscard]] std::string ends_text(const TransferAsked& asked);

} // namespace meshslice
