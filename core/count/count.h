#pragma once

#include "core/base/quantity.h"
#include "core/cost/schedule.h"
#include "core/cost/traffic/memory_traffic.h"
#include "core/program/program.h"

#include <vector>

namespace meshslice {

struct LinkTraffic {
    Link link;
    Bytes bytes;

    bool operator==(const LinkTraffic&) const = default;
};

/// What one chip holds while a program runs.
struct Memory {
    Bytes left, right, output; ///< the shards of A, B and C
    Bytes buffers; ///< the temporaries; those of the loop times their buffers (prefetch depth + 1)

    [[nodiscard]] Bytes shards() const { return left + right + output; }
    bool operator==(const Memory&) const = default;
};
[[nodiscard]] Memory memory_per_chip(const Program& program, const Schedule& schedule);
/// The share of C that each chip has at the end: 1 where every chip ends with all of it, and where the
/// program has no values.
[[nodiscard]] double share_of_output(const Program& program);

/// What a program moves, computes and holds, without any hardware.
struct Count {
    std::vector<LinkTraffic> links; ///< every link that there is, in the order of Torus::links()
    Bytes sent_per_chip;            ///< the busiest chip's, over all its links
    Bytes busiest_link;
    Flop flop_per_chip;
    Bytes hbm_per_chip; ///< read and written by one chip's multiplications, each operand once per product
    DramTraffic dram_per_chip; ///< by what it is accessed for; without what GEMMs read. The average chip's
    Bytes shards_per_chip;     ///< A, B and C
    Bytes buffers_per_chip;    ///< the loop's temporaries, times their buffers (prefetch depth + 1)

    [[nodiscard]] Bytes peak_memory() const { return shards_per_chip + buffers_per_chip; }
};
[[nodiscard]] Count count(const Program& program, const Schedule& schedule);

} // namespace meshslice
