#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// As what weights lie in memory that are not trained: as they are multiplied; in one byte each, with a scale
/// for a tensor; or in 4 bits with a scale for each 64, itself of 8 bits: 0.127 bits of a weight (NF4 with
/// double quantization, QLoRA, Dettmers et al., arXiv 2305.14314, section 3).
enum class FrozenNumbers : std::uint8_t { bf16, fp8, nf4 };
inline constexpr std::array all_frozen_numbers = {FrozenNumbers::bf16, FrozenNumbers::fp8,
                                                  FrozenNumbers::nf4};
[[nodiscard]] std::string_view name(FrozenNumbers numbers); ///< "bf16", "fp8", "nf4"
[[nodiscard]] double frozen_bytes(FrozenNumbers numbers);   ///< of a weight

/// Which matrices have adapters: those that lead into attention (QKV); the one out of it too (Output); or
/// those of the feed-forward network too (FF1, FF2), of experts as well.
enum class AdapterTargets : std::uint8_t { all, attention, qkv };
inline constexpr std::array all_adapter_targets = {AdapterTargets::all, AdapterTargets::attention,
                                                   AdapterTargets::qkv};
[[nodiscard]] std::string_view name(AdapterTargets targets); ///< "all", "attention", "qkv"

/// Low-rank adapters (LoRA, Hu et al., arXiv 2106.09685): the weights of a model stay as they are, and next
/// to a matrix of in x out two are trained, of in x rank and rank x out, whose product is added to it.
struct Adapters {
    std::int64_t rank = 0; ///< 0: none, all weights are trained
    FrozenNumbers frozen = FrozenNumbers::bf16;
    AdapterTargets targets = AdapterTargets::all;

    [[nodiscard]] bool on() const { return rank > 0; }
    bool operator==(const Adapters&) const = default;
};
inline constexpr std::int64_t most_rank = 65'536;

} // namespace meshslice
