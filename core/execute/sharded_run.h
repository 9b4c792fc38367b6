#pragma once

#include "core/base/result.h"
#include "core/sharding/resharding.h"
#include "core/sharding/shards.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// An array of any number of dimensions, the last one fastest.
struct DenseArray {
    std::vector<std::int64_t> shape;
    std::vector<double> values;

    [[nodiscard]] static DenseArray of(std::vector<std::int64_t> shape);
    bool operator==(const DenseArray&) const = default;
};

/// What a plan made of real arrays.
struct ShardedRun {
    double largest_error = 0;           ///< of all elements on all devices, against the GEMM on one device
    std::int64_t devices = 0;           ///< that hold what the wanted result says
    std::int64_t received_elements = 0; ///< by one device, of all steps
};

/// Runs a plan device by device on arrays of whole numbers from -9 to 9 that `seed` chooses, so that the sums
/// are exact: every device has only its blocks, and gets others only in the steps of the plan. Partial sums
/// of an operand are numbers that add up to it.
///
/// Refuses what shards() refuses for the arrays on the way, more than `most_sharded_devices`, and arrays of
/// more than 2^22 elements or multiplications of more than 2^26.
inline constexpr std::int64_t most_sharded_devices = 64;
[[nodiscard]] Result<ShardedRun> run_sharded(const ShardedPlan& plan, const ShardedGemm& gemm,
                                             const NamedMesh& mesh, const DimensionSizes& sizes,
                                             std::uint32_t seed);

/// Sizes that divide whatever splits them: for each letter as many as there are devices, times `factor`.
[[nodiscard]] DimensionSizes small_sizes(const ShardedGemm& gemm, const NamedMesh& mesh, std::int64_t factor);

} // namespace meshslice
