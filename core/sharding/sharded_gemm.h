#pragma once

#include "core/sharding/notation.h"
#include "core/sharding/shards.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace meshslice {

enum class Operand : std::uint8_t { left, right, result };
inline constexpr std::array all_operands = {Operand::left, Operand::right, Operand::result};

/// "A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]": how the operands lie on a mesh, and how the result is wanted
/// (scaling book, chapter 3). A letter of A and B that C does not have is contracted, one that all three have
/// is a batch dimension.
struct ShardedGemm {
    ShardedArray left, right, result;

    [[nodiscard]] const ShardedArray& operand(Operand which) const {
        return which == Operand::left ? left : which == Operand::right ? right : result;
    }
    bool operator==(const ShardedGemm&) const = default;
};

/// Whether a text means a GEMM and not one array.
[[nodiscard]] bool is_sharded_gemm(std::string_view text);
/// Also with `*`, `@`, `·` or `×` for the dot, and an einsum, "ij,jk->ik", whose arrays are whole on every
/// device. Refuses, at the letter, what parse_sharded_array() refuses, two arrays of one name, a dimension of
/// C that neither operand has, and a dimension of one operand that is nowhere else.
[[nodiscard]] Read<ShardedGemm> parse_sharded_gemm(std::string_view text, const NamedMesh& mesh);
/// The same back: parse_sharded_gemm() reads what this prints.
[[nodiscard]] std::string text(const ShardedGemm& gemm, const NamedMesh& mesh);
/// For two to three arrays that are typed one by one; the error is about the letters of them together.
[[nodiscard]] std::optional<std::string> mismatch(const ShardedGemm& gemm);

/// What a letter does in the GEMM.
enum class LetterRole : std::uint8_t { contracted, batch, left_only, right_only };
struct GemmLetter {
    char letter = 'I';
    LetterRole role = LetterRole::left_only;

    bool operator==(const GemmLetter&) const = default;
};
/// Each once: those of A in their order, then those that B alone has.
[[nodiscard]] std::vector<GemmLetter> letters_of(const ShardedGemm& gemm);
/// The dimension of that letter; null where the array has none.
[[nodiscard]] const ArrayDimension* dimension_of(const ShardedArray& array, char letter);

/// FLOP of one GEMM on one chip: 2 x all sizes, 1 x where nothing is contracted (chapter 4).
[[nodiscard]] double flop_of(const ShardedGemm& gemm, const DimensionSizes& sizes);

/// "contracted", "batch", "left", "right"
[[nodiscard]] std::string_view name(LetterRole role);
/// "I: A alone, J: contracted, K: B alone".
[[nodiscard]] std::string role_words(const ShardedGemm& gemm);
/// "ij,jk->ik", as numpy and JAX have it.
[[nodiscard]] std::string einsum(const ShardedGemm& gemm);
/// A training step multiplies three times: forward, and backward for the gradient of each operand, each with
/// as many FLOP (chapter 4).
inline constexpr double gemms_of_training = 3;

/// Which of the four cases of chapter 3 it is; none where a batch dimension lies differently in A and B.
///   1  nothing contracted is sharded, and no axis splits dimensions of A and B that both stay
///   2  a contracted dimension is sharded in one operand, or differently in both
///   3  it is sharded over the same axes in both
///   4  an axis splits a dimension of A and another one of B that both stay
/// Where several hold, 4 comes before 2 and 2 before 3: what has to be gathered first.
[[nodiscard]] std::optional<int> case_of(const ShardedGemm& gemm);
/// "Case 2: J is sharded in A only. ..."
[[nodiscard]] std::string case_words(const ShardedGemm& gemm, const NamedMesh& mesh);

} // namespace meshslice
