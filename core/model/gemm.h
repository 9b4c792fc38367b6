#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Which matrix of a product never leaves its chip (MeshSlice paper, section 2.3.1, Figure 1):
/// OS, output stationary, computes C = A B; LS, left stationary, C = A B^T; RS, right stationary, C = A^T B.
enum class Dataflow : std::uint8_t { OS, LS, RS };

/// Which matrix of a fully connected layer Y = X W stays put through all three passes (Table 1).
enum class Stationary : std::uint8_t { Y, X, W };

/// What of a training step something belongs to.
enum class Pass : std::uint8_t { forward, backward_data, backward_weight, update };

/// The mathematical size of a product: C is m x n, and k is summed over, whatever the dataflow stores
/// transposed.
struct GemmShape {
    std::int64_t m = 1;
    std::int64_t n = 1;
    std::int64_t k = 1;

    bool operator==(const GemmShape&) const = default;
};

/// A product larger than this would overflow the FLOP count: 2 m n k must stay below 2^62. (That the products
/// of a whole block together do, too, is checked where its layers are made.)
inline constexpr std::int64_t most_flop = std::int64_t{1} << 62;
/// One matrix: 2^56 elements, so that a chip's shards, slices and buffers of several are still counted in 64
/// bits.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 56;
/// One dimension: 2^31 tokens or features is far beyond any model, and keeps every matrix countable in 64
/// bits.
inline constexpr std::int64_t most_dimension = std::int64_t{1} << 31;

/// Refuses dimensions below 1 or above `most_dimension`, matrices above `most_elements` and products above
/// `most_flop`.
[[nodiscard]] Result<GemmShape> checked(const GemmShape& shape);

/// 2 m n k: one multiply and one add per term.
[[nodiscard]] constexpr Flop flop(const GemmShape& shape) {
    return Flop(2 * shape.m * shape.n * shape.k);
}

/// One matrix product of a training step.
struct Gemm {
    std::string layer; ///< the name of its tasks; empty for a product on its own
    Pass pass = Pass::forward;
    Dataflow dataflow = Dataflow::OS;
    GemmShape shape;
    std::int64_t copies = 1; ///< how many such products a layer makes: the experts of a mixture

    bool operator==(const Gemm&) const = default;
};

/// The three products of one fully connected layer with `tokens` rows of X, `in` columns of X and `out`
/// columns of Y, in the dataflows of one row of Table 1: forward, backward data, backward weight.
[[nodiscard]] std::vector<Gemm> training_gemms(const std::string& layer, Stationary stationary,
                                               std::int64_t tokens, std::int64_t in, std::int64_t out,
                                               std::int64_t copies = 1);

[[nodiscard]] std::string_view name(Dataflow dataflow);     ///< "OS"
[[nodiscard]] std::string_view name(Stationary stationary); ///< "Y"
[[nodiscard]] std::string_view name(Pass pass); ///< "forward", "backward data", "backward weight", "update"
[[nodiscard]] std::string text(const GemmShape& shape); ///< "262144x49152x12288"
/// "FF1 forward", or the dataflow and shape of a GEMM on its own.
[[nodiscard]] std::string title(const Gemm& gemm);

[[nodiscard]] Result<Dataflow> parse_dataflow(std::string_view words);
/// Reads "262144x49152x12288", in the order M, N, K.
[[nodiscard]] Result<GemmShape> parse_gemm(const std::string& words);

} // namespace meshslice
