#pragma once

#include "core/cost/collective/collective_costs.h"
#include "core/cost/gemm_roofline.h"
#include "core/figure/chart.h"
#include "core/machine/data_type.h"
#include "core/machine/machine.h"

#include <string>
#include <vector>

namespace meshslice {

/// One GEMM on one chip, and where its matrices come from.
struct RooflineOnChip {
    RooflineGemm gemm;
    const Machine& hardware;
    DataType compute = DataType::bf16;
    /// Memories that all matrices pass, each with its bytes/s: the chip's HBM first.
    std::vector<std::pair<std::string, double>> memories;

    [[nodiscard]] double peak() const { return hardware.peak_rate(compute).value(); } ///< FLOP/s
    /// Of every memory, then of the networks over which weights may be gathered, at a batch of so many rows.
    [[nodiscard]] std::vector<RooflineLevel> levels(double rows) const;
};

/// FLOP/s against the batch, on logarithmic axes: a line for each memory and network, flat where the peak
/// rate bounds, with a mark at the critical batch of each and one at the batch that is asked about (How to
/// Scale Your Model, chapter 1). Its title says what bounds that batch.
[[nodiscard]] Chart batch_chart(const RooflineOnChip& asked);
/// The same as a table: the levels at the batch that is asked about.
[[nodiscard]] Table level_table(const RooflineOnChip& asked);

/// Bytes per second that an exchange achieves against its size, on logarithmic axes: by the book's formula,
/// as the simulation and the planner have it, and the limit without latency; with a mark at the size that is
/// asked about, and a rule where latency stops to bound (chapter 3). Its title is the time of that size.
[[nodiscard]] Chart achieved_chart(const CollectiveCosts& costs, double bytes);
/// All sizes, as the command line has them.
[[nodiscard]] Table size_table(const CollectiveCosts& costs);

} // namespace meshslice
