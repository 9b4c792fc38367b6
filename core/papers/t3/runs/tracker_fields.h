#pragma once

#include "core/model/gemm.h"

#include <cstdint>

namespace meshslice {

/// What the tracker at a GPU's memory controller is asked to hold (T3, ASPLOS 2024, section 4.2.1, Figure 9).
struct TrackedStage {
    GemmShape shape;                        ///< of one chip's GEMM
    std::int64_t workgroups = 1;            ///< of the whole output
    std::int64_t workgroups_of_a_stage = 1; ///< at once
    std::int64_t wavefronts = 8;            ///< of a work-group, each with a tile of its own
    std::int64_t updates = 2;               ///< of an element: its own, and what arrives round a ring
    std::int64_t address_bits = 48;         ///< assumed: the paper does not print them
};

/// Its fields: sets are found by the low bits of the work-group's number, an entry in them by the other bits
/// and the wavefront's number.
struct TrackerFields {
    static constexpr std::int64_t sets = 256;
    static constexpr std::int64_t index_bits = 8;
    std::int64_t tag_bits = 0;       ///< of the work-group's number
    std::int64_t wavefront_bits = 0; ///< of a wavefront's
    std::int64_t elements = 0;       ///< of a wavefront's tile
    std::int64_t threshold = 0;      ///< updates that complete it
    std::int64_t counter_bits = 0;   ///< that can count them
    std::int64_t entry_bits = 0;     ///< all of an entry: address, counter, tag and wavefront
    std::int64_t bytes = 0;          ///< of all entries, one for each wavefront of a set
};

[[nodiscard]] TrackerFields tracker_fields(const TrackedStage& of);

} // namespace meshslice
