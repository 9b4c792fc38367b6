#pragma once

#include "core/base/result.h"
#include "core/sharding/notation.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace meshslice {

/// How long each dimension is, by its letter.
using DimensionSizes = std::map<char, std::int64_t>;
/// Reads "I=1024, J=8Ki": capital letters and whole numbers from 1 on.
[[nodiscard]] Result<DimensionSizes> parse_dimension_sizes(std::string_view words);

/// What a sharding makes of an array (scaling book, chapter 3).
struct Shards {
    std::vector<std::int64_t> shape; ///< of the whole array
    std::vector<std::int64_t> local; ///< of what one device holds
    std::int64_t blocks = 1;         ///< different ones: the product of the axes that split a dimension
    std::int64_t copies = 1;         ///< devices that hold the same block
    std::int64_t partial_sums = 1;   ///< different ones of each block
    double bytes = 0;                ///< of the whole array
    double bytes_per_device = 0;
    double bytes_in_all = 0; ///< of all devices together

    bool operator==(const Shards&) const = default;
};
/// Refuses a dimension without a size, a size that its axes do not divide (with the nearest that they do),
/// and an array of more than 2^62 elements.
[[nodiscard]] Result<Shards> shards(const ShardedArray& array, const NamedMesh& mesh,
                                    const DimensionSizes& sizes, std::int64_t bits);

/// Where a device stands, by axis.
[[nodiscard]] std::vector<std::int64_t> coordinates(const NamedMesh& mesh, std::int64_t device);
/// Which block of each dimension a device holds, from 0.
[[nodiscard]] std::vector<std::int64_t> block_of(const ShardedArray& array, const NamedMesh& mesh,
                                                 std::int64_t device);

/// Every way to shard an array with these dimensions on a mesh: each axis splits one of them or none, and
/// where several split one dimension, they do in each order. Nothing is unreduced. 11 of two dimensions on
/// two axes, as the book counts (chapter 3, question on all shardings: 9 where the order does not matter).
[[nodiscard]] std::vector<ShardedArray> all_shardings(const std::string& name, std::string_view letters,
                                                      const NamedMesh& mesh);

} // namespace meshslice
