#pragma once

#include "core/evidence/training/training_rows.h"

namespace meshslice {

/// What a chip of a row gets through, as collectives were measured: bytes/s.
struct TrainingNetwork {
    double domain = 8; ///< chips that the fast network joins
    double inside = 0, outside = 0;

    /// Of a ring of so many chips that stand `apart` from each other. Those within a domain bring the ports
    /// of all of them.
    [[nodiscard]] double ring(double chips, double apart) const;
};
/// Within a domain the all-gather of large tensors that `fitted_collectives` predicts; between domains what
/// the row says that its links have, times the share of them that such an all-gather reaches.
[[nodiscard]] TrainingNetwork network_of(const TrainingRow& row);

/// Bytes/s of a chip that words such as "8x400G per node", "RoCE 1600 Gb/s per node" and "200 Gb/s per GPU"
/// say; 0 where they say none. `per_node` chips share a node's.
[[nodiscard]] double told_rate(std::string_view words, double per_node);

} // namespace meshslice
