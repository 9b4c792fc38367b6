#pragma once

#include "app/command.h"
#include "core/base/result.h"
#include "core/machine/machine.h"
#include "core/sharding/sharded_gemm.h"
#include "core/sharding/shards.h"

#include <string>

namespace meshslice {

/// What `meshslice shard` asks about a GEMM.
struct ShardGemmRequest {
    ShardedGemm gemm;
    NamedMesh mesh;
    DimensionSizes sizes;
    DataType kind = DataType::bf16;
    bool all = false;    ///< every plan, not only the best
    bool verify = false; ///< runs every plan on real arrays
    bool json = false;
    bool simulate = false;  ///< the programs of the plans that are listed
    std::size_t plan = 1;   ///< whose steps and code are shown, by its place in the order
    std::string trace = {}; ///< a file for its timeline; empty for none
};

/// The case, the plans in their order, the steps of the best and its code. Its exit code is `check_failed`
/// where a plan that was run is wrong.
[[nodiscard]] Result<Printed> shard_gemm_answer(const ShardGemmRequest& request, const Machine& hardware);

} // namespace meshslice
