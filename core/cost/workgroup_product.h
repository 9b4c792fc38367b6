#pragma once

#include "core/machine/data_type.h"
#include "core/machine/machine.h"
#include "core/model/gemm.h"

#include <cstdint>

namespace meshslice {

/// How a GPU makes the output of a GEMM: by work-groups, each with one tile of it, in stages of as many
/// work-groups as its compute units run at once (T3, ASPLOS 2024, section 2.5). The last stage takes as long
/// as a full one.
struct WorkgroupProduct {
    std::int64_t workgroups = 0; ///< tiles of the output, those at its borders cut
    std::int64_t per_stage = 0;  ///< work-groups at once
    std::int64_t stages = 0;
    double compute = 0;       ///< seconds of all stages, without memory
    double read_bytes = 0;    ///< of A and B, where the last-level cache has room for nothing else
    double written_bytes = 0; ///< of C
};

/// Of the GEMM of one chip, on all of its compute units but `units_taken`. The hardware must have them
/// (feeds_rings()).
[[nodiscard]] WorkgroupProduct workgroup_product(const GemmShape& shape, const Machine& hardware,
                                                 DataType type, std::int64_t units_taken = 0);

/// What a GEMM reads of DRAM when a stage covers whole rows of tiles: A once, and B once where the
/// last-level cache holds it next to a stage's rows of A and, unless C bypasses it, a stage's part of C; else
/// B once a stage's rows. Bytes. A rule of thumb: the order of real kernels is not known.
[[nodiscard]] double gemm_reads(const GemmShape& shape, const Machine& hardware, DataType type,
                                bool output_bypasses_cache);

} // namespace meshslice
