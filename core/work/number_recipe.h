#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// In which numbers training multiplies the matrices of its blocks, with the names that Transformer Engine
/// and Megatron-LM have for them. Attention, router, embedding, output head, norms and the sums of GEMMs stay
/// in bf16 or fp32; so do the weights that the optimizer updates, and its state.
enum class NumberRecipe : std::uint8_t {
    bf16,
    fp8,         ///< one scale for a tensor, known from earlier steps (delayed scaling)
    fp8_current, ///< one scale for a tensor, found in another pass before it
    fp8_blocks,  ///< a scale in fp32 for each 128 numbers (DeepSeek-V3, arXiv 2412.19437, section 3.3.2)
    mxfp8,       ///< a scale of one byte for each 32 numbers (OCP Microscaling Formats 1.0, section 5)
    nvfp4        ///< one of a byte for each 16 numbers and one for the tensor (NVIDIA, arXiv 2509.25149)
};
inline constexpr std::array all_number_recipes = {NumberRecipe::bf16,        NumberRecipe::fp8,
                                                  NumberRecipe::fp8_current, NumberRecipe::fp8_blocks,
                                                  NumberRecipe::mxfp8,       NumberRecipe::nvfp4};
/// "bf16", "fp8", "fp8-current", "fp8-blocks", "mxfp8", "nvfp4"
[[nodiscard]] std::string_view name(NumberRecipe recipe);
/// "fp8 with a scale for each 128 numbers", in the reader's language.
[[nodiscard]] std::string title(NumberRecipe recipe);

[[nodiscard]] DataType multiplied(NumberRecipe recipe); ///< bf16, fp8 or fp4
/// Of a number as it is multiplied and kept, with its part of a scale.
[[nodiscard]] double operand_bytes(NumberRecipe recipe);
/// That pass memory, of each number of an operand of a GEMM, to make it: it is read in bf16, where its
/// largest is searched for first once more, and written twice, as the two products of a backward pass need it
/// by rows and by columns. 0 of bf16.
[[nodiscard]] double cast_bytes(NumberRecipe recipe);
/// Of a weight that is gathered from chips that share it: in 8 bits where GEMMs are (Megatron-LM,
/// --fp8-param-gather), else in bf16.
[[nodiscard]] double gathered_bytes(NumberRecipe recipe);

/// Refuses a machine whose matrix units cannot multiply so, with the recipes that work there.
[[nodiscard]] Result<void> check_recipe(NumberRecipe recipe, const Machine& machine);

} // namespace meshslice
